// Which game is played, by whom, and from where.

import { listKept } from './kept.js';
import { theme } from './theme.js';
import { token } from './token.js';

const find = (id) => document.getElementById(id);
const chosen = () => document.querySelector('input[name=game]:checked').value;

function showOptions() {
  for (const part of document.querySelectorAll('[data-game]')) {
    part.hidden = part.dataset.game !== chosen() || part.querySelectorAll('input, select').length === 0;
    part.disabled = part.hidden;
  }
}

function showNames() {
  for (const seat of [1, 2]) find(`name${seat}`).parentElement.classList.toggle('is-away', find(`p${seat}`).value !== '');
}

// Fields that were left empty are not sent: the server knows what then holds.
function wish() {
  const options = {};
  for (const field of document.querySelectorAll(`[data-game="${chosen()}"] :is(input, select)`)) {
    if (field.value.trim() !== '') options[field.name] = field.value.trim();
  }
  const seats = [1, 2].map((seat) => {
    const bot = find(`p${seat}`).value;
    return bot === '' ? { person: find(`name${seat}`).value.trim() } : { bot };
  });
  const wished = { game: chosen(), options, seats };
  for (const id of ['tc', 'think', 'adviser', 'position']) {
    if (find(id).value.trim() !== '') wished[id] = find(id).value.trim();
  }
  return wished;
}

async function begin(event) {
  event.preventDefault();
  const button = document.querySelector('#begin [type=submit]');
  button.disabled = true;
  find('fault').textContent = '';
  try {
    const answer = await fetch('games', { method: 'POST', headers: { 'content-type': 'application/json', 'x-arena-token': token() ?? '' }, body: JSON.stringify(wish()) });
    const told = await answer.json();
    if (answer.ok) location.assign(told.link);
    else find('fault').textContent = told.said;
  } catch {
    find('fault').textContent = 'the server does not answer';
  }
  button.disabled = false;
}

theme();
find('no-token').hidden = !!token();
for (const field of document.querySelectorAll('input[name=game]')) field.addEventListener('change', showOptions);
for (const seat of [1, 2]) find(`p${seat}`).addEventListener('change', showNames);
find('begin').addEventListener('submit', begin);
showOptions();
showNames();
// A list that cannot be had is left out.
if (token()) await listKept(token()).catch(() => {});
document.documentElement.classList.add('is-ready');
