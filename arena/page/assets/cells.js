// What can be clicked on a board. A cell is a button: pressed by a click, or by Enter where the arrow keys have led.

import { drawn, places } from './board.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cells {
  // `press` is called with the number of a place.
  constructor(view, press) {
    this.view = view;
    this.marks = drawn('g', { class: 'marks' }, view.svg);
    const layer = drawn('g', {}, view.svg);
    this.nodes = view.board.places.slice(0, view.board.cells).map((_, place) => {
      // Its frame while it has the focus stands out from whatever lies below.
      drawn('rect', { class: 'focused', width: 96, height: 96, rx: 10 }, layer);
      const node = drawn('rect', { class: 'cell', width: 96, height: 96, rx: 10, role: 'button', tabindex: -1 }, layer);
      node.addEventListener('click', () => press(place));
      node.addEventListener('pointerenter', () => this.light(place));
      node.addEventListener('pointerleave', () => this.light(null));
      node.addEventListener('focus', () => {
        // A click gives the focus, too: the arrow keys then look back, as they do elsewhere.
        this.isByKeys = node.matches(':focus-visible');
        this.rest(place);
        this.light(place);
      });
      node.addEventListener('keydown', (event) => this.key(event, place, press));
      return node;
    });
    // What lies beside the board can be dragged onto it; a click on the cell says the same.
    this.hands = view.board.places.slice(view.board.cells).map((_, index) => ({ place: view.board.cells + index, node: drawn('rect', { class: 'hand', 'aria-hidden': true }, layer) }));
    view.svg.setAttribute('role', 'group');
    this.rest(0);
    this.settle();
  }

  settle() {
    this.nodes.forEach((node, place) => {
      const { x, y } = this.view.at(place);
      for (const frame of [node, node.previousElementSibling]) {
        frame.setAttribute('x', x - 48);
        frame.setAttribute('y', y - 48);
      }
    });
    for (const { place, node } of this.hands) {
      const { x, y, scale } = this.view.at(place);
      for (const [name, value] of Object.entries({ x: x - 48 * scale, y: y - 48 * scale, width: 96 * scale, height: 96 * scale })) node.setAttribute(name, value);
    }
  }

  // One cell can be reached by the tab key: the one that was left.
  rest(place) {
    this.nodes[this.resting]?.setAttribute('tabindex', -1);
    this.nodes[place].setAttribute('tabindex', 0);
    this.resting = place;
  }

  key(event, place, press) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') press(place);
    else if (STEPS[event.key] && this.isByKeys) this.beside(place, STEPS[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  // The nearest cell in a direction: straight, or half a cell beside that where ranks are shifted.
  beside(place, [right, down]) {
    const from = this.view.at(place);
    const reach = this.view.board.skew[0] > 0 && down ? 51 : 1;
    const way = (other) => {
      const [x, y] = [this.view.at(other).x - from.x, this.view.at(other).y - from.y];
      const isStraight = Math.abs(right ? y : x) < reach;
      return isStraight ? x * right + y * down : 0;
    };
    const ahead = this.nodes.map((_, other) => other).filter((other) => way(other) > 0);
    return this.nodes[ahead.sort((one, two) => way(one) - way(two))[0]];
  }

  // Shows what was clicked so far and what can be clicked next, as places; `letters` say what stands there, `taken` where
  // something was taken by what was clicked, `groups` what is clicked as one: places, a sign for them and words; `holds` says of
  // a place whether a piece can be dragged from there.
  show(letters, path, next, taken = [], groups = [], holds = () => false) {
    this.marks.replaceChildren();
    this.groups = groups.map(([members]) => members);
    this.light(null);
    this.nodes.forEach((node, place) => {
      const can = next.has(place);
      const piece = this.view.board.pieces[letters[place]];
      const words = [this.view.board.places[place][3], piece ? piece[1] : 'empty'];
      if (path.includes(place)) words.push('chosen');
      if (taken.includes(place)) words.push('taken');
      const group = groups.find(([members]) => members.includes(place));
      if (group) words.push(group[2]);
      if (can) words.push('can be clicked');
      node.setAttribute('aria-label', words.join(', '));
      node.setAttribute('aria-disabled', !can);
      node.classList.toggle('can', can);
      node.classList.toggle('holds', holds(place));
      const { x, y } = this.view.at(place);
      const look = place === path.at(-1) ? 'chosen' : can && letters[place] !== '.' ? 'ring' : '';
      for (const kind of look ? ['under', look] : []) drawn('circle', { cx: x, cy: y, r: 44, class: kind }, this.marks);
      if (taken.includes(place)) drawn('use', { href: '#mark-removed', transform: `translate(${x} ${y})`, class: 'taken' }, this.marks);
    });
    for (const { place, node } of this.hands) node.classList.toggle('holds', holds(place));
    groups.forEach(([members, sign]) => this.tie(members, sign));
    if (path.length > 1) this.travel(letters, path);
    // A dot on a cell to go to, and on a chosen one that can be clicked again.
    for (const place of next) {
      const { x, y } = this.view.at(place);
      if (letters[place] === '.' || path.includes(place)) drawn('circle', { cx: x, cy: y, r: 13, class: 'target' }, this.marks);
    }
  }

  // Ties what is clicked as one together, and writes its sign on each.
  tie(members, sign) {
    const points = members.map((place) => this.view.at(place));
    points.forEach((one, index) => {
      for (const other of points.slice(index + 1)) {
        if (Math.abs(one.x - other.x) < 101 && Math.abs(one.y - other.y) < 101) {
          const tie = drawn('path', { d: `M${one.x} ${one.y}L${other.x} ${other.y}`, class: 'tie' });
          this.marks.prepend(tie);
        }
      }
    });
    for (const { x, y } of sign ? points : []) {
      drawn('circle', { cx: x, cy: y, r: 24, class: 'badge-ground' }, this.marks);
      drawn('text', { x, y, class: 'badge-sign' }, this.marks).textContent = sign;
    }
  }

  // What is clicked as one lights up as one; nothing does where no place is given.
  light(place) {
    const group = this.groups?.find((members) => members.includes(place)) ?? [];
    this.nodes.forEach((node, other) => node.classList.toggle('lit', group.includes(other)));
  }

  // Shows the place over which a piece is dragged.
  over(place) {
    this.nodes.forEach((node, other) => node.classList.toggle('over', other === place && node.classList.contains('can')));
  }

  // Draws the way that was clicked, with the piece where it has come to.
  travel(letters, path) {
    const end = path[path.length - 1];
    const piece = this.view.board.pieces[path.map((place) => letters[place]).find((letter) => letter !== '.')];
    this.line(path, 'way');
    if (!piece || letters[end] !== '.') return;
    const { x, y, scale } = this.view.at(end);
    drawn('use', { href: `#${piece[0]}`, transform: `translate(${x} ${y}) scale(${scale})`, class: 'ghost' }, this.marks);
  }

  // Draws the way of a ply that is only advised.
  advise(way) {
    this.marks.querySelectorAll('.advised').forEach((node) => node.remove());
    const cells = places(way.replace(/^x/, ''));
    for (const place of cells.length === 1 ? cells : []) {
      const { x, y } = this.view.at(place);
      for (const kind of ['advised under', 'advised']) drawn('circle', { cx: x, cy: y, r: 38, class: kind }, this.marks);
    }
    if (cells.length > 1) this.line(cells, 'advised');
  }

  line(path, name) {
    const points = path.map((place) => this.view.at(place)).map(({ x, y }) => `${x} ${y}`);
    const { x, y } = this.view.at(path[path.length - 1]);
    for (const kind of [`${name} under`, name]) {
      drawn('path', { d: `M${points.join('L')}`, class: kind }, this.marks);
      drawn('circle', { cx: x, cy: y, r: 17, class: `${kind} end` }, this.marks);
    }
  }
}
