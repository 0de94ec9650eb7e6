// A headless Chromium, spoken to through a pipe: JSON messages of its DevTools protocol, each ended by a zero byte.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Page } from './page.mjs';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--remote-debugging-pipe'];

export class Chromium extends Page {
  // Starts a browser with one empty page.
  static async open() {
    const profile = mkdtempSync(join(tmpdir(), 'arena-browser-'));
    const child = spawn('chromium', [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const page = new Chromium(child, profile);
    const { targetInfos } = await page.send('Target.getTargets');
    const { targetId } = targetInfos.find((target) => target.type === 'page');
    page.session = (await page.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await page.listen();
    return page;
  }

  // Opens another tab of the same browser, which shares cookies and storage with this one.
  async tab() {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const tab = Object.create(this);
    tab.targetId = targetId;
    tab.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await tab.listen();
    return tab;
  }

  // Closes a tab.
  async shut() {
    await this.send('Target.closeTarget', { targetId: this.targetId });
  }

  async listen() {
    for (const domain of ['Inspector', 'Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
  }

  constructor(child, profile) {
    super();
    Object.assign(this, { child, profile, wire: { number: 0 } });
    const [output, input] = [child.stdio[3], child.stdio[4]];
    this.output = output;
    const end = () => this.end();
    child.once('exit', end);
    child.once('error', end);
    output.on('error', end);
    let rest = '';
    input.setEncoding('utf8');
    input.on('data', (text) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      messages.forEach((message) => this.take(JSON.parse(message)));
    });
  }

  take(message) {
    if (message.id) {
      const { done, failed } = this.waiting.get(message.id) ?? { done() {}, failed() {} };
      this.waiting.delete(message.id);
      if (message.error) failed(new Error(message.error.message));
      else done(message.result);
      return;
    }
    if (message.method === 'Inspector.targetCrashed') this.end('a page of the browser has crashed');
    const told = { 'Runtime.exceptionThrown': 'exceptionDetails', 'Log.entryAdded': 'entry' }[message.method];
    if (told) this.complaints.push(JSON.stringify(message.params[told]));
    if (message.method === 'Runtime.consoleAPICalled') this.complaints.push(JSON.stringify(message.params.args));
    if (message.method === 'Network.requestWillBeSent') this.requests.push(message.params.request.url);
  }

  send(method, params = {}) {
    if (this.ending) return Promise.reject(new Error(this.ending));
    this.wire.number += 1;
    const id = this.wire.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.output.write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    });
  }

  async show({ width, height, scheme = 'light', media = '', forced = 'none' }) {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });
    const features = [{ name: 'prefers-color-scheme', value: scheme }, { name: 'forced-colors', value: forced }];
    await this.send('Emulation.setEmulatedMedia', { media, features });
  }

  async navigate(url) {
    await this.send('Page.navigate', { url });
  }

  // Returns what an expression gives in the page.
  async get(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  // Presses a key, as a keyboard does.
  async press(key) {
    const text = { Enter: '\r', ' ': ' ' }[key] ?? (key.length === 1 ? key : undefined);
    const codes = { Enter: 13, Tab: 9, Escape: 27, ' ': 32, PageUp: 33, PageDown: 34, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };
    const event = { key, text, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  // Moves the mouse.
  async point(x, y) {
    await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  }

  // Clicks with the mouse, in pixels from the corner of what is seen.
  async click(x, y) {
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
  }

  // Drags from one point to another, with the mouse or a finger; `seen` is called before it is let go.
  async drag([x, y], [u, v], { isTouch = false, seen = async () => {} } = {}) {
    const mouse = (type, [at, to], buttons = 1) => this.send('Input.dispatchMouseEvent', { type, x: at, y: to, button: 'left', buttons, clickCount: 1 });
    const touch = (type, ...points) => this.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([at, to]) => ({ x: at, y: to })) });
    const ways = [0.3, 0.7, 1].map((part) => [x + (u - x) * part, y + (v - y) * part]);
    await (isTouch ? touch('touchStart', [x, y]) : mouse('mousePressed', [x, y]));
    for (const way of ways) await (isTouch ? touch('touchMove', way) : mouse('mouseMoved', way));
    await seen();
    await (isTouch ? touch('touchEnd') : mouse('mouseReleased', [u, v], 0));
  }

  async picture(path, isWhole = false) {
    await this.settled();
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: isWhole });
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  async close() {
    const ended = new Promise((done) => this.child.once('exit', done));
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await this.send('Browser.close').catch(() => this.child.kill());
      await ended;
    }
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
