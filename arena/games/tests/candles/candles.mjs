// Candles as in candles.py, with the kit in JavaScript.

import { serve } from './arena_rules.mjs'

const sum = (numbers) => numbers.filter((number) => number > 0).length

function without({ candles, out, decider }, seat, count, reason, isTurn) {
  const left = sum(candles)
  candles = candles.with(seat, candles[seat] - count)
  if (candles[seat] === 0) out = { ...out, [`p${seat + 1}`]: [left, reason] }
  for (; isTurn || candles[decider] === 0; isTurn = false) decider = (decider + 1) % candles.length
  return { candles, out, decider }
}

const places = ({ candles, out }, none) => candles.map((_, seat) => out[`p${seat + 1}`]?.[0] ?? none)

await serve({
  id: 'candles',
  title: 'Candles',
  about: 'whose light lasts',
  seats: [2, 8],
  options: [{ name: 'players', default: '2', about: 'seats at the table', min: 2, max: 8 }],
  start: ({ players }) => ({ candles: Array(players).fill(2), out: {}, decider: 0 }),
  legal: ({ candles }) => [...'abcdefgh'].filter((_, seat) => candles[seat] > 0).map((letter) => letter + 1),
  play: (state, ply) => without(state, 'abcdefgh'.indexOf(ply[0]), 1, 'dark', true),
  fault: (state, seat) => without(state, seat[1] - 1, state.candles[seat[1] - 1], 'fault', seat[1] - 1 === state.decider),
  out: ({ out }) => Object.fromEntries(Object.entries(out).sort()),
  result: (state) => (sum(state.candles) > 1 ? null : { result: places(state, 1), reason: 'dark' }),
  show: (state) => `${state.candles.join('')} ${places(state, 0).join('')} p${state.decider + 1}`,
  read(text, { players }) {
    const match = /^([0-2]+) ([0-8]+) p([1-8])$/.exec(text)
    const [candles, ranks] = [match[1], match[2]].map((digits) => [...digits].map(Number))
    const decider = match[3] - 1
    const left = sum(candles)
    const dark = ranks.filter((place) => place > 0).sort()
    const isSound = candles.length === players && ranks.length === players && candles[decider] > 0
    const isOrdered = dark.length === players - left && dark.every((place, index) => place === left + 1 + index)
    if (!isSound || !isOrdered || candles.some((lit, seat) => lit > 0 === ranks[seat] > 0)) throw new Error('no position')
    const out = ranks.flatMap((place, seat) => (place > 0 ? [[`p${seat + 1}`, [place, null]]] : []))
    return { candles, out: Object.fromEntries(out), decider }
  },
})
