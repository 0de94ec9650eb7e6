// Asks before something is done that cannot be undone.

// Resolves to whether it is. `words` say what would happen, `deed` is written on the button that does it.
export function sure(words, deed) {
  const dialog = document.getElementById('sure');
  document.getElementById('sure-words').textContent = words;
  const [yes, no] = ['yes', 'no'].map((name) => dialog.querySelector(`[data-sure=${name}]`));
  yes.textContent = deed;
  const asker = document.activeElement;
  return new Promise((answer) => {
    // The focus goes back to what asked, unless that has gone.
    const end = (isSure) => { dialog.close(); if (asker?.isConnected) asker.focus(); answer(isSure); };
    yes.onclick = () => end(true);
    no.onclick = () => end(false);
    // Escape.
    dialog.oncancel = () => answer(false);
    dialog.showModal();
    // Enter alone does nothing that cannot be taken back.
    no.focus();
  });
}
