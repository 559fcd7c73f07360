// The browser's storage. A browser that keeps nothing for a page in a frame, by its owner's choice, refuses to name
// it: then it is one that lasts as long as the page.

for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
  try {
    void window[name];
  } catch {
    Object.defineProperty(window, name, { value: {} });
  }
}
