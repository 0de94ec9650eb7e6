// The list of what was played, from which any earlier ply can be looked at.

import { element } from './data.js';

export class Past {
  // `look` is called with a number of plies when one of them is chosen in the list.
  constructor(node, look) {
    Object.assign(this, { node, look, cells: [], first: 0 });
  }

  // Lists plies, each [ply, seat, turn, value]; the `first` plies of the game are too old to be in the list.
  list(plies, first, ahead) {
    const rows = [];
    let turn = null;
    // A ply that has the focus keeps it while others are added.
    const focused = this.first + this.cells.indexOf(document.activeElement);
    const hadFocus = this.cells.includes(document.activeElement);
    this.first = first;
    this.cells = plies.map(([ply, , number, value], index) => {
      // A turn of several plies, and both seats' turns, stand in one row.
      if (turn === null || (number !== turn && number % 2 === 1) || number > turn + 1) {
        rows.push(element('div', 'row'));
        rows.at(-1).append(element('span', 'number', `${Math.ceil(number / 2)}`), element('span', 'half'), element('span', 'half'));
        for (const node of [rows.at(-1), ...rows.at(-1).children]) node.setAttribute('role', 'presentation');
      }
      turn = number;
      const cell = element('button', 'ply', ply);
      cell.type = 'button';
      cell.tabIndex = -1;
      cell.setAttribute('role', 'option');
      if (value) cell.append(element('small', '', value));
      cell.addEventListener('click', () => this.look(first + index + 1));
      rows.at(-1).children[number % 2 === 1 ? 1 : 2].append(cell);
      return cell;
    });
    if (ahead) rows.push(element('p', 'note', `${ahead} taken back`));
    // A list of options holds nothing else.
    this.node.setAttribute('role', this.cells.length || !ahead ? 'listbox' : 'group');
    this.node.replaceChildren(...rows);
    if (hadFocus) (this.cells[focused - first] ?? this.node).focus({ preventScroll: true });
  }

  // Shows after which ply the board is seen.
  mark(count) {
    this.cells.forEach((cell, index) => cell.setAttribute('aria-selected', this.first + index + 1 === count));
    const cell = this.cells[count - this.first - 1];
    this.node.scrollTop = cell ? cell.offsetTop - this.node.clientHeight / 2 : 0;
  }
}
