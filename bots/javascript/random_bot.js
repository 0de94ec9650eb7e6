// Plays a random legal ply of any game: it asks the arena for the list of legal plies.
let seed = 1, legal = [];

// The generator of Park and Miller: Math.random() takes no seed.
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "ugi") console.log("id name JsRandom\nprotocol 1\nplays *\nwant legal\nugiok");
  else if (word === "game") seed = (/ seed=(\d+)/.exec(line)?.[1] ?? 0) % 2147483646 + 1;
  else if (word === "isready") console.log("readyok");
  else if (word === "legal") legal = rest;
  else if (word === "go") console.log("bestmove " + legal[random(legal.length)]);
  else if (word === "quit") process.exit();
});
