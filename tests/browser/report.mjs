// Looks at a run's report.html in a real browser: `node report.mjs ARENA RUN PICTURES`. The run has a bot with the name below.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium } from './chromium.mjs';
import { PIECES, framesOf, framesOn } from './frames.mjs';
import { runTests } from './harness.mjs';

const HOSTILE = '<img src=x onerror=alert(1)>';
const [arena, run, pictures] = process.argv.slice(2).map((path) => resolve(path));
const url = pathToFileURL(join(run, 'report.html')).href;
const lines = readFileSync(join(run, 'journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const games = lines.filter((line) => line.type === 'game');
const labels = [...new Set(games.map((game) => game.label))];
mkdirSync(pictures, { recursive: true });

const page = await Chromium.open();
const shownPly = () => page.get("Number(/p(\\d+)$/.exec(location.hash)[1])");

const BOARD = `${PIECES}.join()`;

// How many pieces lie on the board and in hand, as the arena itself says.
function pieces(game, count) {
  const options = Object.entries(game.options).flatMap(([key, value]) => ['--opt', `${key}=${value}`]);
  const from = game.start ? ['--from', game.start] : [];
  const moves = game.plies.slice(0, count).map((ply) => ply.ply);
  const text = execFileSync(arena, ['position', game.game, ...options, ...from, '--json', ...(moves.length ? ['--plies', ...moves] : [])]);
  const position = JSON.parse(text).position;
  const stock = (/ stock=([\d,]+)/.exec(position)?.[1] ?? '0').split(',').map(Number);
  return position.split(' ')[0].replace(/[^a-z]/gi, '').length + stock.reduce((sum, part) => sum + part, 0);
}

const tests = {
  async 'the page loads without a complaint and is wide enough for a phone'() {
    await page.show({ width: 390, height: 844 });
    await page.go(url);
    assert.equal(await page.width(), 390);
  },

  async 'on paper no table is cut off'() {
    // A4 within margins of one centimetre.
    await page.show({ width: 718, height: 1046, media: 'print' });
    await page.go(url);
    const cut = await page.get("[...document.querySelectorAll('.scroll')].filter((frame) => frame.scrollWidth > frame.clientWidth).length");
    assert.equal(cut, 0);
    await page.show({ width: 390, height: 844 });
  },

  async 'a hostile name stays text'() {
    assert.equal(await page.get('document.images.length'), 0);
    const names = await page.get("[...document.querySelectorAll('.standings tbody th')].map((cell) => cell.textContent)");
    assert.ok(names.includes(HOSTILE), names.join());
    assert.equal(await page.get(`document.querySelector('.list').textContent.includes(${JSON.stringify(HOSTILE)})`), true);
    const own = games.find((game) => game.seats.some((seat) => seat.bot === HOSTILE));
    await page.go(`${url}#g${own.number}p1`);
    assert.equal(await page.get(`document.getElementById('replay').textContent.includes(${JSON.stringify(HOSTILE)})`), true);
    assert.equal(await page.get('document.images.length'), 0);
  },

  async 'what a bot said about a ply stands beside it'() {
    const own = games.find((game) => game.plies.some((ply) => ply.info?.text));
    const place = own.plies.findIndex((ply) => ply.info?.text);
    await page.go(`${url}#g${own.number}p${place + 1}`);
    assert.match(await page.get("document.getElementById('ply-words').textContent"), /“<\/script><img src=x> ply \d+”$/);
    assert.equal(await page.get('document.images.length'), 0);
  },

  async 'every board of every game is drawn, forward and back'() {
    await page.show({ width: 1280, height: 900 });
    let framed = 0;
    for (const label of labels) {
      // The shortest one: a browser warns about a page that changes its address too often.
      const [game] = games.filter((other) => other.label === label).sort((one, two) => one.plies.length - two.plies.length);
      await page.go(`${url}#g${game.number}p0`);
      const seen = [];
      for (let ply = 0; ply <= game.plies.length; ply += 1) {
        assert.equal(await shownPly(), ply, label);
        seen.push(await page.get(BOARD));
        if (ply % 7 === 0 || ply === game.plies.length) {
          const count = seen[ply] ? seen[ply].split('#').length - 1 : 0;
          assert.equal(count, pieces(game, ply), `${label}, ply ${ply}`);
        }
        if (ply < game.plies.length) await page.press('ArrowRight');
      }
      assert.ok(new Set(seen).size > game.plies.length / 2, `${label}: the board changes`);
      assert.ok(await page.get("document.querySelector('.board').getBoundingClientRect().height > 200"), label);
      // What ended the game is framed as the arena itself frames it, and told.
      const ended = framesOf(arena, game.game, game.options, game.start, game.plies.map((ply) => ply.ply));
      assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames, label);
      assert.ok((await page.get("document.getElementById('verdict').textContent")).includes(ended.words), label);
      assert.ok((await page.get("document.querySelector('.board').getAttribute('aria-label')")).includes(ended.words), label);
      framed += ended.frames.length;
      await page.picture(join(pictures, `${label.replace(/[^a-z0-9]+/g, '-')}.png`));
      for (let ply = game.plies.length; ply > 0; ply -= 1) {
        await page.press('ArrowLeft');
        assert.equal(await page.get(BOARD), seen[ply - 1], `${label}, back at ply ${ply - 1}`);
        assert.deepEqual(await page.get(framesOn('#board-frame')), [], 'only the end is framed');
      }
    }
    assert.ok(framed > 0, 'some game ends with something to be seen');
  },

  async 'buttons do what keys do, and a link leads to its ply'() {
    const game = games.find((other) => other.plies.length > 6);
    await page.go(`${url}#g${game.number}p3`);
    const press = (deed) => page.get(`document.querySelector('[data-do=${deed}]').click()`);
    assert.equal(await page.get("document.querySelectorAll('.ply[aria-selected=true]').length"), 1);
    for (const [deed, ply] of [['on', 4], ['back', 3], ['last', game.plies.length], ['first', 0]]) {
      await press(deed);
      assert.equal(await shownPly(), ply, deed);
    }
    await page.press('End');
    assert.equal(await shownPly(), game.plies.length);
    await page.press('Home');
    const [before, labels] = [await page.get(BOARD), "document.querySelector('#board-frame .b-file').getAttribute('x')"];
    const left = await page.get(labels);
    await page.press('f');
    assert.notEqual(await page.get(labels), left);
    await page.press('f');
    assert.equal(await page.get(BOARD), before);
  },

  async 'a replay plays by itself until it is halted, and halts at the end'() {
    // The longest game: it is not over before the reader halts it.
    const game = games.reduce((one, other) => (other.plies.length > one.plies.length ? other : one));
    await page.go(`${url}#g${game.number}p0`);
    const label = () => page.get("document.querySelector('[data-do=play]').getAttribute('aria-label')");
    await page.focus('#board-frame');
    await page.press(' ');
    assert.equal(await label(), 'Pause');
    await page.until("Number(/p(\\d+)$/.exec(location.hash)[1]) >= 2");
    await page.press(' ');
    const halted = await shownPly();
    assert.equal(await label(), 'Play');
    assert.ok(halted < game.plies.length);
    // Longer than two plies take.
    await page.get('new Promise((done) => setTimeout(() => done(true), 1500))');
    assert.equal(await shownPly(), halted);
    await page.press('End');
    await page.press('ArrowLeft');
    await page.press(' ');
    await page.until("document.querySelector('[data-do=play]').getAttribute('aria-label') === 'Play'");
    assert.equal(await shownPly(), game.plies.length);
  },

  async 'a keyboard is enough: from the tabs to a game and back'() {
    await page.go(url);
    await page.tabTo('[role=tab]');
    await page.press('ArrowRight');
    assert.equal(await page.get("document.querySelectorAll('.panel:not(.is-away)')[0].id"), 'game-0');
    await page.tabTo('.panel:not(.is-away) .cross a');
    await page.press('Enter');
    // Each row is of the game that was chosen.
    await page.until(`document.querySelector('.filters select').value !== '' && [...document.querySelectorAll('.list tbody tr')].every((row) => row.cells[5].textContent === ${JSON.stringify(labels[0])})`);
    await page.tabTo('.list tbody a');
    await page.press('Enter');
    await page.until("!document.getElementById('replay').hidden");
    await page.press('ArrowRight');
    assert.equal(await shownPly(), 1);
    await page.press('Escape');
    await page.until("document.getElementById('replay').hidden");
  },

  async 'filters leave what was asked for'() {
    await page.go(`${url}#games-0-1-0`);
    const shown = await page.get("[...document.querySelectorAll('.list tbody tr')].map((row) => row.cells[5].textContent)");
    const [one, two] = await page.get("(() => { const data = JSON.parse(document.getElementById('data').textContent); return data.bots; })()");
    const fitting = games.filter((game) => game.label === labels[0] && [one, two].every((bot) => game.seats.some((seat) => seat.bot === bot)));
    assert.equal(shown.length, fitting.length);
    assert.ok(shown.every((label) => label === labels[0]));
  },

  async 'a column is sorted both ways'() {
    await page.go(url);
    const column = "[...document.querySelectorAll('#rulesets tbody tr')].map((row) => parseFloat(row.cells[6].textContent))";
    const sort = () => page.get("document.querySelectorAll('#rulesets thead button')[6].click()");
    await sort();
    const down = await page.get(column);
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    await sort();
    assert.deepEqual(await page.get(column), [...down].reverse());
  },

  async 'nothing is asked for from anywhere, and nothing could be'() {
    assert.deepEqual(page.requests.filter((request) => !/^(about:|data:)/.test(request) && request.split('#')[0] !== url), []);
    page.assertQuiet();
    assert.equal(await page.get("fetch('data:,x').then(() => 'asked', () => 'refused')"), 'refused');
    const script = "(() => { const node = document.createElement('script'); node.textContent = 'document.title = 1'; document.body.append(node); return document.title; })()";
    assert.notEqual(await page.get(script), '1');
  },

  async 'pictures for those who look'() {
    for (const [name, look] of Object.entries({
      light: { width: 1280, height: 900 },
      dark: { width: 1280, height: 900, scheme: 'dark' },
      phone: { width: 390, height: 844 },
      print: { width: 800, height: 1100, media: 'print' },
    })) {
      await page.show(look);
      await page.go(url);
      await page.picture(join(pictures, `page-${name}.png`), true);
    }
  },
};

await runTests(tests, page);
