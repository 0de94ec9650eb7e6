// A page in a real browser, whichever that is: what tests ask of it and do to it. `chromium.mjs` and `firefox.mjs` carry it out.

import assert from 'node:assert/strict';

// How long a condition may take, in milliseconds: longer than any machine takes that is not stuck.
export const PATIENCE = 120_000;

const quoted = JSON.stringify;

export class Page {
  constructor() {
    // What the browser complained of, which of that tests ask for, and the addresses that it asked for.
    Object.assign(this, { complaints: [], excuses: [], requests: [] });
    // What was asked of it and has no answer yet, by number, and why it answers no more.
    Object.assign(this, { waiting: new Map(), ending: '' });
  }

  // Nobody answers any more.
  end(why = 'the browser has ended') {
    this.ending ||= why;
    this.waiting.forEach(({ failed }) => failed(new Error(why)));
    this.waiting.clear();
  }

  async go(url) {
    // The page before is gone for certain, also where the address is the same.
    await this.navigate('about:blank');
    await this.until("location.href === 'about:blank'");
    await this.navigate(url);
    await this.isReady();
  }

  // Waits until a page shows what it has to show.
  isReady(condition = 'true') {
    return this.until(`location.href !== 'about:blank' && document.documentElement.classList.contains('is-ready') && (${condition})`);
  }

  // Waits until an expression gives something other than nothing, and returns that. What is read together is read by one
  // expression: a page may change between two. One that fails, as while a page gives way to the next, holds not yet.
  async until(expression) {
    for (const end = Date.now() + PATIENCE; ;) {
      let failure = '';
      const value = await this.get(expression).catch((error) => { failure = error.message; });
      if (value) return value;
      if (this.ending) throw new Error(`${this.ending}: ${expression}`);
      if (Date.now() > end) throw new Error(`not within ${PATIENCE / 1000} s: ${expression}\n${[failure, ...this.complaints].join('\n')}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  // Returns what an expression gives as soon as a condition holds, at the very change within an element that makes it hold:
  // nothing else can have happened since.
  atChange(selector, condition, expression) {
    return this.get(`new Promise((done, failed) => {
      const look = () => {
        try {
          if (!(${condition})) return;
          done(${expression});
        } catch (error) {
          failed(error);
        }
        watcher.disconnect();
      };
      const watcher = new MutationObserver(look);
      look();
      watcher.observe(document.querySelector(${quoted(selector)}), { subtree: true, childList: true, characterData: true, attributes: true });
      setTimeout(() => failed(new Error(${quoted(`no such change: ${condition}`)})), ${PATIENCE});
    })`);
  }

  // Waits until nothing moves: animations are over, what was changed has been drawn, and the page does not scroll.
  settled() {
    return this.get(`Promise.allSettled([document.fonts.ready, ...document.getAnimations().map((animation) => animation.finished)]).then(() => new Promise((done) => {
      let before = [];
      const look = () => {
        before.push([scrollX, scrollY].join());
        if (before.length > 2 && new Set(before.slice(-3)).size === 1) done(true);
        else requestAnimationFrame(look);
      };
      look();
    }))`);
  }

  // Clicks an element as a script does, as soon as it is there and can be pressed.
  activate(selector) {
    return this.until(`(() => {
      const node = document.querySelector(${quoted(selector)});
      if (!node || node.matches(':disabled, [aria-disabled=true]')) return false;
      if (node.click) node.click();
      else node.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      return true;
    })()`);
  }

  // Clicks into the middle of an element with the mouse, as soon as it stands still and nothing covers it.
  async clickOn(selector) {
    await this.settled();
    const [x, y] = await this.until(`(() => {
      const node = document.querySelector(${quoted(selector)});
      const { x, y, width, height } = node.getBoundingClientRect();
      const middle = [x + width / 2, y + height / 2];
      return node.contains(document.elementFromPoint(...middle)) && middle;
    })()`);
    await this.click(x, y);
  }

  text(selector) {
    return this.get(`document.querySelector(${quoted(selector)}).textContent`);
  }

  focus(selector) {
    return this.get(`document.querySelector(${quoted(selector)}).focus()`);
  }

  // Waits until an element has the focus.
  async hasFocus(selector, what = selector) {
    await this.until(`!!document.activeElement?.matches(${quoted(selector)})`).catch(async (error) => {
      throw new Error(`${what}: the focus is on ${await this.get('document.activeElement?.outerHTML.slice(0, 200)')}`, { cause: error });
    });
  }

  // Presses Tab until the focus is on or within an element.
  async tabTo(selector, most = 400) {
    for (let presses = 0; presses < most; presses += 1) {
      if (await this.get(`!!document.activeElement?.closest(${quoted(selector)})`)) return;
      await this.press('Tab');
    }
    assert.fail(`no way to ${selector}`);
  }

  // Where elements are, each as a rectangle, read together.
  boxes(...selectors) {
    return this.get(`${quoted(selectors)}.map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())`);
  }

  width() {
    return this.get('document.documentElement.scrollWidth');
  }

  // Says that complaints which fit are what a test asks for, such as a refusal of the server. They may come late.
  excuse(...patterns) {
    this.excuses.push(...patterns);
  }

  assertQuiet(what) {
    assert.deepEqual(this.complaints.filter((complaint) => !this.excuses.some((pattern) => pattern.test(complaint))), [], what);
  }
}
