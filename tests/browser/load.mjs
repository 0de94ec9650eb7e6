// Measures how long a browser takes to load a report: `node load.mjs REPORT [TIMES]`. The first load is that of a browser which
// has just begun; an empty page of its own before it tells what of that is the browser's own start.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Page } from './chromium.mjs';

const [path, times = '4'] = process.argv.slice(2);
const url = pathToFileURL(resolve(path)).href;
const page = await Page.open();
try {
  await page.show({ width: 1280, height: 900 });
  for (let time = 0; time < Number(times); time += 1) {
    const begun = performance.now();
    await page.go(url);
    const whole = performance.now() - begun;
    const told = await page.get(`(() => {
      const { responseStart, responseEnd, domInteractive, domContentLoadedEventEnd, loadEventEnd } = performance.getEntriesByType('navigation')[0];
      const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
      return { responseStart, responseEnd, domInteractive, domContentLoadedEventEnd, loadEventEnd, paint };
    })()`);
    console.log(Math.round(whole), JSON.stringify(Object.fromEntries(Object.entries(told).map(([key, value]) => [key, Math.round(value)]))));
  }
} finally {
  await page.close();
}
