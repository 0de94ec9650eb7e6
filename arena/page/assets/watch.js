// One game of a run: every ply can be looked at while the game is in progress, and after its end.

import { BoardView, sceneAt, turnAt } from './board.js';
import { copy } from './copy.js';
import { element } from './data.js';
import { follow } from './feed.js';
import { enable } from './focus.js';
import { Graph } from './graph.js';
import { Past } from './past.js';
import { listenForRules } from './rules.js';
import { share } from './share.js';
import { Seat, arrange, time } from './seat.js';
import { theme } from './theme.js';
import { orderHeaders, token } from './token.js';

const find = (id) => document.getElementById(id);
const title = document.title;
const view = new BoardView(find('board-frame'), 0);
const past = new Past(find('plies'), lookAt);
const figures = new Graph(find('graph'), { choose: lookAt });
const seats = [new Seat(), new Seat()];
const seatAll = (count) => arrange(seats, count, !!view?.isTurned, find('seat-top'), find('seat-bottom'));
let picture = null;
let game = null; // its plies as a board shows them
let looked = null; // after how many plies the board is looked at, unless the game is followed
let [told, heard] = [0, 0]; // the server's clock when it told the picture, and ours
let [halted, isLost] = [null, false];

const count = () => looked ?? game.plies.length;

function lookAt(ply) {
  if (!game) return;
  const target = Math.min(Math.max(ply, 0), game.plies.length);
  const isNext = target === count() + 1;
  looked = target === game.plies.length ? null : target;
  draw(isNext);
}

function draw(isNext) {
  const at = count();
  const scene = sceneAt(game, at);
  view.show(scene.letters, sceneAt(game, Math.max(at - 1, 0)).letters, turnAt(game, at).map((ply) => ply.way), isNext);
  if (looked === null && picture.end) view.prove(picture.end[1]);
  const last = game.plies[at - 1];
  view.svg.setAttribute('aria-label', `The board after ${at} plies. ${view.words(scene.letters)}`);
  seats.forEach((seat, number) => seat.wear(view.board, scene.owners[number]));
  past.mark(at);
  figures.mark(at);
  find('past').hidden = looked === null;
  find('past').textContent = `ply ${at} of ${game.plies.length}`;
  document.querySelector('.play').classList.toggle('is-past', looked !== null);
  for (const node of document.querySelectorAll('[data-look]')) enable(node, /first|back/.test(node.dataset.look) ? at > 0 : looked !== null);
  // What the bot said when it played this ply.
  const opening = at > 0 && at <= picture.opening ? 'opening' : '';
  find('said').textContent = last ? [`Ply ${at}: ${last.token} by p${last.seat} (${picture.bots[last.seat - 1]})`, opening, last.value, last.words].filter(Boolean).join(' · ') : 'The start of the game';
}

function turnWords() {
  if (isLost) return 'No connection to the server';
  if (picture.over) return `The game is over. ${picture.over}${picture.end ? `: ${picture.end[0]}` : ''}`;
  return picture.seat ? `p${picture.seat} (${picture.bots[picture.seat - 1]}) is thinking` : 'Waiting for the bots';
}

function show(next) {
  const before = game?.plies.length;
  picture = next;
  game = {
    start: picture.from.letters,
    owners: picture.from.owners,
    plies: picture.plies.map(([ply, seat, turn, value, changes, way, turned, words, [time, cp, mate, depth, nodes]]) => (
      { token: ply, seat, turn, value, changes, way, owners: turned, words, time, cp, mate, depth, nodes })),
  };
  find('summary').textContent = `${picture.bots[0]} against ${picture.bots.slice(1).join(', ')}, ${game.plies.length} ${game.plies.length === 1 ? 'ply' : 'plies'}`;
  if (before !== game.plies.length) {
    past.list(picture.plies, picture.bots.length, 0, 0);
    figures.show({ plies: game.plies, opening: picture.opening, names: picture.bots });
  }
  if (seats.length !== picture.bots.length) seatAll(picture.bots.length);
  seats.forEach((seat, number) => {
    seat.name.textContent = `${picture.bots[number]} `;
    seat.name.title = picture.bots[number];
    seat.name.append(element('span', 'dim', `p${number + 1}`));
    seat.search.textContent = picture.search[number] ?? '';
    seat.search.title = picture.search[number] ?? '';
    seat.node.classList.toggle('decides', picture.seat === number + 1);
  });
  for (const id of ['links', 'share']) find(id).hidden = !picture.over;
  showTurn();
  draw(before !== undefined && looked === null && game.plies.length > before);
  tick();
}

function showTurn() {
  if (!picture) return;
  find('turn').textContent = turnWords();
  find('turn').classList.toggle('is-over', !!picture.over && !isLost);
  document.title = `${picture.over ? 'Over' : isLost ? 'No connection' : `Ply ${game.plies.length}`} · ${title}`;
}

function tick() {
  if (!picture) return;
  seats.forEach((seat, number) => {
    const decides = picture.seat === number + 1;
    const spent = decides && picture.since !== null ? Math.max(0, told - picture.since) + (halted ?? performance.now()) - heard : 0;
    const clock = picture.clocks[number];
    seat.clock.textContent = clock !== null ? time(Math.max(0, clock - spent)) : decides ? `+${(spent / 1000).toFixed(1)}` : '';
  });
}

function flip() {
  view.turn();
  seatAll(seats.length);
  if (game) draw(false);
}

const LOOKS = { first: () => lookAt(0), back: () => lookAt(count() - 1), on: () => lookAt(count() + 1), last: () => lookAt(game.plies.length) };
const LOOK_KEYS = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' };

async function position() {
  const answer = await fetch(`position?at=${count()}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

async function copied(text, what) {
  const isDone = await text.then(copy).catch(() => false);
  find('copied').textContent = isDone ? `Copied ${what}` : `${what} cannot be copied here`;
}

// Leads to the form for games by hand, which the game and this position fill in.
async function playFrom() {
  const [id, ...options] = document.querySelector('h1').textContent.replace(/^Game \d+: /, '').split(' ');
  const query = new URLSearchParams({ game: id, position: await position() });
  for (const option of options) query.append('option', option);
  location.assign(`/play/?${query}`);
}

async function explain() {
  const answer = await fetch('transcript', { headers: orderHeaders() }).catch(() => null);
  find('transcript').hidden = false;
  find('transcript').textContent = !answer ? 'the server does not answer'
    : answer.status === 403 ? 'What bots wrote is shown to those who have the token: open the address that `arena serve` printed.' : await answer.text();
  find('transcript').focus();
}

theme();
token();
listenForRules();
share(find('share'), Number(/^Game (\d+)/.exec(document.querySelector('h1').textContent)[1]));
seatAll(seats.length);
for (const node of document.querySelectorAll('[data-look]')) node.addEventListener('click', () => LOOKS[node.dataset.look]());
find('flip').addEventListener('click', flip);
find('copy-position').addEventListener('click', () => copied(position(), `the position after ply ${count()}`));
find('copy-plies').addEventListener('click', () => copied(Promise.resolve(game.plies.slice(0, count()).map((ply) => ply.token).join(' ')), 'the plies'));
find('play-from')?.addEventListener('click', () => playFrom().catch(() => { find('copied').textContent = 'the server does not answer'; }));
find('explain')?.addEventListener('click', explain);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !game) return;
  if (event.key === 'f') return flip();
  const look = event.key === 'Escape' && looked !== null ? 'last' : LOOK_KEYS[event.key];
  if (!look || event.target.closest('.drawer, .transcript')) return;
  event.preventDefault();
  LOOKS[look]();
});
follow('events', {
  clock(now) { [told, heard] = [now, performance.now()]; },
  picture(next) {
    show(next);
    document.documentElement.classList.add('is-ready');
  },
  words(text, isHalted, isDead) {
    find('link').textContent = text;
    halted = isHalted ? halted ?? performance.now() : null;
    isLost = !!isDead;
    document.querySelector('.play').classList.toggle('is-lost', isLost);
    showTurn();
    tick();
  },
});
setInterval(tick, 100);
