#!/usr/bin/env node
// Hex: two seats join opposite edges of a rhombus of hexagons, and the second may swap. A game of one's own.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

// The kit lies beside this file, or in the folder of the kits.
const PLACES = ['./arena_rules.mjs', '../javascript/arena_rules.mjs'].map((path) => new URL(path, import.meta.url))
const KIT = PLACES.find((place) => existsSync(place))
if (!KIT) {
  console.error('hex.mjs needs the kit `arena_rules.mjs`: copy it beside hex.mjs, from arena/games/javascript')
  process.exit(1)
}
const { serve } = await import(KIT)

const RULES = `\
The board is a rhombus of hexagons with \`size\` files and as many ranks. A cell inside it has six neighbours: \`c3\` touches \
\`b3\`, \`d3\`, \`c2\`, \`d2\`, \`b4\` and \`c4\`.

* \`p1\` has Red and starts. A turn places one stone of the seat's colour on any empty cell. Stones never move.
* **Swap**: with \`swap=on\` (default), the second ply of the game may be \`swap\`. The seats exchange colours, the stone stays, \
and \`p1\` goes on with Blue.
* Red wins by a chain of neighbouring red stones from the first rank to the last, Blue by a blue one from the first file to \
the last.

A full board has exactly one such chain, so no game is a draw.
`

const FILES = 'abcdefghijklmnopqrs'
const COLOURS = { r: 'Red', b: 'Blue' }
const NEIGHBOURS = [[-1, 0], [1, 0], [0, -1], [1, -1], [-1, 1], [0, 1]] // files and ranks away
const BOTH_EDGES = 3

/** For every size, the neighbours of every cell. Cells are numbered from `a1` along the ranks. */
const BOARDS = Array.from({ length: FILES.length + 1 }, (_, size) =>
  Array.from({ length: size * size }, (_, cell) => {
    const places = NEIGHBOURS.map(([files, ranks]) => [(cell % size) + files, Math.floor(cell / size) + ranks])
    return places.filter((place) => place.every((n) => n >= 0 && n < size)).map(([file, rank]) => rank * size + file)
  }),
)

/**
 * A position: `cells` has a letter `r`, `b` or `.` for each cell, `colours` has those of p1 and p2, `winner` is a colour or null.
 * @typedef {{size: number, swap: string, cells: string, colours: string, winner: string | null, reach?: object}} State
 */

const stones = (cells, colour) => cells.split(colour).length - 1

/** Returns the colour to move: Red has as many stones as Blue, or one more. */
const mover = ({ cells }) => (stones(cells, 'r') > stones(cells, 'b') ? 'b' : 'r')

const seatOf = (state, colour) => (state.colours[0] === colour ? 'p1' : 'p2')

const cellName = (state, cell) => FILES[cell % state.size] + (Math.floor(cell / state.size) + 1)

/** Returns which of the two edges of a colour a cell lies on, as bits. */
function edges(size, cell, colour) {
  const line = colour === 'r' ? Math.floor(cell / size) : cell % size
  return (line === 0 ? 1 : 0) | (line === size - 1 ? 2 : 0)
}

/** Returns for every cell which edges of `colour` the chain of its stone touches, and keeps that in the state. */
function reach(state, colour) {
  const { size, cells } = state
  state.reach ??= {}
  if (state.reach[colour]) return state.reach[colour]
  const reached = new Uint8Array(cells.length)
  const seen = new Uint8Array(cells.length)
  for (let first = 0; first < cells.length; first++) {
    if (cells[first] !== colour || seen[first]) continue
    const chain = [first]
    seen[first] = 1
    for (const cell of chain) {
      for (const near of BOARDS[size][cell]) {
        if (cells[near] !== colour || seen[near]) continue
        seen[near] = 1
        chain.push(near)
      }
    }
    const all = chain.reduce((bits, cell) => bits | edges(size, cell, colour), 0)
    for (const cell of chain) reached[cell] = all
  }
  return (state.reach[colour] = reached)
}

/** Returns rows as in position strings: top rank first, numbers for runs of empty cells. */
function showRows({ size, cells }) {
  const ranks = Array.from({ length: size }, (_, rank) => cells.slice(rank * size, (rank + 1) * size))
  return ranks.reverse().map((rank) => rank.replace(/\.+/g, (run) => run.length)).join('/')
}

function readRows(text, size) {
  if (!/^[rb0-9/]+$/.test(text)) throw new Error('the rows hold other characters than `r`, `b`, `/` and digits')
  const ranks = text.split('/').map((row) => row.replace(/[0-9]+/g, (run) => '.'.repeat(Math.min(run, size + 1))))
  if (ranks.length !== size || ranks.some((rank) => rank.length !== size)) throw new Error(`the rows are not ${size} of ${size}`)
  return ranks.reverse().join('')
}

/** The rules of Hex. */
export const hex = {
  id: 'hex',
  title: 'Hex',
  about: 'two colours on a rhombus of hexagons, each joining two opposite edges',
  notation: '`c4` places a stone on c4; `swap` exchanges the colours',
  rules: RULES,
  options: [
    { name: 'size', default: '11', min: 2, max: FILES.length, about: 'files and ranks of the board' },
    { name: 'swap', default: 'on', values: ['on', 'off'], about: 'whether p2 may swap the colours as its first ply' },
  ],
  look: {
    board: { kind: 'hex', width: 'size', height: 'size', shift: 0.5 },
    from: 'rows',
    pieces: {
      r: { shape: 'stone', colour: 'red', name: 'red stone', seat: 'c=r' },
      b: { shape: 'stone', colour: 'blue', name: 'blue stone', seat: 'c=b' },
    },
    enter: 'to',
    coordinates: true,
  },

  start({ size, swap }) {
    return { size, swap, cells: '.'.repeat(size * size), colours: 'rb', winner: null }
  },

  legal(state) {
    const empty = [...Array(state.cells.length).keys()].filter((cell) => state.cells[cell] === '.')
    const isSecond = empty.length === state.cells.length - 1 && state.colours === 'rb'
    return [...empty.map((cell) => cellName(state, cell)), ...(isSecond && state.swap === 'on' ? ['swap'] : [])]
  },

  play(state, ply) {
    const { size, swap, cells } = state
    if (ply === 'swap') return { ...state, colours: 'br' }
    const colour = mover(state)
    const cell = (Number(ply.slice(1)) - 1) * size + FILES.indexOf(ply[0])
    const joined = BOARDS[size][cell].filter((near) => cells[near] === colour)
    const reached = joined.reduce((bits, near) => bits | reach(state, colour)[near], edges(size, cell, colour))
    const after = cells.slice(0, cell) + colour + cells.slice(cell + 1)
    return { size, swap, cells: after, colours: state.colours, winner: reached === BOTH_EDGES ? colour : null }
  },

  result(state) {
    if (state.winner === null) return null
    const words = `${COLOURS[state.winner]} has joined its edges`
    return { result: `${seatOf(state, state.winner)}win`, reason: 'chain', words }
  },

  seat: (state) => seatOf(state, mover(state)),

  show: (state) => `${showRows(state)} ${hex.seat(state)} c=${state.colours}`,

  read(text, { size, swap }) {
    const [rows, , colours, ...rest] = text.split(' ')
    const cells = readRows(rows, size)
    const state = { size, swap, cells, colours: colours?.slice(2), winner: null }
    const [red, blue] = [stones(cells, 'r'), stones(cells, 'b')]
    if (!['c=rb', 'c=br'].includes(colours) || rest.length > 0) throw new Error('`c=rb` or `c=br` is needed at the end')
    if (red !== blue && red !== blue + 1) throw new Error('Red has neither as many stones as Blue nor one more')
    if (colours === 'c=br' && (swap === 'off' || red === 0)) throw new Error('nobody can have swapped')
    state.winner = [...'rb'].find((colour) => reach(state, colour).includes(BOTH_EDGES)) ?? null
    if (state.winner === mover(state)) throw new Error('the colour to move has joined its edges already')
    return state
  },

  /** Returns the chain that has won. */
  proofs(state) {
    const { winner } = state
    if (winner === null) return []
    const reached = reach(state, winner)
    const chain = [...reached.keys()].filter((cell) => reached[cell] === BOTH_EDGES)
    return [{ cells: chain.map((cell) => cellName(state, cell)), seat: seatOf(state, winner), words: 'joins both edges' }]
  },
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await serve(hex)
