import { describe, expect, it } from 'vitest'
import {
  runAt as end,
  PARAMETERS as parameters,
  SETTING,
  STOPPING as stopping,
} from '../../../../../test/fake-search.ts'
import { AbortError, EngineError } from '../../errors.ts'
import type { Run } from '../descent/run.ts'
import { isThorough, search, singleSearch, startsSearch } from './search.ts'
import { attemptOf, SearchLog, type SearchSetting } from './search-log.ts'
import type { Task, TaskResult } from './tasks.ts'

/** A search whose tasks end as they are told to, and what it asked for. */
const searching = (results: (task: Task, at: number) => TaskResult, more: Partial<SearchSetting> = {}) => {
  const asked: { readonly task: Task; readonly phase: string; readonly batch: number }[] = []
  let batch = 0
  const setting: SearchSetting = {
    ...SETTING,
    perform: async (tasks, phase) => {
      const from = asked.length
      if (from > 500) throw new Error('there is no end to it')
      asked.push(...tasks.map(task => ({ task, phase, batch })))
      batch++
      return tasks.map((task, i) => results(task, from + i))
    },
    ...more,
  }
  return { setting, asked, log: new SearchLog(setting) }
}

const cheap = (objective: number, more: Partial<Run> = {}) => ({ run: end(objective, more), cost: 10 })

describe('the log of a search', () => {
  it('keeps a tenth of the passes, or sixty, for taking the best to its end', () => {
    const { log } = searching(() => cheap(1))
    expect([log.left, log.free]).toEqual([1000, 940])
    const { log: small } = searching(() => cheap(1), { limits: { maxStarts: 3, maxPasses: 100 } })
    expect([small.left, small.free, small.startsLeft]).toEqual([100, 90, 3])
    small.cost = 30
    expect([small.left, small.free]).toEqual([70, 60])
  })

  it('shares what is free among the runs of a batch, two passes at least and no more than a run may have', () => {
    const { log } = searching(() => cheap(1))
    const { maxPasses: _, ...loose } = stopping
    expect(log.limit(loose, 4)).toEqual({ ...loose, maxPasses: 235 })
    expect(log.limit(loose, 7).maxPasses).toBe(134)
    expect(log.limit(loose, 4, 20).maxPasses).toBe(20)
    expect(log.limit(loose, 1000).maxPasses).toBe(2)
    const { log: brief } = searching(() => cheap(1), { stopping: { ...stopping, maxPasses: 50 } })
    expect(brief.limit(loose, 1).maxPasses).toBe(50)
  })

  it('has every other start wide, if that leaves it as many passes as it costs', () => {
    const { log } = searching(() => cheap(1))
    const each = (maxPasses: number) => ({ ...stopping, maxPasses })
    expect(log.startTasks(3, each(80))).toEqual([
      { kind: 'start', start: 0, wide: 2.5, stopping: each(40) },
      { kind: 'start', start: 1, wide: 1, stopping: each(80) },
      { kind: 'start', start: 2, wide: 2.5, stopping: each(40) },
    ])
    expect(log.fresh).toBe(3)
    expect(log.startsLeft).toBe(97)
    expect(log.startTasks(2, each(80)).map(({ start, wide }) => [start, wide])).toEqual([
      [3, 1],
      [4, 2.5],
    ])
    const wide = (more: Partial<SearchSetting>, passes = 80) =>
      searching(() => cheap(1), more).log.startTasks(1, each(passes))[0].wide
    expect([wide({}, 79), wide({ rank: 100 }), wide({ rank: 101 })]).toEqual([1, 2.5, 1])
    expect([wide({ room: { kept: 1, wide: false } }), wide({ room: { kept: 1, wide: true } })]).toEqual([1, 2.5])
  })

  it('is over if it was stopped, or has no passes or starts left', () => {
    const over = (more: Partial<SearchSetting>, cost = 0) => {
      const { log } = searching(() => cheap(1), more)
      log.cost = cost
      return log.over
    }
    expect([over({}), over({ stopped: () => true }), over({}, 938), over({}, 938.5)]).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect(over({ limits: { maxStarts: 0, maxPasses: 1000 } })).toBe(true)
    expect(over({ limits: { maxStarts: 1, maxPasses: 1000 } })).toBe(false)
  })

  it('calls an objective better if it is lower by more than rounding, or than single precision can tell', () => {
    const { log } = searching(() => cheap(1))
    expect([1e6 - 0.011, 1e6 - 0.009, 1e6].map(objective => log.isBetter(objective, 1e6))).toEqual([true, false, false])
    expect([-1e-7, -1e-9].map(objective => log.isBetter(objective, 0))).toEqual([true, false])
    const { log: rough } = searching(() => cheap(1), { rough: 1e-6 })
    expect([1e6 - 1.1, 1e6 - 0.9].map(objective => rough.isBetter(objective, 1e6))).toEqual([true, false])
  })

  it('makes no more models at once than there is room for', () => {
    expect(searching(() => cheap(1)).log.most(4)).toBe(4)
    const { log } = searching(() => cheap(1), { room: { kept: 3, wide: true } })
    expect([log.most(4), log.most(2)]).toEqual([3, 2])
  })

  it('adds up what its tasks cost, and ends without a result if it is stopped before there is one', async () => {
    const { log, asked } = searching((_, at) => ({ run: end(at), cost: at + 0.5 }))
    const tasks = log.startTasks(3, stopping)
    expect((await log.perform(tasks, 'starts')).map(({ objective }) => objective)).toEqual([0, 1, 2])
    expect(log.cost).toBe(4.5)
    expect(asked.map(({ phase }) => phase)).toEqual(['starts', 'starts', 'starts'])
    const stop = new AbortError()
    const { log: stopped } = searching(() => cheap(1), { perform: () => Promise.reject(stop) })
    expect(await stopped.perform(tasks, 'starts')).toEqual([])
    expect([stopped.aborted, stopped.over]).toEqual([stop, true])
    const { log: failed } = searching(() => cheap(1), { perform: () => Promise.reject(new Error('a fault')) })
    await expect(failed.perform(tasks, 'starts')).rejects.toThrow('a fault')
  })

  it('takes to its end what is near the best and not finished, and nothing else', async () => {
    const unfinished = { reason: 'passes' } as const
    const finishing = async (best: number, run: Run, more: Partial<SearchSetting> = {}, cost = 0) => {
      const { log, asked } = searching(() => cheap(run.objective - 1e-5), more)
      await log.settle('random', end(best))
      log.cost = cost
      await log.settle('wide', run)
      return { tasks: asked.map(({ task }) => task), phases: asked.map(({ phase }) => phase), log }
    }
    const near = await finishing(1e6, end(1e6 + 99, unfinished))
    expect(near.tasks).toEqual([{ kind: 'from', from: parameters, stopping, whole: false }])
    expect(near.phases).toEqual(['finish'])
    expect(near.log.attempts).toEqual([attemptOf('random', end(1e6)), attemptOf('wide', end(1e6 + 99 - 1e-5))])
    expect((await finishing(1e6, end(1e6 + 101, unfinished))).tasks).toEqual([])
    expect((await finishing(1e6, end(1e6 + 101, unfinished))).log.attempts[1]).toMatchObject({ reason: 'passes' })
    // Near zero it is a ten-thousandth of a unit.
    expect((await finishing(0, end(0.9e-4, unfinished))).tasks).toHaveLength(1)
    expect((await finishing(0, end(1.1e-4, unfinished))).tasks).toEqual([])
    expect((await finishing(1e6, end(1e6))).tasks).toEqual([])
    expect((await finishing(1e6, end(1e6, { reason: 'settled', stationarity: 1 }))).tasks).toEqual([])
    expect((await finishing(1e6, end(1e6, { stationarity: 1e-6 }))).tasks).toEqual([])
    expect((await finishing(1e6, end(1e6, { stationarity: 1.1e-6 }))).tasks).toHaveLength(1)
    expect((await finishing(1e6, end(1e6, unfinished), { stopped: () => true })).tasks).toEqual([])
    // What is left may be less than a run may have; without two passes nothing is begun.
    expect((await finishing(1e6, end(1e6, unfinished), {}, 998)).tasks).toMatchObject([{ stopping: { maxPasses: 2 } }])
    expect((await finishing(1e6, end(1e6, unfinished), {}, 899.5)).tasks).toMatchObject([
      { stopping: { maxPasses: 100 } },
    ])
    expect((await finishing(1e6, end(1e6, unfinished), {}, 998.5)).tasks).toEqual([])
  })

  it('keeps what it had if taking it to its end did not lower it, unless that was in single precision', async () => {
    const { log } = searching(() => cheap(8))
    await log.settle('random', end(5, { reason: 'passes' }))
    expect(log.attempts).toEqual([attemptOf('random', end(5, { reason: 'passes' }))])
    const { log: rough, asked } = searching(() => cheap(8), { stopped: () => true })
    await rough.settle('random', end(5, { rough: 1e-7 }))
    expect(asked).toMatchObject([{ task: { kind: 'from', whole: true } }])
    expect(rough.best?.objective).toBe(8)
  })

  it('keeps the eight lowest ends in order, or as many as there is room for', async () => {
    const { log } = searching(() => cheap(0))
    for (const objective of [5, 3, 9, 1, 7, 2, 8, 6, 4, 10]) await log.settle('random', end(objective))
    expect(log.runnersUp.map(({ objective }) => objective)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const { log: tight } = searching(() => cheap(0), { room: { kept: 2, wide: true } })
    for (const objective of [5, 3, 9, 1]) await tight.settle('random', end(objective))
    expect(tight.runnersUp.map(({ objective }) => objective)).toEqual([1, 3])
  })

  it('asks for more broods at the best the fewer starts ended there', async () => {
    const broods = async (starts: readonly number[]) => {
      const { log } = searching(() => cheap(0))
      for (const objective of starts) await log.settle('random', end(objective))
      let count = 0
      while (!log.confirmed && count < 20) {
        await log.settle('recombined', end(1))
        expect(log.broodsAtBest).toBe(++count)
      }
      return count
    }
    const best = new Array<number>(6).fill(1)
    expect(await broods(best)).toBe(2)
    expect(await broods([...best, ...best.map((_, i) => 10 + i)])).toBe(5)
    expect(await broods([1, 2, 3])).toBe(8)
    expect(await broods([2, 3])).toBe(6)
  })

  it('ends with what was found', async () => {
    const { log } = searching(() => cheap(0))
    await log.settle('given', end(3))
    log.cost = 12
    const { attempts, optima } = log
    expect(log.close(true)).toEqual({ best: log.best, attempts, optima, cost: 12, exhausted: true, broods: false })
    expect(log.close(false, true)).toMatchObject({ exhausted: false, broods: true })
    expect(Object.isFrozen(attempts[0])).toBe(true)
    expect(attempts[0]).toEqual({ origin: 'given', loss: 3, passes: 10, stationarity: 1e-8, reason: 'stationary' })
  })
})

describe('a search', () => {
  it('is thorough from 24 starts of 750 passes on', () => {
    expect([17_999, 18_000].map(isThorough)).toEqual([false, true])
  })

  it('of few passes makes starts until six and most of them agree', async () => {
    const { setting, asked } = searching(() => cheap(7), { limits: { maxStarts: 100, maxPasses: 3000 } })
    const { attempts, exhausted, broods, cost } = await search(setting)
    expect(asked.map(({ phase, task }) => [phase, task.kind])).toEqual(new Array(8).fill(['starts', 'start']))
    expect(attempts.slice(0, 4).map(({ origin }) => origin)).toEqual(['wide', 'random', 'wide', 'random'])
    expect([exhausted, broods, cost]).toEqual([false, false, 80])
  })

  it('of few passes recombines until six attempts agree, if starts are so dear that there are four', async () => {
    const { setting, asked } = searching(
      task => ({ ...cheap(7), ...(task.kind === 'start' && task.stopping.maxPasses > 20 && { cost: 300 }) }),
      { limits: { maxStarts: 100, maxPasses: 3000 } },
    )
    const { attempts, exhausted, broods } = await search(setting)
    expect(asked.slice(0, 5).map(({ phase }) => phase)).toEqual([...new Array(4).fill('starts'), 'recombination'])
    expect(attempts.slice(4).map(({ origin }) => origin)).toEqual(['recombined', 'recombined'])
    expect([exhausted, broods]).toEqual([false, false])
    // A lineage ends after sixteen crosses without success, two at a time.
    const crosses = asked.filter(({ task }) => task.kind === 'cross')
    expect(crosses).toHaveLength(48)
    expect(crosses[0].task).toMatchObject({ one: parameters, other: parameters, target: 7 })
    expect(crosses[0].task.stopping.maxPasses).toBe(150 - 23)
    expect(crosses.slice(0, 5).map(({ task }) => 'other' in task && 'start' in task.other)).toEqual([
      ...[false, false, false, true, true],
    ])
  })

  it('of few passes gives every run a part of them, and finishes the best once, at the close', async () => {
    // Every run takes all the passes that it may have and is lower than the one before, but has not converged.
    const { setting, asked } = searching(
      (task, at) => ({ run: end(1e6 - at, { reason: 'passes' }), cost: task.stopping.maxPasses }),
      { limits: { maxStarts: 100, maxPasses: 1400 } },
    )
    const { best, attempts, cost, exhausted } = await search(setting)
    const passes = asked.map(({ phase, task }) => [phase, task.stopping.maxPasses])
    expect(passes.slice(0, 8)).toEqual([
      ...[
        ['starts', 100],
        ['starts', 140],
        ['starts', 100],
        ['starts', 140],
      ],
      ...new Array(4).fill(['finish', 56]),
    ])
    expect(passes.slice(8, 10)).toEqual(new Array(2).fill(['recombination', 70 - 23]))
    expect(asked.filter(({ phase }) => phase === 'finish')).toHaveLength(6)
    expect(passes.at(-1)?.[0]).toBe('finish')
    expect(passes.at(-1)?.[1]).toBeGreaterThanOrEqual(84)
    expect([cost, exhausted]).toEqual([1400, true])
    // What came of it is that of the best attempt, and not another one.
    expect(attempts.map(({ origin }) => origin).filter(origin => origin === 'recombined')).toHaveLength(1)
    expect(attempts.at(-1)).toEqual(attemptOf('recombined', best))
    expect(best.objective).toBe(1e6 - asked.length + 1)
  })

  it('of few passes takes the best of a batch first, so that the others need not go to their end', async () => {
    const loose = { reason: 'passes' } as const
    const { setting, asked } = searching(
      (task, at) => (task.kind === 'from' ? cheap(1) : cheap([9e6, 1, 8e6, 7e6][at] ?? 5e6, loose)),
      { limits: { maxStarts: 4, maxPasses: 3000 } },
    )
    const { attempts, best, exhausted } = await search(setting)
    expect(attempts.map(({ loss }) => loss)).toEqual([1, 7e6, 8e6, 9e6])
    expect(attempts.map(({ origin }) => origin)).toEqual(['random', 'random', 'wide', 'wide'])
    expect(asked.filter(({ task }) => task.kind === 'from')).toHaveLength(1)
    expect([best.objective, exhausted]).toEqual([1, true])
  })

  it('from a model begins with it, and needs one other start', async () => {
    const { setting, asked } = searching(() => cheap(7), { limits: { maxStarts: 1, maxPasses: 100 } })
    const { attempts } = await search(setting, parameters)
    expect(attempts.map(({ origin }) => origin)).toEqual(['given', 'wide'])
    expect(asked[0]).toMatchObject({
      phase: 'starts',
      task: { kind: 'from', from: parameters, stopping: { maxPasses: 80 } },
    })
  })

  it('of few passes from a model gives that, too, a part of them, and finishes the best once, at the close', async () => {
    const { setting, asked } = searching(
      (task, at) => ({ run: end(1e6 - at, { reason: 'passes' }), cost: task.stopping.maxPasses }),
      { limits: { maxStarts: 100, maxPasses: 1400 } },
    )
    const { cost, attempts } = await search(setting, parameters)
    const passes = asked.map(({ phase, task }) => [phase, task.stopping.maxPasses])
    expect(passes.slice(0, 2)).toEqual([
      ['starts', 140],
      ['finish', 56],
    ])
    expect(passes.some(([phase]) => phase === 'recombination')).toBe(true)
    expect(passes.at(-1)?.[0]).toBe('finish')
    expect(attempts[0].origin).toBe('given')
    expect(cost).toBe(1400)
  })

  it('keeps what it found if the engine fails then, and fails if it has found nothing', async () => {
    const failures: unknown[] = []
    const failing = (after: number) =>
      searching(
        (_, at) => {
          if (at >= after) throw new EngineError('no more')
          return cheap(3)
        },
        { limits: { maxStarts: 8, maxPasses: 18_000 }, onFailure: failure => failures.push(failure.message) },
      ).setting
    expect(await search(failing(4))).toMatchObject({ best: { objective: 3 }, exhausted: true, broods: true })
    expect(failures).toEqual(['no more'])
    await expect(search(failing(0))).rejects.toThrow('no more')
    const { setting } = searching(() => cheap(1), { perform: () => Promise.reject(new AbortError()) })
    await expect(search(setting)).rejects.toThrow(AbortError)
  })

  it('from one model is one run, with as many passes as both limits allow', async () => {
    const { setting, asked } = searching(() => cheap(3, { reason: 'passes', estimatedGain: 2 }))
    expect(await singleSearch(setting, parameters)).toMatchObject({
      best: { objective: 3, reason: 'passes' },
      attempts: [{ origin: 'given', loss: 3 }],
      cost: 10,
      exhausted: false,
      broods: false,
    })
    expect(asked).toEqual([{ phase: 'starts', batch: 0, task: { kind: 'from', from: parameters, stopping } }])
    const { best, optima } = await singleSearch(setting, parameters, true)
    expect([best.reason, best.estimatedGain, optima.startsBest]).toEqual(['stationary', 0, 1])
    const { setting: few, asked: brief } = searching(() => cheap(3), { limits: { maxStarts: 1, maxPasses: 7 } })
    await singleSearch(few, parameters)
    expect(brief).toMatchObject([{ task: { stopping: { maxPasses: 7 } } }])
  })

  it('of so many starts hands out sixteen at a time, which share what is left', async () => {
    const { setting, asked } = searching(() => cheap(3))
    const { attempts, exhausted, cost, broods } = await startsSearch(setting, 20)
    expect(asked.map(({ batch }) => batch)).toEqual([...new Array(16).fill(0), ...new Array(4).fill(1)])
    expect(asked.map(({ task }) => 'start' in task && task.start)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(asked[0].task).toEqual({ kind: 'start', start: 0, wide: 1, stopping: { ...stopping, maxPasses: 50 } })
    // Sixteen took ten passes each: four share the other 840.
    expect(asked[16].task).toMatchObject({ stopping: { maxPasses: 210 } })
    expect(attempts).toHaveLength(20)
    expect(attempts[0].origin).toBe('random')
    expect([exhausted, cost, broods]).toEqual([false, 200, false])
  })

  it('of so many starts gives each an equal part of the passes, if every one takes what it may have', async () => {
    const { setting, asked } = searching(
      task => ({ run: end(3, { reason: 'passes' }), cost: task.stopping.maxPasses }),
      { limits: { maxStarts: 1, maxPasses: 1500 } },
    )
    const { attempts, cost } = await startsSearch(setting, 20)
    expect(asked.map(({ task }) => task.stopping.maxPasses)).toEqual(new Array(20).fill(75))
    expect([attempts.length, cost]).toEqual([20, 1500])
  })

  it('of so many starts begins with a model that is given, and keeps to its limits', async () => {
    const { setting, asked } = searching(() => cheap(3), { room: { kept: 2, wide: false } })
    const { attempts } = await startsSearch(setting, 3, parameters)
    expect(asked.map(({ task, batch }) => [task.kind, 'start' in task && task.start, batch])).toEqual([
      ['from', false, 0],
      ['start', 0, 0],
      ['start', 1, 1],
    ])
    expect(attempts.map(({ origin }) => origin)).toEqual(['given', 'random', 'random'])
    const { setting: few, asked: brief } = searching(() => ({ run: end(3), cost: 2 }), {
      limits: { maxStarts: 1, maxPasses: 5 },
    })
    const { exhausted } = await startsSearch(few, 9)
    expect(brief.map(({ task }) => task.stopping.maxPasses)).toEqual([2, 2])
    expect(exhausted).toBe(true)
    const { setting: none, asked: one } = searching(() => cheap(3), { stopped: () => true })
    expect((await startsSearch(none, 20)).attempts).toHaveLength(16)
    expect(one).toHaveLength(16)
  })
})
