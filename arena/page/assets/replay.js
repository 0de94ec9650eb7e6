// A game on its board: stepping through it by buttons, keys and clicks.

import { PlyRows, data, element, games, nameOf, wholeGame } from './data.js';
import { listenForRules } from './rules.js';
import { BoardView, drawn, sceneAt, turnAt } from './board.js';
import { enable } from './focus.js';
import { Graph, scoreOf, timeOf } from './graph.js';
import { beside } from './list.js';
import { share } from './share.js';

const find = (id) => document.getElementById(id);

let shown = null; // { game, view, ply, cells }
let figures = null; // the graph of the game that is shown
let timer = null;
let asked = 0;
let opener = null; // what had the focus when the report gave way to a game, and how far the report was scrolled

function clock(milliseconds) {
  const all = Math.max(milliseconds, 0);
  const [minutes, seconds] = [Math.floor(all / 60000), (all % 60000) / 1000];
  return minutes || seconds >= 20 ? `${minutes}:${String(Math.floor(seconds)).padStart(2, '0')}` : seconds.toFixed(1);
}

export async function open(number, ply) {
  const mine = ++asked;
  const list = await games();
  const place = list.findIndex((entry) => entry[0] === number);
  if (place < 0) return false;
  if (shown?.game.number !== number) {
    const game = await wholeGame(place);
    if (mine !== asked) return true;
    if (!game) return false;
    stop();
    lay(game);
  }
  // The games beside it are those of the list as it is filtered now.
  for (const [id, step] of [['previous', -1], ['next', 1]]) {
    const other = await beside(number, step);
    if (other === undefined && find(id) === document.activeElement) find('board-frame').focus({ preventScroll: true });
    find(id).hidden = other === undefined;
    if (other !== undefined) find(id).href = `#g${other}p0`;
  }
  if (mine !== asked) return true;
  if (find('replay').hidden) opener = { node: document.activeElement, top: scrollY };
  find('report').hidden = true;
  find('replay').hidden = false;
  document.body.classList.add('is-replay');
  if (document.activeElement === document.body || !find('replay').contains(document.activeElement)) {
    find('board-frame').focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }
  go(ply ?? shown.game.plies.length, false);
  return true;
}

// Shows the report again. Returns whether the focus is back where a game was opened, and the report lies as it lay.
export function close() {
  asked += 1;
  stop();
  if (find('replay').hidden) return false;
  find('report').hidden = false;
  find('replay').hidden = true;
  document.body.classList.remove('is-replay');
  if (opener === null) return false;
  // Back to the row from which the game was opened, or to the row of the game that was reached from it.
  const row = shown && document.querySelector(`.list a[href^="#g${shown.game.number}p"]`);
  const isLink = opener.node?.matches?.('a, button') && opener.node.isConnected;
  const node = isLink ? opener.node : row;
  scrollTo({ top: opener.top, behavior: 'instant' });
  node?.focus({ preventScroll: true });
  node?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  opener = null;
  return !!node;
}

function lay(game) {
  const [one, two] = game.bots.map(nameOf);
  const frame = find('board-frame');
  if (find('replay-rules')) find('replay-rules').dataset.rulesOf = data.labels[game.label].split(' ')[0];
  find('replay-title').textContent = `Game ${game.number}: ${data.labels[game.label]}`;
  document.title = `${one} – ${two}, game ${game.number}`;
  let view = null;
  if (game.start && data.boards[game.label]) view = new BoardView(frame, game.label);
  else frame.replaceChildren(element('p', 'note', 'This game has no board here: its rules declare none, or are not known.'));
  shown = { game, view, ply: 0 };
  shown.cells = plyList(game);
  share(find('share'), game.number);
  figures ??= new Graph(find('graph'), { choose: (ply) => { stop(); go(ply); } });
  figures.show({ plies: game.plies, opening: game.opening, names: game.bots.map(nameOf) });
  const firsts = game.places ? game.bots.filter((_, seat) => game.places[seat] === 1).map(nameOf) : [];
  const verdict = firsts.length ? `${firsts.join(' and ')} ${firsts.length > 1 ? 'share the first place' : 'won'}` : game.result === 3 ? 'No result' : game.result === 0 ? 'Drawn' : `${nameOf(game.bots[game.result - 1])} won`;
  find('verdict').textContent = `${game.verdict} · ${verdict} · ${game.reason}${game.end ? `: ${game.end[0]}` : ''}${game.detail ? ` · ${game.detail}` : ''}`;
}

function plyList(game) {
  const [list, cells] = [find('plies'), []];
  const rows = new PlyRows(game.bots.length);
  game.plies.forEach((ply, place) => {
    const cell = element('button', 'ply', ply.token);
    cell.type = 'button';
    cell.tabIndex = -1;
    cell.setAttribute('role', 'option');
    const value = scoreOf(ply);
    if (value) cell.append(element('small', '', value));
    if (place < game.opening) cell.classList.add('book');
    const more = [place < game.opening ? 'opening' : timeOf(ply.time), ply.depth === null ? '' : `depth ${ply.depth}`,
      ply.nodes === null ? '' : `${ply.nodes.toLocaleString('en')} nodes`, ply.fallback ? 'chosen by the arena' : '',
      ply.text && `“${ply.text}”`];
    cell.title = more.filter(Boolean).join(', ');
    cell.addEventListener('click', () => go(place + 1));
    rows.add(cell, ply.seat, ply.turn);
    cells.push(cell);
  });
  list.replaceChildren(...rows.rows);
  return cells;
}

// Shows the position after a number of plies.
export function go(ply, isRemembered = true) {
  const { game, view, cells } = shown;
  const target = Math.min(Math.max(ply, 0), game.plies.length);
  const isStep = target === shown.ply + 1;
  shown.ply = target;
  const last = game.plies[target - 1];
  const scene = view && sceneAt(game, target);
  const end = target === game.plies.length ? game.end : null;
  if (view) {
    view.show(scene.letters, last && sceneAt(game, target - 1).letters, turnAt(game, target).map((ply) => ply.way), isStep);
    if (end) view.prove(end[1]);
    view.svg.setAttribute('aria-label', `Position after ${target} of ${game.plies.length} plies. ${end ? `The end: ${end[0]}. ` : ''}${view.words(scene.letters)}`);
  }
  seats(scene);
  figures.mark(target);
  cells.forEach((cell, place) => cell.setAttribute('aria-selected', place === target - 1));
  const list = find('plies');
  const cell = cells[target - 1];
  if (cell) list.scrollTop = cell.offsetTop - list.clientHeight / 2;
  else list.scrollTop = 0;
  const words = last ? `ply ${target}: ${nameOf(game.bots[last.seat - 1])} ${last.token} ${scoreOf(last)}` : 'the start';
  find('ply-words').textContent = last ? [`Ply ${target}: ${last.token} by ${nameOf(game.bots[last.seat - 1])}`, scoreOf(last), cells[target - 1].title].filter(Boolean).join(' · ') : 'The start of the game';
  find('said').textContent = target === game.plies.length ? `${words}. The end: ${find('verdict').textContent}` : words;
  for (const button of document.querySelectorAll('[data-do="first"],[data-do="back"]')) enable(button, target > 0);
  for (const button of document.querySelectorAll('[data-do="last"],[data-do="on"]')) enable(button, target < game.plies.length);
  if (isRemembered) history.replaceState(null, '', `#g${game.number}p${target}`);
}

// The first seat below the board, the others above; the other way round where the board is turned.
function seats(scene) {
  const { game, view } = shown;
  const [first, ...others] = game.bots.map((_, seat) => seat);
  const sides = view?.isTurned ? [[first], others] : [others, [first]];
  ['seat-top', 'seat-bottom'].forEach((id, index) => {
    const [side, list] = [find(id), sides[index]];
    side.classList.toggle('seat', list.length === 1);
    if (list.length === 1) return fillSeat(side, list[0], scene);
    side.classList.remove('decides');
    const bars = list.map((seat) => {
      const bar = element('div', 'seat');
      fillSeat(bar, seat, scene);
      return bar;
    });
    return side.replaceChildren(...bars);
  });
}

function fillSeat(bar, seat, scene) {
  const { game, view, ply } = shown;
  bar.classList.toggle('decides', game.plies[ply]?.seat === seat + 1);
  bar.replaceChildren();
  const piece = view && view.board.pieces[scene.owners[seat]];
  if (piece) {
    const icon = drawn('svg', { viewBox: '-50 -50 100 100', class: `icon ${view.board.class}`, 'aria-hidden': 'true' }, bar);
    drawn('use', { href: `#${piece[0]}` }, icon);
  }
  const isOver = ply === game.plies.length;
  const end = isOver && game.places ? ` · place ${game.places[seat]}` : isOver && game.result === seat + 1 ? ' · won' : '';
  bar.append(element('span', 'who', nameOf(game.bots[seat])), element('span', 'dim', `p${seat + 1}${end}`));
  const past = game.plies.slice(0, ply).filter((other) => other.seat === seat + 1);
  const value = past.findLast((other) => scoreOf(other));
  bar.append(element('span', 'eval', value ? scoreOf(value) : ''));
  const clocked = past.findLast((other) => other.clock !== null);
  bar.append(element('span', 'clock', clocked ? clock(clocked.clock) : game.limits[seat] ?? ''));
}

function playButton(name) {
  const button = document.querySelector('[data-do="play"]');
  button.setAttribute('aria-label', name);
  button.classList.toggle('is-on', name === 'Pause');
}

function stop() {
  clearInterval(timer);
  timer = null;
  playButton('Play');
}

function play() {
  if (timer) return stop();
  if (shown.ply === shown.game.plies.length) go(0);
  playButton('Pause');
  timer = setInterval(() => (shown.ply < shown.game.plies.length ? go(shown.ply + 1) : stop()), 700);
}

const DEEDS = {
  first: () => go(0),
  back: () => go(shown.ply - 1),
  on: () => go(shown.ply + 1),
  last: () => go(shown.game.plies.length),
  play,
  flip() {
    if (!shown.view) return;
    shown.view.turn();
    go(shown.ply);
  },
};

const KEYS = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', f: 'flip', ' ': 'play' };

export function listen() {
  listenForRules();
  for (const button of document.querySelectorAll('[data-do]')) {
    button.addEventListener('click', () => {
      if (button.dataset.do !== 'play') stop();
      DEEDS[button.dataset.do]();
    });
  }
  document.addEventListener('keydown', (event) => {
    if (find('replay').hidden || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') return find('back').click();
    if (event.key === 'n' || event.key === 'p') {
      const link = find(event.key === 'n' ? 'next' : 'previous');
      if (!link.hidden) link.click();
      return;
    }
    const deed = KEYS[event.key];
    // A button that has the focus is pressed by the space bar.
    if (!deed || (event.key === ' ' && event.target.closest('button, a'))) return;
    event.preventDefault();
    if (deed !== 'play') stop();
    DEEDS[deed]();
  });
}
