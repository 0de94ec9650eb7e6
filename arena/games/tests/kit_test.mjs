// Tests of the kit in JavaScript: `node kit_test.mjs`. With the word `serve` it is itself the program that is tested.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { serve } from '../javascript/arena_rules.mjs'

/** Take one or two stones of a heap; who takes the last one wins. Heaps of 7 and 9 are made to fail. */
class Heap {
  id = 'heap'
  title = 'Heap'
  about = 'the last stone wins'
  options = [
    { name: 'stones', default: '3', min: 1, max: 12, about: 'stones at the start' },
    { name: 'most', default: 'two', values: ['one', 'two'], about: 'how many may be taken' },
  ]
  passes = true
  maxPlies = 20

  start({ stones, most }) {
    return { stones, seat: 'p1', most: most === 'two' ? 2 : 1 }
  }

  legal({ stones, most }) {
    return stones === 7 ? [] : Array.from({ length: Math.min(most, stones) }, (_, n) => `take${n + 1}`).reverse()
  }

  play({ stones, seat, most }, ply) {
    if (stones === 9) throw new TypeError('a mistake of the author')
    return { stones: stones - (ply === 'pass' ? 0 : Number(ply.slice(4))), seat: seat === 'p1' ? 'p2' : 'p1', most }
  }

  result({ stones, seat }) {
    return stones > 0 ? null : { result: seat === 'p1' ? 'p2win' : 'p1win', reason: 'last-stone', words: 'took the last stone' }
  }

  show({ stones, seat }) {
    return `${stones} ${seat}`
  }

  read(text, options) {
    console.log('a forgotten line')
    const [, stones, seat] = /^(\d+) (p[12])$/.exec(text)
    if (Number(stones) > options.stones) throw new Error('no such heap')
    return { ...this.start(options), stones: Number(stones), seat }
  }

  count({ stones }) {
    return [stones, stones]
  }
}

/** Returns what the game answers to lines. */
function ask(...lines) {
  const input = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
  const words = [fileURLToPath(import.meta.url), 'serve']
  const said = execFileSync('node', words, { input, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['pipe', 'pipe', 'ignore'] })
  return said.trimEnd().split('\n').map((line) => JSON.parse(line))
}

function test() {
  const [after, won, label, pass] = ask(
    'position heap startpos moves take1',
    'legal heap most=one stones=5 fen 1 p1 moves take1',
    'legal heap stones=3 most=one startpos',
    'position heap stones=7 startpos',
  )
  const end = { result: 'p2win', reason: 'last-stone', words: 'took the last stone' }
  assert.deepEqual(after, {
    ...{ game: 'heap', position: '2 p2', seat: 'p2', turn: 'p2', fresh: true, legal: ['take1', 'take2'] },
    ...{ next: ['1 p1', '0 p1'], ends: { take2: end }, count: [2, 2], result: null, reason: null },
  })
  assert.deepEqual([won.game, won.legal, won.result, won.reason], ['heap stones=5 most=one', [], 'p1win', 'last-stone'])
  assert.ok(!('next' in won))
  assert.equal(label.game, 'heap most=one')
  assert.deepEqual([pass.legal, pass.next], [['pass'], ['7 p2']])

  const [about, [game]] = ask('about', 'games')
  assert.deepEqual(about, { format: 2, name: 'heap', version: '1.0', deterministic: true })
  assert.deepEqual([game.game, game.seats, game.pass, game['max-plies']], ['heap', [2, 2], true, 20])
  assert.deepEqual([game.options[1].values, game.options[0].max, 'look' in game], [['one', 'two'], 12, false])

  const wrong = [
    ['nonsense', 'bad-request'],
    ['position', 'bad-request'],
    ['position heap', 'bad-request'],
    ['position heap startpos take1', 'bad-request'],
    ['position heaps startpos', 'unknown-game'],
    ['position heap stones=0 startpos', 'bad-option'],
    ['position heap stones=13 startpos', 'bad-option'],
    ['position heap stones=03 startpos', 'bad-option'],
    ['position heap stones=3 stones=3 startpos', 'bad-option'],
    ['position heap most=three startpos', 'bad-option'],
    ['position heap __proto__=1 startpos', 'bad-option'],
    ['position heap fen', 'bad-position'],
    ['position heap fen 4 p1', 'bad-position'],
    ['position heap fen 03 p1', 'bad-position'],
    [Buffer.from('position heap fen \xff p1', 'latin1'), 'bad-position'],
    ['position heap startpos moves take3', 'illegal-ply'],
    ['position heap startpos moves take2 take1 take1', 'illegal-ply'],
    ['x'.repeat(2 << 20), 'bad-request'],
    ['position heap stones=9 startpos', 'internal'],
  ]
  const answers = ask(...wrong.map(([line]) => line), 'about')
  assert.deepEqual(answers.slice(0, -1).map((answer) => answer.error), wrong.map(([, code]) => code))
  assert.equal(answers.at(-2).message, '`TypeError: a mistake of the author`')
  assert.equal(answers.at(-1).name, 'heap')

  const [first, second, ...rest] = ask('', '# about', 'about; legal heap startpos;', 'about', 'quit', 'about')
  assert.deepEqual(first.map((answer) => answer.error), [undefined, undefined, 'bad-request'])
  assert.deepEqual([second.format, rest.length], [2, 0])
  const many = ask('about;'.repeat(20000) + 'about', 'about')
  assert.deepEqual([many.length, many[0].length], [2, 20001])
  console.log(`the kit in JavaScript: ${wrong.length} wrong lines and all others are answered as they should be`)
}

if (process.argv[2] === 'serve') await serve(new Heap())
else test()
