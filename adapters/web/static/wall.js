// The wall: polls a night's tables, and shows the changes.

const PAUSE = 2000;
const key = location.hash.slice(1);
const wall = /** @type {HTMLElement} */ (document.getElementById("wall"));
let shown = "";

async function look() {
  try {
    const answer = await fetch("/league/wall/tables", { headers: { Authorization: `Bearer ${key}` }, cache: "no-store" });
    const html = answer.ok ? await answer.text() : shown;
    if (html !== shown) wall.innerHTML = shown = html;
  } catch {
    // The server is away: the last state stays until it is back.
  }
  setTimeout(look, document.hidden ? 4 * PAUSE : PAUSE);
}

// Another link in the address of this page loads nothing by itself.
addEventListener("hashchange", () => location.reload());
void look();
