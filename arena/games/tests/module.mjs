// Modules outside the arena: `loadModule(FILE)` for tests, and a program that passes lines on to one: `node module.mjs FILE`.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const MEBIBYTE = 1 << 20;

// Returns a function that asks a module: bytes of a line in, text of the answer out.
export function loadModule(file) {
  const module = new WebAssembly.Module(readFileSync(file));
  if (WebAssembly.Module.imports(module).length > 0) throw new Error(`${file} has imports`);
  const { memory, arena_alloc, arena_ask, arena_rules_1 } = new WebAssembly.Instance(module).exports;
  if (arena_rules_1 === undefined) throw new Error(`${file} has no arena_rules_1`);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (line) => {
    const request = arena_alloc(line.length) >>> 0;
    new Uint8Array(memory.buffer, request, line.length).set(line);
    const answer = BigInt.asUintN(64, arena_ask(request, line.length));
    const text = decoder.decode(new Uint8Array(memory.buffer, Number(answer >> 32n), Number(answer & 0xffffffffn)));
    if (text.includes("\n") || text.length > MEBIBYTE) throw new Error(`no answer to ${line.subarray(0, 200)}`);
    return text;
  };
}

// Answers lines as a program that is the rules: blank lines and comments have no answer. Modules are asked in UTF-8 only.
function serve(ask) {
  const input = readFileSync(0), answers = [];
  for (let from = 0; from < input.length; ) {
    const end = input.indexOf(10, from), to = end < 0 ? input.length : end, line = input.subarray(from, to);
    from = to + 1;
    const text = line.length < 1000 ? line.toString().trim() : "…";
    if (text === "quit") break;
    if (text === "" || text.startsWith("#")) continue;
    const isLong = line.length >= MEBIBYTE;
    answers.push(isLong ? '{"error":"bad-request","message":"a line of more than 1 MiB"}' : ask(Buffer.from(line.toString())));
  }
  process.stdout.write(answers.map((answer) => answer + "\n").join(""));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) serve(loadModule(process.argv[2]));
