// The token of those who may give orders: it comes after the `#` of an address, leaves the address, and is kept for this server
// (its name and port) in all tabs of the browser. It is sent with orders alone.

const KEY = 'arena-token';

// A browser may refuse to keep anything: the token then lasts as long as the page.
let held = null;

function keep(words) {
  held = words;
  try {
    if (words === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, words);
  } catch { /* It is held here. */ }
}

function kept() {
  try {
    return localStorage.getItem(KEY) ?? held;
  } catch {
    return held;
  }
}

export function token() {
  const given = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (given) {
    keep(given[1]);
    history.replaceState(null, '', location.pathname);
  }
  return kept();
}

// What is sent with an order.
export function orderHeaders() {
  return { 'content-type': 'application/json', 'x-arena-token': token() ?? '' };
}

// Resolves to the token if the server takes it; to null where there is none. One that it refuses is forgotten.
export async function checkedToken() {
  const known = token();
  if (!known) return null;
  const answer = await fetch('/token', { headers: { 'x-arena-token': known } });
  if (answer.status !== 403) return known;
  if (kept() === known) keep(null);
  return null;
}

// Calls back when another page of this server has got a token, or lost it.
export function whenTokenChanges(deed) {
  addEventListener('storage', (event) => { if (event.key === KEY) deed(); });
}
