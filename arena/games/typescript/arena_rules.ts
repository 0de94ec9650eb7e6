/**
 * The rules of a board game as a WebAssembly module for `arena`, in AssemblyScript.
 *
 * A game is one file: a class that extends `Rules`, then
 *
 *     register(info, () => new MyGame());
 *     export { arena_alloc, arena_ask, arena_rules_1 } from "./arena_rules";
 *
 * Everything else is done here: reading requests, writing answers, errors, options, `moves`. No answer depends on the requests
 * before: what is kept of them saves work and nothing else (`Known`).
 *
 *     npx asc GAME.ts --outFile GAME.wasm -O3 --runtime minimal --use abort=
 *
 * The runtime collects no garbage by itself: that is done here, between questions and between the plies of long games.
 */

const MOST_BYTES_OF_A_REQUEST = 16 << 20;
const MOST_BYTES_OF_AN_ANSWER = 1 << 20;
const MOST_BYTES_OF_A_POSITION = 4096;
const MOST_PLIES_OF_A_GAME = 10000;
const PLIES_WITHOUT_COLLECTION = 64;

/** An option: one of several words, or a number from `min` to `max`. */
export class Choice {
  words: string[] = [];
  min: i32 = 0;
  max: i32 = 0;
  constructor(public name: string, public about: string, public standard: string) {}

  /** An option whose value is the index of a word. */
  static among(name: string, about: string, standard: string, words: string[]): Choice {
    const choice = new Choice(name, about, standard);
    choice.words = words;
    return choice;
  }

  /** An option whose value is a number. */
  static between(name: string, about: string, standard: i32, min: i32, max: i32): Choice {
    const choice = new Choice(name, about, standard.toString());
    choice.min = min;
    choice.max = max;
    return choice;
  }

  /** Returns the value, or -1. */
  read(text: string): i32 {
    if (this.words.length > 0) return this.words.indexOf(text);
    if (text.length == 0 || text.length > 9) return -1;
    let number = 0;
    for (let i = 0; i < text.length; i++) {
      const digit = text.charCodeAt(i) - 48;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number.toString() == text && number >= this.min && number <= this.max ? number : -1;
  }
}

/** What the game is. Only the first four are needed. */
export class Info {
  id: string = "";
  version: string = "";
  title: string = "";
  /** A phrase for lists of games. */
  about: string = "";
  /** One line: how a ply is written. */
  notation: string = "";
  /** The rules in Markdown. */
  rules: string = "";
  /** How positions look: JSON in which ' stands for ". */
  look: string = "";
  /** At which occurrence a position is a draw; 0: the game does not care. */
  repetition: i32 = 0;
  /** How few and how many seats a table has. Where they differ, an option `players` chooses: its default is the least. */
  leastSeats: i32 = 2;
  mostSeats: i32 = 2;
  /** After how many plies a game is a draw; 0: the arena's own limit. */
  maxPlies: i32 = 0;
  /** Whether a seat without another legal ply passes. `legal` need not say so; `play` gets `pass`. */
  pass: bool = false;
  options: Choice[] = [];
}

/** How a game ends: the seat that has won, 0 in a draw; a token of `a-z 0-9 -`; a phrase for people, or nothing. At a table that is
 * not for two, `places` counts instead of the winner: one plus the number of seats that did better. */
export class End {
  places: i32[] = [];
  constructor(public winner: i32, public reason: string, public words: string = "") {}
}

/** A seat that is out while the others play on, from 1; its place; why, or nothing where the position string does not tell. */
export class Exit {
  constructor(public seat: i32, public place: i32, public reason: string = "") {}
}

/** A position of the game: what its author writes. */
export abstract class Rules {
  /** Sets up the start. The options come in their order: a number, or the index of a word. */
  abstract start(options: i32[]): void;
  /** Reads a position string; returns nothing, or words that say why it is none. Another spelling than that of `show` is
   * refused without this function's doing. */
  abstract parse(options: i32[], text: string): string;
  /** Writes the position string: words with single blanks between, without `;`, at most 4,096 bytes. */
  abstract show(): string;
  /** The seat that decides: 1, 2 and so on. */
  abstract seat(): i32;
  /** The legal plies, in any order. Not called when the game is over. */
  abstract legal(): string[];
  /** Plays a ply that is legal. */
  abstract play(ply: string): void;
  /** Whether the game is over, judged as if the last ply had just been played. */
  abstract end(): End | null;
  /** A copy that changes on its own. */
  abstract copy(): Rules;
  /** The seats that are out, in order. Not called at tables of two. */
  out(): Exit[] { return []; }
  /** Takes out a seat that is in, whoever decides, because it commits a fault: its place is behind all that are in. Not called at
   * tables of two. */
  putOut(seat: i32): void {}
  /** Further keys of the answer, each after a comma: `,"count":[2,2]`. */
  more(): string { return ""; }
}

const names = new Map<i32, string>();

/** The name of a cell; both numbers count from 0: `cell(2, 0)` is c1. */
export function cell(file: i32, rank: i32): string {
  const key = rank << 8 | file;
  // Most of the time of a question goes into new strings.
  if (!names.has(key)) names.set(key, String.fromCharCode(97 + file) + (rank + 1).toString());
  return names.get(key);
}

/** Writes rows, top rank first. `board[rank * width + file]` is 0 where a cell is empty, else `letters[piece - 1]` stands there. */
export function rows(board: Uint8Array, width: i32, letters: string): string {
  const height = board.length / width, text = new StaticArray<u8>(board.length + height);
  let length = 0;
  for (let rank = height - 1; rank >= 0; rank--) {
    let empty = 0;
    for (let file = 0; file <= width; file++) {
      const piece = file < width ? <i32>board[rank * width + file] : -1;
      if (piece == 0) { empty++; continue; }
      if (empty >= 10) text[length++] = <u8>(48 + empty / 10);
      if (empty > 0) text[length++] = <u8>(48 + empty % 10);
      empty = 0;
      if (piece > 0) text[length++] = <u8>letters.charCodeAt(piece - 1);
    }
    if (rank > 0) text[length++] = 47;
  }
  return String.UTF8.decodeUnsafe(changetype<usize>(text), length);
}

/** Reads rows as `rows` writes them; null if they are none of this size. */
export function readRows(text: string, width: i32, height: i32, letters: string): Uint8Array | null {
  const board = new Uint8Array(width * height);
  let rank = height - 1, file = 0, run = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 47;
    if (code >= 48 && code <= 57) {
      run = run * 10 + code - 48;
      if (run > width) return null;
      continue;
    }
    file += run;
    run = 0;
    if (code == 47) {
      if (file != width || rank < 0) return null;
      rank--;
      file = 0;
      continue;
    }
    let piece = 0;
    while (piece < letters.length && letters.charCodeAt(piece) != code) piece++;
    if (piece == letters.length || file >= width || rank < 0) return null;
    board[rank * width + file++] = <u8>(piece + 1);
  }
  return rank == -1 ? board : null;
}

/** Reads words one by one. */
class Words {
  at: i32 = 0;
  constructor(public text: string) {}

  /** Returns the next word, which is empty at the end. */
  next(): string {
    const text = this.text;
    while (this.at < text.length && isBlank(text.charCodeAt(this.at))) this.at++;
    const from = this.at;
    while (this.at < text.length && !isBlank(text.charCodeAt(this.at))) this.at++;
    return text.substring(from, this.at);
  }
}

function isBlank(code: i32): bool { return code == 32 || (code >= 9 && code <= 13); }

function hex(byte: i32): string { return "0123456789abcdef".charAt(byte >> 4) + "0123456789abcdef".charAt(byte & 15); }

/** Shows text of a request: at most 80 bytes, those that are not printable ASCII as \xNN. */
function shown(text: string): string {
  const bytes = Uint8Array.wrap(String.UTF8.encode(text));
  let shown = "`";
  for (let i = 0; i < bytes.length && i < 80; i++) {
    const byte = <i32>bytes[i];
    shown += byte >= 32 && byte <= 126 ? String.fromCharCode(byte) : "\\x" + hex(byte);
  }
  return shown + (bytes.length > 80 ? "…`" : "`");
}

/** The answer that is being written: UTF-8, at most 1 MiB. */
const answer: usize = heap.alloc(MOST_BYTES_OF_AN_ANSWER);
let length: i32 = 0;
let isFull: bool = false;

/** Writes text. */
function put(text: string): void {
  if (3 * text.length > MOST_BYTES_OF_AN_ANSWER - length) isFull = true;
  else length += <i32>String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, answer + length);
}

/** Writes a string of JSON. */
function putString(text: string): void {
  let from = 0;
  put('"');
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 32 && code != 34 && code != 92) continue;
    put(text.substring(from, i));
    put(code < 32 ? "\\u00" + hex(code) : "\\" + String.fromCharCode(code));
    from = i + 1;
  }
  put(from == 0 ? text : text.substring(from));
  put('"');
}

/** Writes a key and the string that it has. */
function putKey(before: string, text: string): void {
  put(before);
  putString(text);
}

function putList(texts: string[]): void {
  for (let i = 0; i < texts.length; i++) putKey(i == 0 ? "[" : ",", texts[i]);
  put(texts.length == 0 ? "[]" : "]");
}

let info: Info = new Info();
let fresh: () => Rules = (): Rules => unreachable();

/** The options where none is given. */
let defaults: i32[] = [];

/** Says which game this module is. */
export function register(game: Info, create: () => Rules): void {
  info = game;
  fresh = create;
  defaults = game.options.map<i32>((option) => option.read(option.standard));
}

/** Where the answer to the request begins, and whether it is an error. */
let begin: i32 = 0;
let isFault: bool = false;

/** Answers the request with an error. */
function fail(code: string, message: string, why: string = ""): void {
  length = begin;
  isFault = true;
  put('{"error":"' + code + '","message":');
  putString(message);
  if (why != "") putKey(',"why":', why);
  put("}");
}

/** Reads `KEY=VALUE`. */
function readOption(word: string, values: i32[], given: bool[]): void {
  const name = word.substring(0, word.indexOf("=")), options = info.options;
  let i = 0;
  while (i < options.length && options[i].name != name) i++;
  if (i == options.length) return fail("bad-option", "the game has no option " + (name != "" ? shown(name) : ""));
  if (given[i]) return fail("bad-option", "the option " + shown(name) + " is given twice");
  given[i] = true;
  values[i] = options[i].read(word.substring(name.length + 1));
  if (values[i] < 0) fail("bad-option", shown(word) + " is not within the values of this option");
}

/** Writes the game with the options that differ from the defaults. */
function putGame(values: i32[]): void {
  let game = info.id;
  for (let i = 0; i < values.length; i++) {
    if (values[i] == defaults[i]) continue;
    const option = info.options[i];
    game += " " + option.name + "=" + (option.words.length > 0 ? option.words[values[i]] : values[i].toString());
  }
  putKey('{"game":', game);
}

/** Returns the legal plies, a forced pass among them. */
function legalPlies(state: Rules, end: End | null): string[] {
  if (end != null) return [];
  const plies = state.legal();
  if (plies.length == 0 && info.pass) plies.push("pass");
  return plies;
}

/** Reads `startpos` or `fen STRING`, of which `word` is the first word. Returns the word after it. */
function readStart(state: Rules, options: i32[], word: string, words: Words): string {
  if (word == "startpos") {
    state.start(options);
    return words.next();
  }
  if (word != "fen") {
    fail("bad-request", "`startpos` or `fen` is needed here, not " + (word != "" ? shown(word) : "the end"));
    return "";
  }
  let text = "";
  for (word = words.next(); word != "" && word != "moves"; word = words.next()) {
    text += (text != "" ? " " : "") + word;
    if (text.length > MOST_BYTES_OF_A_POSITION) {
      fail("bad-position", "not a position of this game: a position has at most 4096 bytes");
      return "";
    }
  }
  const why = state.parse(options, text);
  if (why != "") fail("bad-position", "not a position of this game: " + why);
  else if (state.show() != text) fail("bad-position", "the position is written " + shown(state.show()));
  return word;
}

/** How many seats the table of the question has. */
let seats: i32 = 2;

/** Returns how many seats a table has. */
function seatsOf(values: i32[]): i32 {
  for (let i = 0; i < values.length && info.mostSeats > 2; i++) if (info.options[i].name == "players") return values[i];
  return info.leastSeats;
}

/** Returns the seat of `fault.pN` if it is in at a table of more than two, or 0. */
function faultySeat(state: Rules, word: string): i32 {
  if (seats < 3 || word.length != 8 || !word.startsWith("fault.p")) return 0;
  const seat = word.charCodeAt(7) - 48, out = state.out();
  for (let i = 0; i < out.length; i++) if (out[i].seat == seat) return 0;
  return seat >= 1 && seat <= seats ? seat : 0;
}

/** The position that is being played on: a collection keeps what globals lead to. */
let current: Known | null = null;
let remaining: Words | null = null;

/** Returns the position after the plies that follow; null if one is illegal. */
function playPlies(from: Known, words: Words): Known | null {
  let end = from.end, state = from.state, number = 0;
  remaining = words;
  for (;;) {
    const ply = words.next();
    if (ply == "") break;
    if (++number > MOST_PLIES_OF_A_GAME) {
      fail("bad-request", "a game has at most 10000 plies");
      return null;
    }
    const faulty = end == null ? faultySeat(state, ply) : 0;
    if (faulty == 0 && !(number == 1 ? from.list() : legalPlies(state, end)).includes(ply)) {
      const why = end == null ? "it is not legal here" : "the game is over";
      fail("illegal-ply", `ply ${number}, ` + shown(ply) + `, is refused to p${state.seat()}: ` + why, why);
      return null;
    }
    if (number == 1) {
      state = state.copy();
      current = new Known(from.before, from.options, state, null, "");
    }
    if (faulty > 0) state.putOut(faulty);
    else state.play(ply);
    end = state.end();
    if (number % PLIES_WITHOUT_COLLECTION == 0) {
      current!.end = end;
      __collect();
    }
  }
  current = null;
  remaining = null;
  if (number == 0) return from;
  const now = new Known(from.before, from.options, state, end, state.show());
  now.isPlayed = seats > 2;
  return now;
}

function putResult(end: End | null): void {
  if (end == null) return put('"result":null,"reason":null');
  if (seats > 2) put('"result":"' + end.places.join(",") + '"');
  else put(end.winner == 0 ? '"result":"draw"' : end.winner == 1 ? '"result":"p1win"' : '"result":"p2win"');
  putKey(',"reason":', end.reason);
  if (end.words != "") putKey(',"words":', end.words);
}

/** Writes what every legal ply leads to. */
function putFollowing(state: Rules, plies: string[]): void {
  const ends = new Array<End | null>(plies.length);
  put(',"next":[');
  for (let i = 0; i < plies.length; i++) {
    const after = state.copy();
    after.play(plies[i]);
    ends[i] = after.end();
    putKey(i == 0 ? "" : ",", after.show());
  }
  put('],"ends":{');
  let isFirst = true;
  for (let i = 0; i < plies.length; i++) {
    const end = ends[i];
    if (end == null) continue;
    putKey(isFirst ? "" : ",", plies[i]);
    isFirst = false;
    put(":{");
    putResult(end);
    put("}");
  }
  put("}");
}

/** Writes which seats are out, and why. */
function putExits(out: Exit[]): void {
  put(',"out":{');
  for (let i = 0; i < out.length; i++) put((i == 0 ? '"p' : ',"p') + `${out[i].seat}":${out[i].place}`);
  put('},"exits":{');
  let isFirst = true;
  for (let i = 0; i < out.length; i++) {
    if (out[i].reason == "") continue;
    putKey((isFirst ? '"p' : ',"p') + `${out[i].seat}":`, out[i].reason);
    isFirst = false;
  }
  put("}");
}

/** A position, and what a request about it says after its first word: the game and options as they were given (`before`), `fen`
 * and the position. Most requests go on from a position that was answered or asked about before: then nothing of it is read,
 * checked and listed again. */
class Known {
  request: string = "";
  plies: string[] | null = null;
  /** Whether plies led to it at a table of more than two: `state` and `end` may know then what the position string does not tell. */
  isPlayed: bool = false;
  constructor(public before: string, public options: i32[], public state: Rules, public end: End | null, public text: string) {
    this.request = before + "fen " + text;
  }

  /** Returns the legal plies in byte order, a forced pass among them. */
  list(): string[] {
    if (this.plies == null) this.plies = legalPlies(this.state, this.end).sort();
    return this.plies!;
  }

  /** Forgets what the position owes to the plies that led to it: it becomes what its string says. False if that is none. */
  readAgain(): bool {
    const wasOver = this.end != null;
    this.state = fresh();
    if (this.state.parse(this.options, this.text) != "") return false;
    this.isPlayed = false;
    this.end = this.state.end();
    if ((this.end != null) != wasOver) this.plies = null;
    return true;
  }

  /** Returns where the words after this position begin in a request, -1 if it is about another one. */
  endsIn(text: string, from: i32): i32 {
    const end = from + this.request.length;
    return text.startsWith(this.request, from) && (end == text.length || isBlank(text.charCodeAt(end))) ? end : -1;
  }
}

let asked: Known | null = null;
let answered: Known | null = null;

/** Returns the known position that a request starts from, and moves on to the word after it; else null. */
function findKnown(words: Words): Known | null {
  const start = words.at + 1;
  if (start > words.text.length || words.text.charCodeAt(words.at) != 32) return null;
  for (let i = 0; i < 2; i++) {
    const known = i == 0 ? answered : asked;
    const end = known != null ? known.endsIn(words.text, start) : -1;
    if (end < 0) continue;
    const at = words.at;
    words.at = end;
    const word = words.next();
    if ((word == "" || word == "moves") && (!known!.isPlayed || known!.readAgain())) return known;
    words.at = at;
    return null;
  }
  return null;
}

/** Reads the game, its options and the position that a request starts from, and the word after it; null if it is none. */
function readFrom(words: Words): Known | null {
  const values = defaults.slice(), given = new Array<bool>(info.options.length);
  let word = words.next();
  const first = words.at - word.length;
  if (word == "") fail("bad-request", "the request names no game");
  else if (word != info.id) fail("unknown-game", "these are not the rules of " + shown(word));
  if (isFault) return null;
  for (word = words.next(); word.includes("=") && !isFault; word = words.next()) readOption(word, values, given);
  if (isFault) return null;
  const state = fresh(), before = words.text.substring(first, words.at - word.length);
  word = readStart(state, values, word, words);
  if (isFault) return null;
  if (word != "" && word != "moves") {
    fail("bad-request", "`moves` is needed here, not " + shown(word));
    return null;
  }
  return new Known(before, values, state, state.end(), state.show());
}

/** Answers `position` or, without what follows, `legal`. */
function answerPosition(words: Words, withFollowing: bool): void {
  let now = findKnown(words);
  if (now == null) now = readFrom(words);
  if (now == null) return;
  asked = now;
  seats = seatsOf(now.options);
  now = playPlies(now, words);
  if (now == null) return;
  answered = now;
  const plies = now.list(), state = now.state;
  putGame(now.options);
  putKey(',"position":', now.text);
  put(`,"seat":"p${state.seat()}","legal":`);
  putList(plies);
  if (withFollowing) putFollowing(state, plies);
  put(",");
  putResult(now.end);
  if (seats > 2) putExits(state.out());
  put(state.more());
  put("}");
}

function answerGames(): void {
  putKey('[{"game":', info.id);
  putKey(',"title":', info.title);
  putKey(',"about":', info.about);
  put(',"options":[');
  for (let i = 0; i < info.options.length; i++) {
    const option = info.options[i];
    putKey(i == 0 ? '{"name":' : ',{"name":', option.name);
    putKey(',"default":', option.standard);
    if (option.words.length > 0) {
      put(',"values":');
      putList(option.words);
    } else put(`,"min":${option.min},"max":${option.max}`);
    putKey(',"about":', option.about);
    put("}");
  }
  put(`],"seats":[${info.leastSeats},${info.mostSeats}],"repetition":${info.repetition},"pass":${info.pass}`);
  if (info.maxPlies > 0) put(`,"max-plies":${info.maxPlies}`);
  if (info.notation != "") putKey(',"notation":', info.notation);
  if (info.rules != "") putKey(',"rules":', info.rules);
  if (info.look != "") put(',"look":' + info.look.replaceAll("'", '"'));
  put("}]");
}

function answerRequest(request: string): void {
  const words = new Words(request), verb = words.next();
  begin = length;
  isFault = false;
  if (verb == "position") answerPosition(words, true);
  else if (verb == "legal") answerPosition(words, false);
  else if (verb == "games") answerGames();
  else if (verb == "about") {
    putKey('{"format":2,"name":', info.id);
    putKey(',"version":', info.version);
    put(',"deterministic":true}');
  } else fail("bad-request", verb != "" ? shown(verb) + " is no request" : "the request is empty");
}

/** A collection comes after this number of requests, and whenever the memory has grown: then more often from there on. */
let interval: i32 = 256;
let requests: i32 = 0;
let pages: i32 = memory.size();

/** Collects garbage if it is time to. Nothing but globals may be in use. */
function tidy(): void {
  const hasGrown = memory.size() > pages;
  if (!hasGrown && ++requests < interval) return;
  if (hasGrown) interval = max(interval >> 1, 1);
  __collect();
  requests = 0;
  pages = memory.size();
}

/** The line that is being answered. */
let line: string = "";

/** Answers the line: one request, or several with `;` between, which are answered by an array. */
function answerLine(): void {
  tidy();
  if (!line.includes(";")) return answerRequest(line);
  for (let from = 0; from <= line.length && !isFull;) {
    tidy();
    const end = line.indexOf(";", from), to = end < 0 ? line.length : end;
    put(from == 0 ? "[" : ",");
    answerRequest(line.substring(from, to));
    from = to + 1;
  }
  put("]");
}

/** A marker: this module answers format 1 of the interface. */
export const arena_rules_1: i32 = 1;

let request: usize = 0;
let room: i32 = 0;

/** Returns where to write a request of so many bytes; 0 if there is no room. */
export function arena_alloc(length: i32): usize {
  if (length < 0 || length > MOST_BYTES_OF_A_REQUEST) return 0;
  if (request == 0 || length > room) {
    // Reading ill-formed UTF-8 may look beyond its end.
    request = request == 0 ? heap.alloc(length + 4) : heap.realloc(request, length + 4);
    room = length;
  }
  return request;
}

/** Answers the request at `at`, which `arena_alloc` has returned. */
export function arena_ask(at: usize, bytes: i32): u64 {
  length = begin = 0;
  isFull = false;
  if (request == 0 || at != request || <u32>bytes > <u32>room) {
    fail("bad-request", "the request is not where `arena_alloc` has said");
  } else {
    line = String.UTF8.decodeUnsafe(request, bytes);
    answerLine();
  }
  if (isFull) {
    begin = 0;
    fail("bad-request", "the answer would have more than 1 MiB");
  }
  return (<u64>answer << 32) | <u64>length;
}
