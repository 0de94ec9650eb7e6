// Tic-tac-toe on square boards: a game to start from. Change the rules below; `arena_rules.ts` answers the arena's questions.

import { Choice, End, Info, Rules, cell, readRows, register, rows } from "./arena_rules";

const LETTERS = "xo";

const info = new Info();
info.id = "tic-tac-toe";
info.version = "1.0";
info.title = "Tic-tac-toe";
info.about = "a line of own pieces from edge to edge";
info.notation = "the cell of the new piece: `b2`";
info.options = [Choice.between("size", "files and ranks", 3, 3, 9)];
info.rules = "The board is a square of `size` files and ranks, and is empty at the start. p1 has the crosses, p2 the rings. p1 plays first."
  + "\n\nA ply puts an own piece on an empty cell. A seat whose pieces fill a rank, a file or a long diagonal wins (`line`). A full "
  + "board without such a line is a draw (`full`).";
info.look = "{'board':{'kind':'cells','width':'size','height':'size'},'from':'rows','pieces':{"
  + "'x':{'shape':'cross','colour':'blue','name':'cross','seat':'p1'},"
  + "'o':{'shape':'ring','colour':'red','name':'ring','seat':'p2'}},"
  + "'enter':'to','coordinates':true}";

class Position extends Rules {
  /** By rank and file, from a1: 0 empty, 1 a piece of p1, 2 a piece of p2. */
  board: Uint8Array = new Uint8Array(0);
  size: i32 = 0;
  turn: i32 = 1;

  start(options: i32[]): void {
    this.size = options[0];
    this.board = new Uint8Array(this.size * this.size);
  }

  /** What `show` would write otherwise is refused without our doing. */
  parse(options: i32[], text: string): string {
    this.size = options[0];
    const blank = max(text.indexOf(" "), 0), seat = text.substring(blank + 1);
    const board = readRows(text.substring(0, blank), this.size, this.size, LETTERS);
    if (board == null) return "it begins with `size` rows of `size` cells";
    if (seat != "p1" && seat != "p2") return "`p1` or `p2` follows the rows";
    this.board = board;
    this.turn = seat == "p1" ? 1 : 2;
    let more = 0; // pieces that p1 has more than p2
    for (let i = 0; i < board.length; i++) more += board[i] == 1 ? 1 : board[i] == 2 ? -1 : 0;
    return more == this.turn - 1 ? "" : "the pieces do not fit the seat";
  }

  show(): string {
    return rows(this.board, this.size, LETTERS) + (this.turn == 1 ? " p1" : " p2");
  }

  seat(): i32 {
    return this.turn;
  }

  legal(): string[] {
    const plies = new Array<string>();
    for (let i = 0; i < this.board.length; i++) {
      if (this.board[i] == 0) plies.push(cell(i % this.size, i / this.size));
    }
    return plies;
  }

  play(ply: string): void {
    const file = ply.charCodeAt(0) - 97, rank = ply.charCodeAt(1) - 49;
    this.board[rank * this.size + file] = <u8>this.turn;
    this.turn = 3 - this.turn;
  }

  /** Returns whether a line, `size` cells from `first` on, is full of the pieces of `seat`. */
  isFullOf(seat: i32, first: i32, step: i32): bool {
    for (let i = 0; i < this.size; i++) {
      if (<i32>this.board[first + i * step] != seat) return false;
    }
    return true;
  }

  hasLine(seat: i32): bool {
    const size = this.size;
    for (let i = 0; i < size; i++) {
      if (this.isFullOf(seat, i, size) || this.isFullOf(seat, i * size, 1)) return true;
    }
    return this.isFullOf(seat, 0, size + 1) || this.isFullOf(seat, size - 1, size - 1);
  }

  end(): End | null {
    if (this.hasLine(1)) return new End(1, "line", "crosses from edge to edge");
    if (this.hasLine(2)) return new End(2, "line", "rings from edge to edge");
    for (let i = 0; i < this.board.length; i++) {
      if (this.board[i] == 0) return null;
    }
    return new End(0, "full", "the board is full");
  }

  copy(): Rules {
    const copy = new Position();
    copy.board = this.board.slice();
    copy.size = this.size;
    copy.turn = this.turn;
    return copy;
  }
}

register(info, () => new Position());

export { arena_alloc, arena_ask, arena_rules_1 } from "./arena_rules";
