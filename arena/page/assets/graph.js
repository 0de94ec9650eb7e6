// Evaluations, thinking times, depths and speeds of a game, ply by ply.

import { drawn } from './board.js';

// The evaluations lie around the middle; below them come as many bands as the bots have told figures for.
const [WIDTH, MIDDLE, TOP, BAND, TALL] = [600, 62, 122, 74, 50];

// How likely an evaluation looks, from -1 to 1: centipawns on the scale of Elo, wins at the end of it.
export function worth(ply) {
  if (ply.mate !== null) return ply.mate < 0 ? -1 : 1;
  return ply.cp === null ? null : 2 / (1 + 10 ** (-ply.cp / 400)) - 1;
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
const seconds = (micros) => (micros >= 1e6 ? `${(micros / 1e6).toFixed(1)} s` : `${micros >= 1e4 ? Math.round(micros / 1e3) : (micros / 1e3).toFixed(1)} ms`);

// What the bands show: a name, the figure of a ply, how the largest is written, and whether the scale is that of square roots,
// on which small times beside a long one can be seen.
const FIGURES = [
  ['time', (ply) => ply.time, seconds, true],
  ['depth', (ply) => ply.depth, String, false],
  ['nodes/s', speed, short, false],
];

export function graph(parent, game, choose) {
  const count = Math.max(game.plies.length, 1);
  const step = (WIDTH - 12) / count;
  const x = (place) => 6 + (place + 0.5) * step;
  const bands = FIGURES.filter(([name, figure], place) => place === 0 || game.plies.some((ply) => figure(ply) !== null));
  const height = TOP + bands.length * BAND;
  const names = ['evaluations', ...bands.map(([name]) => name)].join(', ');
  const svg = drawn('svg', { viewBox: `0 0 ${WIDTH} ${height}`, class: 'chart', role: 'img', 'aria-label': `By ply: ${names}` });
  drawn('rect', { x: 0, y: 6, width: WIDTH, height: 112, rx: 6, class: 'plot' }, svg);
  drawn('path', { d: `M0 ${MIDDLE}H${WIDTH}`, class: 'g0' }, svg);
  if (game.opening) drawn('rect', { x: 6, y: 6, width: game.opening * step, height: height - 6, class: 'opening' }, svg);
  line(svg, game, x, (ply) => worth(ply), (value, seat) => MIDDLE - (seat === 1 ? value : -value) * 53);
  bands.forEach(([name, figure, written, isRoot], place) => {
    const foot = TOP + (place + 1) * BAND - 6;
    const largest = Math.max(0, ...game.plies.map((ply) => figure(ply) ?? 0));
    const tall = (value) => (largest ? (isRoot ? Math.sqrt(value / largest) : value / largest) * TALL : 0);
    if (place === 0) bars(svg, game, x, step, figure, foot, tall);
    else line(svg, game, x, figure, (value) => foot - tall(value));
    drawn('path', { d: `M0 ${foot}H${WIDTH}`, class: 'g' }, svg);
    drawn('text', { x: 2, y: foot - TALL - 4 }, svg).textContent = `${name}${largest ? `, up to ${written(largest)}` : ''}`;
  });
  const cursor = drawn('path', { class: 'cursor' }, svg);
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const place = Math.floor((((event.clientX - box.left) / box.width) * WIDTH - 6) / step);
    choose(Math.min(Math.max(place + 1, 0), game.plies.length));
  });
  parent.replaceChildren(svg);
  return (ply) => cursor.setAttribute('d', `M${ply ? x(ply - 1) : 3} 0V${height}`);
}

// A line for each seat through the plies that have a figure; one alone is a dot, which round ends make of a line without length.
function line(svg, game, x, figure, y) {
  for (const seat of [1, 2]) {
    const points = [];
    game.plies.forEach((ply, place) => {
      const value = ply.seat === seat ? figure(ply) : null;
      if (value !== null) points.push(`${x(place).toFixed(1)} ${y(value, seat).toFixed(1)}`);
    });
    if (points.length) drawn('path', { d: `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`, class: `l c${seat - 1}` }, svg);
  }
}

function bars(svg, game, x, step, figure, foot, tall) {
  game.plies.forEach((ply, place) => {
    const value = figure(ply);
    if (value === null) return;
    const height = Math.max(1, tall(value));
    drawn('rect', { x: x(place) - step * 0.4, y: foot - height, width: step * 0.8, height, class: `f c${ply.seat - 1}` }, svg);
  });
}
