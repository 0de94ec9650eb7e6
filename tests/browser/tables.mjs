// Tables of more than two seats in a real browser: `node tables.mjs ARENA FOLDER PICTURES`. The folder has `cup.yaml`, a tournament
// of four bots at tables of three.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { assertAccessibleEverywhere } from './axe.mjs';
import { Chromium } from './chromium.mjs';
import { PIECES } from './frames.mjs';
import { Programs, leave, runTests } from './harness.mjs';

const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(pictures, { recursive: true });

const programs = new Programs(arena, folder);
await programs.start('run', 'cup.yaml', '--rounds', '2', '--tc', 'nodes 10', '--out', 'runs/played').ended;
const games = readFileSync(join(folder, 'runs/played/journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.type === 'game');
await programs.run('cup.yaml', 'cup', { isPlayed: true });
const { base, own, token } = await programs.serve();
const page = await Chromium.open();
const shoot = (name) => page.picture(join(pictures, `tables-${name}.png`));

const STANDS = `${PIECES}.join()`;
const plies = () => page.get("Number(/, (\\d+) pl/.exec(document.getElementById('summary').textContent)[1])");
const hasPlies = (count) => page.until(`new RegExp(', ${count} pl').test(document.getElementById('summary').textContent)`);
const IS_OVER = "!!document.querySelector('.turn.is-over')";

// Chooses a table of three with the keyboard alone, who sits at it, and leads to its board.
async function begin(...seats) {
  await page.go(own('/play/'));
  await page.until("document.getElementById('no-token').hidden");
  await page.get("document.querySelector('input[value=farook]').focus()");
  for (let presses = 0; presses < 20 && !(await page.get("document.querySelector('input[value=\"2-frenzy\"]').checked")); presses += 1) await page.press('ArrowRight');
  assert.equal(await page.get("document.getElementById('seat3').hidden"), true, 'a table of two has no third seat');
  await page.tabTo('[data-game="2-frenzy"] [name=players]');
  await page.press('3');
  await page.until("!document.getElementById('seat3').hidden && document.getElementById('seat4').hidden");
  await page.get(`${JSON.stringify(seats)}.forEach((bot, index) => {
    const list = document.getElementById('p' + (index + 1));
    list.value = bot;
    list.dispatchEvent(new Event('change'));
  })`);
  await page.tabTo('#begin [type=submit]');
  await page.press('Enter');
  await page.isReady("document.getElementById('board-frame')");
}

// Leads the focus to a cell of the board by arrows, and presses Enter there.
async function enter(wanted) {
  await page.tabTo('.cell');
  const name = () => page.get("/^([a-i])([1-8])/.exec(document.activeElement.getAttribute('aria-label')).slice(1)");
  for (let presses = 0; ; presses += 1) {
    assert.ok(presses < 30, `arrows lead to ${wanted}`);
    const [file, rank] = await name();
    if (file + rank === wanted) break;
    await page.press(rank !== wanted[1] ? (rank < wanted[1] ? 'ArrowUp' : 'ArrowDown') : file < wanted[0] ? 'ArrowRight' : 'ArrowLeft');
  }
  await page.press('Enter');
}

// The cells and the choices that can be pressed, once it is the reader's turn or the game is over.
const CAN = "[...document.querySelectorAll('.cell.can')].map((cell) => cell.getAttribute('aria-label').slice(0, 2))";
const CHOICES = "document.querySelectorAll('#choices .choice').length";

const tests = {
  async 'a game at a table of three is begun and played to its end with the keyboard alone'() {
    await page.show({ width: 1280, height: 900 });
    await page.go(`${own('/play/')}#token=${token}`);
    await begin('', 'random', 'greedy');
    assert.deepEqual(await page.get("[...document.querySelectorAll('.seat .who')].map((who) => who.textContent).sort()"), ['greedy p3', 'human p1', 'random p2']);
    // A row of numbers that is the same in every run.
    let last = 7;
    const chance = (count) => { last = (last * 48271) % 2147483647; return last % count; };
    let [count, looks] = [0, 0];
    for (;;) {
      await page.until(`${IS_OVER} || ${CAN}.length > 0 || ${CHOICES} > 0`);
      if (await page.get(IS_OVER)) break;
      const before = await page.get(`${STANDS} + ${CAN} + document.getElementById('said').textContent`);
      const cells = await page.get(CAN);
      if (cells.length) {
        await enter(cells[chance(cells.length)]);
      } else {
        await page.tabTo('#choices .choice');
        await page.press('Enter');
      }
      await page.until(`${IS_OVER} || ${STANDS} + ${CAN} + document.getElementById('said').textContent !== ${JSON.stringify(before)}`);
      const played = await plies();
      assert.ok(played >= count, 'plies are added');
      if (played > count && looks === 0 && played > 8) {
        looks += 1;
        await page.until(`${IS_OVER} || ${CAN}.length > 0`);
        const now = await page.get(STANDS);
        await page.press(',');
        await page.until("document.querySelector('.play').classList.contains('is-past')");
        await page.press('End');
        assert.equal(await page.get(STANDS), now);
        assert.match(await page.text('#plies .row:nth-child(3) .number'), /^3 p3$/);
        await shoot('board');
      }
      count = played;
      assert.ok(count < 600, 'it comes to an end');
    }
    const turn = await page.text('#turn');
    assert.match(turn, /1\. |places|no-|all-lost|first/, turn);
    assert.match(await page.get("fetch('game.pgn').then((answer) => answer.text())"), /^\[Places "[123],[123],[123]"\]$/m);
    await shoot('end');
    await assertAccessibleEverywhere(page);
    await leave(page);
  },

  async 'three persons share a board, a ply is taken back, and the seats are exchanged by one'() {
    await begin('', '', 'random');
    await page.until(`${CAN}.length > 0`);
    await enter('d4');
    await hasPlies(1);
    await page.press('u');
    await hasPlies(0);
    await page.press('r');
    await hasPlies(1);
    const names = () => page.get("[...document.querySelectorAll('.seat .who')].map((who) => who.textContent).sort((one, other) => one.slice(-1) - other.slice(-1))");
    assert.deepEqual(await names(), ['human p1', 'human p2', 'random p3']);
    await page.activate('[data-order=swap]');
    await page.activate('[data-sure=yes]');
    await page.until("[...document.querySelectorAll('.seat .who')].some((who) => who.textContent === 'random p2')");
    assert.deepEqual(await names(), ['human p1', 'random p2', 'human p3']);
    await leave(page);
  },

  async 'the report counts places, and lists the games that any seat has won'() {
    await page.go(pathToFileURL(join(folder, 'runs/played/report.html')).href);
    assert.match(await page.text('.panel .standings thead'), /1st\/2nd\/3rd.*as p1.*as p2.*as p3/s);
    assert.match(await page.text('.panel'), /Scores of the seats/);
    await page.until("document.querySelectorAll('.list tbody tr').length > 0");
    const won = (seat) => games.filter(({ places }) => places[seat] === 1 && places.filter((place) => place === 1).length === 1).length;
    for (const seat of [0, 1, 2]) {
      await page.get(`(() => {
        const field = [...document.querySelectorAll('.filters label')].find((label) => label.textContent.startsWith('Result')).querySelector('select');
        field.value = 'p${seat + 1}';
        field.dispatchEvent(new Event('change'));
      })()`);
      await page.until(`document.querySelector('.pages [role=status]').textContent === '${won(seat)} of ${games.length} games'`);
      assert.equal(await page.get("document.querySelectorAll('.list tbody .strong.name, .list tbody td:nth-child(-n+3) .strong').length"), won(seat));
    }
    await shoot('report');
    await assertAccessibleEverywhere(page);
  },

  async 'the live page shows places, shares of points, and every seat of the last games'() {
    await page.go(`${own('/runs/cup/')}#token=${token}`);
    await page.until("document.querySelectorAll('#latest tbody tr').length > 3");
    assert.equal(await page.text('#record'), '1st/2nd/3rd');
    const rows = await page.get("[...document.querySelectorAll('.standings tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))");
    for (const [, , , score, count, record] of rows.filter(([, , , , count]) => count !== '0')) {
      assert.ok(Number.parseFloat(score) <= 100, score);
      assert.equal(record.split('/').reduce((sum, part) => sum + Number(part), 0), Number(count), record);
    }
    assert.match(await page.text('#latest tbody tr td:nth-child(3)'), /, /);
    assert.match(await page.text('#latest tbody tr td:nth-child(4)'), /^[123],[123],[123]$/);
    await shoot('live');
  },

  async 'nothing complained, and nothing was asked of anybody else'() {
    page.assertQuiet();
    assert.deepEqual(page.requests.filter((url) => !/^(about|data|file|blob):/.test(url) && !url.startsWith(base)), []);
  },
};

await runTests(tests, page, programs);
