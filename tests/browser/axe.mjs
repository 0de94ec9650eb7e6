// Looks at a page with axe-core, whose text is in the file that the variable `ARENA_AXE` names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const LOOKS = [390, 1280].flatMap((width) => ['light', 'dark'].map((scheme) => ({ width, height: width < 500 ? 664 : 800, scheme })));

// Fails with every rule that the page as it is shown breaks, and where.
export async function assertAccessible(page, what) {
  const path = process.env.ARENA_AXE;
  assert.ok(path, 'ARENA_AXE names no file: npm install axe-core, then set it to node_modules/axe-core/axe.min.js');
  if (!(await page.get("typeof axe === 'object'"))) await page.get(`${readFileSync(path, 'utf8')}; true`);
  // Colours are those that stay.
  await page.settled();
  const found = await page.get(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) =>
    \`\${id}: \${nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' + node.any.concat(node.all, node.none).map((check) => check.message).join('; ')).join('\\n    ')}\`))`);
  assert.deepEqual(found, [], `${what}:\n  ${found.join('\n  ')}`);
}

// Looks at the page that is shown in both themes and sizes, in which it fits the width.
export async function assertAccessibleEverywhere(page, what) {
  for (const look of LOOKS) {
    await page.show(look);
    await assertAccessible(page, `${what}, ${look.width} ${look.scheme}`);
    assert.ok(await page.width() <= look.width, `${what} is wider than ${look.width}`);
  }
  await page.show({ width: 1280, height: 900 });
}
