import { describe, expect, it } from 'vitest'
import { runAt, SETTING } from '../../../../../test/fake-search.ts'
import { AbortError } from '../../errors.ts'
import type { Run } from '../descent/run.ts'
import { crossoverSearch } from './crossover-search.ts'
import { geneticSearch } from './genetic-search.ts'
import { SearchLog, type SearchSetting } from './search-log.ts'
import type { Task, TaskResult } from './tasks.ts'

/** Models that are known by a number. */
const modelOf = (id: number) => ({ rank: 1, shares: Float64Array.of(1), factors: [Float64Array.of(id, 1 - id)] })
const idOf = ({ factors }: { readonly factors: readonly Float64Array[] }) => factors[0][0]
const end = (objective: number, id = 0): Run => runAt(objective, { parameters: modelOf(id) })

/** A log whose tasks end as they are told to, and what was asked of it. */
const searching = (objective: (task: Task, at: number) => number, more: Partial<SearchSetting> = {}) => {
  const batches: { readonly phase: string; readonly tasks: readonly Task[] }[] = []
  let done = 0
  const log = new SearchLog({
    ...SETTING,
    rank: 2,
    limits: { maxStarts: 1000, maxPasses: 1e6 },
    perform: async (tasks, phase): Promise<TaskResult[]> => {
      if (batches.length > 500) throw new Error('there is no end to it')
      batches.push({ phase, tasks })
      return tasks.map(task => {
        const at = done++
        return { run: end(objective(task, at), 0.001 * (at + 100)), cost: 1 }
      })
    },
    ...more,
  })
  return { log, batches, tasks: () => batches.flatMap(each => each.tasks) }
}

const settled = async (log: SearchLog, objectives: readonly number[]) => {
  for (const [i, objective] of objectives.entries()) await log.settle('random', end(objective, 0.001 * (i + 1)))
}

describe('a brood', () => {
  it('ends after sixty children in a row without a better one, four at a time', async () => {
    // The ninth child is the last that is better.
    const { log, batches, tasks } = searching((task, at) => (task.kind === 'child' ? (at === 8 ? 50 : 120 + at) : 90))
    await settled(log, [100, 110, 120])
    log.cost = 1e6 - 60 - 100
    await geneticSearch(log, 3)
    const children = tasks().filter(task => task.kind === 'child')
    expect(children.length).toBeGreaterThanOrEqual(72)
    expect(batches[0]).toMatchObject({ phase: 'recombination' })
    expect(batches[0].tasks).toHaveLength(4)
    expect(children.slice(0, 5).map(task => task.child)).toEqual([0, 1, 2, 3, 4])
    // Parents are among those that are kept, and what must be reached is the highest of them.
    expect(children[0].target).toBe(120)
    for (const { one, other } of children.slice(0, 4))
      for (const parent of [one, other]) expect([0.001, 0.002, 0.003]).toContain(idOf(parent))
    expect(log.attempts[3]).toMatchObject({ origin: 'recombined', loss: 50 })
    expect(log.best?.objective).toBe(50)
  })

  it('is followed by others from starts of their own, until enough agree', async () => {
    const { log, tasks, batches } = searching(task => (task.kind === 'child' ? 100 : 200))
    await settled(log, [100, 100, 100, 100, 100, 100, 100])
    await geneticSearch(log, 3)
    // Most starts are at the best: the second brood is enough.
    expect(log.broodsAtBest).toBe(2)
    expect(tasks().filter(task => task.kind === 'child')).toHaveLength(60 + 64)
    expect(tasks().filter(task => task.kind === 'start')).toHaveLength(8)
    expect(batches.every(({ phase }) => phase === 'recombination')).toBe(true)
    expect(log.attempts.slice(7).map(({ origin }) => origin)).toEqual(['recombined', 'recombined'])
  })

  /** A search whose broods end at 150, 100 and 100, and later ones at a given loss. */
  const threeBroods = async (later: number) => {
    let brood = 0
    const ending = [150, 100, 100]
    const { log, tasks } = searching(task => (task.kind === 'child' ? (ending[brood] ?? later) : 200))
    const settle = log.settle.bind(log)
    log.settle = async (origin, run) => {
      if (origin === 'recombined') brood++
      await settle(origin, run)
    }
    await settled(log, [100, 100, 100, 100, 100, 100, 170])
    log.runnersUp.splice(0, 7, end(170, 0.5), end(180, 0.6))
    await geneticSearch(log, 3)
    return { log, tasks }
  }

  it('of the winners is raised if some ended elsewhere, and believed if it is no better', async () => {
    const { log, tasks } = await threeBroods(100)
    expect(log.attempts.slice(7).map(({ loss }) => loss)).toEqual([150, 100, 100])
    // Three broods, and that of their winners, which is not an attempt.
    expect(tasks().filter(task => task.kind === 'child')).toHaveLength(3 * 64 + 60)
  })

  it('of the winners that is better is an attempt, and others must end there too', async () => {
    const { log } = await threeBroods(50)
    // Without a start at 50, six broods must end there.
    const raised = log.attempts.slice(7)
    expect(raised.map(({ loss }) => loss)).toEqual([150, 100, 100, 50, 50, 50, 50, 50, 50])
    expect(raised.every(({ origin }) => origin === 'recombined')).toBe(true)
    expect([log.broodsAtBest, log.best?.objective]).toEqual([6, 50])
  })

  /** A search of broods that end at given losses, in which 300 passes are enough. */
  const enough = async (losses: (raised: number) => number) => {
    let raised = 0
    const limits = { maxStarts: 1000, maxPasses: 1500, enough: 300 }
    const { log, tasks } = searching(task => (task.kind === 'child' ? losses(raised) : 200), { limits })
    const settle = log.settle.bind(log)
    log.settle = async (origin, run) => {
      if (origin === 'recombined') raised++
      await settle(origin, run)
    }
    await settled(log, [100, 150])
    await geneticSearch(log, 3)
    return { log, tasks }
  }

  it('is the last if enough was spent, and the winners of four and their children have gained next to nothing', async () => {
    // The fifth are the children of winners.
    const { log, tasks } = await enough(raised => [99.95, 99.9, 99.8, 99.6, 99.4][raised])
    expect(log.attempts.slice(2).map(({ loss }) => loss)).toEqual([99.95, 99.9, 99.8, 99.6, 99.4])
    expect(log.standstill?.gain).toBeCloseTo(0.6, 9)
    expect(log.standstill?.passes).toBe(tasks().length)
    expect(log.close(true, true).standstill).toEqual(log.standstill)
  })

  it('is not the last if they have gained more', async () => {
    const { log } = await enough(raised => 99 - raised)
    expect(log.standstill).toBeUndefined()
    expect(log.attempts.length).toBeGreaterThan(10)
    expect(log.over).toBe(true)
  })

  it('is not begun without models, or without passes', async () => {
    const { log, batches } = searching(() => 1)
    await geneticSearch(log, 1)
    expect(batches).toEqual([])
    const { log: spent, batches: none } = searching(() => 1)
    await settled(spent, [1])
    spent.cost = 1e6
    await geneticSearch(spent, 1)
    expect(none).toEqual([])
  })

  it('has no twins, and is cut back to eight when it has more than sixteen', async () => {
    const targets: number[] = []
    const { log } = searching((task, at) => {
      if (task.kind === 'child') targets.push(task.target)
      // Nine that are new, each worse than the one before, and then copies of the best.
      return at < 9 ? 300 + at : 100.00005
    })
    await settled(log, [100, 110, 120, 130, 140, 150, 160, 170])
    log.cost = 1e6 - 60 - 40
    await geneticSearch(log, 1)
    expect(targets[0]).toBe(170)
    expect(targets[4]).toBe(303)
    expect(targets[8]).toBe(307)
    // The seventeenth makes nine go.
    expect(targets[12]).toBe(170)
    expect(new Set(targets.slice(12))).toEqual(new Set([170]))
  })
})

describe('a lineage', () => {
  const few = { limits: { maxStarts: 100, maxPasses: 10_000 } }

  it('takes first the four lowest ends for partners, then fresh starts, from the best of both', async () => {
    const { log, tasks } = searching((task, at) => (task.kind === 'cross' ? (at === 3 ? 90 : 130) : 95), few)
    await settled(log, [100, 110, 120, 130, 140, 150])
    await crossoverSearch(log)
    const crosses = tasks().filter(task => task.kind === 'cross')
    expect(crosses.slice(0, 4).map(({ one }) => idOf(one))).toEqual([0.001, 0.001, 0.001, 0.001])
    expect(crosses.slice(0, 6).map(({ other }) => ('start' in other ? other.start : idOf(other)))).toEqual([
      ...[0.002, 0.003, 0.004, 0.005, 0, 1],
    ])
    expect(crosses[0].target).toBe(100)
    // The fourth child takes its parent's place, and sixteen more find nothing better.
    expect(crosses[4]).toMatchObject({ target: 90 })
    expect(idOf(crosses[4].one)).toBeCloseTo(0.103, 12)
    expect(log.attempts[6]).toMatchObject({ origin: 'recombined', loss: 90 })
    expect(crosses.slice(4, 20).every(({ target }) => target === 90)).toBe(true)
    expect(crosses[20].target).toBe(95)
  })

  it('leaves a cross what is free without its overhead, and needs enough for two', async () => {
    const { log, tasks } = searching(() => 130, { limits: { maxStarts: 100, maxPasses: 300 } })
    await settled(log, [100, 110])
    log.cost = 300 - 30 - 107
    await crossoverSearch(log)
    const [first] = tasks()
    // 107 passes for two, less 15 for a partner and twice 4 for what both have together.
    expect(first).toMatchObject({ kind: 'cross', stopping: { maxPasses: 53 - 23, tolerance: 1e-6, stationarity: 0.1 } })
    const { log: tight, batches } = searching(() => 130, { limits: { maxStarts: 100, maxPasses: 300 } })
    await settled(tight, [100, 110])
    tight.cost = 300 - 30 - 106
    tight.attempts.push(...tight.attempts)
    await crossoverSearch(tight)
    expect(batches[0].tasks[0].kind).toBe('start')
  })

  it('is begun anew from the lowest of four brief starts, until six attempts agree', async () => {
    let started = 0
    const { log, batches } = searching(task => (task.kind !== 'start' ? 130 : ++started % 4 === 3 ? 100 : 104), few)
    await settled(log, [100, 110])
    await crossoverSearch(log)
    const starts = batches.filter(({ tasks }) => tasks[0].kind === 'start')
    expect(starts[0].tasks).toHaveLength(4)
    expect(starts[0].tasks.every(({ stopping: { maxPasses } }) => maxPasses === 20)).toBe(true)
    expect(batches.every(({ phase }) => phase === 'recombination')).toBe(true)
    expect(log.optima.timesBest).toBe(6)
    // The lineage of each has its lowest start for a founder.
    const after = batches[batches.indexOf(starts[0]) + 1].tasks[0]
    expect(after).toMatchObject({ kind: 'cross', target: 100 })
    expect(log.attempts.slice(2).map(({ loss }) => loss)).toEqual([100, 100, 100, 100, 100])
  })

  it('ends with what it has if it is stopped, and is not begun if the search is over', async () => {
    let calls = 0
    const { log } = searching(() => 1, {
      ...few,
      perform: () => {
        calls++
        return Promise.reject(new AbortError())
      },
    })
    await settled(log, [100, 110])
    await crossoverSearch(log)
    expect(calls).toBe(1)
    expect(log.attempts).toHaveLength(2)
    const { log: over, batches } = searching(() => 1, { ...few, stopped: () => true })
    await settled(over, [100])
    await crossoverSearch(over)
    expect(batches).toEqual([])
  })
})
