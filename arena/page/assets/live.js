// A run in progress. The whole picture is told whenever it has changed; clocks keep running in between.

import { BoardView } from './board.js';
import { data, element } from './data.js';
import { Graph } from './graph.js';
import { arrange, time } from './seat.js';
import { fill } from './rows.js';
import { listenForRules, rulesButton } from './rules.js';
import { sure } from './sure.js';
import { theme } from './theme.js';
import { checkedToken, orderHeaders, whenTokenChanges } from './token.js';
import { enable } from './focus.js';
import { follow } from './feed.js';

const find = (id) => document.getElementById(id);
const name = document.title;
const tables = new Map();
let picture = null;
// The server's clock when it told the picture, and ours.
let [told, heard] = [0, 0];
// Since when clocks stand still, where nothing is told any more, and whether nobody answers.
let [halted, isLost] = [null, false];

// For how long the end of a game stays on its board, in milliseconds, when another game waits for it.
const LINGER = 2500;

// Who plays whom, for those who do not see the board.
const against = ([first, ...others]) => `${first.name} against ${others.map(({ name }) => name).join(', ')}`;

// A table: the board of a slot with the names, clocks and words of all seats.
class Table {
  constructor(slot) {
    this.slot = slot;
    this.node = element('article', 'card game');
    this.head = element('div', 'game-head');
    this.words = element('span');
    // A page that is a file has neither the rules nor a page for each game.
    this.way = element('a', 'open', 'Open');
    this.rules = rulesButton('');
    this.head.append(this.words, this.way, this.rules);
    this.rules.hidden = !find('rules');
    [this.seats, this.above, this.below] = [[], element('div'), element('div')];
    arrange(this.seats, 2, false, this.above, this.below);
    this.frame = element('div', 'frame');
    this.said = element('p', 'last dim');
    this.scores = element('div', 'graph is-small');
    this.node.append(this.head, this.above, this.frame, this.below, this.said, this.scores);
    this.graph = new Graph(this.scores, { isSmall: true });
    this.key = null;
    // Whether the end of its game is shown, and the timer until another game may take its place.
    [this.isOver, this.rest] = [false, null];
  }

  show(game) {
    if (this.rest || (this.isOver && game.number === this.key)) return;
    this.isOver = false;
    const isNew = this.key !== game.number;
    if (isNew) {
      this.key = game.number;
      if (this.seats.length !== game.bots.length) arrange(this.seats, game.bots.length, false, this.above, this.below);
      this.view = game.board === null ? null : new BoardView(this.frame, game.board);
      // The page of a single game is its board.
      this.way.hidden = document.documentElement.dataset.feed === 'file' || this.view === null;
      if (this.view === null) {
        this.frame.replaceChildren(element('p', 'note', 'This game has no board: its rules declare none, or are not known.'));
        this.seats.forEach((seat) => seat.bare());
      }
      this.shown = null;
    }
    this.game = game;
    this.words.textContent = `Game ${game.number} · ${game.label} · ply ${game.plies}`;
    this.way.setAttribute('href', `games/${game.number}/`);
    this.way.setAttribute('aria-label', `Open game ${game.number} with all its plies`);
    this.rules.dataset.rulesOf = game.label.split(' ')[0];
    this.rules.setAttribute('aria-label', `Rules of ${game.label}`);
    if (this.view && game.view) {
      this.lay(game);
      this.view.svg.setAttribute('aria-label', `${against(game.bots)}, after ply ${game.plies}`);
      this.seats.forEach((seat, number) => seat.wear(this.view.board, game.view.owners[number]));
    }
    this.seats.forEach((seat, number) => {
      seat.name.textContent = game.bots[number].name;
      seat.name.title = game.bots[number].name;
      seat.search.textContent = game.search[number] ?? '';
      seat.search.title = game.search[number] ?? '';
      seat.node.classList.toggle('decides', game.seat === number + 1);
    });
    // Bots that tell no scores have no graph.
    this.scores.hidden = !game.scores.some(([, cp, mate]) => cp !== null || mate !== null);
    if (isNew || this.graph.game?.plies.length !== game.scores.length) {
      const plies = game.scores.map(([seat, cp, mate]) => ({ seat, cp, mate, token: '', time: null, depth: null, nodes: null }));
      this.graph.show({ plies, opening: 0, names: game.bots.map(({ name }) => name) });
    }
    this.said.title = '';
    this.said.textContent = game.last ? `last: ${game.last}` : 'coming to the board';
    this.tick();
  }

  // Shows the board after `plies` plies, unless it is shown already.
  lay({ view: { letters, before, ways }, plies }) {
    const isNext = this.shown !== null && plies > this.shown;
    if (this.shown !== plies) this.view.show([...letters], [...before], ways, isNext);
    this.shown = plies;
  }

  // Shows how its game has ended; the next one waits for a moment.
  finish({ view, plies, words, winner }) {
    const { number, label, bots } = this.game;
    this.isOver = true;
    this.game = { ...this.game, seat: null };
    const who = winner === null ? '' : `${bots[winner].name} (p${winner + 1}) `;
    const why = `${who}${words}${view?.end ? `: ${view.end[0]}` : ''}`;
    if (this.view && view) {
      this.lay({ view, plies });
      if (view.end) this.view.prove(view.end[1]);
      this.view.svg.setAttribute('aria-label', `${against(bots)}, the end after ply ${plies}. ${why}`);
    }
    this.words.textContent = `Game ${number} · ${label} · ply ${plies}, the end`;
    this.seats.forEach((seat) => seat.node.classList.remove('decides'));
    this.said.textContent = why;
    this.said.title = why;
    this.tick();
    this.rest = setTimeout(() => {
      this.rest = null;
      showTables(picture.games, picture.ended);
    }, LINGER);
  }

  tick() {
    if (!this.game) return;
    this.seats.forEach((seat, number) => {
      const decides = this.game.seat === number + 1;
      const spent = decides && this.game.since !== null ? Math.max(0, told - this.game.since) + (halted ?? performance.now()) - heard : 0;
      const clock = this.game.clocks[number];
      if (clock === null) seat.clock.textContent = decides ? `+${(spent / 1000).toFixed(1)}` : '';
      else seat.clock.textContent = time(Math.max(0, clock - spent));
    });
  }
}

function showTables(games, ended) {
  const slots = new Set(games.map((game) => game.slot));
  const numbers = new Set(games.map((game) => game.number));
  for (const table of tables.values()) {
    const end = ended.find(({ number }) => number === table.key);
    if (end && !table.isOver && !numbers.has(table.key)) table.finish(end);
  }
  for (const [slot, table] of tables) {
    if (slots.has(slot)) continue;
    // Between two games its place stays; after the last one, where its end is shown.
    if (picture.stage === 'running' || table.isOver) continue;
    table.node.remove();
    tables.delete(slot);
  }
  for (const game of [...games].sort((a, b) => a.slot - b.slot)) {
    if (!tables.has(game.slot)) {
      tables.set(game.slot, new Table(game.slot));
      const sorted = [...tables].sort((a, b) => a[0] - b[0]).map(([, table]) => table.node);
      // Only the new one is put in: moving the others would take the focus away.
      const node = tables.get(game.slot).node;
      find('tables').insertBefore(node, sorted[sorted.indexOf(node) + 1] ?? null);
    }
    tables.get(game.slot).show(game);
  }
  find('nothing').hidden = tables.size > 0;
}

function tick() {
  tables.forEach((table) => table.tick());
}

// A page that hears nothing does not say that anything is in progress.
function showStage() {
  const stage = isLost ? 'no connection' : picture?.stage ?? '…';
  find('stage').textContent = stage;
  find('stage').dataset.stage = isLost ? 'lost' : stage;
  document.title = `${isLost ? 'No connection' : picture ? stage[0].toUpperCase() + stage.slice(1) : '…'} · ${name}`;
}

function show(next) {
  picture = next;
  find('summary').textContent = picture.summary;
  showStage();
  find('progress-text').textContent = picture.progress;
  const bar = find('progress');
  if (picture.share === null) bar.removeAttribute('value');
  else bar.value = picture.share;
  bar.hidden = picture.share === null;
  find('test').textContent = picture.note ?? '';
  find('test').hidden = !picture.note;
  showTables(picture.games, picture.ended);
  // Games won, drawn and lost, or places at tables of more than two.
  find('record').textContent = picture.record;
  fill(body('standings'), picture.standings.map(([rank, bot, elo, score, games, record, faults, ms]) =>
    [bot, [[rank, 'n dim'], [bot, 'head'], [elo, 'n strong'], [score, 'n'], [games, 'n opt'], [record, 'n'], [faults || '', 'n bad'], [ms, 'n opt dim']]]));
  fill(body('latest'), picture.latest.map(([number, one, two, result, reason, label, plies]) =>
    [number, [[number, 'n', `report.html#g${number}`], [one], [two], [result, 'strong'], [reason], [label, 'opt dim'], [plies, 'n opt']]]));
  find('latest').hidden = picture.latest.length === 0;
  fill(body('next'), picture.upcoming.next.map(([number, one, two, label, round]) => [number, [[number, 'n'], [one], [two], [label, 'dim'], [round, 'n opt']]]));
  find('next').hidden = !picture.upcoming.words && picture.upcoming.next.length === 0;
  find('next-words').textContent = picture.upcoming.words;
  fill(body('faults'), picture.faults.map(([number, bot, reason, detail]) => [number, [[number, 'n', `report.html#g${number}`], [bot, 'strong'], [reason], [detail, 'wrap']]]));
  find('faults').hidden = picture.faults.length === 0;
  fill(body('workers'), picture.workers.map(([worker, stage, playing, waiting, pairs, pace, late, duplicates, faults]) =>
    [worker, [[worker, 'head'], [stage], [playing, 'n'], [waiting, 'n opt'], [pairs, 'n'], [pace, 'n opt'], [late || '', 'n opt'], [duplicates || '', 'n opt'], [faults || '', 'n bad']]]));
  find('workers').hidden = picture.workers.length === 0;
  showOrders();
  if (document.activeElement !== find('concurrency') && find('concurrency') && picture.concurrency) find('concurrency').value = picture.concurrency;
}

const body = (section) => document.querySelector(`#${section} tbody`);

// Which orders can be given now. None can where nobody answers.
function showOrders() {
  if (!find('orders')) return;
  const isOn = !!picture?.isOn && !isLost;
  for (const button of document.querySelectorAll('[data-order]')) {
    const isContinue = button.dataset.order === 'continue';
    const isAway = isContinue ? picture?.stage !== 'stopped' : picture?.stage === 'stopped' && !!find('continue');
    // The arena that stopped may still write its tables.
    const isOff = isContinue ? isLost || !!picture?.isHeld : !isOn;
    if (document.activeElement === button && isAway) find('answer').focus({ preventScroll: true });
    button.hidden = isAway;
    enable(button, !isOff);
  }
  find('at-once').hidden = !!find('continue') && picture?.stage === 'stopped';
}

// What cannot be taken back by the next click is asked first.
const STOP = ['Stop this run? Games in progress are played to their end, and no new ones begin.', 'Stop the run'];

async function give(button) {
  const word = button.dataset.order;
  if (word === 'stop' && !(await sure(...STOP))) return;
  const order = word === 'concurrency' ? `concurrency ${find('concurrency').value}` : word;
  find('answer').textContent = '…';
  try {
    const answer = await fetch('orders', { method: 'POST', headers: orderHeaders(), body: JSON.stringify({ order }) });
    find('answer').textContent = (await answer.json()).said;
    if (answer.status === 403) allow();
  } catch {
    find('answer').textContent = 'the server does not answer';
  }
}

// Shows the orders to those whose token the server takes. A server that was started again may have another one.
async function allow() {
  if (!find('orders')) return;
  const known = await checkedToken().catch(() => undefined);
  if (known === undefined) return;
  find('orders').hidden = !known;
  find('no-token').hidden = !!known;
}

function orders() {
  for (const button of document.querySelectorAll('[data-order]')) button.addEventListener('click', () => give(button));
  allow();
  whenTokenChanges(allow);
}

theme();
listenForRules();
orders();
follow('events', {
  clock(now) { [told, heard] = [now, performance.now()]; },
  picture(next) {
    // A run may be given more games: their boards come with the page. One that still lacks them is not asked for at once again.
    if (!next.games.some((game) => game.board !== null && !data.boards[game.board])) show(next);
    else if (performance.now() > 3000) location.reload();
  },
  words(text, isHalted, isDead) {
    find('link').textContent = text;
    halted = isHalted ? halted ?? performance.now() : null;
    if (isLost && !isDead) allow();
    isLost = !!isDead;
    showStage();
    tick();
    showOrders();
  },
});
setInterval(tick, 100);
document.documentElement.classList.add('is-ready');
