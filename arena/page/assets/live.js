// A run while it goes on. The whole picture is told whenever it has changed; clocks run on in between.

import { BoardView } from './board.js';
import { data, element } from './data.js';
import { Seat, time } from './seat.js';
import { theme } from './theme.js';
import { token } from './token.js';
import { follow } from './feed.js';

const find = (id) => document.getElementById(id);
const tables = new Map();
let picture = null;
// The server's clock when it told the picture, and ours.
let [told, heard] = [0, 0];
// Since when clocks stand still, where nothing is told any more.
let halted = null;

// For how long the end of a game stays on its board, in milliseconds, when another game waits for it.
const LINGER = 2500;

// A table: the board of a slot with the names, clocks and words of both seats.
class Table {
  constructor(slot) {
    this.slot = slot;
    this.node = element('article', 'card game');
    this.head = element('p', 'game-head');
    this.seats = [0, 1].map(() => new Seat());
    this.frame = element('div', 'frame');
    this.said = element('p', 'last dim');
    this.node.append(this.head, this.seats[1].node, this.frame, this.seats[0].node, this.said);
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
      this.view = game.board === null ? null : new BoardView(this.frame, game.board);
      if (this.view === null) this.frame.replaceChildren(element('p', 'note', 'This game has no picture.'));
      this.shown = null;
    }
    this.game = game;
    this.head.textContent = `Game ${game.number} · ${game.label} · ply ${game.plies}`;
    if (this.view && game.view) {
      this.lay(game);
      this.view.svg.setAttribute('aria-label', `${game.bots[0].name} against ${game.bots[1].name}, after ply ${game.plies}`);
      this.seats.forEach((seat, number) => seat.wear(this.view.board, game.view.owners[number]));
    }
    this.seats.forEach((seat, number) => {
      seat.name.textContent = game.bots[number].name;
      seat.search.textContent = game.search[number] ?? '';
      seat.search.title = game.search[number] ?? '';
      seat.node.classList.toggle('decides', game.seat === number + 1);
    });
    this.said.title = '';
    this.said.textContent = game.last ? `last: ${game.last}` : 'coming to the board';
    this.tick();
  }

  // Lays the board after so many plies, unless it lies so already.
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
      this.view.svg.setAttribute('aria-label', `${bots[0].name} against ${bots[1].name}, the end after ply ${plies}. ${why}`);
    }
    this.head.textContent = `Game ${number} · ${label} · ply ${plies}, the end`;
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
      find('tables').replaceChildren(...sorted);
    }
    tables.get(game.slot).show(game);
  }
  find('nothing').hidden = tables.size > 0;
}

function line(cells) {
  const row = document.createElement('tr');
  for (const [text, classes, link] of cells) {
    const node = element('td', classes, link ? undefined : text);
    if (link) {
      const way = element('a', '', text);
      way.href = link;
      node.append(way);
    }
    row.append(node);
  }
  return row;
}

function fill(section, rows) {
  document.querySelector(`#${section} tbody`).replaceChildren(...rows);
}

function show(next) {
  picture = next;
  find('summary').textContent = picture.summary;
  find('stage').textContent = picture.stage;
  find('stage').dataset.stage = picture.stage;
  find('progress-text').textContent = picture.progress;
  const bar = find('progress');
  if (picture.share === null) bar.removeAttribute('value');
  else bar.value = picture.share;
  bar.hidden = picture.share === null;
  find('test').textContent = picture.note ?? '';
  find('test').hidden = !picture.note;
  showTables(picture.games, picture.ended);
  fill('standings', picture.standings.map(([rank, bot, elo, score, games, won, drawnGames, lost, faults, ms]) => {
    const row = line([[rank, 'n dim'], [elo, 'n strong'], [score, 'n'], [games, 'n opt'], [won, 'n'], [drawnGames, 'n'], [lost, 'n'], [faults || '', 'n bad'], [ms, 'n opt dim']]);
    const head = element('th', '', bot);
    head.scope = 'row';
    row.firstChild.after(head);
    return row;
  }));
  fill('latest', picture.latest.map(([number, one, two, result, reason, label, plies]) =>
    line([[number, 'n', `report.html#g${number}`], [one], [two], [result, 'strong'], [reason], [label, 'opt dim'], [plies, 'n opt']])));
  find('latest').hidden = picture.latest.length === 0;
  fill('faults', picture.faults.map(([number, bot, reason, detail]) => line([[number, 'n', `report.html#g${number}`], [bot, 'strong'], [reason], [detail, 'wrap']])));
  find('faults').hidden = picture.faults.length === 0;
  for (const button of document.querySelectorAll('[data-order]')) button.disabled = !picture.isOn;
  if (document.activeElement !== find('concurrency') && find('concurrency') && picture.concurrency) find('concurrency').value = picture.concurrency;
}

function orders() {
  if (!find('orders')) return;
  const known = token();
  find('orders').hidden = !known;
  find('no-token').hidden = !!known;
  for (const button of document.querySelectorAll('[data-order]')) {
    button.addEventListener('click', async () => {
      const order = button.dataset.order === 'concurrency' ? `concurrency ${find('concurrency').value}` : button.dataset.order;
      find('answer').textContent = '…';
      try {
        const answer = await fetch('orders', { method: 'POST', headers: { 'content-type': 'application/json', 'x-arena-token': known }, body: JSON.stringify({ order }) });
        find('answer').textContent = (await answer.json()).said;
      } catch {
        find('answer').textContent = 'the server does not answer';
      }
    });
  }
}

theme();
orders();
follow('events', {
  clock(now) { [told, heard] = [now, performance.now()]; },
  picture(next) {
    // A run may be given more games: their boards come with the page. One that still lacks them is not asked for at once again.
    if (!next.games.some((game) => game.board !== null && !data.boards[game.board])) show(next);
    else if (performance.now() > 3000) location.reload();
  },
  words(text, isHalted) {
    find('link').textContent = text;
    halted = isHalted ? halted ?? performance.now() : null;
  },
});
setInterval(() => tables.forEach((table) => table.tick()), 100);
document.documentElement.classList.add('is-ready');
