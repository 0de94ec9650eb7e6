// A server that one can rely on, in a real browser: `node reliable.mjs ARENA FOLDER PICTURES`. The folder has `cup.yaml`, a
// tournament that lasts; what is played goes to `runs` there.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { get as ask } from 'node:http';
import { join, resolve } from 'node:path';

import { assertAccessibleEverywhere } from './axe.mjs';
import { Chromium } from './chromium.mjs';
import { Programs, freePort, runTests } from './harness.mjs';

const [arena, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(pictures, { recursive: true });

const programs = new Programs(arena, folder);
await programs.run('cup.yaml', 'cup');
const port = await freePort();
let { server, base, token, own } = await programs.serve(port);

const page = await Chromium.open();
const text = (id) => `document.getElementById('${id}').textContent`;
const isStage = (stage) => `${text('stage')} === '${stage}'`;
const isRunning = isStage('running');

// Asks the server for something with these headers.
const fetched = (path, headers) => new Promise((done, failed) => {
  ask(own(path), { headers }, (answer) => {
    let length = 0;
    answer.on('data', (part) => { length += part.length; });
    answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, length }));
  }).on('error', failed);
});

const tests = {
  async 'eight live tabs hold one connection, and orders get through'() {
    await page.show({ width: 1280, height: 900 });
    await page.go(`${own('/runs/cup/')}#token=${token}`);
    const tabs = [];
    for (let count = 0; count < 8; count += 1) {
      const tab = await page.tab();
      await tab.go(own('/runs/cup/'));
      await tab.until(isRunning);
      tabs.push(tab);
    }
    // All of them are still told.
    for (const tab of tabs) {
      const before = await tab.get(text('progress-text'));
      await tab.until(`${text('progress-text')} !== ${JSON.stringify(before)}`);
    }
    // A new tab has the token.
    const last = tabs.at(-1);
    await last.until("!document.getElementById('orders').hidden");
    await last.activate('[data-order=pause]');
    await page.until(isStage('paused'));
    await last.activate('[data-order=resume]');
    await page.until(isRunning);
    for (const tab of tabs) await tab.shut();
  },

  async 'rows change in place: a focused link, a selection and a row stay'() {
    await page.until("document.querySelectorAll('#latest tbody tr').length > 3");
    await page.get(`(() => {
      const first = document.querySelector('#latest tbody tr');
      first.querySelector('a').focus();
      window.kept = { number: first.querySelector('a').textContent, rows: [first, document.querySelector('#standings tbody tr')] };
    })()`);
    // As soon as another game stands first.
    const seen = await page.atChange('#latest tbody', "document.querySelector('#latest tbody a').textContent !== window.kept.number",
      '[document.activeElement.textContent === window.kept.number, ...window.kept.rows.map((row) => row.isConnected)]');
    assert.deepEqual(seen, [true, true, true], 'the link has the focus still, and both rows are there');
  },

  async 'what is played next is listed, and leaves the list when it begins'() {
    // Every game that is seen on a board or among the latest, from now on.
    await page.get(`(() => {
      window.seen = new Set();
      const look = () => {
        for (const head of document.querySelectorAll('.game-head span')) window.seen.add(/^Game (\\d+)/.exec(head.textContent)?.[1]);
        for (const row of document.querySelectorAll('#latest tbody tr')) window.seen.add(row.cells[0].textContent);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    })()`);
    const [words, next] = await page.until(`document.querySelectorAll('#next tbody tr').length === 8 && [${text('next-words')}, document.querySelector('#next tbody td').textContent]`);
    assert.match(words, /^[\d,]+ games to play: (\S.* \d+, )+\S.* \d+$/);
    await page.until(`document.querySelector('#next tbody td').textContent !== ${JSON.stringify(next)}`);
    await page.until(`window.seen.has(${JSON.stringify(next)})`);
  },

  async 'a game in progress is opened, and stepped back while it goes on'() {
    await page.get("scrollTo({ top: 0, behavior: 'instant' })");
    const top = (selector) => `document.querySelector('${selector}').getBoundingClientRect().top`;
    const [href, games, standings, playing] = await page.until(`(() => {
      const game = [...document.querySelectorAll('.game')].find((node) => / ply ([5-9]|\\d\\d)$/.test(node.querySelector('.game-head span').textContent));
      return game && [game.querySelector('.open').href, ${top('.tables')}, ${top('#standings')}, ${top('#playing')}];
    })()`);
    assert.ok(games < 700, 'boards are near the top');
    assert.ok(Math.abs(standings - playing) < 5, 'the standings are beside the boards');
    await page.picture(join(pictures, 'live-beside.png'));
    await page.go(href);
    await page.until("document.querySelectorAll('#plies .ply').length > 2");
    await page.press('ArrowLeft');
    await page.press('ArrowLeft');
    const [at, plies] = await page.get(`[${text('past')}, document.querySelectorAll('#plies .ply').length]`);
    assert.match(at, /^ply [1-9]\d* of \d+$/);
    const [past, said] = await page.until(`(document.querySelectorAll('#plies .ply').length > ${plies} || !document.getElementById('links').hidden) && [${text('past')}, ${text('said')}]`);
    assert.equal(past.split(' of ')[0], at.split(' of ')[0], 'a reader who looks back stays there');
    assert.match(said, /^Ply \d+: \S+ by p[12] \(.*\)/);
    await page.picture(join(pictures, 'watch.png'));
    await page.press('End');
    // After its end, it says how it ended and leads to the report.
    const turn = await page.until(`!document.getElementById('links').hidden && ${text('turn')}`);
    assert.match(turn, /^The game is over\. .*(won|drawn): /);
    page.excuse(/status of 404.*\/transcript"/);
    await page.activate('#explain');
    await page.until("!document.getElementById('transcript').hidden && document.getElementById('transcript').textContent");
    await assertAccessibleEverywhere(page, 'a game of a run');
    await page.activate('#play-from');
    await page.isReady("location.pathname === '/play/'");
    assert.notEqual(await page.get("document.getElementById('position').value"), '');
  },

  async 'a dead server looks dead, and the page recovers with its token when it is there again'() {
    page.excuse(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/);
    await page.go(own('/runs/cup/'));
    await page.until(isRunning);
    await page.until("!document.getElementById('orders').hidden");
    // The clocks of the games on the boards: one game may still give way to the next that was told of.
    const clocks = "Object.fromEntries([...document.querySelectorAll('.game')].map((game) => [game.querySelector('.game-head span').textContent, [...game.querySelectorAll('.clock')].map((clock) => clock.textContent).join(' ')]))";
    await page.until(`Object.values(${clocks}).some((words) => words !== ' ')`);
    const lost = page.atChange('#stage', isStage('no connection'),
      `({ title: document.title, areOff: [...document.querySelectorAll('[data-order]')].every((button) => button.disabled), clocks: ${clocks} })`);
    server.kill('SIGKILL');
    const then = await lost;
    assert.match(then.title, /^No connection/);
    assert.equal(then.areOff, true);
    // Several ticks later.
    const later = await page.get(`new Promise((done) => setTimeout(() => done(${clocks}), 450))`);
    const both = Object.keys(then.clocks).filter((game) => game in later);
    assert.deepEqual(both.map((game) => later[game]), both.map((game) => then.clocks[game]), 'clocks stand still');
    await page.picture(join(pictures, 'live-dead.png'));
    await server.ended;
    ({ server, base, token, own } = await programs.serve(port));
    await page.until(isRunning);
    await page.activate('[data-order=pause]');
    await page.until(isStage('paused'));
    await page.activate('[data-order=resume]');
    await page.until(isRunning);
  },

  async 'stop asks first, and a stopped run continues from its page'() {
    const isAsked = "document.getElementById('sure').open";
    await page.focus('[data-order=stop]');
    await page.activate('[data-order=stop]');
    await page.until(isAsked);
    await page.press('Enter');
    await page.until(`!${isAsked}`);
    await page.hasFocus('[data-order=stop]', 'the focus is where it was');
    assert.equal(await page.get(isRunning), true);
    await page.activate('[data-order=stop]');
    await page.activate('[data-sure=yes]');
    await page.until(isStage('stopped'));
    await page.until("!document.getElementById('continue').hidden && !document.getElementById('continue').disabled");
    await page.picture(join(pictures, 'live-stopped.png'));
    await page.activate('#continue');
    await page.until(`${isRunning} && document.getElementById('continue').hidden`);
  },

  async 'reports are sent compressed, and kept by content'() {
    await page.activate('[data-order=stop]');
    await page.activate('[data-sure=yes]');
    await page.until(isStage('stopped'));
    const plain = await fetched('/runs/cup/report.html', {});
    const packed = await fetched('/runs/cup/report.html', { 'accept-encoding': 'gzip, deflate' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.ok(packed.length < plain.length * 0.8, `${packed.length} of ${plain.length} bytes`);
    const again = await fetched('/runs/cup/report.html', { 'accept-encoding': 'gzip, deflate', 'if-none-match': packed.headers.etag });
    assert.deepEqual([again.status, again.length], [304, 0]);
    await page.go(own('/runs/cup/report.html'));
    assert.equal(await page.get("document.querySelectorAll('.standings tbody tr').length > 0"), true);
  },

  async 'pages break no rule of axe-core, in both themes and sizes'() {
    for (const path of ['/', '/runs/cup/', '/play/']) {
      await page.go(own(path));
      await page.until("document.getElementById('link')?.textContent === '' || location.pathname === '/play/'");
      await assertAccessibleEverywhere(page, path);
    }
  },

  async 'nothing complained'() {
    page.assertQuiet();
  },
};

await runTests(tests, page, programs);
