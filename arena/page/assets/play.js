// A game that is played by hand. The server tells the whole picture whenever it changes, with the clicks that make up each
// legal ply; what is done here is sent to it.

import { BoardView, places } from './board.js';
import { Cells } from './cells.js';
import { element } from './data.js';
import { Seat, time } from './seat.js';
import { theme } from './theme.js';
import { token } from './token.js';

const find = (id) => document.getElementById(id);
const known = token();
const view = new BoardView(find('board-frame'), 0);
const cells = new Cells(view, press);
const seats = [new Seat(), new Seat()];
let picture = null;
let path = []; // the clicks of the ply that is begun
let [told, heard] = [0, 0]; // the server's clock when it told the picture, and ours

// What can be clicked now: each a code, what a choice means, places, the ply that it completes, and what follows.
const siblings = () => (path.length ? path[path.length - 1][4] : picture?.clicks ?? []);
const falls = (click, place) => places(click[2]).includes(place);

function press(place) {
  if (!known || !picture) return;
  const click = siblings().find((other) => falls(other, place));
  if (click) return choose(click);
  // What is clicked elsewhere begins anew; the same stone once more lets go of it.
  const begun = path.length && falls(path[0], place);
  const first = begun ? undefined : (picture.clicks ?? []).find((other) => falls(other, place));
  path = [];
  if (first) choose(first);
  else showClicks();
}

function choose(click) {
  path.push(click);
  if (click[3] === null) return showClicks();
  order('play', { ply: click[3], at: picture.at });
  path = [];
  cells.show([...picture.view.letters], [], new Set());
  find('choices').replaceChildren();
}

function showClicks() {
  const clicked = path.filter((click) => click[1] === null).flatMap((click) => places(click[2]));
  const next = new Set(known ? siblings().flatMap((click) => places(click[2])) : []);
  cells.show([...picture.view.letters], clicked, next);
  cells.marks.classList.toggle('first', path.length === 0);
  if (path.length === 0 && picture.advice?.way) cells.advise(picture.advice.way);
  const choices = (known ? siblings() : []).filter((click) => click[1] !== null);
  const hadFocus = find('choices').contains(document.activeElement);
  find('choices').replaceChildren(...choices.map((click) => {
    const button = element('button', 'choice', click[0].startsWith(click[1]) || click[1].includes(click[0]) ? click[1] : `${click[0]}: ${click[1]}`);
    button.type = 'button';
    button.addEventListener('click', () => choose(click));
    return button;
  }));
  if (path.length) {
    const back = element('button', '', 'Back');
    back.type = 'button';
    back.title = 'takes the last click back';
    back.addEventListener('click', unclick);
    find('choices').append(back);
  }
  if (hadFocus) (find('choices').querySelector('button') ?? cells.nodes[cells.resting]).focus();
}

function unclick() {
  path.pop();
  showClicks();
}

async function order(word, more = {}) {
  try {
    const answer = await fetch('orders', { method: 'POST', headers: { 'content-type': 'application/json', 'x-arena-token': known ?? '' }, body: JSON.stringify({ order: word, ...more }) });
    const { said } = await answer.json();
    if (answer.ok && word === 'leave') return location.assign('/play/');
    if (!answer.ok) {
      say(said, true);
      if (picture) showClicks();
    }
  } catch {
    say('the server does not answer', true);
  }
}

function say(words, isFault) {
  if (find('said').textContent !== words) find('said').textContent = words;
  find('said').classList.toggle('bad', !!isFault);
}

// Who decides, or how the game ended.
function turnWords() {
  if (picture.ending) return picture.ending;
  const name = picture.seats[picture.decider - 1].name;
  if (picture.thinks) return `${picture.thinks} thinks …`;
  if (picture.waits) return `p${picture.decider} (${name}) waits for “Bot plays”, or a ply of yours`;
  return picture.seats[picture.decider - 1].isPerson ? `p${picture.decider} (${name}) decides` : `${name} is asked`;
}

function showPlies() {
  const rows = [];
  let turn = null;
  picture.plies.forEach(([ply, seat, number, value], index) => {
    // A turn of several plies, and both seats' turns, stand in one row.
    if (turn === null || (number !== turn && number % 2 === 1) || number > turn + 1) {
      const row = element('div', 'row');
      row.setAttribute('role', 'presentation');
      row.append(element('span', 'number', `${Math.ceil(number / 2)}`), element('span', 'half'), element('span', 'half'));
      rows.push(row);
    }
    turn = number;
    const cell = element('span', index === picture.plies.length - 1 ? 'ply now' : 'ply', ply);
    cell.setAttribute('role', 'listitem');
    if (value) cell.append(element('small', '', value));
    rows.at(-1).children[number % 2 === 1 ? 1 : 2].append(cell);
  });
  if (picture.ahead) rows.push(element('p', 'note', `${picture.ahead} taken back`));
  find('plies').replaceChildren(...rows);
  find('plies').scrollTop = find('plies').scrollHeight;
}

function show(next) {
  const isNew = picture === null || picture.game !== next.game;
  const hasMoved = isNew || picture.at !== next.at || picture.view.letters !== next.view.letters;
  const isNext = !isNew && next.at > picture.at;
  picture = next;
  const isSecond = picture.seats[1].isPerson && !picture.seats[0].isPerson;
  if (isNew && isSecond !== view.isTurned) flip();
  const { letters, before, way, owners } = picture.view;
  if (hasMoved) {
    path = [];
    view.show([...letters], [...before], picture.at ? { way } : null, isNext);
    showPlies();
  }
  const last = picture.plies.at(-1);
  view.svg.setAttribute('aria-label', `The board after ${picture.at} plies${last ? `, the last one ${last[0]} by p${last[1]}` : ''}`);
  find('summary').textContent = `game ${picture.game}, ${picture.at} ${picture.at === 1 ? 'ply' : 'plies'}`;
  seats.forEach((seat, number) => {
    const { name, search } = picture.seats[number];
    seat.name.textContent = `${name} `;
    seat.name.append(element('span', 'dim', `p${number + 1}`));
    seat.search.textContent = search;
    seat.search.title = search;
    seat.node.classList.toggle('decides', picture.decider === number + 1);
    seat.wear(view.board, owners[number]);
  });
  find('turn').textContent = turnWords();
  find('turn').classList.toggle('is-over', !!picture.ending);
  say(picture.said, picture.isFault);
  find('advice').textContent = picture.advice?.words ?? '';
  find('position').textContent = picture.position;
  for (const button of document.querySelectorAll('[data-order]')) button.disabled = !picture.can.includes(button.dataset.order);
  showClicks();
  tick();
}

function tick() {
  if (!picture) return;
  seats.forEach((seat, number) => {
    const clock = picture.seats[number].clock;
    const runs = picture.decider === number + 1 && !(picture.waits && !picture.thinks);
    const spent = runs ? Math.max(0, told - picture.told) + performance.now() - heard : 0;
    seat.clock.textContent = clock === null ? '' : time(Math.max(0, clock - spent));
  });
}

function flip() {
  view.turn();
  cells.settle();
  find('seat-top').replaceChildren(seats[view.isTurned ? 0 : 1].node);
  find('seat-bottom').replaceChildren(seats[view.isTurned ? 1 : 0].node);
  if (!picture) return;
  const { letters, before, way } = picture.view;
  view.show([...letters], [...before], picture.at ? { way } : null, false);
  showClicks();
}

const KEYS = { u: 'undo', r: 'redo', h: 'hint', e: 'eval', n: 'step' };

function listen() {
  find('orders').hidden = !known;
  find('no-token').hidden = !!known;
  for (const button of document.querySelectorAll('[data-order]')) button.addEventListener('click', () => order(button.dataset.order));
  find('flip').addEventListener('click', flip);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape' && path.length) unclick();
    else if (event.key === 'f') flip();
    else if (known && picture && KEYS[event.key] && picture.can.includes(KEYS[event.key])) order(KEYS[event.key]);
  });
}

theme();
listen();
find('seat-top').replaceChildren(seats[1].node);
find('seat-bottom').replaceChildren(seats[0].node);
const events = new EventSource('events');
events.addEventListener('clock', (event) => { [told, heard] = [Number(event.data), performance.now()]; });
events.addEventListener('picture', (event) => {
  show(JSON.parse(event.data));
  document.documentElement.classList.add('is-ready');
});
events.addEventListener('error', () => {
  say(events.readyState === EventSource.CLOSED ? 'the server does not know this game any more: it was left, nothing happened in it for two hours, or the server was started anew' : 'the server does not answer; trying again', true);
});
setInterval(tick, 100);
