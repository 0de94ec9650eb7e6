// The focus stays where the reader has put it, also where a button cannot be pressed for a while.

// Says whether a button can be pressed. One that has the focus keeps it and does nothing until it can be pressed again.
export function enable(button, can) {
  const keeps = !can && button === document.activeElement;
  button.disabled = !can && !keeps;
  if (!keeps) return button.removeAttribute('aria-disabled');
  if (button.hasAttribute('aria-disabled')) return undefined;
  button.setAttribute('aria-disabled', true);
  button.addEventListener('blur', () => {
    button.disabled = button.hasAttribute('aria-disabled');
    button.removeAttribute('aria-disabled');
  }, { once: true });
  return undefined;
}

addEventListener('click', (event) => {
  if (!event.target.closest?.('button[aria-disabled=true]')) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, true);
