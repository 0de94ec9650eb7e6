// Rows of a table that change in place: what a reader has selected, focused or is about to click stays where it is.

import { element } from './data.js';

function show(cell, text, link) {
  if (link && cell.firstElementChild?.getAttribute('href') !== link) {
    const way = element('a');
    way.href = link;
    cell.replaceChildren(way);
  }
  const node = link ? cell.firstElementChild : cell;
  const words = String(text);
  if (node.textContent !== words) node.textContent = words;
}

// Shows rows in a table body, each `[key, cells]` and each cell `[text, classes, link]`; one of the class `head` names its row.
export function fill(body, rows) {
  const known = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const wanted = new Set(rows.map(([key]) => String(key)));
  for (const [key, row] of known) {
    if (!wanted.has(key)) row.remove();
  }
  let before = null;
  for (const [key, cells] of rows) {
    let row = known.get(String(key));
    if (!row) {
      row = element('tr');
      row.dataset.key = key;
      for (const [, classes] of cells) {
        const isHead = classes === 'head';
        const cell = element(isHead ? 'th' : 'td', isHead ? '' : classes);
        if (isHead) cell.scope = 'row';
        row.append(cell);
      }
    }
    cells.forEach(([text, classes, link], index) => {
      show(row.cells[index], text, link);
      // A name that is cut off is there as a whole.
      if (classes === 'head') row.cells[index].title = text;
    });
    const place = before ? before.nextElementSibling : body.firstElementChild;
    // Only what stands elsewhere is moved: moving takes the focus away.
    if (place !== row) body.insertBefore(row, place);
    before = row;
  }
}
