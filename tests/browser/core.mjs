// What must work in every browser: `node core.mjs BROWSER ARENA FOLDER RUN PICTURES`. BROWSER is `firefox` or `chromium`, RUN is
// the directory of a run; the folder has `cup.yaml`, a tournament that lasts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium } from './chromium.mjs';
import { Firefox } from './firefox.mjs';
import { PIECES, framesOf, framesOn } from './frames.mjs';
import { Programs, leave, runTests } from './harness.mjs';

const [browser] = process.argv.slice(2);
const [arena, folder, run, pictures] = process.argv.slice(3).map((path) => resolve(path));
const Browser = { chromium: Chromium, firefox: Firefox }[browser];
assert.ok(Browser, `no browser is called ${browser}`);
mkdirSync(pictures, { recursive: true });

const report = pathToFileURL(join(run, 'report.html')).href;
const games = readFileSync(join(run, 'journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.type === 'game');

const programs = new Programs(arena, folder);
await programs.run('cup.yaml', 'cup', { isPlayed: true });
const { base, token, own } = await programs.serve();
const page = await Browser.open();
const shoot = (name) => page.picture(join(pictures, `${browser}-${name}.png`));
const shownPly = "Number(/p(\\d+)$/.exec(location.hash)[1])";
const text = (id) => `document.getElementById('${id}').textContent`;

const tests = {
  async 'the report opens: winner, tables and the list of games'() {
    await page.show({ width: 1280, height: 900 });
    await page.go(report);
    const [rows, listed, images] = await page.get("[document.querySelectorAll('.standings tbody tr').length, document.querySelectorAll('.list tbody tr').length, document.images.length]");
    assert.ok(rows > 0);
    assert.equal(listed, Math.min(games.length, 50));
    assert.equal(images, 0);
    await shoot('report');
    await page.show({ width: 390, height: 664 });
    assert.ok(await page.width() <= 390);
    await page.show({ width: 1280, height: 900 });
  },

  async 'a game is opened from the list and stepped through, by keys and by buttons'() {
    const game = games[0];
    await page.focus(`.list tbody a[href="#g${game.number}p0"]`);
    await page.press('Enter');
    await page.until(`!document.getElementById('replay').hidden && ${shownPly} === 0`);
    const seen = [await page.get(PIECES)];
    for (let ply = 1; ply <= game.plies.length; ply += 1) {
      await page.press('ArrowRight');
      assert.equal(await page.get(shownPly), ply);
      seen.push(await page.get(PIECES));
    }
    assert.ok(new Set(seen.map((pieces) => pieces.join())).size > game.plies.length / 2, 'the board changes');
    const ended = framesOf(arena, game.game, game.options, game.start, game.plies.map((ply) => ply.ply));
    assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames);
    assert.ok((await page.get(text('verdict'))).includes(ended.words));
    await shoot('replay');
    await page.activate('[data-do=first]');
    await page.until(`${shownPly} === 0`);
    assert.deepEqual(await page.get(PIECES), seen[0]);
    await page.press('Escape');
    await page.until("document.getElementById('replay').hidden");
    await page.hasFocus(`.list tbody a[href="#g${game.number}p0"]`, 'the focus is where it was');
  },

  async 'a replay tells the commands that make a picture of it and play on from it, and they work'() {
    const game = games.find((other) => other.plies.length > 3);
    await page.go(`${report}#g${game.number}p3`);
    await page.activate('#share summary');
    const commands = await page.get("[...document.querySelectorAll('#share code')].map((code) => code.textContent)");
    for (const [index, start] of ['GIF89a', '<figure'].entries()) {
      const [program, ...words] = commands[index].split(' ');
      assert.equal(program, 'arena');
      execFileSync(arena, words, { cwd: run });
      const file = join(run, words.at(-1));
      assert.ok(readFileSync(file, 'latin1').startsWith(start), commands[index]);
      rmSync(file);
    }
    assert.equal(commands[2], 'arena serve . --allow-actions');
  },

  async 'the graph of a replay has a legend and a scale, tells what the mouse points at, and is stepped by keyboard'() {
    const game = games.find((other) => other.plies.length > 12);
    await page.go(`${report}#g${game.number}p3`);
    await page.settled();
    const [scale, names] = await page.get("['.ay', '.legend .who'].map((parts) => [...document.querySelectorAll(`#graph ${parts}`)].map((part) => part.textContent))");
    assert.deepEqual(scale.slice(0, 5), ['+4', '+1', '0', '−1', '−4']);
    assert.deepEqual(names, game.seats.map((seat) => seat.bot));
    await page.get("document.getElementById('graph').scrollIntoView({ block: 'center', behavior: 'instant' })");
    const [{ right, top }] = await page.boxes('#graph .chart');
    await page.point(right - 4, top + 20);
    await page.until(`document.querySelector('#graph .told').textContent.startsWith('Ply ${game.plies.length}: ${game.plies.at(-1).ply},')`);
    assert.equal(await page.get(shownPly), 3, 'pointing goes nowhere');
    await page.focus('#graph .chart');
    for (const [key, ply] of [['ArrowRight', 4], ['End', game.plies.length], ['PageDown', game.plies.length - 10], ['Home', 0], ['PageUp', 10]]) {
      await page.press(key);
      assert.deepEqual(await page.get(`[${shownPly}, Number(document.querySelector('#graph .chart').getAttribute('aria-valuenow'))]`), [ply, ply], key);
    }
    await page.hasFocus('#graph .chart');
    await shoot('graph');
  },

  async 'the live page follows a run, and takes orders with the token'() {
    await page.go(`${own('/runs/cup/')}#token=${token}`);
    await page.until(`${text('stage')} === 'running' && document.querySelector('.tables .board use[href]')`);
    const before = await page.get(text('progress-text'));
    await page.until(`${text('progress-text')} !== ${JSON.stringify(before)}`);
    // A bot that tells its scores has a graph of them under the board, one that is read by keyboard.
    await page.until("document.querySelectorAll('.game .graph:not([hidden]) .l').length > 0 && Number(document.querySelector('.game .chart').getAttribute('aria-valuenow')) > 3");
    const told = await page.get(`(() => {
      const chart = document.querySelector('.game .chart');
      chart.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
      return chart.nextElementSibling.textContent;
    })()`);
    assert.equal(told, 'The start of the game');
    await shoot('live');
    await page.until("!document.getElementById('orders').hidden");
    await page.activate('[data-order=pause]');
    await page.until(`${text('stage')} === 'paused'`);
    await page.activate('[data-order=resume]');
    await page.until(`${text('stage')} === 'running'`);
  },

  async 'a game in progress is followed ply by ply to its end'() {
    const href = await page.until("document.querySelector('.game .open').href");
    await page.go(href);
    await page.until("document.querySelectorAll('#plies .ply').length > 2");
    await page.press('ArrowLeft');
    assert.match(await page.get(text('past')), /^ply \d+ of \d+$/);
    await page.press('End');
    const turn = await page.until(`!document.getElementById('links').hidden && ${text('turn')}`);
    assert.match(turn, /^The game is over\. .*(won|drawn): /);
    await shoot('watch');
  },

  async 'a game is played by hand, with the mouse and by keyboard'() {
    await page.go(own('/play/'));
    await page.activate('input[value="farook"]');
    await page.get("document.getElementById('p2').value = 'greedy'");
    await page.activate('#begin [type=submit]');
    await page.isReady("document.getElementById('board-frame')");
    await page.clickOn('.cell.can[aria-label^=a1]');
    const plies = (count) => page.until(`/, ${count} plies/.test(${text('summary')}) && document.querySelector('.cell.can, .turn.is-over')`);
    await plies(2);
    // The keyboard leads on from where it has led to, not from a click.
    await page.focus('.skip');
    await page.tabTo('.cell');
    await page.press('ArrowUp');
    const place = await page.until("document.activeElement.classList.contains('cell') && document.activeElement.getAttribute('aria-label')");
    assert.match(place, /^a2, /);
    await page.focus('.cell.can[aria-label*=", empty"]');
    await page.press('Enter');
    await plies(4);
    assert.equal(await page.get("document.querySelectorAll('#plies .ply').length"), 4);
    await page.press('u');
    await plies(2);
    await shoot('play');
    await leave(page);
  },

  async 'nothing complained, and nothing was asked of anybody else'() {
    page.assertQuiet();
    assert.deepEqual(page.requests.filter((url) => !/^(about|data|file|blob):/.test(url) && !url.startsWith(base)), []);
  },
};

await runTests(tests, page, programs);
