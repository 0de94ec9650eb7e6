// Asks whether something is really to be done, before it is.

// Resolves to whether it is. `words` say what would happen, `deed` is written on the button that does it.
export function sure(words, deed) {
  const dialog = document.getElementById('sure');
  document.getElementById('sure-words').textContent = words;
  const [yes, no] = ['yes', 'no'].map((name) => dialog.querySelector(`[data-sure=${name}]`));
  yes.textContent = deed;
  return new Promise((answer) => {
    const end = (isSure) => { dialog.close(); answer(isSure); };
    yes.onclick = () => end(true);
    no.onclick = () => end(false);
    // Escape.
    dialog.oncancel = () => answer(false);
    dialog.showModal();
    // Enter alone does nothing that cannot be taken back.
    no.focus();
  });
}
