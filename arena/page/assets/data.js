// What the page holds: names and boards as JSON (nothing where it shows none), games as deflated JSON in chunks, unpacked when
// they are needed.

export const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}');

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

let index = null;

// The list of games, each [number, label, p1, p2, result, reason, plies, round, seat that failed].
export function games() {
  index ??= unpack(document.getElementById('index').textContent);
  return index;
}

const chunks = new Map();

// A game of the list by its place there, with every ply; null where the page holds no replay of it.
export async function wholeGame(place) {
  const number = Math.floor(place / data.chunk);
  const element = document.querySelectorAll('script.chunk')[number];
  if (!element) return null;
  if (!chunks.has(number)) chunks.set(number, unpack(element.textContent));
  const [entry, [, opening, limits, detail, start, owners, plies, end]] =
    [(await games())[place], (await chunks.get(number))[place % data.chunk]];
  const [label, reason] = [entry[1], entry[5]];
  return {
    place, number: entry[0], label, bots: botsOf(entry), result: entry[4], verdict: resultOf(entry), reason, opening, limits, detail,
    places: entry[10]?.split(',').map(Number), start, owners, plies: plies.map(ply), end,
  };
}

function ply([token, seat, turn, changes = '', way = '', owners = '', time = null, clock = null, cp = null, mate = null,
  depth = null, nodes = null, fallback = 0, text = '']) {
  return { token, seat, turn, changes, way, owners, time, clock, cp, mate, depth, nodes, fallback, text };
}

// How results are written, by their numbers in the list.
const RESULTS = ['½–½', '1–0', '0–1', '*'];

// The result of a game of the list: at a table of more than two the places in the order of seats.
export const resultOf = (entry) => entry[10] || RESULTS[entry[4]];

// The bots of a game of the list in the order of seats.
export const botsOf = (entry) => [entry[2], entry[3], ...(entry[9] ?? [])];

export const nameOf = (bot) => data.bots[bot] ?? '?';

// A name as a node: where it is too long for its place, the style leaves out its middle, since versions stand at the end.
export function nameNode(name) {
  if (name.length <= 18) return element('span', '', name);
  const node = element('span', 'name');
  node.title = name;
  node.append(element('span', '', name.slice(0, -8)), element('span', '', name.slice(-8)));
  return node;
}

// The rows of a list of plies. At a table of two both seats' turns stand in one row; at a larger one every turn has a row with its
// seat.
export class PlyRows {
  constructor(seats) {
    Object.assign(this, { isPair: seats <= 2, rows: [], turn: null });
  }

  // Adds a ply of a seat's turn; a turn may have several.
  add(cell, seat, turn) {
    const isNext = this.isPair ? (turn !== this.turn && turn % 2 === 1) || turn > this.turn + 1 : turn !== this.turn;
    if (this.turn === null || isNext) {
      const row = element('div', this.isPair ? 'row' : 'row is-turn');
      const number = this.isPair ? `${Math.ceil(turn / 2)}` : `${turn} p${seat}`;
      row.append(element('span', 'number', number), element('span', 'half'), ...(this.isPair ? [element('span', 'half')] : []));
      for (const node of [row, ...row.children]) node.setAttribute('role', 'presentation');
      this.rows.push(row);
    }
    this.turn = turn;
    this.rows.at(-1).children[this.isPair && turn % 2 === 0 ? 2 : 1].append(cell);
  }
}

export function element(name, classes, text) {
  const node = document.createElement(name);
  if (classes) node.className = classes;
  if (text !== undefined) node.textContent = text;
  return node;
}
