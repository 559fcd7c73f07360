// A page for a league's own people that came without a session: it begins one with the secret of a personal link,
// or loads itself once more, since browsers keep the session from pages to which another site has led.

const secret = location.hash.match(/^#k=([\w-]+)$/)?.[1];
const page = location.pathname + location.search;
const tried = "league.tried";

async function enter() {
  if (secret) {
    const answer = await fetch("/enter", { method: "POST", body: secret });
    if (answer.ok) location.replace(page);
    else history.replaceState(null, "", page);
  } else if (sessionStorage.getItem(tried) !== page) {
    sessionStorage.setItem(tried, page);
    location.replace(page);
  }
}

void enter();
