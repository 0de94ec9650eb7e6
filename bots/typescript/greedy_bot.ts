// Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//
// A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for
// each piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.

// What is used of Node. With the package @types/node these two lines go.
declare function require(name: string): any;
declare const process: any;

type Board = Map<string, string>;

let seed = 1;
let legal: string[] = [];
let board: Board = new Map();

// The generator of Park and Miller: Math.random() takes no seed.
const random = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;

const cell = (file: number, rank: number): string => String.fromCharCode(file) + rank;

// Turns `bbb/1w1/www` into a map from cells, such as `a3`, to letters; the top rank comes first.
function readBoard(rows: string): Board {
  const board: Board = new Map();
  rows.split("/").reverse().forEach((row, index) => {
    let file = "a".charCodeAt(0);
    for (const token of row.match(/\d+|[A-Za-z]/g) ?? []) {
      if (/\d/.test(token)) file += Number(token);
      else board.set(cell(file++, index + 1), token);
    }
  });
  return board;
}

function score(ply: string): number {
  const cells = ply.match(/[a-z]\d+/g);
  if (!cells) return 0; // pass, swap
  const kind = board.get(cells[0]); // undefined: the ply places a new piece, and every piece is company
  const end = cells[cells.length - 1];
  let value = 10 * ((ply.match(/[-+x]/g) ?? []).length + Number(board.has(end)));
  for (const x of [-1, 0, 1]) {
    for (const y of [-1, 0, 1]) {
      const letter = board.get(cell(end.charCodeAt(0) + x, Number(end.slice(1)) + y));
      if (letter && (x || y)) value += !kind || letter === kind ? 1 : -1;
    }
  }
  return value;
}

function best(): string {
  const scores = legal.map(score);
  const highest = Math.max(...scores);
  const plies = legal.filter((_, index) => scores[index] === highest);
  return plies[random(plies.length)];
}

require("readline").createInterface({ input: process.stdin }).on("line", (line: string) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "ugi") console.log("id name TsGreedy\nprotocol 1\nplays *\nwant legal board\nugiok");
  else if (word === "game") seed = (Number(/ seed=(\d+)/.exec(line)?.[1] ?? 0) % 2147483646) + 1;
  else if (word === "isready") console.log("readyok");
  else if (word === "board") board = readBoard(rest[0]);
  else if (word === "legal") legal = rest;
  else if (word === "go") console.log("bestmove " + best());
  else if (word === "quit") process.exit();
});
