// A headless Firefox, spoken to by WebDriver BiDi: JSON messages through a WebSocket.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Page } from './page.mjs';
import { connect } from './websocket.mjs';

// Nothing is asked of anybody else, and the theme is light whatever the desktop says.
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'layout.css.prefers-color-scheme.content-override': 1,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'ui.useOverlayScrollbars': 1,
};

// The keys that are no letters, as WebDriver names them.
const KEYS = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', End: '\uE010', Home: '\uE011', PageUp: '\uE00E', PageDown: '\uE00F', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015' };

export class Firefox extends Page {
  // Starts a browser with one empty page.
  static async open() {
    const profile = mkdtempSync(join(tmpdir(), 'arena-browser-'));
    writeFileSync(join(profile, 'user.js'), Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
    const child = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const page = new Firefox(child, profile);
    const address = await new Promise((done, failed) => {
      createInterface(child.stderr).on('line', (line) => {
        const told = /^WebDriver BiDi listening on (ws:\S+)/.exec(line);
        if (told) done(told[1]);
      });
      child.once('exit', () => failed(new Error('Firefox has ended before it listened')));
      child.once('error', failed);
    });
    page.line = await connect(`${address}/session`, (text) => page.take(JSON.parse(text)), () => page.end());
    await page.send('session.new', { capabilities: {} });
    await page.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
    // The window that a headless Firefox begins with never gets the focus; one that is opened later does.
    page.context = (await page.send('browsingContext.create', { type: 'window' })).context;
    await page.send('browsingContext.activate', { context: page.context });
    await page.until('document.hasFocus()');
    return page;
  }

  constructor(child, profile) {
    super();
    Object.assign(this, { child, profile, number: 0 });
    this.ended = new Promise((done) => { child.once('exit', done); });
  }

  take(message) {
    if (message.type === 'event') {
      if (message.method === 'log.entryAdded') this.complaints.push(JSON.stringify(message.params));
      if (message.method === 'network.beforeRequestSent') this.requests.push(message.params.request.url);
      return;
    }
    const { done, failed } = this.waiting.get(message.id) ?? { done() {}, failed() {} };
    this.waiting.delete(message.id);
    if (message.type === 'error') failed(new Error(`${message.error}: ${message.message}`));
    else done(message.result);
  }

  send(method, params = {}) {
    if (this.ending) return Promise.reject(new Error(this.ending));
    this.number += 1;
    const id = this.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.line.send(JSON.stringify({ id, method, params }));
    });
  }

  async show({ width, height }) {
    await this.send('browsingContext.setViewport', { context: this.context, viewport: { width, height } });
  }

  async navigate(url) {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'none' });
  }

  // Returns what an expression gives in the page.
  async get(expression) {
    const asked = { expression: `Promise.resolve(${expression}).then((value) => JSON.stringify({ value }))`, target: { context: this.context }, awaitPromise: true };
    const { type, result, exceptionDetails } = await this.send('script.evaluate', asked);
    if (type === 'exception') throw new Error(`${expression}: ${exceptionDetails.text}`);
    return JSON.parse(result.value).value;
  }

  act(source) {
    return this.send('input.performActions', { context: this.context, actions: [source] });
  }

  // Presses a key, as a keyboard does.
  async press(key) {
    const value = KEYS[key] ?? key;
    await this.act({ type: 'key', id: 'keyboard', actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] });
  }

  async pointer(...actions) {
    await this.act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }

  // Moves the mouse.
  async point(x, y) {
    await this.pointer({ type: 'pointerMove', x: Math.round(x), y: Math.round(y) });
  }

  // Clicks with the mouse, in pixels from the corner of what is seen.
  async click(x, y) {
    await this.pointer({ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 });
  }

  async picture(path, isWhole = false) {
    await this.settled();
    const { data } = await this.send('browsingContext.captureScreenshot', { context: this.context, origin: isWhole ? 'document' : 'viewport' });
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  async close() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await this.send('browser.close').catch(() => this.child.kill());
      await this.ended;
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
