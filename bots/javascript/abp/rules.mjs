#!/usr/bin/env node
// The rules of every game, asked of `arena rules`: legal plies, positions after them, results.
//
//     import { Rules } from './abp/rules.mjs'
//
//     const rules = await Rules.open('fanorona', { size: '5x5' })
//     let position = await rules.start()
//     while (position.result === null) {
//       const ply = position.legal[Math.floor(Math.random() * position.legal.length)]
//       position = await rules.position(position.next.get(ply))
//     }
//     await rules.close()
//
// Node's standard library only. Run as a program, it plays random games and tells its speed:
//
//     node rules.mjs [--arena PATH] [GAME [KEY=VALUE...]]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

// A line of the server holds a mebibyte; a batch stays well below it.
const MOST_CHARACTERS = 1 << 19

/** The server refused a request. `code` is one of its error codes, such as `illegal-ply`. */
export class RulesError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.name = 'RulesError'
    this.code = code
  }
}

/**
 * A position and what follows from it.
 * @typedef {object} Position
 * @property {string} text the position string
 * @property {string} seat `p1` or `p2`: who decides
 * @property {string} turn whose turn it is: in Frenzy not always who decides
 * @property {boolean} isFresh whether no ply of that turn has been played
 * @property {string[]} legal in byte order; empty when the game is over
 * @property {Map<string, string>} next from each legal ply to the position string after it
 * @property {Map<string, {result: string, reason: string}>} ends from each ply that ends the game to how
 * @property {string | null} result `p1win`, `p2win`, `draw`; null while the game goes on
 * @property {string | null} reason
 */

/** The rules of one game with its options, kept by a process of the arena. */
export class Rules {
  #head
  #process
  #waiting = []
  #failure = null

  /** Use `Rules.open`. */
  constructor(head, command) {
    this.#head = head
    this.#process = spawn(command[0], [...command.slice(1), 'rules'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const fail = (error) => {
      this.#failure ??= error
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
    }
    this.#process.on('error', fail)
    this.#process.stdin.on('error', fail)
    const lines = createInterface({ input: this.#process.stdout })
    lines.on('line', (line) => this.#waiting.shift()?.resolve(JSON.parse(line)))
    lines.on('close', () => fail(new Error('`arena rules` has ended')))
  }

  /**
   * Starts the server. `command` is how the arena is called. Rejects when there is no such game or option.
   * @param {string} game @param {Record<string, string | number>} options @param {string[]} command
   */
  static async open(game, options = {}, command = ['arena']) {
    const pairs = Object.entries(options).map(([key, value]) => ` ${key}=${value}`)
    const rules = new Rules(game + pairs.join(''), command)
    try {
      await rules.start()
    } catch (error) {
      await rules.close()
      throw error
    }
    return rules
  }

  /** Returns the start of the game. @returns {Promise<Position>} */
  start() {
    return this.position()
  }

  /**
   * Returns the position after `moves`, played from a position string or from the start. Only positions that
   * `moves` went through count for repetition. Rejects when the string is no position of the game or a ply is
   * not legal.
   * @param {string | null} text @param {string[]} moves @returns {Promise<Position>}
   */
  async position(text = null, moves = []) {
    const [answer] = await this.positions([[text, moves]])
    if (answer instanceof RulesError) throw answer
    return answer
  }

  /**
   * Returns many positions, or what is wrong with them, in order: faster than one by one.
   * @param {Iterable<[string | null, string[]]>} lines @returns {Promise<Array<Position | RulesError>>}
   */
  async positions(lines) {
    const batches = [[]]
    let length = 0
    for (const [text, moves] of lines) {
      const request = this.#request(text, moves)
      if (length > 0 && length + request.length > MOST_CHARACTERS) {
        batches.push([])
        length = 0
      }
      batches.at(-1).push(request)
      length += request.length + 1
    }
    const answers = await Promise.all(batches.filter((batch) => batch.length > 0).map((batch) => this.#ask(batch)))
    return answers.flat().map(read)
  }

  /** Ends the server. */
  async close() {
    const { exitCode, signalCode, pid } = this.#process
    this.#process.stdin.end()
    if (pid !== undefined && exitCode === null && signalCode === null) await once(this.#process, 'exit')
  }

  #request(text, moves) {
    let words = `position ${this.#head} ` + (text === null ? 'startpos' : `fen ${text}`)
    if (moves.length > 0) words += ` moves ${moves.join(' ')}`
    if (/[;\r\n]/.test(words)) throw new RulesError('bad-request', '`;` and line ends stand in no position or ply')
    return words
  }

  #ask(requests) {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      this.#waiting.push({ resolve, reject })
      this.#process.stdin.write(requests.join(';') + '\n')
    })
  }
}

function read(answer) {
  if (answer.error !== undefined) return new RulesError(answer.error, answer.message)
  return {
    text: answer.position,
    seat: answer.seat,
    turn: answer.turn,
    isFresh: answer.fresh,
    legal: answer.legal,
    next: new Map(answer.legal.map((ply, index) => [ply, answer.next[index]])),
    ends: new Map(Object.entries(answer.ends)),
    result: answer.result,
    reason: answer.reason,
  }
}

/** Plays random games side by side; returns questions and positions (each with all that follow) per second. */
async function measure(rules, seconds, games) {
  let asked = 0
  let seen = 0
  let current = Array.from({ length: games }, () => [null, []])
  const begin = performance.now()
  while (performance.now() - begin < seconds * 1000) {
    const positions = await rules.positions(current)
    current = positions.map((position) => {
      if (position instanceof RulesError) throw position
      asked += 1
      seen += 1 + position.legal.length
      const ply = position.legal[Math.floor(Math.random() * position.legal.length)]
      return [ply === undefined ? null : position.next.get(ply), []]
    })
  }
  const elapsed = (performance.now() - begin) / 1000
  return [asked / elapsed, seen / elapsed].map(Math.round)
}

async function main(words) {
  const command = words[0] === '--arena' ? [words.splice(0, 2)[1]] : ['arena']
  const [game = 'fanorona', ...pairs] = words
  const rules = await Rules.open(game, Object.fromEntries(pairs.map((pair) => pair.split('='))), command)
  for (const games of [1, 100]) {
    const [asked, seen] = await measure(rules, 2, games)
    console.log(`${game}: ${games} a line: ${asked} questions/s, ${seen} positions/s`)
  }
  await rules.close()
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2))
