// The pages of `arena serve` in a real browser: `node serve.mjs ARENA FOLDER PICTURES`. The folder has `cup.yaml`, a tournament
// that lasts, whose bots can be played against, one of them with the name below; what is played goes to `runs` there.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { Page } from './chromium.mjs';
import { framesOf, framesOn } from './frames.mjs';

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

const children = [];
const start = (words) => {
  const child = spawn(arena, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
};
const run = start(['run', 'cup.yaml']);
run.stdout.resume();
while (!existsSync(join(folder, 'runs/cup/journal.jsonl'))) {
  assert.equal(run.exitCode, null, 'the run goes on');
  await new Promise((done) => setTimeout(done, 50));
}
const server = start(['serve', 'runs', '--port', '0', '--allow-actions', '--file', 'cup.yaml']);
const address = await new Promise((done, failed) => {
  createInterface(server.stdout).once('line', done);
  server.once('exit', () => failed(new Error('the server has ended')));
});
const [base, token] = address.split('#token=');
const own = (path) => new URL(path, base).href;

const page = await Page.open();
// A fixed row of numbers from 0 up to 1.
let last = 1;
const chance = () => { last = (last * 48271) % 2147483647; return last / 2147483647; };

const press = (selector) => page.get(`document.querySelector(${JSON.stringify(selector)}).click()`);
const text = (selector) => page.get(`document.querySelector(${JSON.stringify(selector)}).textContent`);

// Chooses a game on the page for it and leads to its board.
async function begin(game, options, seats, more = {}) {
  await page.go(own('/play/'));
  await press(`input[value="${game}"]`);
  const fields = { ...Object.fromEntries(seats.map((bot, index) => [`p${index + 1}`, bot])), ...more };
  await page.get(`(() => {
    for (const [id, value] of Object.entries(${JSON.stringify(fields)})) document.getElementById(id).value = value;
    for (const [name, value] of Object.entries(${JSON.stringify(options)})) document.querySelector('[data-game="${game}"] [name="' + name + '"]').value = value;
  })()`);
  await press('#begin [type=submit]');
  await page.until("document.getElementById('fault')?.textContent || (document.getElementById('board-frame') && document.documentElement?.classList.contains('is-ready'))");
}

// Leaves the game; one that goes on is left by a second word.
async function leave() {
  await press('[data-order=leave]');
  await page.get("document.getElementById('sure')?.open && document.querySelector('[data-sure=yes]').click()");
  await page.until("location.pathname === '/play/' && document.documentElement?.classList.contains('is-ready')");
}

// Clicks cells one after the other, as a script does.
async function click(...names) {
  for (const name of names) {
    await page.until(`!!document.querySelector('.cell.can[aria-label^=${name}]')`);
    await page.get(`document.querySelector('.cell.can[aria-label^=${name}]').dispatchEvent(new MouseEvent('click'))`);
  }
}

// What stands on the board in hand and on cells, and how many plies there are.
const STANDS = `[...document.querySelectorAll('#board-frame svg > g:nth-of-type(3) use[href]')].map((use) => use.getAttribute('href') + use.getAttribute('transform')).sort().join()`;
const hasPlies = (count) => page.until(`/, ${count} pl/.test(document.getElementById('summary').textContent)`);

// A capture of three legs, each of which takes a stone.
const CHAIN = '4b4/1b1b5/2b1w4/9/8b p1 quiet=3';

// Where something can be clicked, and whether the game is over.
const SEEN = `(() => {
  const middle = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  return {
    isOver: !!document.querySelector('.turn.is-over'),
    targets: [...document.querySelectorAll('.cell.can, .choice')].map(middle),
    plies: Number(/, (\\d+) pl/.exec(document.getElementById('summary').textContent)?.[1]),
  };
})()`;
const CAN_GO_ON = "!!document.querySelector('.turn.is-over, .cell.can, .choice')";

const tests = {
  async 'a run is shown live, and steered with the token alone'() {
    await page.show({ width: 1280, height: 900 });
    await page.go(own('/runs/cup/'));
    await page.until("document.getElementById('stage').textContent === 'running'");
    const before = await text('#progress-text');
    await page.until(`document.getElementById('progress-text').textContent !== ${JSON.stringify(before)}`);
    assert.equal(await page.get("document.getElementById('orders').hidden"), true, 'no buttons without the token');
    const refused = `fetch('orders', { method: 'POST', headers: { 'x-arena-token': '00' }, body: '{"order":"pause"}' }).then((answer) => answer.status)`;
    assert.equal(await page.get(refused), 403);
    page.complaints.length = 0; // the browser tells of the refusal
    await page.until("document.querySelectorAll('.tables .board').length > 0");
    await page.picture(join(pictures, 'live.png'));
    assert.ok((await text('.standings tbody')).includes(HOSTILE));
    assert.equal(await page.get('document.images.length'), 0);
    await page.go(`${own('/runs/cup/')}#token=${token}`);
    assert.ok(!(await page.get('location.href')).includes(token), 'the token leaves the address');
    await page.until("!document.querySelector('[data-order=pause]').disabled");
    await press('[data-order=pause]');
    await page.until("document.getElementById('answer').textContent.includes('paused')");
    await page.until("document.getElementById('stage').textContent === 'paused'");
    await press('[data-order=stop]');
    await page.until("document.getElementById('stage').textContent === 'stopped'");
  },

  async 'without the token nothing is begun'() {
    const asked = `fetch('/play/games', { method: 'POST', body: '{"game":"farook","seats":[{"person":""},{"bot":"random"}]}' }).then((answer) => answer.status)`;
    assert.equal(await page.get(asked), 403);
    page.complaints.length = 0;
  },

  async 'what is wrong is said where it was chosen'() {
    await begin('farook', {}, ['', 'random'], { position: 'nonsense' });
    assert.ok((await text('#fault')).includes('not a position of `farook`'));
    page.complaints.length = 0;
  },

  async 'every game is played to its end by clicks against a bot'() {
    for (const [index, [game, options, seat]] of GAMES.entries()) {
      const bot = index === 0 ? HOSTILE : 'greedy';
      await begin(game, options, seat === 1 ? ['', bot] : [bot, '']);
      let [clicks, plies] = [0, 0];
      for (;;) {
        await page.until(CAN_GO_ON);
        const seen = await page.get(SEEN);
        assert.ok(seen.plies >= plies, `${game}: plies are added`);
        plies = seen.plies;
        if (seen.isOver) break;
        const [x, y] = seen.targets[Math.floor(chance() * seen.targets.length)];
        await page.click(x, y);
        clicks += 1;
        assert.ok(clicks < 3000, `${game} comes to an end`);
        if (clicks === 6) await page.picture(join(pictures, `play-${game}-${seat}.png`));
      }
      const reason = await text('#turn');
      assert.match(reason, /wins|draw/, game);
      const ended = framesOf(arena, game, options, await text('#position'));
      // Who sits at the second seat sees the board from there.
      if (seat === 2) await page.press('f');
      assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames, game);
      if (!/repetition/.test(reason)) assert.equal(await text('#why'), `The game is over: ${ended.words}.`, game);
      await page.press('ArrowLeft');
      assert.deepEqual(await page.get(framesOn('#board-frame')), [], 'nothing is framed where it goes on');
      assert.equal(await text('#why'), '');
      await page.press('End');
      assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames, game);
      if (ended.frames.length) {
        await page.show({ width: 390, height: 844, scheme: 'dark' });
        assert.equal(await page.get('document.documentElement.scrollWidth'), 390);
        await page.picture(join(pictures, `play-${game}-end-phone.png`), true);
        await page.show({ width: 1280, height: 900 });
        await page.picture(join(pictures, `play-${game}-end.png`));
      }
      const log = await page.get("fetch('game.pgn').then((answer) => answer.text())");
      assert.match(log, /^\[Result "(1-0|0-1|1\/2-1\/2)"\]$/m, game);
      assert.equal(await page.get('document.images.length'), 0);
      assert.deepEqual(page.complaints, [], game);
      console.log(`   ${game}: ${clicks} clicks, ${plies} plies, ${reason}`);
      if (index === 0) assert.ok((await text('.play')).includes(HOSTILE));
      await leave();
    }
  },

  async 'a keyboard is enough, plies are taken back, a hint is drawn, and a reload keeps the game'() {
    await begin('sophia', {}, ['', 'greedy']);
    const focus = (selector) => page.get(`!!document.activeElement?.closest(${JSON.stringify(selector)})`);
    const tab = async (selector) => {
      for (let presses = 0; presses < 60 && !(await focus(selector)); presses += 1) await page.press('Tab');
      assert.ok(await focus(selector), `no way to ${selector}`);
    };
    const place = () => page.get("document.activeElement.getAttribute('aria-label').split(',')[0]");
    await page.until(CAN_GO_ON);
    await tab('.cell');
    assert.equal(await place(), 'a1');
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.press(key);
    assert.equal(await place(), 'b2');
    await page.press('Enter');
    await page.until("document.querySelectorAll('.choice').length === 2");
    await page.press('Escape');
    await page.until("document.querySelectorAll('.choice').length === 0");
    await page.press('Enter');
    await tab('.choice');
    await page.press('Enter');
    await page.until("/, 2 plies/.test(document.getElementById('summary').textContent)");
    await page.until("document.getElementById('said').textContent.startsWith('greedy plays')");
    const board = await page.get("document.querySelector('.board').getBoundingClientRect().toJSON()");
    await page.press('h');
    await page.until("document.getElementById('advice').textContent.startsWith('hint: ')");
    await page.until("document.querySelectorAll('.marks .advised').length > 0");
    await page.press('u');
    await page.until("/, 0 plies/.test(document.getElementById('summary').textContent)");
    await page.press('r');
    await page.until("/, 2 plies/.test(document.getElementById('summary').textContent)");
    assert.deepEqual(await page.get("document.querySelector('.board').getBoundingClientRect().toJSON()"), board, 'nothing has moved');
    await page.go(await page.get('location.href'));
    await page.until("/, 2 plies/.test(document.getElementById('summary').textContent)");
    await leave();
  },

  async 'what a begun chain has taken is off the board, and back again with the click'() {
    await begin('fanorona', {}, ['', 'greedy'], { position: CHAIN });
    await page.until("document.querySelectorAll('.cell.can').length === 1");
    const before = await page.get(STANDS);
    const stones = () => page.get(`${STANDS}.split('#').length - 1`);
    await click('e3');
    assert.equal(await page.get(STANDS), before);
    const seen = [];
    for (const cell of ['d3', 'd2', 'c3']) {
      await click(cell);
      seen.push([await stones(), await text('#said')]);
    }
    assert.deepEqual(seen, [[5, 'e3 d3 … taken so far: c3'], [4, 'e3 d3 d2 … taken so far: c3, d4'], [3, 'e3 d3 d2 c3 … taken so far: c3, b4, d4']]);
    for (let presses = 0; presses < 4; presses += 1) await page.press('Escape');
    assert.equal(await page.get(STANDS), before);
    await leave();
    // Approach or withdrawal: any stone that would be taken is the choice.
    await begin('fanorona', {}, ['', 'greedy'], { position: '6b2/5b3/9/3w5/2b6 p1 quiet=4' });
    await click('d2', 'e3');
    assert.deepEqual(await page.get("[...document.querySelectorAll('.cell.can')].map((cell) => cell.getAttribute('aria-label').slice(0, 2)).sort()"), ['c1', 'f4', 'g5']);
    await click('g5');
    await page.until("document.querySelector('.ply')?.textContent === 'd2e3+'");
    await leave();
  },

  async 'pieces are dragged with a mouse or a finger, a chain leg by leg, and go back from where they may not be'() {
    // Where a cell is, or a piece in hand by its drawing.
    const spot = (what) => page.get(`(() => {
      const node = ${/^[a-z]\d$/.test(what)} ? document.querySelector('.cell[aria-label^=${JSON.stringify(what)}]') : document.querySelector('#board-frame use[href=${JSON.stringify(what)}]');
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    })()`);
    const drag = async (from, to, how = {}) => page.drag(await spot(from), await spot(to), how);
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
    assert.equal(await text('#said'), 'e3 d3 d2 … taken so far: c3, d4');
    await drag('d2', 'i5');
    assert.equal(await text('#said'), 'e3 d3 d2 … taken so far: c3, d4', 'the chain stays');
    await drag('d2', 'c3');
    await drag('c3', 'd4');
    await page.until("document.querySelector('.ply')?.textContent === 'e3d3+d2-c3+d4+'");
    await leave();
    // Which of both stones lies in hand says which is dropped.
    await begin('farook', { wilds: 'pattern' }, ['', '']);
    await page.until(CAN_GO_ON);
    await drag('#stone-wild', 'c3');
    await page.until("document.querySelector('.ply')?.textContent === 'Wc3'");
    await leave();
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
      assert.deepEqual([await page.get(STANDS), await isPast()], [seen[ply], true], `${key} to ply ${ply}`);
      assert.equal(await text('#past'), `ply ${ply} of 3`);
    }
    assert.equal(await page.get("document.querySelectorAll('.cell.can').length"), 0, 'nothing is played in the past');
    await page.press('Escape');
    assert.deepEqual([await page.get(STANDS), await isPast()], [seen[3], false]);
    await page.get("document.querySelectorAll('.ply')[1].click()");
    assert.equal(await page.get(STANDS), seen[2]);
    await page.press('End');
    await hasPlies(3);
    assert.equal(await isPast(), false);
    await leave();
  },

  async 'what cannot be taken back is asked first'() {
    await begin('farook', {}, ['', '']);
    await click('a1');
    await hasPlies(1);
    const isAsked = () => page.get("document.getElementById('sure').open");
    for (const order of ['resign', 'leave', 'new', 'swap']) {
      await press(`[data-order=${order}]`);
      assert.equal(await isAsked(), true, order);
      await page.press('Escape');
      assert.equal(await isAsked(), false, order);
    }
    await press('[data-order=resign]');
    // The button that changes nothing has the focus.
    await page.press('Enter');
    await page.until("!document.getElementById('sure').open");
    assert.equal(await text('#turn'), 'p2 (human) decides');
    await press('[data-order=resign]');
    await press('[data-sure=yes]');
    await page.until("document.querySelector('.turn.is-over')");
    await leave();
  },

  async 'a person whose time is over has lost'() {
    await begin('farook', {}, ['', ''], { tc: '1' });
    await page.until("document.querySelector('.turn.is-over')");
    assert.match(await text('#turn'), /^p2 .*timeout$/);
    assert.equal(await text('#said'), 'the time was over');
    assert.equal(await text('#seat-bottom .clock'), '0.0');
    await leave();
  },

  async 'a game that was left is listed, goes on where it stood, and is removed'() {
    await begin('farook', {}, ['', 'greedy'], { name1: HOSTILE });
    await click('a1');
    await hasPlies(2);
    const [stands, address] = [await page.get(STANDS), await page.get('location.pathname')];
    await leave();
    const row = `[...document.querySelectorAll('.kept tbody tr')].find((line) => line.querySelector('a').getAttribute('href') === ${JSON.stringify(address)})`;
    assert.match(await page.get(`${row}.textContent`), /^farook<img src=x onerror=alert\(1\)> – greedy2p1 \(.*\) decides/);
    assert.equal(await page.get('document.images.length'), 0);
    await page.get(`${row}.querySelector('a').click()`);
    await page.until("document.getElementById('board-frame') && document.documentElement?.classList.contains('is-ready')");
    assert.equal(await page.get(STANDS), stands);
    await page.until(CAN_GO_ON);
    await page.go(own('/play/'));
    await page.get(`${row}.querySelector('button').click()`);
    await press('[data-sure=yes]');
    await page.until(`!(${row})`);
  },

  async 'two bots are stepped by hand'() {
    await begin('fanorona', {}, ['greedy', 'random']);
    await page.until("document.querySelector('[data-order=step]').disabled === false");
    await page.press('n');
    await page.until("/, 1 ply/.test(document.getElementById('summary').textContent) && !document.querySelector('[data-order=step]').disabled");
    await leave();
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
      assert.equal(await text('.choice'), 'stop here');
      assert.equal(await page.get('document.documentElement.scrollWidth'), look.width);
      await page.picture(join(pictures, `play-${name}.png`), true);
      await leave();
      assert.equal(await page.get('document.documentElement.scrollWidth'), look.width);
      await page.picture(join(pictures, `begin-${name}.png`), true);
    }
  },

  async 'nothing was asked for from elsewhere, and nothing complained'() {
    assert.deepEqual(page.requests.filter((request) => !/^(about:|data:)/.test(request) && !request.startsWith(base)), []);
    assert.deepEqual(page.complaints, []);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    const began = Date.now();
    await test();
    console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
} finally {
  await page.close();
  children.forEach((child) => child.kill());
}
