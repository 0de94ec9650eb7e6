// Looks at the pages of `arena report --watch` in a real browser, behind a web server that only hands out files:
// `node watch.mjs ARENA FOLDER PICTURES`. FOLDER holds `watch.yaml`, whose run goes to `runs/watch`.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';

import { Chromium } from './chromium.mjs';
import { Programs, runTests, until } from './harness.mjs';

const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
const KINDS = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
const pub = join(folder, 'public');
mkdirSync(pictures, { recursive: true });

const server = createServer((request, answer) => {
  const path = join(pub, decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
  const file = extname(path) ? path : join(path, 'index.html');
  if (!existsSync(file)) return answer.writeHead(404).end();
  return answer.writeHead(200, { 'content-type': KINDS[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const origin = `http://127.0.0.1:${server.address().port}`;

const programs = new Programs(arena, folder);
const run = await programs.run('watch.yaml', 'watch');
await until(() => existsSync(join(folder, 'runs/watch/live.json')));
const watch = programs.start('report', 'runs', '--watch', '--to', 'public');
await until(() => existsSync(join(pub, 'picture.json')));
const page = await Chromium.open();

// The first line of a game and what is said below its board.
const HEAD = "querySelector('.game-head span').textContent";

const tests = {
  async 'a page behind a web server follows the run'() {
    await page.show({ width: 1280, height: 900 });
    await page.go(`${origin}/`);
    await page.until("document.querySelector('.runs tbody td')?.textContent === 'running'");
    await page.activate('.runs a');
    await page.until("document.querySelectorAll('.tables .board use[href]').length > 10");
    await page.picture(join(pictures, 'watch.png'), true);
    const before = await page.get(`document.${HEAD}`);
    await page.until(`document.${HEAD} !== ${JSON.stringify(before)}`);
    assert.equal(await page.get('document.images.length'), 0);
    assert.equal(await page.get("getComputedStyle(document.getElementById('downloads')).display"), 'none');
  },

  async 'a game that has ended and a turn of two plies are shown whole'() {
    // The end stays for a while, with what shows it.
    const [head, words] = await page.until(`(() => {
      const game = document.querySelector('.tables .b-proof').closest('.game');
      return [game.${HEAD}, game.querySelector('.last').textContent];
    })()`);
    assert.match(head, /ply \d+, the end$/);
    assert.match(words, /(\(p[12]\) won|drawn): \S+: \S/);
    await page.picture(join(pictures, 'watch-end.png'), true);
    // All arrows of a turn.
    await page.until("document.querySelector('.tables .b-arrow.is-before')");
    await page.picture(join(pictures, 'watch-turn.png'), true);
    await page.show({ width: 390, height: 844, scheme: 'dark' });
    assert.equal(await page.width(), 390);
    await page.picture(join(pictures, 'watch-phone.png'));
  },

  async 'it tells the end of the run'() {
    run.kill('SIGINT');
    assert.equal(await run.ended, 130);
    // What was seen being played is seen to its end.
    const heads = await page.until(`document.getElementById('stage').textContent === 'stopped' && document.getElementById('link').textContent === '' && [...document.querySelectorAll('.game')].map((game) => game.${HEAD})`);
    assert.ok(heads.length > 0 && heads.every((words) => words.endsWith(', the end')), heads.join('\n'));
    watch.kill('SIGINT');
    assert.equal(await watch.ended, 130);
  },

  async 'the report beside it shows what bots told of their search'() {
    const lines = readFileSync(join(folder, 'runs/watch/journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const told = lines.find((line) => line.type === 'game' && line.plies.some((ply) => ply.info?.depth && ply.info.nodes && ply.us > 1000));
    await page.go(`${origin}/runs/watch/report.html#g${told.number}p0`);
    assert.ok(await page.get("document.querySelectorAll('.standings tbody tr').length") > 0);
    // The thinker tells its depth and its nodes: both have their line below the times.
    const bands = await page.get("[...document.querySelectorAll('#graph .band')].map((text) => text.textContent.split(',')[0])");
    assert.deepEqual(bands, ['time', 'depth', 'nodes/s']);
  },

  async 'nothing complained, and nothing was asked of anybody else'() {
    page.assertQuiet();
    const foreign = page.requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:') && url !== 'about:blank');
    assert.deepEqual(foreign, []);
  },
};

await runTests(tests, page, programs, server);
