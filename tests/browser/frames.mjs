// What stands on a board, and the frames of what ended a game: as the arena draws them into a picture, and as a page shows them.

import { execFileSync } from 'node:child_process';

// The numbers of a frame, rounded, and whether it is dotted.
function read(text) {
  const frames = text.match(/<rect[^>]*class="b-proof(?: b-weak)?"[^>]*>/g) ?? [];
  const numbers = (frame, name) => new RegExp(` ${name}="([^"]*)"`).exec(frame)?.[1].match(/-?[\d.]+/g) ?? [];
  const told = (frame) => ['x', 'y', 'width', 'height', 'rx', 'transform'].map((name) => numbers(frame, name).map(Math.round).join());
  return frames.map((frame) => [...told(frame), frame.includes('b-weak')].join(' ')).sort();
}

// Frames and words for a position, or for the one after some plies; no words where the game is not over there.
export function framesOf(arena, game, options, start, plies = []) {
  const words = [game, ...Object.entries(options).flatMap(([key, value]) => ['--opt', `${key}=${value}`]), ...(start ? ['--from', start] : [])];
  const show = (...more) => execFileSync(arena, ['position', ...words, ...more, ...(plies.length ? ['--plies', ...plies] : [])], { encoding: 'utf8' });
  const why = /^result .*\n +(.*)$/m.exec(show())?.[1] ?? '';
  return { frames: read(show('--svg', '-')), words: why };
}

// An expression that gives the frames on the board within an element of a page.
export const framesOn = (selector) => `(${read})(document.querySelector(${JSON.stringify(selector)}).innerHTML)`;

// An expression that gives the pieces on the board of a page, in hand and on cells, with their places.
export const PIECES = "[...document.querySelectorAll('#board-frame svg > g:nth-of-type(3) use[href]')].map((use) => use.getAttribute('href') + use.getAttribute('transform')).sort()";
