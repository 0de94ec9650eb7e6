// Looks at the pages of `arena report --watch` in a real browser, behind a web server that only hands out files:
// `node watch.mjs ARENA FOLDER PICTURES`. FOLDER holds `watch.yaml`, whose run goes to `runs/watch`.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';

import { Page } from './chromium.mjs';

const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
const KINDS = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
const pub = join(folder, 'public');
mkdirSync(pictures, { recursive: true });
for (const old of [pub, join(folder, 'runs')]) rmSync(old, { recursive: true, force: true });

const server = createServer((request, answer) => {
  const path = join(pub, decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
  const file = extname(path) ? path : join(path, 'index.html');
  if (!existsSync(file)) return answer.writeHead(404).end();
  return answer.writeHead(200, { 'content-type': KINDS[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const origin = `http://127.0.0.1:${server.address().port}`;

// Starts the arena and returns how it ends.
function start(...words) {
  const child = spawn(arena, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, ended: new Promise((done) => child.once('exit', done)) };
}

async function until(holds) {
  for (const end = Date.now() + 60_000; !holds();) {
    assert.ok(Date.now() < end, `not within a minute: ${holds}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const page = await Page.open();
const text = (id) => page.get(`document.getElementById('${id}').textContent`);
try {
  const run = start('run', 'watch.yaml');
  await until(() => existsSync(join(folder, 'runs/watch/live.json')));
  const watch = start('report', 'runs', '--watch', '--to', 'public');
  await until(() => existsSync(join(pub, 'picture.json')));

  await page.show({ width: 1280, height: 900 });
  await page.go(`${origin}/`);
  await page.until("document.querySelector('.runs tbody td')?.textContent === 'running'");
  await page.get("document.querySelector('.runs a').click()");
  await page.until("document.querySelectorAll('.tables .board use[href]').length > 10");
  await page.picture(join(pictures, 'watch.png'), true);
  const head = () => page.get("document.querySelector('.game-head').textContent");
  const before = await head();
  await page.until(`document.querySelector('.game-head').textContent !== ${JSON.stringify(before)}`);
  // A game that is over stays for a while, with what ended it; a turn of several plies has all their arrows.
  await page.until("document.querySelector('.tables .b-proof')");
  const over = await page.get("(() => { const game = document.querySelector('.tables .b-proof').closest('.game'); return [game.querySelector('.game-head').textContent, game.querySelector('.last').textContent]; })()");
  assert.match(over.join('\n'), /ply \d+, the end\n.* \(p[12]\) won: \S+: p[12] has the /);
  await page.picture(join(pictures, 'watch-end.png'), true);
  await page.until("document.querySelector('.tables .b-arrow.is-before')");
  await page.picture(join(pictures, 'watch-turn.png'), true);
  console.log('ok: a game that has ended and a turn of two plies are shown whole');
  assert.equal(await page.get('document.images.length'), 0);
  assert.equal(await page.get("getComputedStyle(document.getElementById('downloads')).display"), 'none');
  await page.show({ width: 390, height: 844, scheme: 'dark' });
  assert.equal(await page.get('document.documentElement.scrollWidth'), 390);
  await page.picture(join(pictures, 'watch-phone.png'));
  console.log('ok: a page behind a web server follows the run');

  run.child.kill('SIGINT');
  assert.equal(await run.ended, 130);
  await page.until("document.getElementById('stage').textContent === 'stopped'");
  assert.equal(await text('link'), '');
  // What was seen being played is seen to its end.
  const heads = await page.get("[...document.querySelectorAll('.game-head')].map((head) => head.textContent)");
  assert.ok(heads.length > 0 && heads.every((head) => head.endsWith(', the end')), heads.join('\n'));
  console.log('ok: it tells the end of the run');
  watch.child.kill('SIGINT');
  assert.equal(await watch.ended, 130);
  const lines = readFileSync(join(folder, 'runs/watch/journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const told = lines.find((line) => line.type === 'game' && line.plies.some((ply) => ply.info?.depth && ply.info.nodes && ply.us > 1000));
  await page.go(`${origin}/runs/watch/report.html#g${told.number}p0`);
  assert.ok(await page.get("document.querySelectorAll('.standings tbody tr').length") > 0);
  // The thinker tells its depth and its nodes: both have their line below the times.
  const bands = await page.get("[...document.querySelectorAll('#graph text')].map((text) => text.textContent.split(',')[0])");
  assert.deepEqual(bands, ['time', 'depth', 'nodes/s']);

  assert.deepEqual(page.complaints, []);
  const foreign = page.requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:') && url !== 'about:blank');
  assert.deepEqual(foreign, []);
  console.log('ok: no complaint, and no request to anybody else');
} finally {
  await page.close();
  server.close();
}
