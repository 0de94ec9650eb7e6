// Measures how long a browser takes to load a report and to open a replay: `node load.mjs REPORT [TIMES]`. Each line is one load:
// milliseconds until the page shows all it has, the list of games included; until a game that is opened from the list stands
// on its board, painted, for the first game and for the last; and what the browser tells of the load. The first line is that of
// a browser which has just begun.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium } from './chromium.mjs';

const [path, times = '5'] = process.argv.slice(2);
const url = pathToFileURL(resolve(path)).href;

// Opens a game by its address, and gives the milliseconds until it has been painted: measured within the page, from the change of
// the address to the second frame after the board was laid.
const opening = (place) => `games().then((list) => new Promise((done) => {
  const begun = performance.now();
  const board = document.getElementById('board-frame');
  new MutationObserver((_, watcher) => {
    watcher.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
  }).observe(board, { childList: true });
  location.hash = '#g' + list.at(${place});
}))`;

// The numbers of all games: the list is on pages, of which the last one is gone to.
const NUMBERS = `const games = async () => {
  const numbers = () => [...document.querySelectorAll('.list tbody a')].map((link) => link.textContent);
  const first = numbers();
  [...document.querySelectorAll('.pages button')].at(-1)?.click();
  return [...first, ...numbers()];
};`;

const page = await Chromium.open();
try {
  await page.show({ width: 1280, height: 900 });
  for (let time = 0; time < Number(times); time += 1) {
    const begun = performance.now();
    await page.go(url);
    const whole = performance.now() - begun;
    const told = await page.get(`(() => {
      const { responseEnd, domInteractive, loadEventEnd } = performance.getEntriesByType('navigation')[0];
      const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
      return { responseEnd, domInteractive, loadEventEnd, paint };
    })()`);
    const opened = [];
    for (const place of [0, -1]) {
      opened.push(Math.round(await page.get(`(() => { ${NUMBERS} return ${opening(place)}; })()`)));
      await page.press('Escape');
    }
    console.log(`load ${Math.round(whole)} ms, replay ${opened.join(' and ')} ms`, JSON.stringify(Object.fromEntries(Object.entries(told).map(([key, value]) => [key, Math.round(value)]))));
  }
} finally {
  await page.close();
}
