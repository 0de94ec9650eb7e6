// Games of one's own in a real browser: `node own.mjs ARENA FOLDER PICTURES`. The folder has `cup.yaml`, a tournament of Telo, which
// declares a look, and of seven stones, which declare none; with the files of both.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { assertAccessibleEverywhere } from './axe.mjs';
import { Chromium } from './chromium.mjs';
import { PIECES, framesOf, framesOn } from './frames.mjs';
import { Programs, leave, runTests } from './harness.mjs';

const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(pictures, { recursive: true });

const programs = new Programs(arena, folder);
await programs.start('run', 'cup.yaml', '--rounds', '2', '--tc', 'nodes 10', '--out', 'runs/played').ended;
const games = readFileSync(join(folder, 'runs/played/journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.type === 'game');
await programs.run('cup.yaml', 'cup', { isPlayed: true });
const { base, own, token } = await programs.serve();
const page = await Chromium.open();
const shoot = (name) => page.picture(join(pictures, `own-${name}.png`));
const text = (id) => `document.getElementById('${id}').textContent`;
const hasPlies = (count) => page.until(`/, ${count} pl/.test(${text('summary')})`);

// Begins a game against the bot that plays everything.
async function begin(game) {
  await page.go(own('/play/'));
  await page.activate(`input[value="${game}"]`);
  await page.get("document.getElementById('p2').value = 'random'");
  await page.activate('#begin [type=submit]');
  await page.isReady("document.getElementById('board-frame')");
}

// What can be clicked, and how many plies are on the board.
const SEEN = `${text('summary')} + [...document.querySelectorAll('.cell.can, #choices .choice')].map((node) => node.getAttribute('aria-label') ?? node.textContent)`;

// Plays the first ply that can be made until the game is over; returns how many clicks that took.
async function playOn() {
  for (let clicks = 0; ; clicks += 1) {
    await page.until("document.querySelector('.turn.is-over, .cell.can, #choices .choice')");
    if (await page.get("!!document.querySelector('.turn.is-over')")) return clicks;
    const before = await page.get(SEEN);
    await page.activate(await page.get("document.querySelector('.cell.can') ? '.cell.can' : '#choices .choice'"));
    await page.until(`document.querySelector('.turn.is-over') || ${SEEN} !== ${JSON.stringify(before)}`);
  }
}

const tests = {
  async 'the report draws a game that declares a look, and names the plies of one that declares none'() {
    await page.show({ width: 1280, height: 900 });
    const report = pathToFileURL(join(folder, 'runs/played/report.html')).href;
    const telo = games.find((game) => game.game === 'telo');
    await page.go(`${report}#g${telo.number}p${telo.plies.length}`);
    await page.until("!document.getElementById('replay').hidden && document.querySelector('#board-frame .board')");
    const ended = framesOf(arena, join(folder, 'telo.py'), telo.options, telo.start, telo.plies.map((ply) => ply.ply));
    assert.deepEqual(await page.get(framesOn('#board-frame')), ended.frames);
    assert.ok((await page.get(PIECES)).length >= 5);
    await shoot('report');
    const stones = games.find((game) => game.game === 'stones');
    await page.go(`${report}#g${stones.number}p1`);
    await page.until(`/has no board/.test(${text('board-frame')})`);
    assert.equal(await page.get("document.querySelectorAll('#plies .ply').length"), stones.plies.length);
  },

  async 'the live page draws a game that declares a look, and shows the plies of one that declares none'() {
    await page.go(`${own('/runs/cup/')}#token=${token}`);
    await page.until("document.querySelector('.tables .frame .board use[href]')");
    await page.until("[...document.querySelectorAll('.tables .game')].some((game) => !game.querySelector('.frame .board') && /t[123]/.test(game.textContent))");
    await shoot('live');
  },

  async 'a game that declares a look is played by clicks'() {
    await begin('telo');
    assert.ok(await page.get("document.querySelectorAll('.cell').length") >= 9);
    assert.ok(await playOn() >= 3);
    assert.ok((await page.get(PIECES)).length >= 5);
    await shoot('telo');
    await leave(page);
  },

  async 'a game that declares none is played from the list of its plies, its positions shown as text'() {
    await begin('stones');
    await page.until(`${text('plain')} === 'n=7 p1'`);
    assert.deepEqual(await page.get("[...document.querySelectorAll('#choices .choice')].map((node) => node.textContent)"), ['t1', 't2', 't3']);
    assert.equal(await page.get("getComputedStyle(document.getElementById('board-frame')).display"), 'none');
    await page.activate('#choices .choice');
    await hasPlies(2);
    const now = await page.get(text('plain'));
    assert.match(now, /^n=[345] p1$/);
    await page.press('ArrowLeft');
    assert.equal(await page.get(text('plain')), 'n=6 p2');
    await page.press('End');
    assert.equal(await page.get(text('plain')), now);
    await page.press('u');
    await page.until(`${text('plain')} === 'n=7 p1'`);
    await assertAccessibleEverywhere(page);
    await playOn();
    assert.match(await page.get(text('turn')), /last-stone/);
    assert.match(await page.get(text('plain')), /^n=0 /);
    await shoot('stones');
    await leave(page);
  },

  async 'nothing complained, and nothing was asked of anybody else'() {
    page.assertQuiet();
    assert.deepEqual(page.requests.filter((url) => !/^(about|data|file|blob):/.test(url) && !url.startsWith(base)), []);
  },
};

await runTests(tests, page, programs);
