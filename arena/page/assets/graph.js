// Scores, thinking times, depths and speeds of a game, ply by ply: beside a game, and small under each board of a run in progress.

import { drawn } from './board.js';
import { element } from './data.js';

// The room beside the plot for the scale, and above, between and within the bands for figures, in pixels.
const [SCALE, EDGE, TOP, BAND, TALL] = [30, 8, 6, 66, 42];

// From the middle of the scores to either end.
const [HALF, SMALL_HALF] = [54, 32];

// The scores that the scale names, in centipawns: with small graphs, the outer ones.
const [SCORES, FEW_SCORES] = [[400, 100, 0, -100, -400], [400, 0, -400]];

// How many plies the page keys go.
const LEAP = 10;

// How likely a score looks, from -1 to 1: centipawns on the scale of Elo, wins at the end of it.
export function worth({ cp, mate }) {
  if (mate !== null) return mate < 0 ? -1 : 1;
  return cp === null ? null : 2 / (1 + 10 ** (-cp / 400)) - 1;
}

// A score as people write it, from the bot's own point of view.
export function scoreOf({ cp, mate }) {
  if (mate !== null) return `${mate < 0 ? '−' : '+'}#${Math.abs(mate)}`;
  if (cp === null) return '';
  return (cp < 0 ? '−' : '+') + (Math.abs(cp) / 100).toFixed(Math.abs(cp) < 10000 ? 2 : 0);
}

// Microseconds as people write them.
export function timeOf(micros) {
  if (micros === null) return '';
  if (micros < 1e4) return `${(micros / 1e3).toFixed(1)} ms`;
  return micros < 1e6 ? `${Math.round(micros / 1e3)} ms` : `${(micros / 1e6).toFixed(1)} s`;
}

// Nodes in a second of the time that the arena has measured, in microseconds; less than a millisecond tells no speed.
export function speed(ply) {
  return ply.nodes === null || ply.time === null || ply.time < 1000 ? null : (ply.nodes / ply.time) * 1e6;
}

const short = (value) => {
  const [unit, letter] = value >= 1e9 ? [1e9, 'G'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, ''];
  const shown = value / unit;
  return `${letter && shown < 10 ? shown.toFixed(1) : Math.round(shown)}${letter}`;
};

// What the bands show: a name, the figure of a ply, how the largest is written, and whether the scale is that of square roots,
// on which small times beside a long one can be seen.
const FIGURES = [
  ['time', (ply) => ply.time, timeOf, true],
  ['depth', (ply) => ply.depth, String, false],
  ['nodes/s', speed, short, false],
];

let graphs = 0;

export class Graph {
  // `choose` is called with the number of plies that a reader points at; without it they are only told of. A small graph shows
  // the scores alone.
  constructor(parent, { choose = null, isSmall = false } = {}) {
    Object.assign(this, { choose, isSmall, game: null, marked: 0, pointed: null, stripes: `stripes-${(graphs += 1)}` });
    this.legend = element('p', 'legend');
    this.svg = drawn('svg', { class: 'chart', role: 'slider', tabindex: 0, 'aria-valuemin': 0 });
    this.words = element('p', 'told');
    parent.replaceChildren(this.legend, this.svg, this.words);
    this.svg.addEventListener('pointermove', (event) => {
      // Browsers tell of a mouse that rests, too, when what lies below it has changed.
      const spot = `${event.clientX} ${event.clientY}`;
      if (spot !== this.spot) this.point(this.at(event));
      this.spot = spot;
    });
    this.svg.addEventListener('pointerleave', () => this.point(null));
    this.svg.addEventListener('click', (event) => this.go(this.at(event)));
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.svg.addEventListener('blur', () => this.point(null));
    // It is drawn as wide as its room, so that text keeps its size.
    new ResizeObserver(() => { if (this.game && this.room() !== this.width) this.draw(); }).observe(parent);
  }

  // Shows a game: its `plies`, how many of them are its `opening`, and the `names` of both seats.
  show(game) {
    const isLonger = this.game && game.plies.length > this.game.plies.length;
    // A reader of a small graph who has gone nowhere stays at its end.
    if (!this.choose && !(isLonger && this.marked < this.game.plies.length)) this.marked = game.plies.length;
    this.game = game;
    this.pointed = null;
    this.draw();
  }

  // Marks the ply after which the board is seen.
  mark(ply) {
    this.marked = ply;
    this.tell();
  }

  room() {
    return Math.max(this.svg.parentNode.clientWidth - 2 * EDGE, 0) || 340;
  }

  x(place) {
    return SCALE + (place + 0.5) * this.step;
  }

  at(event) {
    const place = Math.floor((event.clientX - this.svg.getBoundingClientRect().left - SCALE) / this.step) + 1;
    return Math.min(Math.max(place, 0), this.game.plies.length);
  }

  go(ply) {
    const target = Math.min(Math.max(ply, 0), this.game.plies.length);
    if (this.choose) this.choose(target);
    else this.mark(target);
  }

  // Shows what is known of a ply without going there.
  point(ply) {
    this.pointed = ply;
    this.tell();
  }

  key(event) {
    const ways = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -LEAP, PageUp: LEAP, Home: -Infinity, End: Infinity };
    if (!(event.key in ways) || event.ctrlKey || event.altKey || event.metaKey) return;
    // The page has the same keys for its board.
    event.preventDefault();
    event.stopPropagation();
    this.pointed = null;
    this.go(this.marked + ways[event.key]);
  }

  draw() {
    const { plies, opening, names } = this.game;
    this.width = this.room();
    this.step = (this.width - SCALE - 2) / Math.max(plies.length, 1);
    const half = this.isSmall ? SMALL_HALF : HALF;
    const middle = TOP + half;
    const bands = this.isSmall ? [] : FIGURES.filter(([, figure], place) => place === 0 || plies.some((ply) => figure(ply) !== null));
    const foot = middle + half + 4;
    this.height = foot + bands.length * BAND;
    const { svg } = this;
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    svg.setAttribute('aria-label', `By ply: ${['scores', ...bands.map(([name]) => name)].join(', ')}`);
    svg.setAttribute('aria-valuemax', plies.length);
    this.drawStripes();
    drawn('rect', { x: SCALE, y: TOP, width: this.width - SCALE, height: 2 * half, rx: 4, class: 'plot' }, svg);
    if (opening) drawn('rect', { x: SCALE, y: TOP, width: opening * this.step, height: this.height - TOP, class: 'opening' }, svg);
    for (const cp of this.isSmall ? FEW_SCORES : SCORES) {
      const y = middle - worth({ cp, mate: null }) * half;
      drawn('path', { d: `M${SCALE} ${y.toFixed(1)}H${this.width}`, class: cp ? 'g' : 'g0' }, svg);
      drawn('text', { x: SCALE - 5, y: y + 4, class: 'ay' }, svg).textContent = cp ? `${cp > 0 ? '+' : '−'}${Math.abs(cp) / 100}` : '0';
    }
    if (!this.isSmall) {
      drawn('text', { x: SCALE + 4, y: TOP + 13, class: 'side-up' }, svg).textContent = names.length > 2 ? 'ahead' : 'p1 ahead';
      drawn('text', { x: SCALE + 4, y: middle + half - 5, class: 'side-up' }, svg).textContent = names.length > 2 ? 'behind' : 'p2 ahead';
    }
    this.line((ply) => worth(ply), (value, seat) => middle - (seat === 1 || names.length > 2 ? value : -value) * half);
    bands.forEach((band, place) => this.band(band, foot + (place + 1) * BAND - 6, place === 0));
    this.hover = drawn('path', { class: 'hover' }, svg);
    this.cursor = drawn('path', { class: 'cursor' }, svg);
    this.legend.replaceChildren(...names.flatMap((name, seat) => this.sample(name, seat + 1)));
    this.tell();
  }

  // Bars of the second seat are striped, as its line is dashed: nobody needs to tell the colours apart. Further seats have colours and
  // dashes of their own, at tables where each line shows what its seat says of itself.
  drawStripes() {
    const pattern = drawn('pattern', { id: this.stripes, width: 4, height: 4, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, drawn('defs', {}, this.svg));
    drawn('rect', { width: 2.2, height: 4, class: 'seat2' }, pattern);
  }

  sample(name, seat) {
    const picture = drawn('svg', { viewBox: '0 0 26 12', class: 'sample', 'aria-hidden': true });
    drawn('path', { d: 'M1 6h24', class: `l line${seat}` }, picture);
    const words = element('span', 'who', name);
    words.title = name;
    return [picture, words, element('span', 'dim', `p${seat}`)];
  }

  band([name, figure, written, isRoot], foot, areBars) {
    const { plies } = this.game;
    const largest = Math.max(0, ...plies.map((ply) => figure(ply) ?? 0));
    const tall = (value) => (largest ? (isRoot ? Math.sqrt(value / largest) : value / largest) * TALL : 0);
    if (areBars) this.bars(figure, foot, tall);
    else this.line(figure, (value) => foot - tall(value));
    drawn('path', { d: `M${SCALE} ${foot}H${this.width}`, class: 'g' }, this.svg);
    drawn('text', { x: SCALE - 5, y: foot + 1, class: 'ay' }, this.svg).textContent = '0';
    drawn('text', { x: SCALE, y: foot - TALL - 6, class: 'band' }, this.svg).textContent = `${name}${largest ? `, up to ${written(largest)}` : ''}`;
  }

  // A line for each seat through the plies that have a figure; one alone is a dot, which round ends make of a line without length.
  line(figure, y) {
    for (let seat = 1; seat <= this.game.names.length; seat += 1) {
      const points = [];
      this.game.plies.forEach((ply, place) => {
        const value = ply.seat === seat ? figure(ply) : null;
        if (value !== null) points.push(`${this.x(place).toFixed(1)} ${y(value, seat).toFixed(1)}`);
      });
      if (points.length) drawn('path', { d: `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`, class: `l line${seat}` }, this.svg);
    }
  }

  bars(figure, foot, tall) {
    this.game.plies.forEach((ply, place) => {
      const value = figure(ply);
      if (value === null) return;
      const height = Math.max(1, tall(value));
      const look = ply.seat !== 2 ? { class: `seat${ply.seat}` } : { class: 'striped', fill: `url(#${this.stripes})` };
      drawn('rect', { x: this.x(place) - this.step * 0.4, y: foot - height, width: this.step * 0.8, height, ...look }, this.svg);
    });
  }

  // Says what is known of the ply that is pointed at, or else of the marked one, and shows both.
  tell() {
    if (!this.game) return;
    const upright = (ply) => `M${ply ? this.x(ply - 1).toFixed(1) : SCALE} 0V${this.height}`;
    this.cursor.setAttribute('d', upright(Math.min(this.marked, this.game.plies.length)));
    this.hover.setAttribute('d', this.pointed === null ? '' : upright(this.pointed));
    this.words.textContent = this.saying(this.pointed ?? this.marked);
    this.svg.setAttribute('aria-valuenow', Math.min(this.marked, this.game.plies.length));
    this.svg.setAttribute('aria-valuetext', this.saying(this.marked));
  }

  saying(count) {
    const ply = this.game.plies[count - 1];
    if (!ply) return 'The start of the game';
    const fast = speed(ply);
    const parts = [`Ply ${count}${ply.token ? `: ${ply.token}` : ''}, ${this.game.names[ply.seat - 1]} (p${ply.seat})`, count <= this.game.opening ? 'opening' : scoreOf(ply) || 'no score',
      timeOf(ply.time), ply.depth === null ? '' : `depth ${ply.depth}`, fast === null ? '' : `${short(fast)} nodes/s`];
    return parts.filter(Boolean).join(' · ');
  }
}
