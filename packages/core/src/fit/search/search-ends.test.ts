import { describe, expect, it } from 'vitest'
import { PARAMETERS as parameters, runAt, SETTING } from '../../../../../test/fake-search.ts'
import { AbortError, EngineError } from '../../errors.ts'
import { search, startsSearch } from './search.ts'
import { ORIGINS, type SearchSetting } from './search-log.ts'
import type { Task, TaskResult } from './tasks.ts'

const end = (objective: number): TaskResult => ({ run: runAt(objective), cost: 10 })

/** A search whose batches of tasks end as they are told to, and how many tasks each had. */
const searching = (
  ending: (tasks: readonly Task[], batch: number) => TaskResult[],
  more: Partial<SearchSetting> = {},
) => {
  const batches: number[] = []
  const failures: string[] = []
  const setting: SearchSetting = {
    ...SETTING,
    onFailure: ({ message }) => failures.push(message),
    perform: async tasks => {
      if (batches.length > 300) throw new Error('there is no end to it')
      batches.push(tasks.length)
      return ending(tasks, batches.length - 1)
    },
    ...more,
  }
  return { setting, batches, failures }
}

const throwing = (error: Error): never => {
  throw error
}

describe('a search from a model that is given', () => {
  it('needs one other start besides, and six that agree without it', async () => {
    const count = async (given?: typeof parameters) => {
      // The limit of starts is reached with what follows.
      const { setting, batches } = searching(tasks => tasks.map(() => end(7)), { room: { kept: 1, wide: true } })
      const { attempts } = await search({ ...setting, stopped: () => batches.length >= 9 }, given)
      return attempts.filter(({ origin }) => origin !== 'recombined').map(({ origin }) => origin)
    }
    expect(await count(parameters)).toEqual(['given', 'wide'])
    expect(await count()).toEqual(['wide', 'random', 'wide', 'random', 'wide', 'random'])
  })

  it('ends with that model if it is stopped in the next task', async () => {
    const { setting, batches } = searching((_, batch) => (batch === 0 ? [end(5)] : throwing(new AbortError())))
    const { best, attempts, exhausted } = await search(setting, parameters)
    expect([best.objective, attempts.length, exhausted, batches]).toEqual([5, 1, true, [1, 4]])
  })

  it('fails by the first task if that is stopped before it has a model', async () => {
    const { setting, batches } = searching(() => throwing(new AbortError({ aborted: true, reason: 'enough' })))
    await expect(search(setting, parameters)).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(batches.length).toBeLessThanOrEqual(2)
  })

  it('is of origins that a checkpoint can have', async () => {
    const { setting } = searching((tasks, batch) => tasks.map((_, i) => end(100 - 10 * batch - i)), {
      limits: { maxStarts: 30, maxPasses: 4000 },
    })
    const { attempts } = await search(setting, parameters)
    expect(new Set(attempts.map(({ origin }) => origin))).toEqual(new Set(ORIGINS))
  })
})

describe('a number of starts', () => {
  const starts = (second: () => TaskResult[], more: Partial<SearchSetting> = {}) =>
    searching((tasks, batch) => (batch === 0 ? tasks.map((_, i) => end(9 - i)) : second()), more)

  it('ends with what was found if it is stopped, or the engine fails', async () => {
    const stopped = starts(() => throwing(new AbortError()))
    expect(await startsSearch({ ...stopped.setting, stopped: () => stopped.batches.length > 1 }, 40)).toMatchObject({
      best: { objective: -6 },
      exhausted: true,
      cost: 160,
    })
    expect([stopped.batches, stopped.failures]).toEqual([[16, 16], []])
    const failed = starts(() => throwing(new EngineError('the line is cut')))
    const found = await startsSearch({ ...failed.setting, stopped: () => failed.failures.length > 0 }, 40)
    expect([found.best.objective, found.attempts.length, found.exhausted]).toEqual([-6, 16, true])
    expect([failed.batches, failed.failures]).toEqual([[16, 16], ['the line is cut']])
  })

  it('fails by what is no failure of the engine, and if there is nothing', async () => {
    await expect(startsSearch(starts(() => throwing(new TypeError('a fault'))).setting, 40)).rejects.toThrow(TypeError)
    for (const error of [new AbortError(), new EngineError('the line is cut')]) {
      const { setting, failures } = searching(() => throwing(error))
      await expect(startsSearch(setting, 40)).rejects.toThrow(error)
      expect(failures).toEqual([])
    }
  })

  it('has what came of a list that was cut short', async () => {
    const { setting, batches } = starts(() => [end(1)])
    const { attempts, cost } = await startsSearch({ ...setting, stopped: () => batches.length > 1 }, 40)
    expect([attempts.length, cost]).toEqual([17, 170])
  })
})
