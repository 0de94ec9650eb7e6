// Connect Four on boards of any size. The rules are in README.md and in `info.rules` below.

import { Choice, End, Info, Rules, cell, readRows, register, rows } from "./arena_rules";

const LETTERS = "yr";

const info = new Info();
info.id = "connect-four";
info.version = "1.0";
info.title = "Connect Four";
info.about = "discs fall into columns; four in a line win";
info.notation = "the cell where the disc comes to rest: `d1`";
info.options = [
  Choice.between("width", "columns", 7, 1, 26),
  Choice.between("height", "rows", 6, 1, 26),
  Choice.between("connect", "how many discs in a line win", 4, 2, 26),
];
info.rules = "The board stands upright, with `width` columns and `height` rows, and is empty at the start. p1 has the yellow discs, p2 the red "
  + "ones. p1 plays first.\n\n"
  + "A ply drops an own disc into a column that is not full. It comes to rest on the lowest empty cell, which names the ply.\n\n"
  + "A seat wins as soon as `connect` of its discs, or more, stand in a line without a gap: in a row, in a column or in a diagonal "
  + "(`line`). If both seats have such a line, which happens only in composed positions, the seat that has just played wins. A full board "
  + "without a line is a draw (`full`).";
info.look = "{'board':{'kind':'cells','width':'width','height':'height'},'from':'rows','pieces':{"
  + "'y':{'shape':'disc','colour':'yellow','name':'yellow disc','seat':'p1'},"
  + "'r':{'shape':'disc','colour':'red','name':'red disc','seat':'p2'}},"
  + "'enter':'to','coordinates':true}";

class Position extends Rules {
  /** By row and column, from a1: 0 empty, 1 a disc of p1, 2 a disc of p2. */
  board: Uint8Array = new Uint8Array(0);
  width: i32 = 0;
  height: i32 = 0;
  connect: i32 = 0;
  turn: i32 = 1;

  setSize(options: i32[]): void {
    this.width = options[0];
    this.height = options[1];
    this.connect = options[2];
  }

  start(options: i32[]): void {
    this.setSize(options);
    this.board = new Uint8Array(this.width * this.height);
  }

  parse(options: i32[], text: string): string {
    this.setSize(options);
    const width = this.width, blank = max(text.indexOf(" "), 0);
    const board = readRows(text.substring(0, blank), width, this.height, LETTERS);
    if (board == null) return "it begins with the rows, as many as `height` says, of `width` cells";
    this.board = board;
    for (let at = width; at < board.length; at++) {
      if (board[at] != 0 && board[at - width] == 0) return "the disc on " + cell(at % width, at / width) + " has nothing below it";
    }
    const seat = text.substring(blank + 1);
    if (seat != "p1" && seat != "p2") return "`p1` or `p2` follows the rows";
    this.turn = seat == "p1" ? 1 : 2;
    return "";
  }

  show(): string {
    return rows(this.board, this.width, LETTERS) + (this.turn == 1 ? " p1" : " p2");
  }

  seat(): i32 {
    return this.turn;
  }

  /** Returns the row where a disc comes to rest in a column; `height` if it is full. */
  landing(column: i32): i32 {
    let row = 0;
    while (row < this.height && this.board[row * this.width + column] != 0) row++;
    return row;
  }

  legal(): string[] {
    const plies = new Array<string>();
    for (let column = 0; column < this.width; column++) {
      const row = this.landing(column);
      if (row < this.height) plies.push(cell(column, row));
    }
    return plies;
  }

  play(ply: string): void {
    const column = ply.charCodeAt(0) - 97;
    this.board[this.landing(column) * this.width + column] = <u8>this.turn;
    this.turn = 3 - this.turn;
  }

  /** Returns the first cell of a winning line of a seat and its direction and length, or null. */
  line(seat: i32): i32[] | null {
    const board = this.board, width = this.width, height = this.height, rest = this.connect - 1;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        if (<i32>unchecked(board[row * width + column]) != seat) continue;
        for (let direction = 0; direction < 4; direction++) {
          const dx = direction == 1 ? 0 : direction == 3 ? -1 : 1, dy = direction == 0 ? 0 : 1;
          // A line that is long enough ends on the board.
          const last = column + rest * dx;
          if (last < 0 || last >= width || row + rest * dy >= height) continue;
          let x = column + dx, y = row + dy, count = 1;
          for (; x >= 0 && x < width && y < height && <i32>unchecked(board[y * width + x]) == seat; x += dx, y += dy) count++;
          if (count >= this.connect) return [column, row, dx, dy, count];
        }
      }
    }
    return null;
  }

  end(): End | null {
    const last = 3 - this.turn;
    const winner = this.line(last) != null ? last : this.line(this.turn) != null ? this.turn : 0;
    if (winner > 0) return new End(winner, "line", "discs in a line");
    for (let at = this.board.length - this.width; at < this.board.length; at++) {
      if (this.board[at] == 0) return null;
    }
    return new End(0, "full", "the board is full");
  }

  copy(): Rules {
    const copy = new Position();
    copy.board = this.board.slice();
    copy.width = this.width;
    copy.height = this.height;
    copy.connect = this.connect;
    copy.turn = this.turn;
    return copy;
  }

  more(): string {
    const end = this.end();
    if (end == null || end.winner == 0) return "";
    const line = this.line(end.winner)!, cells = new Array<string>();
    for (let i = 0; i < line[4]; i++) cells.push('"' + cell(line[0] + i * line[2], line[1] + i * line[3]) + '"');
    return ',"proofs":[{"cells":[' + cells.join(",") + `],"seat":"p${end.winner}","shape":"row","words":"${line[4]} discs in a line"}]`;
  }
}

register(info, () => new Position());

export { arena_alloc, arena_ask, arena_rules_1 } from "./arena_rules";
