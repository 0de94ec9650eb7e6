// A board and what stands on it. It knows no rules: letters by place say what is seen, two digits of base 36 a place.

import { data } from './data.js';

const SVG = 'http://www.w3.org/2000/svg';

export function drawn(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent?.append(node);
  return node;
}

export const places = (digits) => (digits.match(/../g) ?? []).map((pair) => parseInt(pair, 36));

// Puts new letters at their places, each told as two digits and the letter; returns which places these are.
export function change(letters, changes) {
  const changed = [];
  for (let at = 0; at < changes.length; at += 3) {
    const place = parseInt(changes.slice(at, at + 2), 36);
    letters[place] = changes[at + 2];
    changed.push(place);
  }
  return changed;
}

// The letters after some plies of a game, and which piece stands for each seat then.
export function sceneAt(game, count) {
  const letters = [...game.start];
  let owners = game.owners;
  for (const ply of game.plies.slice(0, count)) {
    change(letters, ply.changes);
    owners = ply.owners || owners;
  }
  return { letters, owners };
}

// The plies of the turn in which ply number `count` was played, up to that one.
export function turnAt(game, count) {
  const turn = game.plies[count - 1]?.turn;
  let first = count;
  while (first > 0 && game.plies[first - 1].turn === turn) first -= 1;
  return game.plies.slice(first, count);
}

export class BoardView {
  constructor(parent, label) {
    this.board = data.boards[label];
    this.isTurned = false;
    const [width, height] = this.board.size;
    this.svg = drawn('svg', { viewBox: `0 0 ${width} ${height}`, class: `board ${this.board.class}`, role: 'img' });
    this.background = document.getElementById(`board-${label}`).cloneNode(true);
    this.background.removeAttribute('id');
    this.svg.append(this.background);
    [this.below, this.pieces, this.above] = [0, 1, 2].map(() => drawn('g', {}, this.svg));
    this.uses = this.board.places.map(() => drawn('use', {}, this.pieces));
    parent.replaceChildren(this.svg);
    // What stands beside a board is as wide as the board.
    parent.closest('.stage')?.style.setProperty('--ratio', width / height);
    this.settle();
  }

  at(place) {
    const [x, y, scale, name] = this.board.places[place];
    const [width, height] = this.board.size;
    return this.isTurned ? { x: width - x, y: height - y, scale, name } : { x, y, scale, name };
  }

  turn() {
    this.isTurned = !this.isTurned;
    const [width, height] = this.board.size;
    // Ranks may be shifted: the last one lies `skew` further right than the first one.
    const [skew, margin] = this.board.skew;
    for (const text of this.background.querySelectorAll('.b-file')) {
      text.setAttribute('x', width - skew - text.getAttribute('x'));
    }
    for (const text of this.background.querySelectorAll('.b-rank')) {
      text.setAttribute('x', margin + skew - text.getAttribute('x'));
      text.setAttribute('y', height - text.getAttribute('y'));
    }
    this.settle();
  }

  settle() {
    this.uses.forEach((use, place) => {
      const { x, y, scale } = this.at(place);
      use.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    });
  }

  // Shows letters by place, and no marks.
  lay(letters) {
    this.moving?.cancel();
    letters.forEach((letter, place) => {
      const piece = this.board.pieces[letter];
      if (piece) this.uses[place].setAttribute('href', `#${piece[0]}`);
      else this.uses[place].removeAttribute('href');
    });
    this.below.replaceChildren();
    this.above.replaceChildren();
  }

  // Shows letters by place, and what a turn did to the letters `before` its last ply: the ways of its plies, the last one last.
  show(letters, before, ways, isMoving) {
    this.lay(letters);
    ways.slice(0, -1).forEach((way) => this.passed(way));
    if (ways.length) this.mark(letters, before, ways.at(-1), isMoving);
  }

  // Marks an earlier ply of the same turn.
  passed(text) {
    const path = text.startsWith('x') ? [] : places(text);
    for (const place of new Set([path[0], path.at(-1)])) {
      if (place !== undefined) this.put(this.board.last, place, this.below);
    }
    if (path.length > 1) this.arrow(path.map((place) => this.at(place)), ' is-before');
  }

  mark(letters, before, text, isMoving) {
    const isRegion = text.startsWith('x');
    const way = places(isRegion ? text.slice(1) : text);
    const path = isRegion ? [] : way;
    for (const place of new Set([path[0], path[path.length - 1]])) {
      if (place !== undefined) this.put(this.board.last, place, this.below);
    }
    const changed = [];
    for (let place = 0; place < this.board.cells; place += 1) {
      if (letters[place] !== before[place] && !path.includes(place)) changed.push(place);
    }
    // A rectangle of which every disc was turned over says so itself.
    if (!isRegion || this.region(way) !== changed.length) {
      for (const place of changed) {
        const kind = letters[place] === '.' ? 'removed' : before[place] === '.' ? 'added' : 'turned';
        this.put(`mark-${kind}`, place, this.above);
      }
    }
    if (path.length > 1) {
      this.arrow(path.map((place) => this.at(place)));
      if (isMoving) this.move(path);
    }
  }

  // Frames the rectangle between two cells and returns how many it has.
  region(way) {
    const [one, two] = way.map((place) => this.at(place));
    const [x, y] = [Math.min(one.x, two.x) - 50, Math.min(one.y, two.y) - 50];
    const [width, height] = [Math.abs(one.x - two.x) + 100, Math.abs(one.y - two.y) + 100];
    for (const look of ['b-halo', 'b-ring']) drawn('rect', { x, y, width, height, rx: 12, class: look }, this.above);
    return Math.round((width * height) / 10000);
  }

  // Frames what shows why a game is over: each its shape, its places, and whether it is that of the seat that does not win.
  // It covers no piece.
  prove(proofs) {
    const layer = drawn('g', { class: 'proofs' }, this.above);
    for (const [shape, cells, isBeaten] of proofs) {
      const points = places(cells).map((place) => this.at(place));
      const frames = shape === 'row' ? [this.capsule(points)] : shape === 'square' ? [this.around(points)] : points.map((point) => this.around([point]));
      for (const frame of frames) {
        drawn('rect', { ...frame, class: 'b-proof-halo' }, layer);
        drawn('rect', { ...frame, class: isBeaten ? 'b-proof b-weak' : 'b-proof' }, layer);
      }
    }
  }

  // A frame with round ends around cells on a line.
  capsule(points) {
    const [one, two] = [points[0], points.at(-1)];
    const [right, down] = [two.x - one.x, two.y - one.y];
    const [length, angle] = [Math.hypot(right, down), (Math.atan2(down, right) * 180) / Math.PI];
    const transform = `translate(${(one.x + two.x) / 2} ${(one.y + two.y) / 2}) rotate(${angle})`;
    return { x: -length / 2 - 46, y: -46, width: length + 92, height: 92, rx: 46, transform };
  }

  // A frame around cells.
  around(points) {
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left - 46, y: top - 46, width: Math.max(...xs) - left + 92, height: Math.max(...ys) - top + 92, rx: 16 };
  }

  put(symbol, place, layer) {
    const { x, y } = this.at(place);
    drawn('use', { href: `#${symbol}`, transform: `translate(${x} ${y})` }, layer);
  }

  arrow(points, kind = '') {
    const [from, to] = points.slice(-2);
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [right, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
    // A point so far before the end, and so far beside the way.
    const at = (before, beside) => `${to.x - right * before - down * beside} ${to.y - down * before + right * beside}`;
    const way = points.slice(0, -1).map(({ x, y }) => `${x} ${y}`);
    // It ends where the piece begins that has come there, and covers nothing of it.
    const [line, head] = [`M${way.join('L')}L${at(70, 0)}`, `M${at(40, 0)}L${at(70, 20)}L${at(70, -20)}Z`];
    drawn('path', { d: line, class: `b-halo${kind}` }, this.above);
    drawn('path', { d: head, class: 'b-edge' }, this.above);
    drawn('path', { d: line, class: `b-arrow${kind}` }, this.above);
    drawn('path', { d: head, class: 'b-head' }, this.above);
  }

  // Lets the piece travel its way, unless the reader wants things to stand still.
  move(path) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const end = this.at(path[path.length - 1]);
    const frames = path.map((place) => this.at(place)).map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px) scale(${end.scale})` }));
    this.moving = this.uses[path[path.length - 1]].animate(frames, { duration: 130 * (path.length - 1), easing: 'ease-out' });
  }

  // What stands where, in words.
  words(letters) {
    const words = Object.entries(this.board.pieces).map(([letter, [, name]]) => {
      const cells = this.board.places.slice(0, this.board.cells).filter((_, place) => letters[place] === letter);
      return cells.length ? `${name}: ${cells.map((cell) => cell[3]).join(', ')}` : '';
    });
    return words.filter(Boolean).join('; ') || 'the board is empty';
  }
}
