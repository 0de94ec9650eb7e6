// Which game is played, by whom, and from where.

import { enable } from './focus.js';
import { listKept } from './kept.js';
import { listenForRules } from './rules.js';
import { theme } from './theme.js';
import { checkedToken, orderHeaders, token, whenTokenChanges } from './token.js';

const find = (id) => document.getElementById(id);
const chosen = () => document.querySelector('input[name=game]:checked').value;

function showOptions() {
  for (const part of document.querySelectorAll('[data-game]')) {
    part.hidden = part.dataset.game !== chosen() || part.querySelectorAll('input, select').length === 0;
    part.disabled = part.hidden;
  }
}

const choices = [...document.querySelectorAll('select[id^=p]')];

// How many seats the table of the chosen game has.
function tableSize() {
  const players = document.querySelector(`[data-game="${chosen()}"] [name=players]`);
  const wanted = Math.round(Number(players?.value || players?.placeholder || 2));
  return Math.min(Math.max(wanted, 2), choices.length);
}

function showSeats() {
  const count = tableSize();
  choices.forEach((_, index) => {
    const seat = find(`seat${index + 1}`);
    seat.hidden = seat.disabled = index >= count;
  });
}

function showRules() {
  find('rules-of').dataset.rulesOf = chosen();
}

// Offers the bots that can play the chosen game. Where one was chosen that cannot, the first bot that can takes its place, or
// where hints come from, the opponent.
function showBots() {
  for (const id of [...choices.map((list) => list.id), 'adviser']) {
    const list = find(id);
    for (const bot of list.options) bot.hidden = bot.disabled = (bot.dataset.lacks ?? '').split(' ').includes(chosen());
    if (!list.selectedOptions[0]?.disabled) continue;
    list.value = id === 'adviser' ? '' : [...list.options].find((bot) => bot.value !== '' && !bot.disabled)?.value ?? '';
  }
}

function showNames() {
  choices.forEach(({ value }, index) => find(`name${index + 1}`).parentElement.classList.toggle('is-away', value !== ''));
}

// Fields that were left empty are not sent: the server knows what then holds.
function wish() {
  const options = {};
  for (const field of document.querySelectorAll(`[data-game="${chosen()}"] :is(input, select)`)) {
    if (field.value.trim() !== '') options[field.name] = field.value.trim();
  }
  const seats = choices.slice(0, tableSize()).map(({ value }, index) => (value === '' ? { person: find(`name${index + 1}`).value.trim() } : { bot: value }));
  const wished = { game: chosen(), options, seats };
  for (const id of ['tc', 'think', 'adviser', 'position']) {
    if (find(id).value.trim() !== '') wished[id] = find(id).value.trim();
  }
  return wished;
}

// The field of a name in what the server says.
const fieldOf = (name) => (name?.startsWith('option ') ? document.querySelector(`[data-game="${chosen()}"] [name="${CSS.escape(name.slice(7))}"]`) : name && find(name));

// Says what is wrong, at the field that is to be changed, which gets the focus; without one, beside the button.
function complain(words, field) {
  const fault = find('fault');
  const label = field?.closest('label');
  (label ?? document.querySelector('#begin > .go')).append(fault);
  fault.textContent = words;
  if (!label) return;
  field.setAttribute('aria-invalid', true);
  field.setAttribute('aria-describedby', 'fault');
  field.addEventListener('input', settle, { once: true });
  label.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  field.focus({ preventScroll: true });
}

function settle() {
  for (const field of document.querySelectorAll('#begin [aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
  complain('');
}

async function begin(event) {
  event.preventDefault();
  settle();
  const wrong = [...document.querySelectorAll('#begin :is(input, select):invalid')].find((field) => !field.closest(':disabled'));
  if (wrong) return complain(wrong.validationMessage, wrong);
  const button = document.querySelector('#begin [type=submit]');
  enable(button, false);
  try {
    const answer = await fetch('games', { method: 'POST', headers: orderHeaders(), body: JSON.stringify(wish()) });
    const told = await answer.json();
    if (answer.ok) location.assign(told.link);
    else complain(told.said, fieldOf(told.field));
  } catch {
    complain('the server does not answer');
  }
  return enable(button, true);
}

// Fills the form in as the address asks: `?game=fanorona&option=size=5x5&position=…`.
function prefill() {
  const asked = new URLSearchParams(location.search);
  const game = [...document.querySelectorAll('input[name=game]')].find((field) => field.value === asked.get('game'));
  if (!game) return;
  game.checked = true;
  for (const [name, value] of asked.getAll('option').map((pair) => pair.split('='))) {
    const field = document.querySelector(`[data-game="${game.value}"] [name="${CSS.escape(name)}"]`);
    if (field) field.value = value;
  }
  if (asked.get('position')) {
    find('position').value = asked.get('position');
    find('from-note').hidden = false;
  }
}

// Shows what those find here who have the token.
async function welcome() {
  const known = await checkedToken().catch(token);
  find('no-token').hidden = !!known;
  // A list that cannot be had is left out.
  if (known) await listKept(known).catch(() => {});
}

theme();
prefill();
listenForRules();
for (const field of document.querySelectorAll('input[name=game]')) field.addEventListener('change', () => { showOptions(); showSeats(); showBots(); showRules(); showNames(); });
for (const field of document.querySelectorAll('[name=players]')) field.addEventListener('input', showSeats);
for (const list of choices) list.addEventListener('change', showNames);
find('begin').addEventListener('submit', begin);
showOptions();
showSeats();
showBots();
showRules();
showNames();
await welcome();
whenTokenChanges(welcome);
document.documentElement.classList.add('is-ready');
