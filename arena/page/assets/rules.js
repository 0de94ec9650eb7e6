// The rules of a game in a drawer beside the board, which can stay open while the game is played.

import { element } from './data.js';

// The button that has opened the drawer: the focus goes back there.
let rulesOpener = null;

const theDrawer = () => document.getElementById('rules');

// Shows the rules of a game, or puts them away if they are shown.
export function toggleRules(game, button) {
  const drawer = theDrawer();
  const isShown = !drawer.hidden && drawer.dataset.game === game;
  if (isShown) return closeRules();
  rulesOpener = button;
  for (const part of drawer.querySelectorAll('[data-rules]')) part.hidden = part.dataset.rules !== game;
  drawer.dataset.game = game;
  drawer.hidden = false;
  drawer.querySelector('.drawer-text').scrollTop = 0;
  drawer.setAttribute('aria-label', `Rules of ${drawer.querySelector(`[data-rules="${game}"] h2`)?.textContent ?? 'the game'}`);
  for (const other of document.querySelectorAll('[data-rules-of]')) other.setAttribute('aria-expanded', other.dataset.rulesOf === game);
  document.getElementById('rules-close').focus();
}

function closeRules() {
  theDrawer().hidden = true;
  for (const other of document.querySelectorAll('[data-rules-of]')) other.setAttribute('aria-expanded', false);
  rulesOpener?.focus();
}

// A button that shows the rules of a game.
export function rulesButton(game) {
  const button = element('button', 'small', 'Rules');
  button.type = 'button';
  button.dataset.rulesOf = game;
  return button;
}

// Buttons may come and go: whichever is pressed opens the drawer, if the page has the rules of its game.
export function listenForRules() {
  if (!theDrawer()) return;
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-rules-of]');
    if (button) toggleRules(button.dataset.rulesOf, button);
  });
  document.getElementById('rules-close').addEventListener('click', closeRules);
  theDrawer().addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    closeRules();
  });
}
