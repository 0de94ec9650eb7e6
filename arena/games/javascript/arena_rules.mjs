// The rules of a game of one's own as a program: you write the rules, `serve` answers the arena's questions.
//
//     import { serve } from './arena_rules.mjs'
//     await serve({ id: 'nim', title: 'Nim', about: 'the last stone wins', start: …, legal: … })
//
// A game is an object with `id`, `title`, `about`, and any other member of `DEFAULTS`; and with the functions
//     start(options)       the state at the start; options is an object, with whole numbers for ranges
//     legal(state)         the legal plies, in any order; not asked when the game is over
//     play(state, ply)     the state after a legal ply, as a new object
//     result(state)        null, or { result, reason, words? }; result is 'p1win', 'p2win' or 'draw'
//     show(state)          the position string: all that matters for what follows, repetitions and plies played aside
//     read(text, options)  the state of a position string; it throws if it is none. Only what `show` writes is accepted
// and perhaps seat(state), who decides, and any of KEYS, such as key(state), what counts for repetition. The arena
// counts repetitions and plies. A game for more than two has `seats`, the fewest and the most; where they differ, an option
// `players` chooses, whose default is the fewest. Its result is a list of places, 1 being the best, and it also has
//     out(state)           the seats that are out, as { p2: [3, 'stuck'] }: place, and why, or null where the string does not tell
//     fault(state, seat)   the state after a seat that is in has committed a fault: it is out, behind all that are in
// At a table of two neither is asked. An option is { name, default, about } with `values` or with `min` and `max`; defaults
// are strings. Needs Node.js 16 and no package.

const MOST_BYTES = 1 << 20 // of a line, with its end
const BLOCK = 1 << 16 // characters that are written at a time

/** Keys of an answer that a game gives by a function of the same name, which takes the state. */
const KEYS = ['turn', 'fresh', 'key', 'count', 'proofs', 'cells', 'hand', 'label', 'san']

/** What a game may leave out. */
const DEFAULTS = {
  version: '1.0',
  options: [],
  notation: '', // plies in one line
  rules: '', // Markdown
  seats: [2, 2], // how few and how many
  repetition: 0, // at which occurrence a position is a draw; 0: never
  passes: false, // whether a seat without another legal ply passes; `legal` need not say so, `play` gets `pass`
  maxPlies: undefined, // plies after which a game is a draw
  caps: undefined, // reasons that are caps: a repetition goes before them
  look: undefined,
  /** Who decides: the first word `p1`, `p2` and so on of the position string. */
  seat(state) {
    return this.show(state).split(' ').find((word) => /^p[1-8]$/.test(word))
  },
}

/** A request is answered by an error: a code, words for people, and perhaps why a ply is refused. */
class Refused extends Error {
  constructor(error, message, why = undefined) {
    super(message)
    this.answer = { error, message, why }
  }
}

/** Returns text of a request as it stands in a message: escaped, and not too much of it. */
function shown(text) {
  const escape = (char) => '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0')
  return '`' + String(text).slice(0, 200).replace(/[^ -~]/g, escape) + '`'
}

function describe({ id, title, about, notation, rules, repetition, seats, passes, options, maxPlies, caps, look }) {
  const line = { game: id, title, about, notation, rules, repetition, seats, pass: passes, options }
  return { ...line, 'max-plies': maxPlies, caps, look }
}

function optionValue({ name, values, min, max }, text) {
  if (values?.includes(text)) return text
  const number = Number(text)
  if (!values && /^(0|[1-9][0-9]{0,8})$/.test(text) && number >= min && number <= max) return number
  const allowed = values?.join(', ') ?? `${min}..${max}`
  throw new Refused('bad-option', `option \`${name}\` cannot be ${shown(text)}; allowed: ${allowed}`)
}

/** Returns the legal plies in order: none when the game is over. */
function plies(game, state) {
  if (game.result(state)) return []
  const legal = [...game.legal(state)].sort()
  return legal.length === 0 && game.passes ? ['pass'] : legal
}

/** Reads a position string, which has to be what `show` writes. */
function load(game, text, options) {
  let state, canonical
  try {
    state = game.read(text, options)
    canonical = game.show(state)
  } catch (error) {
    throw new Refused('bad-position', `not a position of \`${game.id}\`: ${shown(error?.message ?? error)}`)
  }
  if (canonical === text) return state
  throw new Refused('bad-position', `not a position of \`${game.id}\`: it is written ${shown(canonical)}`)
}

/** Answers `[KEY=VALUE …] startpos|fen STRING [moves PLY …]`, with what follows each ply if wanted. */
function position(game, words, follows) {
  const given = new Map()
  while (words[0]?.includes('=')) {
    const [, name, text] = /^(.*?)=(.*)$/.exec(words.shift())
    if (given.has(name) || !game.options.some((option) => option.name === name)) {
      throw new Refused('bad-option', `option ${shown(name)} is unknown, or given twice`)
    }
    given.set(name, text)
  }
  const text = (option) => given.get(option.name) ?? option.default
  const options = Object.fromEntries(game.options.map((option) => [option.name, optionValue(option, text(option))]))
  const end = words.includes('moves') ? words.indexOf('moves') : words.length
  let state
  if (end === 1 && words[0] === 'startpos') state = game.start(options)
  else if (end > 0 && words[0] === 'fen') state = load(game, words.slice(1, end).join(' '), options)
  else throw new Refused('bad-request', 'after the game come `startpos` or `fen STRING`, and then perhaps `moves`')
  const table = game.seats[1] > 2 ? (options.players ?? game.seats[0]) : 2
  for (const [index, ply] of words.slice(end + 1).entries()) {
    if (isFault(game, state, ply, table)) {
      state = game.fault(state, ply.slice(FAULT.length))
      continue
    }
    if (!plies(game, state).includes(ply)) {
      const where = `ply ${index + 1}, ${shown(ply)}, is not legal in ${shown(game.show(state))}`
      throw new Refused('illegal-ply', where, 'it is none of the legal plies')
    }
    state = game.play(state, ply)
  }
  const others = game.options.filter((option) => text(option) !== option.default)
  const label = [game.id, ...others.map((option) => `${option.name}=${text(option)}`)].join(' ')
  return answerState(game, label, state, follows, table)
}

/** What stands among the plies, before its name, for a fault of a seat. */
const FAULT = 'fault.'

/** Returns whether a word is a fault of a seat that can commit one: it is in at a table of more than two, and the game goes on. */
function isFault(game, state, word, table) {
  const number = /^fault\.p([1-8])$/.exec(word)?.[1]
  return table > 2 && number <= table && !game.result(state) && !game.out(state)[`p${number}`]
}

/** Returns how the game has ended, if it has; of two seats with places, the better one has won. */
function ended(game, state) {
  const end = game.result(state)
  if (!Array.isArray(end?.result)) return end
  const [p1, p2] = end.result
  const won = p1 === p2 ? 'draw' : p1 < p2 ? 'p1win' : 'p2win'
  return { ...end, result: end.result.length === 2 ? won : end.result.join(',') }
}

function answerState(game, label, state, follows, table) {
  const result = ended(game, state)
  const legal = plies(game, state)
  if (!result && legal.length === 0) throw new Error(`neither a legal ply nor a result: ${game.show(state)}`)
  const seat = game.seat(state)
  const line = { game: label, position: game.show(state), seat, turn: seat, fresh: true, legal }
  if (follows) {
    const states = legal.map((ply) => game.play(state, ply))
    const ends = states.map((after, index) => [legal[index], ended(game, after)])
    line.next = states.map((after) => game.show(after))
    line.ends = Object.fromEntries(ends.filter(([, end]) => end))
  }
  if (table > 2) {
    const out = Object.entries(game.out(state))
    line.out = Object.fromEntries(out.map(([name, [place]]) => [name, place]))
    line.exits = Object.fromEntries(out.filter(([, [, reason]]) => reason).map(([name, [, reason]]) => [name, reason]))
  }
  for (const key of KEYS) if (game[key]) line[key] = game[key](state)
  return { ...line, result: null, reason: null, ...result }
}

/** Answers one request, whatever it is, as JSON. */
function answer(games, request) {
  const [verb, ...words] = request.trim().split(/\s+/)
  try {
    const { id, version } = games[0]
    if (verb === 'about') return JSON.stringify({ format: 2, name: id, version, deterministic: true })
    if (verb === 'games') return JSON.stringify(games.map(describe))
    if (!['position', 'legal'].includes(verb) || words.length === 0) {
      throw new Refused('bad-request', `${shown(request.trim())} is no request`)
    }
    const game = games.find((game) => game.id === words[0])
    if (!game) throw new Refused('unknown-game', `no game is called ${shown(words[0])}`)
    return JSON.stringify(position(game, words.slice(1), verb === 'position'))
  } catch (error) {
    if (error instanceof Refused) return JSON.stringify(error.answer)
    console.error(error) // a mistake in the rules
    return JSON.stringify({ error: 'internal', message: shown(error) })
  }
}

/** Answers every line by one line of JSON, until `quit` or the end of the input. */
export async function serve(...games) {
  for (const game of games) for (const key in DEFAULTS) if (!(key in game)) game[key] = DEFAULTS[key]
  console.log = console.error // a forgotten `console.log` is no answer
  process.stdout.on('error', () => process.exit(0)) // nobody listens any more
  for await (const line of lines(process.stdin)) {
    const text = line === null ? `a line longer than ${MOST_BYTES} bytes` : line.trim()
    if (text === 'quit') return
    if (text === '' || text.startsWith('#')) continue
    const requests = text.split(';')
    let block = ''
    for (const [index, request] of requests.entries()) {
      block += (index > 0 ? ',' : requests.length > 1 ? '[' : '') + answer(games, request)
      if (block.length > BLOCK) {
        process.stdout.write(block)
        block = ''
      }
    }
    process.stdout.write(block + (requests.length > 1 ? ']\n' : '\n'))
  }
}

/** Yields the lines of a stream; null for one that is too long. */
async function* lines(stream) {
  let parts = []
  let length = 0
  const take = (part) => {
    length += part.length
    if (length < MOST_BYTES) parts.push(part)
    else parts = []
  }
  const line = () => {
    const text = length < MOST_BYTES ? Buffer.concat(parts).toString() : null
    parts = []
    length = 0
    return text
  }
  for await (const chunk of stream) {
    let begin = 0
    for (let end; (end = chunk.indexOf(10, begin)) >= 0; begin = end + 1) {
      take(chunk.subarray(begin, end))
      yield line()
    }
    take(chunk.subarray(begin))
  }
  if (length > 0) yield line()
}
