// Pieces that are dragged with a mouse, a finger or a pen. The listener is asked what may be held and where it may go, and
// plays what was dropped as it plays clicks.

import { drawn } from './board.js';

// How far a pointer moves before it drags, in pixels: what moves less is a click.
const SLACK = 6;

export class Drag {
  // `canHold(place)` says whether a piece can be dragged from there, `hold(place)` takes it up and returns its letter,
  // `drop(from, to)` plays it and returns whether that could be, `release()` tells that it went back.
  constructor(view, listener) {
    Object.assign(this, { view, listener, held: null, begun: null });
    this.layer = drawn('g', { class: 'dragged' }, view.svg);
    view.svg.addEventListener('pointerdown', (event) => this.down(event));
    view.svg.addEventListener('pointermove', (event) => this.move(event));
    view.svg.addEventListener('pointerup', (event) => this.up(event));
    view.svg.addEventListener('pointercancel', () => this.cancel());
    // A finger on a piece drags it; beside the pieces it moves the page.
    view.svg.addEventListener('touchmove', (event) => { if (this.begun || this.held !== null) event.preventDefault(); }, { passive: false });
    view.svg.addEventListener('dragstart', (event) => event.preventDefault());
  }

  // A point of the screen on the board.
  point({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.view.svg.getScreenCTM().inverse());
    return { x, y };
  }

  // The place at a point.
  place({ x, y }) {
    const places = this.view.board.places.map((_, place) => place);
    return places.find((place) => {
      const middle = this.view.at(place);
      const reach = 50 * middle.scale;
      return Math.abs(middle.x - x) <= reach && Math.abs(middle.y - y) <= reach;
    });
  }

  down(event) {
    if (this.held !== null || !event.isPrimary || event.button !== 0) return;
    const place = this.place(this.point(event));
    this.begun = place !== undefined && this.listener.canHold(place) ? { place, x: event.clientX, y: event.clientY } : null;
  }

  move(event) {
    if (!event.isPrimary) return;
    const { begun } = this;
    if (begun && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > SLACK) {
      this.begun = null;
      const letter = this.listener.hold(begun.place);
      const piece = this.view.board.pieces[letter];
      if (!piece) return;
      this.held = begun.place;
      this.view.svg.setPointerCapture(event.pointerId);
      this.view.uses[this.held].classList.add('lifted');
      this.piece = drawn('use', { href: `#${piece[0]}` }, this.layer);
      this.view.svg.classList.add('is-dragged');
    }
    if (this.held === null) return;
    const { x, y } = this.point(event);
    this.piece.setAttribute('transform', `translate(${x} ${y}) scale(1.12)`);
    this.listener.over(this.place({ x, y }));
  }

  up(event) {
    this.begun = null;
    if (this.held === null || !event.isPrimary) return;
    const [from, at] = [this.held, this.point(event)];
    this.lay();
    if (this.listener.drop(from, this.place(at))) return;
    this.back(from, at);
    this.listener.release();
  }

  // What is held goes back.
  cancel() {
    this.begun = null;
    if (this.held === null) return;
    this.lay();
    this.listener.release();
  }

  // Nothing is held any more.
  lay() {
    this.view.uses[this.held].classList.remove('lifted');
    this.view.svg.classList.remove('is-dragged');
    this.layer.replaceChildren();
    this.listener.over(undefined);
    this.held = null;
  }

  // Lets a piece travel back to where it was taken up, unless the reader wants things to stand still.
  back(place, from) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const { x, y, scale } = this.view.at(place);
    const frames = [from, { x, y }].map((point) => ({ transform: `translate(${point.x}px, ${point.y}px) scale(${scale})` }));
    this.view.uses[place].animate(frames, { duration: 160, easing: 'ease-out' });
  }
}
