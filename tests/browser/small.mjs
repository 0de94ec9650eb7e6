// The pages of `arena serve` on small screens, by keyboard, and before axe-core: `node small.mjs ARENA FOLDER PICTURES`. The
// folder has `cup.yaml`, a tournament that lasts; the variable `ARENA_AXE` names the file of axe-core.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { assertAccessible } from './axe.mjs';
import { Chromium } from './chromium.mjs';
import { Programs, runTests } from './harness.mjs';

const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(pictures, { recursive: true });

const SCREENS = { upright: { width: 390, height: 664 }, across: { width: 664, height: 390 } };
const DESK = { width: 1280, height: 800 };

// More time than the slowest machine takes for a test.
const LONG = '3000+2';

const programs = new Programs(arena, folder);
await programs.run('cup.yaml', 'cup', { isPlayed: true });
const { token, own } = await programs.serve();
const page = await Chromium.open();

// Sends JSON to the server with the token.
const send = (path, body) => page.get(`fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'content-type': 'application/json', 'x-arena-token': '${token}' }, body: ${JSON.stringify(JSON.stringify(body))} }).then((answer) => answer.json())`);
let board = null; // the link of the last game

// Begins a game and leads to its board; the last one is left, and kept.
async function begin(game, wish = {}) {
  await page.go(own('/play/'));
  if (board) await send(`${board}orders`, { order: 'leave' });
  const asked = { game, options: {}, seats: [{ person: '' }, { bot: 'greedy' }], ...wish };
  board = (await send('games', asked)).link;
  await page.go(own(board));
  await page.until("!!document.querySelector('.cell.can, .choice')");
}

async function click(...names) {
  for (const name of names) await page.clickOn(`.cell.can[aria-label^=${name}]`);
}

// The parts of a page that do not lie within the screen, or are wider or higher than nothing.
const cut = (...selectors) => page.get(`(() => {
  const nodes = ${JSON.stringify(selectors)}.flatMap((selector) => [...document.querySelectorAll(selector)]).filter((node) => node.checkVisibility());
  const isOut = ({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
  return nodes.length === 0 ? ['nothing'] : nodes.filter((node) => isOut(node.getBoundingClientRect())).map((node) => node.outerHTML.slice(0, 80));
})()`);

// Holds that these parts lie within the screen, when nothing moves any more.
async function assertSeen(what, ...selectors) {
  await page.settled();
  assert.deepEqual(await cut(...selectors), [], what);
}

// Opens the report of the run and its first game.
async function replay() {
  await page.go(own('/runs/cup/report.html'));
  await page.get("document.querySelector('.list tbody a').scrollIntoView({ block: 'center', behavior: 'instant' })");
  await page.focus('.list tbody a');
  await page.press('Enter');
  await page.until("!document.getElementById('replay').hidden");
}

const tests = {
  async 'a page takes the token'() {
    await page.show(DESK);
    await page.go(`${own('/play/')}#token=${token}`);
    await page.until("document.getElementById('no-token').hidden");
  },

  async 'board, seats and buttons of every game lie within a phone, upright and across'() {
    for (const game of ['farook', 'faust', 'frenzy', '2-frenzy', 'sophia', 'fanorona']) {
      await begin(game, { tc: LONG });
      for (const [name, screen] of Object.entries(SCREENS)) {
        await page.show(screen);
        await assertSeen(`${game} ${name}`, '.play .board', '.play .seat', '#turn', '.choice', '.play .controls button', '.play .deeds button', '.play .deeds a');
        assert.equal(await page.width(), screen.width, `${game} ${name}`);
        const [{ height, width }] = await page.boxes('.cell');
        assert.ok(Math.min(height, width) > (name === 'upright' ? 32 : 16), `${game} ${name}: a cell of ${width}`);
        await page.picture(join(pictures, `small-${game}-${name}.png`));
      }
      await page.show(SCREENS.upright);
    }
    // The other buttons are a touch away.
    assert.equal(await page.get("document.querySelector('[data-order=resign]').checkVisibility()"), false);
    await page.activate('#more');
    assert.equal(await page.get("document.querySelector('[data-order=resign]').checkVisibility()"), true);
    assert.equal(await page.get("document.getElementById('more').getAttribute('aria-expanded')"), 'true');
  },

  async 'choices stand beside the cell that was touched and cover nothing that can be'() {
    for (const screen of [SCREENS.upright, SCREENS.across, DESK]) {
      await page.show(screen);
      await begin('sophia');
      await click('c2');
      await page.until("document.querySelectorAll('.choice').length === 2");
      await page.settled();
      const [cell, choices] = await page.boxes('.cell[aria-label^=c2]', '#choices');
      const apart = (one, other) => Math.hypot(Math.max(one.left - other.right, other.left - one.right, 0), Math.max(one.top - other.bottom, other.top - one.bottom, 0));
      assert.ok(apart(cell, choices) < 20, `${screen.width}: ${apart(cell, choices)} pixels away`);
      await assertSeen('choices', '#choices button');
      await page.picture(join(pictures, `small-choices-${screen.width}.png`));
      await page.activate('.choice');
      await page.until("/, 2 plies/.test(document.getElementById('summary').textContent)");
      // The end of a chain, or its next leg: the cell to go to is free.
      await begin('fanorona', { position: '4b4/1b1b5/2b1w4/9/8b p1 quiet=3' });
      await click('e3', 'd3');
      await page.until("document.querySelectorAll('.choice').length === 1");
      await page.settled();
      const [free, over] = await page.boxes('.cell.can', '#choices');
      assert.ok(apart(free, over) > 0, 'the next cell is covered');
    }
  },

  async 'many kept games leave the form on the screen'() {
    await page.show(SCREENS.upright);
    await page.go(own('/play/'));
    for (let games = 0; games < 12; games += 1) await send('games', { game: 'farook', options: {}, seats: [{ person: '' }, { bot: 'greedy' }] });
    await page.go(own('/play/'));
    const count = await page.get("document.querySelectorAll('.kept tbody tr').length");
    assert.equal(count, 3);
    const [{ top }] = await page.boxes('#begin');
    assert.ok(top < 420, `the form begins at ${top}`);
    assert.equal(await page.width(), 390);
    const all = Number(/\d+/.exec(await page.text('#all-kept'))[0]);
    assert.ok(all > 10);
    await page.activate('#all-kept');
    await page.until(`document.querySelectorAll('.kept tbody tr').length === ${all}`);
    assert.ok((await page.boxes('#begin'))[0].top < 664, 'a long list scrolls by itself');
    // The focus of a row that is removed goes to the next one.
    await page.focus('.kept tbody tr:nth-child(2) button');
    const next = await page.get("document.querySelector('.kept tbody tr:nth-child(3) a').getAttribute('href')");
    await page.activate('.kept tbody tr:nth-child(2) button');
    await page.activate('[data-sure=yes]');
    await page.until(`document.querySelectorAll('.kept tbody tr').length === ${all - 1}`);
    await page.hasFocus(`tr:has(a[href=${JSON.stringify(next)}]) button`, 'the next row');
  },

  async 'what is wrong in the form is said at its field, which has the focus'() {
    page.excuse(/status of 400.*\/play\/games"/);
    await page.go(own('/play/'));
    for (const [field, value, words] of [['#position', 'nonsense', 'not a position'], ['#tc', 'soon', 'time control `soon`'], ['[data-game=farook] [name=max-moves]', '0', '']]) {
      await page.get(`document.querySelector(${JSON.stringify(field)}).value = ${JSON.stringify(value)}`);
      await page.activate('#begin [type=submit]');
      const fault = await page.until("document.getElementById('fault').textContent");
      assert.ok(fault.includes(words), fault);
      await page.hasFocus(`${field}[aria-invalid=true][aria-describedby=fault]`);
      assert.ok(await page.get("document.getElementById('fault').closest('label').contains(document.activeElement)"));
      await assertSeen('the field', field);
      if (field === '#position') await page.picture(join(pictures, 'small-fault.png'));
      await page.get(`(() => { const field = document.querySelector(${JSON.stringify(field)}); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true })); })()`);
      assert.equal(await page.get("document.querySelectorAll('[aria-invalid]').length"), 0, 'what is changed is not wrong yet');
      assert.equal(await page.text('#fault'), '');
    }
  },

  async 'a button that cannot be pressed for a while keeps the focus'() {
    await page.show(DESK);
    await begin('farook', { think: 'movetime 500ms' });
    await page.until("!document.querySelector('[data-order=hint]').disabled");
    await page.focus('[data-order=hint]');
    await page.press('Enter');
    await page.until("document.getElementById('advice').textContent.startsWith('hint: ')");
    await page.hasFocus('[data-order=hint]');
    await click('a1');
    await page.until("/, 2 plies/.test(document.getElementById('summary').textContent)");
    await page.focus('[data-look=back]');
    for (const ply of [1, 0]) {
      await page.press('Enter');
      await page.until(`document.getElementById('past').textContent.startsWith('ply ${ply} of')`);
    }
    await page.hasFocus('[data-look=back][aria-disabled=true]', 'at the start');
    await page.press('Enter');
    assert.equal(await page.text('#past'), 'ply 0 of 2', 'it does nothing');
    await page.press('ArrowRight');
    await page.hasFocus('[data-look=back]:not([aria-disabled]):not(:disabled)');
    await page.press('End');
  },

  async 'a choice that is made hands the focus back to its cell'() {
    const plies = (count) => page.until(`/, ${count} plies/.test(document.getElementById('summary').textContent)`);
    await begin('sophia');
    await page.focus('.cell[tabindex="0"]');
    await page.press('Enter');
    await page.until("document.querySelectorAll('.choice').length === 2");
    await page.focus('.choice');
    await page.press('Enter');
    await plies(2);
    await page.hasFocus('.cell[aria-label^=a1]');
    // A ply of the list keeps it while others are added.
    await page.focus('.ply');
    await page.get("document.querySelector('.cell.can').dispatchEvent(new MouseEvent('click'))");
    await page.activate('.choice');
    await plies(4);
    await page.hasFocus('.ply');
  },

  async 'board and buttons of a replay lie within a phone, and the focus goes back to its row'() {
    for (const [name, screen] of Object.entries({ ...SCREENS, desk: DESK })) {
      await page.show(screen);
      await replay();
      await assertSeen(name, '#replay .board', '#replay .seat', '#replay .controls button', '#back');
      assert.equal(await page.width(), screen.width, name);
      await page.picture(join(pictures, `small-replay-${name}.png`));
      const looks = await page.get("['play', 'on'].map((deed) => { const node = document.querySelector(`[data-do=${deed}]`); return getComputedStyle(node).backgroundColor + node.querySelector('path').getAttribute('class'); })");
      assert.notEqual(looks[0], looks[1], 'Play looks unlike the step forward');
      // From the last ply but two to the end.
      await page.press('End');
      for (let steps = 0; steps < 2; steps += 1) await page.press('ArrowLeft');
      await page.focus('[data-do=on]');
      for (let steps = 0; steps < 2; steps += 1) await page.press('Enter');
      await page.hasFocus('[data-do=on][aria-disabled=true]', 'at the end');
      await page.press('Escape');
      await page.until("document.getElementById('replay').hidden");
      await page.hasFocus('.list tbody tr:first-child a');
      await assertSeen('its row', '.list tbody tr:first-child a');
    }
  },

  async 'the boards of a run lie within a phone'() {
    for (const [name, screen] of Object.entries(SCREENS)) {
      await page.show(screen);
      await page.go(own('/runs/cup/'));
      const { height, width } = await page.until("document.querySelector('.tables .game:has(.board)').getBoundingClientRect().toJSON()");
      assert.ok(height <= screen.height && width <= screen.width, `${name}: ${width} x ${height}`);
      assert.equal(await page.width(), screen.width);
      await page.picture(join(pictures, `small-live-${name}.png`), true);
    }
  },

  async 'the theme is kept from page to page'() {
    await page.show(DESK);
    await page.go(own('/'));
    // What one page keeps reaches the next one's process a moment later, which hears of it.
    const looks = (scheme, other) => page.until(`getComputedStyle(document.documentElement).colorScheme === '${scheme}' && document.getElementById('theme').textContent === '${other}'`);
    await looks('light dark', 'Dark');
    await page.activate('#theme');
    for (const path of ['/', '/play/', '/runs/cup/', '/runs/cup/report.html']) {
      await page.go(own(path));
      await looks('dark', 'Light');
    }
    // The theme is there before anything of the body can be drawn.
    const { identifier } = await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `new MutationObserver((_, watcher) => {
      if (!document.body) return;
      watcher.disconnect();
      window.atFirst = document.documentElement.dataset.theme;
    }).observe(document, { subtree: true, childList: true })` });
    for (const path of ['/', '/play/', '/runs/cup/', '/runs/cup/report.html']) {
      await page.go(own(path));
      assert.equal(await page.get('window.atFirst'), 'dark', path);
    }
    await page.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    await page.activate('#theme');
    await looks('light', 'Dark');
  },

  async 'axe-core finds nothing on any kind of page, in both themes, on a phone and on a desk'() {
    await begin('fanorona', { tc: LONG, position: '4b4/1b1b5/2b1w4/9/8b p1 quiet=3' });
    // Both themes as the system has them.
    await page.get("localStorage.removeItem('arena-theme')");
    for (const screen of [SCREENS.upright, DESK]) {
      for (const scheme of ['light', 'dark']) {
        for (const path of ['/', '/play/', board, '/runs/cup/', 'replay']) {
          await page.show({ ...screen, scheme });
          await (path === 'replay' ? replay() : page.go(own(path)));
          if (path === '/play/') {
            await page.get("document.getElementById('position').value = 'nonsense'");
            await page.activate('#begin [type=submit]');
            await page.until("document.getElementById('fault').textContent !== ''");
          } else if (path === board) {
            await click('e3', 'd3');
          } else if (path === '/runs/cup/') {
            await page.until("document.querySelectorAll('.tables .board').length > 0");
          }
          await assertAccessible(page, `${path} ${screen.width} ${scheme}`);
        }
      }
    }
  },

  async 'nothing complained'() {
    page.assertQuiet();
  },
};

await runTests(tests, page, programs);
