// A seat beside a board: the piece it plays, the name, what is said of it, the clock.

import { drawn } from './board.js';
import { element } from './data.js';

export class Seat {
  constructor() {
    this.node = element('div', 'seat');
    this.icon = drawn('svg', { viewBox: '-50 -50 100 100', class: 'icon', 'aria-hidden': 'true' });
    this.use = drawn('use', {}, this.icon);
    const words = element('div', 'words');
    [this.name, this.search, this.clock] = [element('span', 'who'), element('span', 'search dim'), element('span', 'clock')];
    words.append(this.name, this.search);
    this.node.append(this.icon, words, this.clock);
  }

  // Shows the piece with this letter.
  wear(board, letter) {
    const piece = board.pieces[letter];
    if (piece) this.use.setAttribute('href', `#${piece[0]}`);
    else this.use.removeAttribute('href');
    this.icon.setAttribute('class', `icon ${board.class}`);
  }

  // Shows no piece: nobody has drawn the game.
  bare() {
    this.use.removeAttribute('href');
    this.icon.setAttribute('class', 'icon');
  }
}

// Puts as many seats beside the board as the table has: the first one below it, the others above; the other way round where the
// board is turned. Seats that are missing are added.
export function arrange(seats, count, isTurned, top, bottom) {
  while (seats.length < count) seats.push(new Seat());
  seats.length = count;
  const [first, ...others] = seats.map((seat) => seat.node);
  top.replaceChildren(...(isTurned ? [first] : others));
  bottom.replaceChildren(...(isTurned ? others : [first]));
}

// Milliseconds as a clock shows them.
export function time(millis) {
  const seconds = millis / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const [minutes, rest] = [Math.floor(seconds / 60), String(Math.floor(seconds % 60)).padStart(2, '0')];
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}
