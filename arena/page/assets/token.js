// The token of those who may give orders: it comes after the `#` of an address, is kept for this tab, and leaves the address.

export function token() {
  const given = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem('token', given[1]);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('token');
}
