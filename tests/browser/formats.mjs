// Looks at the reports of runs in every format: `node formats.mjs RUNS PICTURES`. Each folder in RUNS is a run.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { LOOKS, assertAccessible } from './axe.mjs';
import { Chromium } from './chromium.mjs';
import { runTests } from './harness.mjs';

const [runs, pictures] = process.argv.slice(2).map((path) => resolve(path));
const names = readdirSync(runs, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
mkdirSync(pictures, { recursive: true });
const page = await Chromium.open();
const url = (name) => pathToFileURL(join(runs, name, 'report.html')).href;
const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
const phone = { width: 390, height: 664 };
const desk = { width: 1280, height: 800 };

// The size at which every text of a drawing is seen.
const SMALLEST = `Math.min(...[...document.querySelectorAll('svg text')].filter((text) => text.getClientRects().length && text.textContent.trim())
  .map((text) => parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().a)))`;

const tests = {
  async 'every report begins with the sentence of report.txt, then the table of its format, then ratings'() {
    for (const name of names) {
      await page.show(desk);
      await page.go(url(name));
      const sentence = squeezed(await page.get("document.getElementById('outcome-title').textContent"));
      const text = squeezed(readFileSync(join(runs, name, 'report.txt'), 'utf8')).replaceAll('`', '');
      assert.ok(text.includes(sentence), `${name}: ${sentence}`);
      const heads = await page.get("[...document.querySelectorAll('#report h2')].map((head) => head.textContent)");
      assert.equal(squeezed(heads[0]), sentence, name);
      assert.ok(heads.indexOf('Ratings') <= 2, `${name}: ${heads.join(', ')}`);
      assert.equal(heads.includes('Bracket'), name.includes('knockout'), name);
      const facts = await page.get("document.querySelector('.outcome .facts').textContent");
      for (const fact of ['Played20', 'Duration', 'Games', 'Lost by faults']) assert.ok(facts.includes(fact), `${name}: ${facts}`);
    }
  },

  async 'a knockout names its champion first, drawn on a desk and listed on a phone'() {
    for (const name of names.filter((other) => other.includes('knockout'))) {
      await page.show(desk);
      await page.go(url(name));
      const champion = await page.get("document.querySelector('#outcome-title b').textContent");
      const places = await page.get("[...document.querySelectorAll('#format .note')].at(-1).textContent");
      assert.ok(places.includes(`1. ${champion},`), places);
      const isSeen = (selector) => page.get(`document.querySelector('${selector}').getClientRects().length > 0`);
      assert.deepEqual([await isSeen('.bracket'), await isSeen('.listed-bracket')], [true, false]);
      // A match leads to its games.
      await page.get("document.querySelector('.bracket a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))");
      await page.until("/^#games-/.test(location.hash)");
      assert.ok((await page.get("document.querySelectorAll('.list tbody tr').length")) > 0);
      await page.show(phone);
      assert.deepEqual([await isSeen('.bracket'), await isSeen('.listed-bracket')], [false, true]);
    }
  },

  async 'a test of strength shows its ratio between its bounds'() {
    for (const name of names.filter((other) => other.includes('sprt'))) {
      await page.go(url(name));
      const words = await page.get("document.querySelector('.ratio').getAttribute('aria-label')");
      assert.match(words, /^LLR [+−]\d+\.\d\d after \d+ pairs?, between −\d+\.\d\d \(failed\) and \+\d+\.\d\d \(passed\)$/);
      assert.equal(await page.get("document.querySelectorAll('#outcome pre').length"), 0);
    }
  },

  async 'text in drawings has eleven pixels and nothing is wider than the page'() {
    for (const name of names) {
      for (const look of [phone, desk]) {
        await page.show(look);
        await page.go(url(name));
        assert.equal(await page.width(), look.width, name);
        for (const hash of ['', '#g1']) {
          await page.get(`location.hash = '${hash}'`);
          if (hash) await page.until("!document.getElementById('replay').hidden");
          const size = await page.get(SMALLEST);
          assert.ok(size >= 11, `${name}${hash} at ${look.width}: ${size}`);
        }
      }
    }
  },

  async 'the name of a row stays in sight when a table is scrolled'() {
    await page.show(phone);
    await page.go(url(names[0]));
    for (const table of ['.panel:not(.is-away) .standings', '.panel:not(.is-away) .cross']) {
      const seen = await page.get(`(() => {
        const table = document.querySelector('${table}');
        const frame = table.closest('.scroll');
        frame.scrollLeft = frame.scrollWidth;
        const [outer, inner] = [frame, table.querySelector('tbody th')].map((node) => node.getBoundingClientRect());
        return frame.scrollLeft > 0 && inner.left >= outer.left - 1 && inner.left < outer.left + 60;
      })()`);
      assert.ok(seen, table);
    }
  },

  async 'long names are told apart by their ends'() {
    await page.show(phone);
    await page.go(url('round-robin'));
    const ends = await page.get(`[...document.querySelectorAll('.panel:not(.is-away) .standings .name')].map((name) => {
      const [start, end] = [...name.children].map((part) => part.getBoundingClientRect());
      const frame = name.closest('th').getBoundingClientRect();
      return [name.title, name.lastChild.textContent, end.width > 10 && end.right <= frame.right + 1 && start.width > 10];
    })`);
    assert.ok(ends.length >= 2 && new Set(ends.map(([, end]) => end)).size === ends.length, JSON.stringify(ends));
    assert.ok(ends.every(([whole, end, isSeen]) => whole.endsWith(end) && isSeen), JSON.stringify(ends));
  },

  async 'times are sorted by what they are, not by how they are written'() {
    await page.show(desk);
    await page.go(url('round-robin'));
    await page.get(`(() => {
      const cells = [...document.querySelectorAll('.panel:not(.is-away) .standings tbody tr')].map((row) => [...row.cells].at(-2));
      [['2.4 ms', 2.4], ['1.2 s', 1200], ['–', '']].forEach(([text, key], place) => { cells[place].textContent = text; cells[place].dataset.key = key; });
      [...document.querySelectorAll('.panel:not(.is-away) .standings thead button')].at(-2).click();
    })()`);
    const shown = await page.get("[...document.querySelectorAll('.panel:not(.is-away) .standings tbody tr')].map((row) => [...row.cells].at(-2).textContent)");
    assert.ok(shown.indexOf('1.2 s') === 0 && shown.indexOf('2.4 ms') === 1 && shown.at(-1) === '–', shown.join());
  },

  async 'next and previous keep to the filter, and the list has pages and a search'() {
    await page.show(desk);
    await page.go(url('round-robin'));
    assert.ok((await page.get("document.querySelectorAll('.pages button').length")) >= 2);
    await page.get("[...document.querySelectorAll('.pages button')].at(-1).click()");
    assert.equal(await page.get("document.querySelector('.pages [aria-current]').textContent"), await page.get("[...document.querySelectorAll('.pages button')].at(-1).textContent"));
    assert.equal(await page.get("document.activeElement.getAttribute('aria-current')"), 'page');
    await page.get("(() => { const field = document.querySelector('.filters input'); field.value = 'FRENZY'; field.dispatchEvent(new Event('input')); })()");
    await page.until("[...document.querySelectorAll('.list tbody tr')].every((row) => row.textContent.includes('frenzy'))");
    const [first, second] = await page.get("[...document.querySelectorAll('.list tbody a')].slice(0, 2).map((link) => Number(link.textContent))");
    await page.get(`location.hash = '#g${first}p0'`);
    const isShown = (number) => page.until(`location.hash.startsWith('#g${number}p') && document.getElementById('replay-title').textContent.startsWith('Game ${number}:')`);
    await isShown(first);
    await page.press('n');
    await isShown(second);
    await page.until(`document.getElementById('previous').hash === '#g${first}p0'`);
    await page.press('p');
    await isShown(first);
  },

  async 'the theme that was chosen is kept'() {
    await page.show({ ...desk, scheme: 'light' });
    await page.go(url('round-robin'));
    await page.get("document.getElementById('theme').click()");
    // Loaded again by the same process: what a page keeps may be lost if its process ends within a moment.
    await page.get("window.isOld = true, location.reload()");
    await page.isReady("!window.isOld && document.documentElement.dataset.theme === 'dark'");
    await page.get("localStorage.removeItem('arena-theme')");
  },

  async 'with forced colours the chosen tab and ply are seen'() {
    await page.show({ ...desk, forced: 'active' });
    await page.go(`${url('round-robin')}#g1p3`);
    const ground = (selector) => page.get(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    assert.notEqual(await ground('.ply[aria-selected=true]'), await ground('.ply[aria-selected=false]'));
    // The board keeps its colours, and with them the marks of the ply that is shown and their outline.
    const [adjusted, marks] = await page.get(`(() => {
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return [style('.board').forcedColorAdjust, document.querySelectorAll('#board-frame use[href^="#mark-"]').length];
    })()`);
    assert.equal(adjusted, 'none');
    assert.ok(marks > 0);
    await page.go(url('round-robin'));
    assert.notEqual(await ground('[role=tab][aria-selected=true]'), await ground('[role=tab][aria-selected=false]'));
  },

  async 'pages on paper are filled'() {
    await page.show(desk);
    await page.go(url('round-robin'));
    const { data } = await page.send('Page.printToPDF', { paperWidth: 8.27, paperHeight: 11.69 });
    const pdf = Buffer.from(data, 'base64').toString('latin1');
    const sheets = (pdf.match(/\/Type\s*\/Page\b/g) ?? []).length;
    await page.show({ width: 718, height: 1046, media: 'print' });
    const height = await page.get('document.documentElement.scrollHeight');
    // No more sheets than what is shown takes, and half as much again for what may not be cut.
    assert.ok(sheets <= Math.ceil((height / 1046) * 1.5) + 1, `${sheets} sheets for ${height} pixels`);
  },

  async 'axe-core finds nothing, in both themes and sizes'() {
    for (const name of names) {
      for (const look of LOOKS) {
        await page.show(look);
        await page.go(url(name));
        await assertAccessible(page, `${name} ${JSON.stringify(look)}`);
        await page.picture(join(pictures, `${name}-${look.width}-${look.scheme}.png`), true);
      }
    }
    for (const look of LOOKS) {
      await page.show(look);
      await page.go(`${url('round-robin')}#g1`);
      await assertAccessible(page, `a replay ${JSON.stringify(look)}`);
    }
  },

  async 'nobody complains, and nothing is asked for'() {
    page.assertQuiet();
    assert.deepEqual(page.requests.filter((request) => !/^(about|data|file):/.test(request)), []);
  },
};

await runTests(tests, page);
