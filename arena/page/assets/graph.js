// Evaluations and thinking times of a game, ply by ply.

import { drawn } from './board.js';

const [WIDTH, HEIGHT, MIDDLE, TIMES] = [600, 190, 62, 186];

// How likely an evaluation looks, from -1 to 1: centipawns on the scale of Elo, wins at the end of it.
export function worth(ply) {
  if (ply.mate !== null) return ply.mate < 0 ? -1 : 1;
  return ply.cp === null ? null : 2 / (1 + 10 ** (-ply.cp / 400)) - 1;
}

export function graph(parent, game, choose) {
  const svg = drawn('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': 'Evaluations and thinking times by ply' });
  const count = Math.max(game.plies.length, 1);
  const step = (WIDTH - 12) / count;
  const x = (place) => 6 + (place + 0.5) * step;
  drawn('rect', { x: 0, y: 6, width: WIDTH, height: 112, rx: 6, class: 'plot' }, svg);
  drawn('path', { d: `M0 ${MIDDLE}H${WIDTH}`, class: 'g0' }, svg);
  if (game.opening) drawn('rect', { x: 6, y: 6, width: game.opening * step, height: HEIGHT - 6, class: 'opening' }, svg);
  const longest = Math.max(1, ...game.plies.map((ply) => ply.time ?? 0));
  for (const seat of [1, 2]) {
    const points = [];
    game.plies.forEach((ply, place) => {
      if (ply.seat !== seat) return;
      const value = worth(ply);
      if (value !== null) points.push(`${x(place)} ${MIDDLE - (seat === 1 ? value : -value) * 53}`);
      if (ply.time !== null) {
        const height = Math.max(1, Math.sqrt(ply.time / longest) * 58);
        drawn('rect', { x: x(place) - step * 0.4, y: TIMES - height, width: step * 0.8, height, class: `f c${seat - 1}` }, svg);
      }
    });
    if (points.length) drawn('path', { d: `M${points.join('L')}`, class: `l c${seat - 1}` }, svg);
  }
  const cursor = drawn('path', { class: 'cursor' }, svg);
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const place = Math.floor((((event.clientX - box.left) / box.width) * WIDTH - 6) / step);
    choose(Math.min(Math.max(place + 1, 0), game.plies.length));
  });
  parent.replaceChildren(svg);
  return (ply) => cursor.setAttribute('d', ply ? `M${x(ply - 1)} 0V${HEIGHT}` : 'M3 0V190');
}
