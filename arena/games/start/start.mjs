#!/usr/bin/env node
// Tic-tac-toe on square boards: a game to start from. Change the rules below; `arena_rules.mjs` answers the arena's questions.
import { serve } from './arena_rules.mjs'

const RULES = `\
The board is a square of \`size\` files and ranks, and is empty at the start. p1 has the crosses, p2 the rings. p1 plays first.

A ply puts an own piece on an empty cell. A seat whose pieces fill a rank, a file or a long diagonal wins (\`line\`). A full board
without such a line is a draw (\`full\`).
`

const PIECES = { p1: 'x', p2: 'o' }

/** A position is `{ size, cells, seat }`: `cells` has `x`, `o` or `.` for each cell from a1, along the ranks. */

/** Returns the name of a cell. */
const name = (state, cell) => 'abcdefghi'[cell % state.size] + (Math.floor(cell / state.size) + 1)

/** Returns the cells of a line that is full of the pieces of a seat. */
function lineOf({ size, cells }, seat) {
  const along = (first, step) => Array.from({ length: size }, (_, i) => first + i * step)
  const lines = [along(0, size + 1), along(size - 1, size - 1)]
  for (let i = 0; i < size; i++) lines.push(along(i, size), along(i * size, 1))
  return lines.find((line) => line.every((cell) => cells[cell] === PIECES[seat]))
}

await serve({
  id: 'tic-tac-toe',
  title: 'Tic-tac-toe',
  about: 'a line of own pieces from edge to edge',
  notation: 'the cell of the new piece: `b2`',
  rules: RULES,
  options: [{ name: 'size', default: '3', min: 3, max: 9, about: 'files and ranks' }],
  look: {
    board: { kind: 'cells', width: 'size', height: 'size' },
    from: 'rows',
    pieces: {
      x: { shape: 'cross', colour: 'blue', name: 'cross', seat: 'p1' },
      o: { shape: 'ring', colour: 'red', name: 'ring', seat: 'p2' },
    },
    enter: 'to',
    coordinates: true,
  },

  start({ size }) {
    return { size, cells: '.'.repeat(size * size), seat: 'p1' }
  },

  legal(state) {
    return [...state.cells].flatMap((piece, cell) => (piece === '.' ? [name(state, cell)] : []))
  },

  play({ size, cells, seat }, ply) {
    const cell = (Number(ply.slice(1)) - 1) * size + 'abcdefghi'.indexOf(ply[0])
    return { size, cells: cells.slice(0, cell) + PIECES[seat] + cells.slice(cell + 1), seat: seat === 'p1' ? 'p2' : 'p1' }
  },

  result(state) {
    const winner = ['p1', 'p2'].find((seat) => lineOf(state, seat))
    if (winner) return { result: `${winner}win`, reason: 'line' }
    return state.cells.includes('.') ? null : { result: 'draw', reason: 'full' }
  },

  show({ size, cells, seat }) {
    const ranks = Array.from({ length: size }, (_, rank) => cells.slice(rank * size, (rank + 1) * size))
    return `${ranks.reverse().map((rank) => rank.replace(/\.+/g, (run) => run.length)).join('/')} ${seat}`
  },

  // What `show` would write otherwise is refused without our doing.
  read(text, { size }) {
    const [rows, seat] = text.split(' ')
    const ranks = rows.replace(/[1-9]/g, (run) => '.'.repeat(Number(run))).split('/')
    if (ranks.length !== size || ranks.some((rank) => rank.length !== size || /[^xo.]/.test(rank))) {
      throw new Error(`the rows are not ${size} of ${size} cells`)
    }
    const cells = ranks.reverse().join('')
    const more = cells.split('x').length - cells.split('o').length
    if (!(more === 0 && seat === 'p1') && !(more === 1 && seat === 'p2')) throw new Error('the pieces do not fit the seat')
    return { size, cells, seat }
  },

  /** Returns the lines that have won: the pages frame them. */
  proofs(state) {
    return ['p1', 'p2'].flatMap((seat) => {
      const line = lineOf(state, seat)
      return line ? [{ cells: line.map((cell) => name(state, cell)), seat, shape: 'row' }] : []
    })
  },
})
