// Replays the playthroughs through `abp/rules.mjs`.
//
//     node rules_test.mjs ARENA
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { Rules, RulesError } from '../../bots/javascript/abp/rules.mjs'

const command = [process.argv[2]]
const folder = new URL('../../protocol-spec/vectors/playthroughs/', import.meta.url)

function fnv(text) {
  let number = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) number = BigInt.asUintN(64, (number ^ BigInt(byte)) * 0x100000001b3n)
  return number.toString(16).padStart(16, '0')
}

async function playthrough(name) {
  const [game, options, start, ...rest] = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n')
  const [, result, reason] = rest.pop().split(' ')
  const pairs = Object.fromEntries(options.split(' ').slice(1).map((pair) => pair.split('=')))
  const plies = rest.map((line) => line.split(' '))
  const tokens = plies.map((fields) => fields[4])
  const rules = await Rules.open(game.split(' ')[1], pairs, command)
  const positions = await rules.positions([null, ...tokens].map((_, n) => [null, tokens.slice(0, n)]))
  assert.equal(positions[0].text, start.slice('position '.length), name)
  for (const [index, [seat, turn, count, digest, ply, ...text]] of plies.entries()) {
    const position = positions[index]
    assert.deepEqual([position.seat, position.turn, position.isFresh], [seat, turn.slice(0, 2), turn.length === 2], name)
    assert.deepEqual([position.legal.length, fnv(position.legal.join(' '))], [Number(count), digest], name)
    assert.equal(position.next.get(ply), text.join(' '), name)
  }
  assert.deepEqual(positions.at(-2).ends.get(tokens.at(-1)), { result, reason }, name)
  assert.deepEqual([positions.at(-1).result, positions.at(-1).reason], [result, reason], name)
  await rules.close()
}

async function errors() {
  const code = (code) => (error) => error instanceof RulesError && error.code === code
  await assert.rejects(Rules.open('chess', {}, command), code('unknown-game'))
  await assert.rejects(Rules.open('faust', { size: 1 }, command), code('bad-option'))
  await assert.rejects(Rules.open('faust', {}, ['./no-such-program']))
  const rules = await Rules.open('farook', {}, command)
  await assert.rejects(rules.position('4/4/4/4 p1'), code('bad-position'))
  await assert.rejects(rules.position(null, ['a1', 'a1']), code('illegal-ply'))
  const [good, bad] = await rules.positions([[null, []], [null, ['z9']]])
  assert.deepEqual([good.seat, bad.code], ['p1', 'bad-ply'])
  assert.equal((await rules.positions(Array(20_000).fill([null, ['a1', 'b2']]))).length, 20_000)
  await rules.close()
  await assert.rejects(rules.start())
}

const names = readdirSync(folder)
assert.ok(names.length > 0)
for (const name of names) await playthrough(name)
await errors()
console.log(`${names.length} playthroughs hold`)
