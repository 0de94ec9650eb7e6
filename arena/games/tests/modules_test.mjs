// Holds the modules of a folder to perft.csv and to what every game promises in random games: `node modules_test.mjs FOLDER [GAMES]`.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { loadModule } from "./module.mjs";

const [folder, games = "10000"] = process.argv.slice(2);

// The modules of each game; several have to give the same answers.
const MODULES = { dao: ["dao"], trails: ["trails"], othello: ["othello", "othello-rust"], "connect-four": ["connect-four"] };

// The games that are played at random: with options, and as a part of the number that is asked for.
const PLAYED = [
  ["dao", 1],
  ["trails", 0.05],
  ["trails players=6 size=5 out=vanish", 0.05],
  ["othello", 0.05],
  ["othello size=4", 0.9],
  ["othello size=6", 0.05],
  ["connect-four", 0.7],
  ["connect-four width=5 height=4 connect=3", 0.3],
];

const MOST_PLIES = 10000;

function load(game) {
  // The twin in Rust is there where somebody has built it.
  const files = MODULES[game].map((name) => join(folder, `${name}.wasm`)).filter((file, number) => number === 0 || existsSync(file));
  const modules = files.map(loadModule);
  return (line) => {
    const [answer, ...others] = modules.map((ask) => ask(Buffer.from(line)));
    for (const other of others) assert.equal(other, answer, line);
    return JSON.parse(answer);
  };
}

function perft(ask, label, position, depth, known) {
  const key = `${depth} ${position}`;
  if (known.has(key)) return known.get(key);
  const from = position === "start" ? "startpos" : `fen ${position}`;
  const { legal, next } = ask(`${depth > 1 ? "position" : "legal"} ${label} ${from}`);
  const count = depth > 1 ? next.reduce((sum, after) => sum + perft(ask, label, after, depth - 1, known), 0) : legal.length;
  known.set(key, count);
  return count;
}

// What the string of a position has to tell: at a table of more than two it need not say why a seat is out, nor that a fault ended the game.
function told({ exits, reason, words, ...rest }) {
  return exits ? rest : { reason, words, ...rest };
}

// Plays a game at random, at tables of more than two with faults. After every ply the position is what was announced, and asking for it by
// its string gives the same answer, also from another instance that has not seen the plies: a kit may keep positions, but no answer may
// depend on it.
function play(ask, other, label, random) {
  let now = ask(`position ${label} startpos`), plies = "";
  for (let count = 0; now.result === null; count++) {
    assert(count < MOST_PLIES && now.legal.length > 0, JSON.stringify(now));
    assert.deepEqual(now.legal, [...new Set(now.legal)].sort(), label);
    assert.equal(now.next.length, now.legal.length);
    const faulty = now.out ? `p${1 + Math.floor(random() * now.count.length)}` : "";
    const isFault = faulty !== "" && !now.out[faulty] && random() < 0.05;
    const i = Math.floor(random() * now.legal.length), ply = isFault ? `fault.${faulty}` : now.legal[i];
    const question = `position ${label} fen ${now.position} moves ${ply}`, after = ask(question);
    plies += ` ${ply}`;
    if (isFault) {
      assert.equal(after.exits[faulty], "fault");
      assert(after.out[faulty] > 1);
    } else {
      const end = now.ends[ply];
      assert.equal(after.position, now.next[i]);
      assert.deepEqual([after.result, after.reason], [end?.result ?? null, end?.reason ?? null]);
    }
    const [again, elsewhere] = [ask, other].map((any) => any(`position ${label} fen ${after.position}`));
    assert.deepEqual(again, elsewhere);
    assert.deepEqual(told(again), told(after));
    // What was asked meanwhile changes nothing.
    if (after.exits) assert.deepEqual(ask(question), after);
    now = after;
  }
  assert.deepEqual([now.legal, now.next], [[], []]);
  assert.deepEqual(told(other(`position ${label} startpos moves${plies}`)), told(now));
  assert.equal(ask(`legal ${label} fen ${now.position} moves a1`).error, "illegal-ply");
  if (now.out) assert.equal(ask(`legal ${label} fen ${now.position} moves fault.p1`).error, "illegal-ply");
  return now.reason;
}

const rows = readFileSync(new URL("perft.csv", import.meta.url), "utf8").trim().split("\n").slice(1);
for (const [game, modules] of Object.entries(MODULES)) {
  const ask = load(game), known = new Map();
  let counts = 0;
  for (const [name, options, position, depth, count] of rows.map((row) => row.split(","))) {
    if (name !== game) continue;
    if (!known.has(options)) known.set(options, new Map());
    const found = perft(ask, `${game} ${options}`, position, Number(depth), known.get(options));
    assert.equal(found, Number(count), `${game} ${options} ${position} ${depth}`);
    counts++;
  }
  assert(counts > 0, `perft.csv has no ${game}`);
  console.log(`${modules.join(" and ")}: ${counts} counts`);
}
for (const [label, part] of PLAYED) {
  const [ask, other] = [1, 2].map(() => load(label.split(" ")[0])), reasons = {};
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < games * part; i++) {
    const reason = play(ask, other, label, random);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  console.log(`${label}: ${games * part} games, ${JSON.stringify(reasons)}`);
}
