// Looks at every page of the book in a real browser, from disk: `node book.mjs SITE PICTURES`.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium } from './chromium.mjs';
import { runTests } from './harness.mjs';

const [site, pictures] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(pictures, { recursive: true });

// Pages that mdBook makes for itself: the contents without scripts.
const OWN = ['toc.html'];

const page = await Chromium.open();
const shoot = (name) => page.picture(join(pictures, `${name}.png`));

async function go(path) {
  const { href } = pathToFileURL(join(site, path));
  await page.navigate(href);
  await page.until(`location.href === ${JSON.stringify(href)} && document.readyState === 'complete' && !!document.querySelector('main h1')`);
}

const tests = {
  async 'every page fits a phone, shows its pictures and loads nothing from elsewhere'() {
    await page.show({ width: 390, height: 800 });
    const paths = readdirSync(site, { recursive: true }).filter((path) => path.endsWith('.html') && !OWN.includes(path)).sort();
    assert.ok(paths.length > 100, `${paths.length} pages`);
    for (const path of paths) {
      await go(path);
      assert.equal(await page.width(), 390, path);
      const lost = await page.get("[...document.querySelectorAll('main img')].filter((image) => !image.complete || image.naturalWidth === 0).map((image) => image.src)");
      assert.deepEqual(lost, [], path);
      page.assertQuiet(path);
    }
    assert.deepEqual(page.requests.filter((request) => !/^(about:|data:|file:)/.test(request)), []);
    await go('arena/docs/time-controls.html');
    await shoot('narrow');
  },

  async 'the search finds a key of the tournament file'() {
    await page.show({ width: 1280, height: 900, scheme: 'dark' });
    await go('index.html');
    await shoot('start');
    await page.press('s');
    await page.until("document.activeElement?.id === 'mdbook-searchbar' || document.activeElement?.id === 'searchbar'");
    for (const letter of 'stagger') await page.press(letter);
    const found = "[...document.querySelectorAll('[id$=searchresults] a')].map((link) => link.getAttribute('href').split('?')[0])";
    await page.until(`${found}.includes('arena/docs/tournament-file.html')`);
    await shoot('search');
    page.assertQuiet('the search');
  },

  async 'each option of a command can be linked to'() {
    await page.show({ width: 1280, height: 900 });
    await go('commands/sprt.html');
    await page.until("[...document.querySelectorAll('main dt[id]')].some((term) => term.textContent.includes('--max-time'))");
    await shoot('command');
  },
};

await runTests(tests, page);
