// What changes on a page: pushed by the server of the page, or, where the page is a file, read again and again from the file
// `picture.json` beside it.

// How often that file is read while a run goes on and afterwards, and when it is taken for forsaken, in milliseconds.
const [OFTEN, SELDOM, FORSAKEN] = [2000, 30000, 30000];

// Calls `clock` with the time of a picture, `picture` with the picture, and `words` with what is to be said of the source, and
// whether clocks stand still.
export function follow(address, { clock = () => {}, picture, words = () => {} }) {
  if (document.documentElement.dataset.feed === 'file') new Neighbour({ clock, picture, words }).read();
  else listen(address, { clock, picture, words });
}

function listen(address, { clock, picture, words }) {
  const events = new EventSource(address);
  events.addEventListener('clock', (event) => clock(Number(event.data)));
  events.addEventListener('picture', (event) => picture(JSON.parse(event.data)));
  events.addEventListener('open', () => words('', false));
  events.addEventListener('error', () => words('the server does not answer; trying again', false));
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
      this.words('the picture cannot be read; trying again', performance.now() - this.renewed > FORSAKEN);
    }
    setTimeout(() => this.read(), pause);
  }

  say(ended, late, isOn) {
    const time = new Date(this.told).toLocaleTimeString();
    if (ended && isOn) this.words(`nobody keeps this page any more: so it stood at ${time}`, true);
    else if (!ended && performance.now() - this.renewed > FORSAKEN) this.words(`nothing new since ${time}`, true);
    else this.words(!ended && late ? `shown ${late} s late` : '', false);
  }
}
