// Takes the pictures that the pages of the project show: `node pictures.mjs ARENA FOLDER IMAGES`. The folder has the run `played` and the
// tournament file `cup.yaml` of a run that goes on meanwhile.

import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium } from './chromium.mjs';
import { Programs } from './harness.mjs';

const [arena, folder, images] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(images, { recursive: true });

// Large enough that letters stay sharp at half the width.
const LOOK = { width: 1280, height: 900 };

const report = pathToFileURL(join(folder, 'played', 'report.html')).href;
const games = readFileSync(join(folder, 'played', 'journal.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.type === 'game');
const programs = new Programs(arena, folder);
const page = await Chromium.open();
const shoot = (name) => page.picture(join(images, `${name}.png`));

try {
  await page.show(LOOK);
  await page.go(report);
  await shoot('report');
  // A long game of the game with the most pieces, past its middle.
  const { number, plies } = games.filter((game) => game.game === '2-frenzy').reduce((best, game) => (game.plies.length > best.plies.length ? game : best));
  await page.go(`${report}#g${number}p${Math.floor(plies.length * 0.6)}`);
  await shoot('replay');

  await programs.run('cup.yaml', 'cup', { isPlayed: true });
  const { own } = await programs.serve();
  await page.go(own('/runs/cup/'));
  await page.until("document.querySelectorAll('.tables .board use[href]').length > 20");
  await shoot('live');
} finally {
  await page.close();
  await programs.end();
}
