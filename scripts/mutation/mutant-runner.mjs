// @ts-check
// Runs each test as it is, then again with one of the mutants that it reaches switched on, and again with the next.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { TestRunner } from 'vitest'
import { append, killedIn, logOf } from './log.mjs'

/** A test that takes this many times its usual steps, or seconds of this process, is in an endless loop. */
const [STEPS, SECONDS] = [5, 3]
/** After this many seconds of tests that do not fail, a mutant has survived. */
const PATIENCE = 20

const folder = String(process.env.POLYAD_MUTATION)
/** @param {{ kind: string, [key: string]: unknown }} line */
const write = line => append(folder, line)

const seconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

let active = -1
let steps = 0
let limit = Number.POSITIVE_INFINITY
let deadline = Number.POSITIVE_INFINITY
/** @type {Set<number> | undefined} */
let reached

/** @param {number} id */
const isActive = id => {
  steps++
  if (steps > limit || ((steps & 0xfffff) === 0 && seconds() > deadline)) throw new Error('an endless loop')
  return id === active
}

/** @param {number[]} ids */
const isReached = (...ids) => {
  if (reached !== undefined) for (const id of ids) reached.add(id)
  return true
}

Object.assign(globalThis, { stryMutAct_9fa48: isActive, stryCov_9fa48: isReached })
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

/** @type {Set<number>} */
const drawn = new Set(JSON.parse(readFileSync(`${folder}/run.json`, 'utf8')).drawn)
const before = logOf(folder)
/** What a mutant leaves behind in memory may kill the next ones: those killed by such a test are put to it again, with care. */
const doubted = new Set(before.filter(({ kind }) => kind === 'doubted').map(({ test }) => test))
const killed = killedIn(before)
const survived = new Set(before.filter(({ kind }) => kind === 'survived').map(({ id, test }) => `${id} ${test}`))
const done = new Set(before.filter(({ kind }) => kind === 'done').map(({ test }) => test))
/** @type {Map<number, number>} */
const spent = new Map()
/** @type {Set<number>} */
const outside = new Set()

/** @param {() => unknown} test @param {number} id @param {{ steps: number, seconds: number, wall: number }} usual */
const failureOf = async (test, id, usual) => {
  active = id
  steps = 0
  limit = STEPS * usual.steps + 1e6
  deadline = seconds() + STEPS * usual.seconds + SECONDS
  let timer
  try {
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('it takes too long')), (STEPS * usual.wall + 10 * SECONDS) * 1000)
    })
    await Promise.race([test(), late])
    return undefined
  } catch (error) {
    return String(/** @type {Error} */ (error)?.message ?? error).slice(0, 200)
  } finally {
    clearTimeout(timer)
    active = -1
    limit = Number.POSITIVE_INFINITY
    deadline = Number.POSITIVE_INFINITY
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest asks for it
export default class MutantRunner extends TestRunner {
  /** @param {any} config */
  constructor(config) {
    super(config)
    reached = outside
  }

  /** @override */
  onAfterRunFiles() {
    write({ kind: 'end', outside: [...outside] })
    super.onAfterRunFiles()
  }

  /** @param {any} task */
  async runTask(task) {
    const test = /** @type {() => unknown} */ (TestRunner.getTestFn(task))
    const name = `${task.file.name} > ${task.fullTestName ?? task.name}`
    if (done.has(name)) return
    const mine = new Set()
    reached = mine
    steps = 0
    const [cpu, clock] = [seconds(), performance.now()]
    try {
      await test()
    } finally {
      reached = undefined
    }
    const usual = { steps, seconds: seconds() - cpu, wall: (performance.now() - clock) / 1000 }
    write({ kind: 'test', test: name, seconds: usual.seconds, reaches: [...mine].filter(id => drawn.has(id)) })
    const alive = [...mine].filter(id => drawn.has(id) && !killed.has(id) && !survived.has(`${id} ${name}`))
    if (alive.length > 0 && (await failureOf(test, -1, usual)) === undefined) {
      for (const id of alive) {
        const already = spent.get(id) ?? 0
        if (already > PATIENCE) continue
        write({ kind: 'begun', id, test: name })
        const begun = seconds()
        const why = await failureOf(test, id, usual)
        spent.set(id, already + seconds() - begun)
        write({ kind: why === undefined ? 'survived' : 'killed', id, test: name, why })
        if (why === undefined) continue
        killed.add(id)
        // In a new process the next one finds nothing of this one.
        if (doubted.has(name) && (await failureOf(test, -1, usual)) !== undefined) process.kill(process.pid, 'SIGKILL')
      }
      if (!doubted.has(name) && (await failureOf(test, -1, usual)) !== undefined) {
        write({ kind: 'doubted', test: name })
        process.kill(process.pid, 'SIGKILL')
      }
    }
    write({ kind: 'done', test: name })
    reached = outside
  }
}
