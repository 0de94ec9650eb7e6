// Tests of Hex, and so of the kit in JavaScript: `node hex_test.mjs`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hex } from '../hex/hex.mjs'

const GAMES = 10_000
const PROGRAM = fileURLToPath(new URL('../hex/hex.mjs', import.meta.url))

/** A small generator: equal seeds play equal games. */
function* dice(seed) {
  for (let state = seed; ; ) {
    state = (state * 1664525 + 1013904223) >>> 0
    yield state / 2 ** 32
  }
}

/** Returns whether stones, as names of cells, join two edges: by places of hexagons in the plane, not by files and ranks. */
function isJoined(names, size, isRed) {
  const place = (name) => {
    const [file, rank] = [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1]
    return { x: file + rank / 2, y: (rank * Math.sqrt(3)) / 2, line: isRed ? rank : file }
  }
  const all = names.map(place)
  const reached = all.filter((stone) => stone.line === 0)
  const rest = new Set(all.filter((stone) => stone.line !== 0))
  for (const one of reached) {
    if (one.line === size - 1) return true
    for (const other of rest) {
      if (Math.hypot(one.x - other.x, one.y - other.y) > 1.01) continue
      rest.delete(other)
      reached.push(other)
    }
  }
  return false
}

/** Plays a random game and returns who has won, having compared that with `isJoined` at the end and before the last stone. */
function play(size, random) {
  let state = hex.start({ size, swap: 'on' })
  const stones = { r: [], b: [] }
  let last
  for (let plies = 0; !hex.result(state); plies++) {
    assert.ok(plies <= size * size, 'a game has at most one ply a cell, and a swap')
    const legal = hex.legal(state)
    const ply = legal[Math.floor(random.next().value * legal.length)]
    if (ply !== 'swap') stones[(last = stones.r.length > stones.b.length ? 'b' : 'r')].push(ply)
    state = hex.play(state, ply)
  }
  const isWon = (colour) => isJoined(stones[colour], size, colour === 'r')
  const { result } = hex.result(state)
  assert.equal(result, state.colours[0] === last ? 'p1win' : 'p2win')
  assert.ok(isWon(last) && !isWon(last === 'r' ? 'b' : 'r'), hex.show(state))
  stones[last].pop()
  assert.ok(!isWon(last), hex.show(state))
  assert.equal(hex.show(hex.read(hex.show(state), { size, swap: 'on' })), hex.show(state))
  return last
}

function leaves(state, depth) {
  if (depth === 0) return 1
  if (hex.result(state)) return 0
  const legal = hex.legal(state)
  return depth === 1 ? legal.length : legal.reduce((sum, ply) => sum + leaves(hex.play(state, ply), depth - 1), 0)
}

function ask(...lines) {
  const said = execFileSync('node', [PROGRAM], { input: lines.join('\n') + '\n', encoding: 'utf8' })
  return said.trimEnd().split('\n').map((line) => JSON.parse(line))
}

const random = dice(1)
const wins = { r: 0, b: 0 }
for (let n = 0; n < GAMES; n++) wins[play(11, random)]++
for (let size = 2; size <= 19; size++) play(size, random)
assert.equal(wins.r + wins.b, GAMES)

const rows = readFileSync(new URL('perft.csv', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => line.split(','))
const counted = rows.filter(([game]) => game === 'hex')
assert.ok(counted.length > 20)
for (const [, options, , depth, count] of counted) {
  const given = Object.fromEntries(options.split(' ').filter(Boolean).map((pair) => pair.split('=')))
  const state = hex.start({ size: Number(given.size ?? 11), swap: given.swap ?? 'on' })
  assert.equal(leaves(state, Number(depth)), Number(count), `${options} ${depth}`)
}

// The program: what follows is what is played, and a swap exchanges colours.
const [start, swapped, ended] = ask(
  'position hex size=2 startpos moves a1',
  'position hex size=2 startpos moves a1 swap b1',
  'legal hex size=2 fen rb/r1 p2 c=rb',
)
assert.deepEqual(start.legal, ['a2', 'b1', 'b2', 'swap'])
assert.equal(start.next[3], '2/r1 p1 c=br')
assert.deepEqual([swapped.position, swapped.seat], ['2/rb p2 c=br', 'p2'])
assert.deepEqual(swapped.ends, { a2: { result: 'p2win', reason: 'chain', words: 'Red has joined its edges' } })
assert.deepEqual([ended.result, ended.legal, ended.proofs[0].cells], ['p1win', [], ['a1', 'a2']])
const wrong = ['2/2 p2 c=rb', '2/2 p1 c=br', '2/r1 p1 c=rb', '2/rr p2 c=rb', '11/r1 p2 c=rb', '2/r1 p2 c=rb x', 'rb/rb p1 c=rb', '2/r1 p2 rb', '']
for (const answer of ask(...wrong.map((text) => `legal hex size=2 fen ${text}`))) assert.equal(answer.error, 'bad-position')
assert.equal(ask('legal hex size=2 swap=off fen 2/r1 p1 c=br')[0].error, 'bad-position')

const page = readFileSync(new URL('../hex/README.md', import.meta.url), 'utf8')
assert.ok(page.includes(hex.rules), 'the page has the rules')
console.log(`hex: ${GAMES} random games, none a draw (Red won ${wins.r}); ${counted.length} counts and the program agree`)
