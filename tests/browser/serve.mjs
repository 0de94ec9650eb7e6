// The pages of `arena serve` in a real browser: `node serve.mjs ARENA FOLDER PICTURES`. The folder has `cup.yaml`, a tournament
// that lasts, whose bots can be played against, one of them with the name below; what is played goes to `runs` there.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { assertAccessibleEverywhere } from './axe.mjs';
import { Chromium } from './chromium.mjs';
import { PIECES, framesOf, framesOn } from './frames.mjs';
import { Programs, leave, runTests } from './harness.mjs';

const HOSTILE = '<img src=x onerror=alert(1)>';
const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(pictures, { recursive: true });

// Every game in a size that is played to its end soon; the person sits at the first seat, or at the second.
const GAMES = [
  ['farook', {}, 1],
  ['faust', { size: '4' }, 2],
  ['frenzy', {}, 1],
  ['frenzy', {}, 2],
  ['2-frenzy', {}, 1],
  ['sophia', { size: '5', swap: 'on' }, 2],
  ['fanorona', { size: '5x5' }, 1],
];

const programs = new Programs(arena, folder);
await programs.run('cup.yaml', 'cup');
const { base, token, own } = await programs.serve();
const page = await Chromium.open();

// A fixed row of numbers from 0 up to 1.
let last = 1;
const chance = () => { last = (last * 48271) % 2147483647; return last / 2147483647; };

// Chooses a game on the page for it and leads to its board.
async function begin(game, options, seats, more = {}) {
  await page.go(own('/play/'));
  await page.activate(`input[value="${game}"]`);
  const fields = { ...Object.fromEntries(seats.map((bot, index) => [`p${index + 1}`, bot])), ...more };
  await page.get(`(() => {
    for (const [id, value] of Object.entries(${JSON.stringify(fields)})) document.getElementById(id).value = value;
    for (const [name, value] of Object.entries(${JSON.stringify(options)})) document.querySelector('[data-game="${game}"] [name="' + name + '"]').value = value;
  })()`);
  await page.activate('#begin [type=submit]');
  await page.isReady("document.getElementById('board-frame') || document.getElementById('fault')?.textContent");
}

// Clicks cells one after the other, as a script does.
async function click(...names) {
  for (const name of names) await page.activate(`.cell.can[aria-label^=${name}]`);
}

// What stands on the board, in hand and on cells.
const STANDS = `${PIECES}.join()`;

// Waits until the game has so many plies.
const hasPlies = (count) => page.until(`/, ${count} pl/.test(document.getElementById('summary').textContent)`);

// Waits until a game is seen so many plies after its start.
const hasPast = (ply, all) => page.until(`document.getElementById('past').textContent === 'ply ${ply} of ${all}'`);

// A capture of three legs, each of which takes a stone.
const CHAIN = '4b4/1b1b5/2b1w4/9/8b p1 quiet=3';

// Where something can be clicked when nothing moves, and whether the game is over.
const SEEN = `(() => {
  const middle = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const isOver = !!document.querySelector('.turn.is-over');
  const targets = [...document.querySelectorAll('.cell.can, .choice')].map(middle);
  return (isOver || targets.length > 0) && { isOver, targets, plies: Number(/, (\\d+) pl/.exec(document.getElementById('summary').textContent)?.[1]) };
})()`;
const CAN_GO_ON = "!!document.querySelector('.turn.is-over, .cell.can, .choice')";

const tests = {
  async 'a run is shown live, and steered with the token alone'() {
    await page.show({ width: 1280, height: 900 });
    await page.go(own('/runs/cup/'));
    await page.until("document.getElementById('stage').textContent === 'running'");
    const before = await page.text('#progress-text');
    await page.until(`document.getElementById('progress-text').textContent !== ${JSON.stringify(before)}`);
    assert.equal(await page.get("document.getElementById('orders').hidden"), true, 'no buttons without the token');
    page.excuse(/status of 403/);
    const refused = `fetch('orders', { method: 'POST', headers: { 'x-arena-token': '00' }, body: '{"order":"pause"}' }).then((answer) => answer.status)`;
    assert.equal(await page.get(refused), 403);
    await page.until("document.querySelectorAll('.tables .board').length > 0");
    await page.picture(join(pictures, 'live.png'));
    assert.ok((await page.text('.standings tbody')).includes(HOSTILE));
    assert.equal(await page.get('document.images.length'), 0);
    await page.go(`${own('/runs/cup/')}#token=${token}`);
    assert.ok(!(await page.get('location.href')).includes(token), 'the token leaves the address');
    await page.until("!document.getElementById('orders').hidden");
    await page.activate('[data-order=pause]');
    await page.until("document.getElementById('answer').textContent.includes('paused') && document.getElementById('stage').textContent === 'paused'");
    await page.activate('[data-order=stop]');
    await page.activate('[data-sure=yes]');
    await page.until("document.getElementById('stage').textContent === 'stopped'");
  },

  async 'without the token nothing is begun'() {
    const asked = `fetch('/play/games', { method: 'POST', body: '{"game":"farook","seats":[{"person":""},{"bot":"random"}]}' }).then((answer) => answer.status)`;
    assert.equal(await page.get(asked), 403);
  },

  async 'what is wrong is said where it was chosen'() {
    page.excuse(/status of 400.*\/play\/games"/);
    await begin('farook', {}, ['', 'random'], { position: 'nonsense' });
    assert.ok((await page.text('#fault')).includes('not a position of `farook`'));
    await page.hasFocus('#position[aria-invalid=true]');
    await page.get("document.getElementById('position').value = ''; document.getElementById('tc').value = 'soon'");
    await page.activate('#begin [type=submit]');
    await page.hasFocus('#tc[aria-invalid=true]');
    assert.equal(await page.get("document.querySelectorAll('[aria-invalid]').length"), 1);
  },

  async 'every game is played to its end by clicks against a bot'() {
    for (const [index, [game, options, seat]] of GAMES.entries()) {
      const bot = index === 0 ? HOSTILE : 'greedy';
      await begin(game, options, seat === 1 ? ['', bot] : [bot, '']);
      let [clicks, plies] = [0, 0];
      for (;;) {
        await page.until(CAN_GO_ON);
        await page.settled();
        const seen = await page.until(SEEN);
        assert.ok(seen.plies >= plies, `${game}: plies are added`);
        plies = seen.plies;
        if (seen.isOver) break;
        const [x, y] = seen.targets[Math.floor(chance() * seen.targets.length)];
        await page.click(x, y);
        clicks += 1;
        assert.ok(clicks < 3000, `${game} comes to an end`);
        if (clicks === 6) await page.picture(join(pictures, `play-${game}-${seat}.png`));
      }
      const reason = await page.text('#turn');
      assert.match(reason, /wins|draw/, game);
      const ended = framesOf(arena, game, options, await page.text('#position'));
      // Who sits at the second seat sees the board from there.
      if (seat === 2) await page.press('f');
      assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames, game);
      if (!/repetition/.test(reason)) assert.equal(await page.text('#why'), `The game is over: ${ended.words}.`, game);
      await page.press('ArrowLeft');
      assert.deepEqual(await page.get(framesOn('#board-frame')), [], 'nothing is framed where it goes on');
      assert.equal(await page.text('#why'), '');
      await page.press('End');
      assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames, game);
      if (ended.frames.length) {
        await page.show({ width: 390, height: 844, scheme: 'dark' });
        assert.equal(await page.width(), 390);
        await page.picture(join(pictures, `play-${game}-end-phone.png`), true);
        await page.show({ width: 1280, height: 900 });
        await page.picture(join(pictures, `play-${game}-end.png`));
      }
      const log = await page.get("fetch('game.pgn').then((answer) => answer.text())");
      assert.match(log, /^\[Result "(1-0|0-1|1\/2-1\/2)"\]$/m, game);
      assert.equal(await page.get('document.images.length'), 0);
      page.assertQuiet(game);
      console.log(`   ${game}: ${clicks} clicks, ${plies} plies, ${reason}`);
      if (index === 0) assert.ok((await page.text('.play')).includes(HOSTILE));
      await leave(page);
    }
  },

  async 'a keyboard is enough, plies are taken back, a hint is drawn, and a reload keeps the game'() {
    await begin('sophia', {}, ['', 'greedy']);
    const place = () => page.get("document.activeElement.getAttribute('aria-label').split(',')[0]");
    await page.until(CAN_GO_ON);
    await page.tabTo('.cell');
    assert.equal(await place(), 'a1');
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.press(key);
    assert.equal(await place(), 'b2');
    await page.press('Enter');
    await page.until("document.querySelectorAll('.choice').length === 2");
    await page.press('Escape');
    await page.until("document.querySelectorAll('.choice').length === 0");
    await page.press('Enter');
    await page.tabTo('.choice');
    await page.press('Enter');
    await hasPlies(2);
    await page.until("document.getElementById('said').textContent.startsWith('greedy plays')");
    await page.settled();
    const board = await page.get("document.querySelector('.board').getBoundingClientRect().toJSON()");
    await page.press('h');
    await page.until("document.getElementById('advice').textContent.startsWith('hint: ')");
    await page.until("document.querySelectorAll('.marks .advised').length > 0");
    await page.press('u');
    await hasPlies(0);
    await page.press('r');
    await hasPlies(2);
    await page.settled();
    assert.deepEqual(await page.get("document.querySelector('.board').getBoundingClientRect().toJSON()"), board, 'nothing has moved');
    await page.go(await page.get('location.href'));
    await hasPlies(2);
    await leave(page);
  },

  async 'what a begun chain has taken is off the board, and back again with the click'() {
    await begin('fanorona', {}, ['', 'greedy'], { position: CHAIN });
    await page.until("document.querySelectorAll('.cell.can').length === 1");
    const before = await page.get(STANDS);
    await click('e3');
    assert.equal(await page.get(STANDS), before);
    const seen = [];
    for (const cell of ['d3', 'd2', 'c3']) {
      await click(cell);
      seen.push(await page.get(`[${PIECES}.length, document.getElementById('said').textContent]`));
    }
    assert.deepEqual(seen, [[5, 'e3 d3 … taken so far: c3'], [4, 'e3 d3 d2 … taken so far: c3, d4'], [3, 'e3 d3 d2 c3 … taken so far: c3, b4, d4']]);
    for (let presses = 0; presses < 4; presses += 1) await page.press('Escape');
    assert.equal(await page.get(STANDS), before);
    await leave(page);
    // Approach or withdrawal: any stone that would be taken is the choice.
    await begin('fanorona', {}, ['', 'greedy'], { position: '6b2/5b3/9/3w5/2b6 p1 quiet=4' });
    await click('d2', 'e3');
    assert.deepEqual(await page.get("[...document.querySelectorAll('.cell.can')].map((cell) => cell.getAttribute('aria-label').slice(0, 2)).sort()"), ['c1', 'f4', 'g5']);
    await click('g5');
    await page.until("document.querySelector('.ply')?.textContent === 'd2e3+'");
    await leave(page);
  },

  async 'a ply that was sent stands while the server tells of something else, and cannot be sent twice'() {
    await begin('farook', {}, ['', 'greedy']);
    await page.until("document.querySelectorAll('.cell.can').length > 0");
    await page.get(`(() => {
      const send = window.fetch;
      const held = new Promise((done) => { window.letGo = done; });
      window.fetch = (url, how) => (/"play"/.test(how?.body ?? '') ? held.then(() => send(url, how)) : send(url, how));
    })()`);
    await page.activate('.cell.can');
    const sent = await page.get(STANDS);
    await page.press('h');
    await page.until("document.getElementById('advice').textContent.startsWith('hint: ')");
    assert.deepEqual(await page.get(`[document.querySelectorAll('.cell.can').length, ${STANDS}]`), [0, sent]);
    await page.get('letGo()');
    await hasPlies(2);
    await leave(page);
  },

  async 'a ply that cannot be sent goes back, and can be played again'() {
    await begin('farook', {}, ['', 'greedy']);
    await page.until("document.querySelectorAll('.cell.can').length > 0");
    const before = await page.get(`[document.querySelectorAll('.cell.can').length, ${STANDS}]`);
    await page.get(`(() => {
      const send = window.fetch;
      window.fetch = (url, how) => {
        if (!/"play"/.test(how?.body ?? '')) return send(url, how);
        window.fetch = send;
        return Promise.reject(new TypeError('Failed to fetch'));
      };
    })()`);
    await page.activate('.cell.can');
    await page.until("document.getElementById('said').textContent === 'the server does not answer'");
    assert.deepEqual(await page.get(`[document.querySelectorAll('.cell.can').length, ${STANDS}]`), before);
    await page.activate('.cell.can');
    await hasPlies(2);
    await leave(page);
  },

  async 'pieces are dragged with a mouse or a finger, a chain leg by leg, and go back from where they may not be'() {
    // Where a cell is, or a piece in hand by its drawing.
    const spot = (what) => page.get(`(() => {
      const node = ${/^[a-z]\d$/.test(what)} ? document.querySelector('.cell[aria-label^=${JSON.stringify(what)}]') : document.querySelector('#board-frame use[href=${JSON.stringify(what)}]');
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    })()`);
    const drag = async (from, to, how = {}) => {
      await page.settled();
      await page.drag(await spot(from), await spot(to), how);
    };
    await begin('fanorona', {}, ['', ''], { position: CHAIN });
    await page.until("document.querySelectorAll('.cell.can').length === 1");
    const before = await page.get(STANDS);
    let targets = [];
    const seen = async () => { targets = await page.get("[...document.querySelectorAll('.cell.can')].map((cell) => cell.getAttribute('aria-label').slice(0, 2)).sort()"); };
    await drag('e3', 'h4', { seen });
    assert.deepEqual(targets, ['d3', 'e4', 'f2'], 'legal targets are shown');
    assert.equal(await page.get(STANDS), before);
    assert.equal(await page.get("document.querySelectorAll('.cell.can').length"), 1, 'it has gone back');
    await drag('e3', 'd3');
    await drag('d3', 'd2', { isTouch: true });
    assert.equal(await page.text('#said'), 'e3 d3 d2 … taken so far: c3, d4');
    await drag('d2', 'i5');
    assert.equal(await page.text('#said'), 'e3 d3 d2 … taken so far: c3, d4', 'the chain stays');
    await drag('d2', 'c3');
    await drag('c3', 'd4');
    await page.until("document.querySelector('.ply')?.textContent === 'e3d3+d2-c3+d4+'");
    await leave(page);
    // Which of both stones lies in hand says which is dropped.
    await begin('farook', { wilds: 'pattern' }, ['', '']);
    await page.until(CAN_GO_ON);
    await drag('#stone-wild', 'c3');
    await page.until("document.querySelector('.ply')?.textContent === 'Wc3'");
    await leave(page);
  },

  async 'earlier plies are looked at without changing the game'() {
    await begin('farook', {}, ['', ''], { tc: '300' });
    const seen = [await page.get(STANDS)];
    for (const [index, cell] of ['a1', 'b2', 'c3'].entries()) {
      await click(cell);
      await hasPlies(index + 1);
      seen.push(await page.get(STANDS));
    }
    const isPast = () => page.get("document.querySelector('.play').classList.contains('is-past')");
    for (const [key, ply] of [['ArrowLeft', 2], ['ArrowLeft', 1], ['Home', 0], ['ArrowRight', 1]]) {
      await page.press(key);
      await hasPast(ply, 3);
      assert.deepEqual([await page.get(STANDS), await isPast()], [seen[ply], true], `${key} to ply ${ply}`);
    }
    assert.equal(await page.get("document.querySelectorAll('.cell.can').length"), 0, 'nothing is played in the past');
    await page.press('Escape');
    assert.deepEqual([await page.get(STANDS), await isPast()], [seen[3], false]);
    await page.get("document.querySelectorAll('.ply')[1].click()");
    await hasPast(2, 3);
    assert.equal(await page.get(STANDS), seen[2]);
    await page.press('End');
    await hasPlies(3);
    assert.equal(await isPast(), false);
    await leave(page);
  },

  async 'what cannot be taken back is asked first'() {
    await begin('farook', {}, ['', '']);
    await click('a1');
    await hasPlies(1);
    const isAsked = "document.getElementById('sure').open";
    for (const order of ['resign', 'leave', 'new', 'swap']) {
      await page.activate(`[data-order=${order}]`);
      await page.until(isAsked);
      await page.press('Escape');
      await page.until(`!${isAsked}`);
    }
    await page.activate('[data-order=resign]');
    await page.until(isAsked);
    // The button that changes nothing has the focus.
    await page.press('Enter');
    await page.until(`!${isAsked}`);
    assert.equal(await page.text('#turn'), 'Turn of p2 (human)');
    await page.activate('[data-order=resign]');
    await page.activate('[data-sure=yes]');
    await page.until("document.querySelector('.turn.is-over')");
    await leave(page);
  },

  async 'a person whose time is over has lost'() {
    await begin('farook', {}, ['', ''], { tc: '1' });
    await page.until("document.querySelector('.turn.is-over')");
    assert.match(await page.text('#turn'), /^p2 .*timeout$/);
    assert.equal(await page.text('#said'), 'the time was over');
    assert.equal(await page.text('#seat-bottom .clock'), '0.0');
    await leave(page);
  },

  async 'the rules are beside every board, and a click that does nothing says why'() {
    page.excuse(/status of 404.*\/why\?/); // a reason that the rules do not have
    const task = () => page.text('#task');
    await begin('frenzy', {}, ['', 'greedy']);
    await page.until(CAN_GO_ON);
    assert.equal(await page.text('#turn'), 'Your turn');
    assert.equal(await page.get('document.title'), 'Your turn · Frenzy');
    assert.equal(await task(), 'Place a shark: choose the fish that it replaces (2 to place).');
    await page.activate('[data-rules-of]');
    await page.hasFocus('#rules-close');
    assert.match(await page.text('#rules'), /Two sharks hunt a school of fish/);
    assert.equal(await page.get("document.querySelectorAll('#rules .diagram svg').length"), 1);
    await page.picture(join(pictures, 'rules.png'));
    // The game goes on beside it.
    await click('d4');
    await page.until("document.querySelectorAll('.ply').length === 1");
    await page.focus('#rules-close');
    await page.press('Escape');
    await page.until("document.getElementById('rules').hidden");
    await page.hasFocus('[data-rules-of=frenzy]', 'the focus is where it was');
    await page.get("document.querySelector('.cell[aria-label^=a1]').dispatchEvent(new MouseEvent('click'))");
    await page.until("document.getElementById('said').textContent.startsWith('Not possible')");
    assert.match(await page.text('#said'), /^Not possible: .*a1.*\. Place a shark/);
    await leave(page);
    await begin('frenzy', {}, ['', 'greedy'], { position: '8/6s1/8/f1f5/1f1f4/2s5/f1f5/1f1f4 p1 phase=keep turn=p1 n=17' });
    await page.until(CAN_GO_ON);
    assert.equal(await task(), 'Choose which school survives: one of the marked groups.');
    await leave(page);
    await begin('fanorona', {}, ['', 'greedy'], { position: CHAIN });
    await click('e3');
    assert.equal(await task(), 'Choose where e3 goes: one of the marked cells.');
    await page.get("document.querySelector('.cell[aria-label^=i5]').dispatchEvent(new MouseEvent('click'))");
    await page.until("document.getElementById('said').textContent.startsWith('Not possible')");
    assert.match(await page.text('#said'), /^Not possible: no line joins e3 and i5/);
    await page.press('f');
    await assertAccessibleEverywhere(page, 'a board to play on');
    await leave(page);
  },

  async 'boards and what they need fit a phone, upright and on its side'() {
    for (const [game, options, position] of [['fanorona', {}, CHAIN], ['frenzy', {}, ''], ['farook', {}, ''], ['faust', {}, '']]) {
      for (const look of [{ width: 390, height: 664 }, { width: 844, height: 390 }]) {
        await page.show(look);
        await begin(game, options, ['', 'greedy'], position ? { position } : {});
        await page.until(CAN_GO_ON);
        if (position) await click('e3', 'd3');
        await page.get("document.querySelector('.play').scrollIntoView({ behavior: 'instant' })");
        await page.settled();
        const name = `${game} ${look.width}x${look.height}`;
        assert.ok(await page.width() <= look.width, name);
        const parts = ['.board', '#turn', '#task', ...(position ? ['.choice'] : [])];
        for (const [index, { bottom }] of (await page.boxes(...parts)).entries()) {
          assert.ok(bottom <= look.height, `${name}: ${parts[index]} ends at ${bottom}`);
        }
        await page.picture(join(pictures, `phone-${game}-${look.width}.png`));
        await leave(page);
      }
    }
    await page.show({ width: 1280, height: 900 });
  },

  async 'a game that was left is listed, goes on where it stood, and is removed'() {
    await begin('farook', {}, ['', 'greedy'], { name1: HOSTILE });
    await click('a1');
    await hasPlies(2);
    const [stands, address] = [await page.get(STANDS), await page.get('location.pathname')];
    await leave(page);
    const row = `[...document.querySelectorAll('.kept tbody tr')].find((line) => line.querySelector('a').getAttribute('href') === ${JSON.stringify(address)})`;
    assert.match(await page.until(`${row}.textContent`), /^farook<img src=x onerror=alert\(1\)> – greedy2p1 \(.*\) decides/);
    assert.equal(await page.get('document.images.length'), 0);
    await page.get(`${row}.querySelector('a').click()`);
    await page.isReady("document.getElementById('board-frame')");
    assert.equal(await page.get(STANDS), stands);
    await page.until(CAN_GO_ON);
    await page.go(own('/play/'));
    await page.get(`${row}.querySelector('button').click()`);
    await page.activate('[data-sure=yes]');
    await page.until(`!(${row})`);
  },

  async 'two bots are stepped by hand'() {
    await begin('fanorona', {}, ['greedy', 'random']);
    await page.until("document.querySelector('[data-order=step]').disabled === false");
    await page.press('n');
    await page.until("/, 1 ply/.test(document.getElementById('summary').textContent) && !document.querySelector('[data-order=step]').disabled");
    await leave(page);
  },

  async 'pictures for those who look, none wider than its screen'() {
    for (const [name, look] of Object.entries({
      light: { width: 1280, height: 900 },
      dark: { width: 1280, height: 900, scheme: 'dark' },
      phone: { width: 390, height: 844 },
    })) {
      await page.show(look);
      await begin('fanorona', {}, ['', 'greedy'], { position: CHAIN, tc: '300+2' });
      await page.until("document.querySelectorAll('.cell.can').length === 1");
      // A chain of captures, begun.
      await click('e3', 'd3');
      assert.equal(await page.text('.choice'), 'stop here');
      assert.equal(await page.width(), look.width);
      await page.picture(join(pictures, `play-${name}.png`), true);
      await leave(page);
      assert.equal(await page.width(), look.width);
      await page.picture(join(pictures, `begin-${name}.png`), true);
    }
  },

  async 'nothing was asked for from elsewhere, and nothing complained'() {
    assert.deepEqual(page.requests.filter((request) => !/^(about:|data:)/.test(request) && !request.startsWith(base)), []);
    page.assertQuiet();
  },
};

await runTests(tests, page, programs);
