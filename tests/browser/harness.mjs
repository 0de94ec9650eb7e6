// What the scripts beside this one share: the arena's programs whose pages they look at, and the loop over their tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { PATIENCE } from './page.mjs';

// Waits until a condition outside of the browser holds.
export async function until(holds) {
  for (const end = Date.now() + PATIENCE; !(await holds());) {
    assert.ok(Date.now() < end, `not within ${PATIENCE / 1000} s: ${holds}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

// A port that is free, and that no program gets which asks for any: a server can be started there again.
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise((done) => {
      const probe = createServer().once('error', () => done(false)).listen(port, '127.0.0.1', () => probe.close(() => done(true)));
    });
    if (isFree) return String(port);
  }
}

// The programs of the arena in a folder, in which every script begins anew.
export class Programs {
  constructor(arena, folder) {
    Object.assign(this, { arena, folder, children: [] });
    for (const old of ['runs', 'state', 'public']) rmSync(join(folder, old), { recursive: true, force: true });
  }

  // Starts the arena with these words.
  start(...words) {
    // The token is kept in the folder, not in the home of the user.
    const env = { ...process.env, XDG_STATE_HOME: join(this.folder, 'state') };
    const child = spawn(this.arena, words, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.ended = new Promise((done) => { child.once('exit', done); });
    this.children.push(child);
    return child;
  }

  // Starts the run of a tournament file and waits for its journal, or until the journal has a game.
  async run(file, name, { isPlayed = false } = {}) {
    const child = this.start('run', file);
    const journal = join(this.folder, 'runs', name, 'journal.jsonl');
    await until(() => {
      assert.equal(child.exitCode, null, 'the run goes on');
      return existsSync(journal) && (!isPlayed || /"type":"game"/.test(readFileSync(journal, 'utf8')));
    });
    return child;
  }

  // Starts a server of the runs and returns its address and its token.
  async serve(port = '0') {
    const server = this.start('serve', 'runs', '--port', port, '--allow-actions', '--file', 'cup.yaml');
    const address = await new Promise((done, failed) => {
      createInterface(server.stdout).once('line', done);
      server.once('exit', () => failed(new Error('the server has ended')));
    });
    const [base, token] = address.split('#token=');
    return { server, base, token, own: (path) => new URL(path, base).href };
  }

  // Ends what was started, and runs that a page has continued.
  async end() {
    const isOn = (child) => child.exitCode === null && child.signalCode === null;
    this.children.filter(isOn).forEach((child) => child.kill());
    await Promise.all(this.children.map((child) => child.ended));
    const runs = join(this.folder, 'runs');
    const names = existsSync(runs) ? readdirSync(runs) : [];
    await Promise.all(names.filter((name) => existsSync(join(runs, name, 'live.json'))).map((name) => this.start('ctl', join('runs', name), 'stop').ended));
  }
}

// Leaves the game on a page; one that goes on is left by a second word. A page that gives way to the next answers nothing: that is
// asked again, as `until` does.
export async function leave(page) {
  await page.activate('[data-order=leave]');
  const confirmed = "document.getElementById('sure')?.open && (document.querySelector('[data-sure=yes]').click(), true)";
  await page.until(`location.pathname === '/play/' || (${confirmed})`);
  await page.isReady("location.pathname === '/play/'");
}

// Runs tests in their order, and ends what they use. `ONLY` in the environment names those to run, as a regular expression.
export async function runTests(tests, ...used) {
  try {
    for (const [name, test] of Object.entries(tests).filter(([name]) => new RegExp(process.env.ONLY ?? '').test(name))) {
      const began = Date.now();
      await test();
      console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    }
  } finally {
    for (const one of used) await (one.close ?? one.end).call(one);
  }
}
