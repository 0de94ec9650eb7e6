// Candles as in candles.py, with the kit in TypeScript.

import { Choice, End, Exit, Info, Rules, cell, register } from "./arena_rules";

class Candles extends Rules {
  candles: i32[] = [];
  places: i32[] = [];
  reasons: string[] = [];
  decider: i32 = 0;

  start(options: i32[]): void {
    const seats = options[0];
    this.candles = new Array<i32>(seats).fill(2);
    this.places = new Array<i32>(seats).fill(0);
    this.reasons = new Array<string>(seats).fill("");
  }

  parse(options: i32[], text: string): string {
    const none = "it is no position", words = text.split(" "), seats = options[0];
    this.start(options);
    if (words.length != 3 || words[0].length != seats || words[1].length != seats || words[2].length != 2) return none;
    this.decider = words[2].charCodeAt(1) - 49;
    let seen = 0;
    for (let i = 0; i < seats; i++) {
      this.candles[i] = words[0].charCodeAt(i) - 48;
      this.places[i] = words[1].charCodeAt(i) - 48;
      const place = this.places[i];
      if (this.candles[i] < 0 || this.candles[i] > 2 || place < 0 || place > seats) return none;
      if (this.candles[i] > 0 == place > 0 || (place > 0 && (seen >> place) & 1)) return none;
      if (place > 0) seen |= 1 << place;
    }
    if (this.decider < 0 || this.decider >= seats || this.candles[this.decider] == 0) return none;
    return seen == (1 << (seats + 1)) - (1 << (this.left() + 1)) ? "" : none;
  }

  show(): string { return `${this.candles.join("")} ${this.places.join("")} p${this.decider + 1}`; }
  seat(): i32 { return this.decider + 1; }

  left(): i32 {
    let left = 0;
    for (let i = 0; i < this.candles.length; i++) if (this.candles[i] > 0) left++;
    return left;
  }

  legal(): string[] {
    const plies: string[] = [];
    for (let i = 0; i < this.candles.length; i++) if (this.candles[i] > 0) plies.push(cell(i, 0));
    return plies;
  }

  lose(seat: i32, count: i32, reason: string, isTurn: bool): void {
    const left = this.left();
    this.candles[seat] -= count;
    if (this.candles[seat] == 0) {
      this.places[seat] = left;
      this.reasons[seat] = reason;
    }
    for (; isTurn || this.candles[this.decider] == 0; isTurn = false) {
      this.decider = (this.decider + 1) % this.candles.length;
    }
  }

  play(ply: string): void { this.lose(ply.charCodeAt(0) - 97, 1, "dark", true); }
  putOut(seat: i32): void { this.lose(seat - 1, this.candles[seat - 1], "fault", seat - 1 == this.decider); }

  out(): Exit[] {
    const out: Exit[] = [];
    for (let i = 0; i < this.places.length; i++) {
      if (this.places[i] > 0) out.push(new Exit(i + 1, this.places[i], this.reasons[i]));
    }
    return out;
  }

  end(): End | null {
    if (this.left() > 1) return null;
    const end = new End(0, "dark");
    end.places = this.places.map<i32>((place) => max(place, 1));
    end.winner = end.places.indexOf(1) + 1;
    return end;
  }

  copy(): Rules {
    const copy = new Candles();
    copy.candles = this.candles.slice();
    copy.places = this.places.slice();
    copy.reasons = this.reasons.slice();
    copy.decider = this.decider;
    return copy;
  }
}

const info = new Info();
info.id = "candles";
info.version = "1.0";
info.title = "Candles";
info.about = "whose light lasts";
info.leastSeats = 2;
info.mostSeats = 8;
info.options = [Choice.between("players", "seats at the table", 2, 2, 8)];

register(info, () => new Candles());
export { arena_alloc, arena_ask, arena_rules_1 } from "./arena_rules";
