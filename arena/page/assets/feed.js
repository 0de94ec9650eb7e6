// What changes on a page: pushed by the server of the page, or, where the page is a file, read again and again from the file
// `picture.json` beside it.

import { Hub } from './hub.js';

// How often that file is read while a run is in progress and afterwards, and when it is taken for forsaken, in milliseconds.
const [OFTEN, SELDOM, FORSAKEN] = [2000, 30000, 30000];

// For how long the worker of all tabs may take to answer, in milliseconds: a browser may have none, or one that fails.
const PATIENCE = 3000;

// Calls `clock` with the time of a picture, `picture` with the picture, and `words` with what is to be said of the source,
// whether clocks stand still, and whether nothing can be asked of it.
export function follow(address, { clock = () => {}, picture, words = () => {} }) {
  const heard = { clock, picture, words };
  if (document.documentElement.dataset.feed === 'file') new Neighbour(heard).read();
  else listen(new URL(address, location.href).pathname, heard);
}

function listen(path, { clock, picture, words }) {
  const tell = (message) => {
    if ('lost' in message) words(message.lost ? 'no answer from the server; trying again' : '', message.lost, message.lost);
    else if (message.gone) words('the server no longer has this', true, true);
    else {
      // What another tab has heard already is a little old.
      clock(message.now + Date.now() - message.heard);
      picture(JSON.parse(message.picture));
    }
  };
  let line = null;
  const join = () => { line ??= new Line(path, tell); };
  const leave = () => {
    line?.leave();
    line = null;
  };
  join();
  addEventListener('pagehide', leave);
  addEventListener('pageshow', join);
  document.addEventListener('visibilitychange', () => {
    // A page of its own connection gives it up while nobody sees it.
    if (document.hidden && line?.isAlone) leave();
    else if (!document.hidden) join();
  });
}

// The way from a page to the hub: the one of all tabs, or one of its own.
class Line {
  constructor(path, tell) {
    Object.assign(this, { path, tell, isAlone: false, isThere: false });
    try {
      const worker = new SharedWorker(new URL('worker.js', import.meta.url), { type: 'module' });
      worker.addEventListener('error', () => this.alone());
      this.port = worker.port;
      this.port.addEventListener('message', ({ data }) => {
        if (this.isAlone || this.hasLeft) return;
        if (data.isThere) this.isThere = true;
        else this.tell(data);
      });
      this.port.start();
      this.port.postMessage({ follow: path });
      this.timer = setTimeout(() => this.isThere || this.alone(), PATIENCE);
    } catch {
      this.alone();
    }
  }

  alone() {
    if (this.isAlone || this.isThere || this.hasLeft) return;
    this.isAlone = true;
    this.port?.postMessage({ follow: null });
    Line.hub ??= new Hub();
    Line.hub.follow(this.path, this.tell);
  }

  leave() {
    this.hasLeft = true;
    clearTimeout(this.timer);
    if (this.isAlone) Line.hub.leave(this.path, this.tell);
    else this.port.postMessage({ follow: null });
  }
}

class Neighbour {
  constructor(heard) {
    Object.assign(this, heard, { told: null, text: null, renewed: performance.now() });
  }

  async read() {
    let pause = OFTEN;
    try {
      const answer = await fetch('picture.json', { cache: 'no-cache' });
      if (!answer.ok) throw new Error(answer.statusText);
      const { now, late, ended, picture } = await answer.json();
      if (now !== this.told) {
        [this.told, this.renewed] = [now, performance.now()];
        this.clock(now);
        const text = JSON.stringify(picture);
        if (text !== this.text) this.picture(picture);
        this.text = text;
      }
      if (ended) pause = SELDOM;
      this.say(ended, late, picture.isOn);
    } catch {
      const isForsaken = performance.now() - this.renewed > FORSAKEN;
      this.words('the picture cannot be read; trying again', isForsaken, isForsaken);
    }
    setTimeout(() => this.read(), pause);
  }

  say(ended, late, isOn) {
    const time = new Date(this.told).toLocaleTimeString();
    if (ended && isOn) this.words(`this page is no longer updated; it shows the state at ${time}`, true, false);
    else if (!ended && performance.now() - this.renewed > FORSAKEN) this.words(`nothing new since ${time}`, true, true);
    else this.words(!ended && late ? `shown ${late} s late` : '', false, false);
  }
}
