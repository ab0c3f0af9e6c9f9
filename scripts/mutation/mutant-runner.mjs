// @ts-check
// Runs all tests as they are and notes which mutants each reaches. Then it switches on one mutant after the other, and runs the tests that reach it, the
// quickest first, until one fails. What cleans up after a file waits until the end. Tests with hooks of their own meet their mutants at once.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { TestRunner } from 'vitest'
import { append, killedIn, logOf } from './log.mjs'

/** A test that takes this many times its usual steps, or seconds of this process, is in an endless loop. */
const [STEPS, SECONDS] = [5, 3]
/** A test of fewer seconds is tried without mutants after each that it kills; else after each ten. */
const QUICK = 0.1

const folder = String(process.env.POLYAD_MUTATION)
/** @param {{ kind: string, [key: string]: unknown }} line */
const write = line => append(folder, line)

const seconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** A mutant that is switched on from the beginning: nothing else is tried then. */
const always = Number(process.env.POLYAD_MUTANT ?? -1)
let active = always
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

/** After `patience` seconds of tests that do not fail, a mutant has survived. @type {{ tests: string[], drawn: number[], ids: number[][], within: Record<number, number[]>, patience: number }} */
const { tests: files, drawn, ids, within, patience } = JSON.parse(readFileSync(`${folder}/run.json`, 'utf8'))
const before = logOf(folder)
/** What a mutant leaves behind in memory may kill the next ones: once that was so, a test is tried without mutants after each that it kills. */
const careful = before.some(({ kind }) => kind === 'doubted')
const killed = killedIn(before)
const survived = new Set(before.filter(({ kind }) => kind === 'survived').map(({ id, test }) => `${id} ${test}`))
/** @type {Map<number, number>} */
const spent = new Map()
/** @type {Set<number>} */
const outside = new Set()

/** @param {() => unknown} test @param {number} id none: −1 @param {{ steps: number, seconds: number, wall: number }} usual */
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

/**
 * @typedef {{ name: string, run: () => unknown, reaches: Set<number>, steps: number, seconds: number, wall: number, repeatable?: boolean }} Tried a test
 *   that has run: what it took, and whether it passes a second time
 */

/** Mutants that were killed since a test was last seen to pass without them. @type {number[]} */
let unchecked = []

/** @param {Tried} test */
const check = async test => {
  if ((await failureOf(test.run, -1, test)) === undefined) {
    unchecked = []
    return
  }
  // In a new process nothing is left of them. With care, the last was killed by itself.
  if (!careful) write({ kind: 'doubted', ids: unchecked })
  process.kill(process.pid, 'SIGKILL')
}

/** One mutant meets one test; whether it lives. @param {Tried} test @param {number} id */
const meet = async (test, id) => {
  const already = spent.get(id) ?? 0
  if (already > patience || killed.has(id) || survived.has(`${id} ${test.name}`)) return
  test.repeatable ??= (await failureOf(test.run, -1, test)) === undefined
  if (!test.repeatable) return
  write({ kind: 'begun', id, test: test.name })
  const begun = seconds()
  const why = await failureOf(test.run, id, test)
  spent.set(id, already + seconds() - begun)
  write({ kind: why === undefined ? 'survived' : 'killed', id, test: test.name, why })
  if (why === undefined) return
  killed.add(id)
  unchecked.push(id)
  if (careful || test.seconds < QUICK || unchecked.length === 10) await check(test)
}

/** By file of tests, what it took and reaches. @type {Map<string, { seconds: number, reaches: Set<number> }>} */
const byFile = new Map()

/**
 * For the mutants that only loading reaches: the tests that reach what is within them, as within a function that is put away, and if there are none those
 * that reach something else of the same file. The quickest first, as far as patience goes.
 */
const testsByMutant = () => {
  /** @type {Record<number, string[]>} */
  const found = {}
  /** @param {number[]} some */
  const reaching = some => {
    const tests = [...byFile].filter(([, { reaches }]) => some.some(id => reaches.has(id)))
    return tests.sort(([, a], [, b]) => a.seconds - b.seconds)
  }
  /** @param {ReturnType<typeof reaching>} tests */
  const quick = tests => {
    let total = 0
    return tests.filter(([, { seconds }], i) => {
      total += seconds
      return i === 0 || total <= 2 * patience
    })
  }
  for (const own of ids) {
    const tests = reaching(own)
    for (const id of own) {
      if (!outside.has(id) || within[id] === undefined || tests.some(([, { reaches }]) => reaches.has(id))) continue
      const nearest = reaching(within[id])
      found[id] = quick(nearest.length > 0 ? nearest : tests).map(([name]) => name)
    }
  }
  return found
}

/** @type {Tried[]} */
const later = []
/** What cleans up after the files. @type {(() => unknown)[]} */
const cleaning = []
let ended = 0

// biome-ignore lint/style/noDefaultExport: Vitest asks for it
export default class MutantRunner extends TestRunner {
  /** @param {any} config */
  constructor(config) {
    super(config)
    reached = outside
  }

  /**
   * @override
   * @param {any[]} [done]
   */
  async onAfterRunFiles(done = []) {
    ended += done.length
    if (ended === files.length && always < 0) {
      reached = undefined
      later.sort((a, b) => a.seconds - b.seconds)
      for (const id of drawn) {
        for (const test of later) if (test.reaches.has(id)) await meet(test, id)
      }
      write({ kind: 'end', drawn, outside: [...outside], loading: testsByMutant() })
    }
    if (ended === files.length) for (const clean of cleaning.splice(0)) await clean()
    super.onAfterRunFiles()
  }

  /**
   * @override
   * @param {any} suite
   */
  async onBeforeRunSuite(suite) {
    await super.onBeforeRunSuite(suite)
    if (suite.file === suite)
      cleaning.unshift(
        ...TestRunner.getSuiteHooks(suite)
          .afterAll.splice(0)
          .map(clean => () => clean(suite)),
      )
  }

  /** @param {any} task */
  async runTask(task) {
    const run = /** @type {() => unknown} */ (TestRunner.getTestFn(task))
    const name = `${task.file.name} > ${task.fullTestName ?? task.name}`
    if (always >= 0) {
      await run()
      write({ kind: 'passed', id: always, test: name })
      return
    }
    const reaches = new Set()
    reached = reaches
    steps = 0
    const [cpu, clock] = [seconds(), performance.now()]
    try {
      await run()
    } finally {
      reached = outside
    }
    const test = { name, run, reaches, steps, seconds: seconds() - cpu, wall: (performance.now() - clock) / 1000 }
    write({ kind: 'test', test: name, seconds: test.seconds, reaches: drawn.filter(id => reaches.has(id)) })
    const own = byFile.get(task.file.name) ?? { seconds: 0, reaches: new Set() }
    byFile.set(task.file.name, { seconds: own.seconds + test.seconds, reaches: new Set([...own.reaches, ...reaches]) })
    if (!hasHooks(task.suite ?? task.file)) {
      later.push(test)
      return
    }
    reached = undefined
    for (const id of drawn) if (reaches.has(id)) await meet(test, id)
    reached = outside
  }
}

/** Whether something is done before or after a test, or cleans up after the tests of a group. @param {any} suite @returns {boolean} */
const hasHooks = suite => {
  if (suite === undefined) return false
  const { beforeEach, afterEach, aroundEach = [], afterAll } = TestRunner.getSuiteHooks(suite)
  const here = [beforeEach, afterEach, aroundEach, afterAll].some(hooks => hooks.length > 0)
  return here || (suite !== suite.file && hasHooks(suite.suite ?? suite.file))
}
