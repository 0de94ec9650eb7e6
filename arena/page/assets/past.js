// The list of what was played, from which any earlier ply can be looked at.

import { PlyRows, element } from './data.js';

export class Past {
  // `look` is called with a number of plies when one of them is chosen in the list.
  constructor(node, look) {
    Object.assign(this, { node, look, cells: [], first: 0 });
  }

  // Lists plies of a table of so many seats, each [ply, seat, turn, value]; the `first` plies of the game are too old to be in the list.
  list(plies, seats, first, ahead) {
    const rows = new PlyRows(seats);
    // A ply that has the focus keeps it while others are added.
    const focused = this.first + this.cells.indexOf(document.activeElement);
    const hadFocus = this.cells.includes(document.activeElement);
    this.first = first;
    this.cells = plies.map(([ply, seat, turn, value], index) => {
      const cell = element('button', 'ply', ply);
      cell.type = 'button';
      cell.tabIndex = -1;
      cell.setAttribute('role', 'option');
      if (value) cell.append(element('small', '', value));
      cell.addEventListener('click', () => this.look(first + index + 1));
      rows.add(cell, seat, turn);
      return cell;
    });
    // A list of options holds nothing else.
    this.node.setAttribute('role', this.cells.length || !ahead ? 'listbox' : 'group');
    this.node.replaceChildren(...rows.rows, ...(ahead ? [element('p', 'note', `${ahead} taken back`)] : []));
    if (hadFocus) (this.cells[focused - first] ?? this.node).focus({ preventScroll: true });
  }

  // Shows after which ply the board is seen.
  mark(count) {
    this.cells.forEach((cell, index) => cell.setAttribute('aria-selected', this.first + index + 1 === count));
    const cell = this.cells[count - this.first - 1];
    this.node.scrollTop = cell ? cell.offsetTop - this.node.clientHeight / 2 : 0;
  }
}
