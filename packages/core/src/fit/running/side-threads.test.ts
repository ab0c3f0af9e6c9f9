import { describe, expect, it, vi } from 'vitest'
import { innerWorkers } from '../../../../../test/inner-workers.ts'
import { values as table } from '../../../../../test/tables.ts'
import { EngineError } from '../../errors.ts'
import { NoThreadsError } from '../../thread/machine.ts'
import { SideThreads } from './side-threads.ts'
import type { PostedTask } from './thread-messages.ts'

type Work = (number: number, told: (pass: number) => void, signal: { readonly aborted: boolean }) => unknown

/** Threads whose tasks are numbers, and end as they are told to. */
const threadsOf = (work: Work, more: { readonly sharedMemory?: boolean; readonly threads?: number } = {}) => {
  const inner = innerWorkers(() => ({
    setUp: () => {},
    forget: () => {},
    work: async (task: { readonly data: number }, { signal, tell }) =>
      work(task.data, pass => tell({ pass, loss: -pass }), signal),
  }))
  const { sharedMemory = true, threads = 2 } = more
  const side = new SideThreads(table, { threads, sharedMemory, workers: inner.workers })
  const run = async (numbers: readonly number[], signal?: AbortSignal, onEnd: (index: number) => void = () => {}) => {
    const [results, news] = [[] as string[], [] as object[]]
    const posted = numbers.map(data => ({ data }) as unknown as PostedTask)
    const onResult = (result: unknown, index: number) => {
      results.push(`${index}: ${result}`)
      onEnd(index)
    }
    const all = await side.run(posted, signal, onResult, told => news.push(told))
    return { all, results, news }
  }
  return { ...inner, side, run }
}

const later = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

describe('threads that perform tasks side by side', () => {
  it('give results in the order of the tasks, and say what comes as it comes', async () => {
    let release = () => {}
    const lastEnded = new Promise<void>(resolve => {
      release = resolve
    })
    const { side, run, told, seen } = threadsOf(async (number, say) => {
      say(number)
      if (number === 1) await lastEnded
      return 10 * number
    })
    const { all, results, news } = await run([1, 2, 3], undefined, index => void (index === 2 && release()))
    expect(all).toEqual([10, 20, 30])
    expect(results).toEqual(['1: 20', '2: 30', '0: 10'])
    expect(news).toEqual([1, 2, 3].map(pass => ({ pass, loss: -pass })))
    expect(seen).toEqual({ made: 2, ended: 0 })
    // Each has the cells before anything else.
    expect(told.filter(({ kind }) => kind === 'setup').map(({ key }) => key)).toEqual([0, 0])
    await side.close()
    expect(seen.ended).toBe(2)
  })

  it.each([true, false])('have the cells and other values for them, by keys, shared: %s', async sharedMemory => {
    const { side, run, told } = threadsOf(() => 1, { sharedMemory, threads: 1 })
    const other = table.values.map(value => 3 * value)
    expect([side.addValues(other), side.addValues(table.values)]).toEqual([1, 2])
    await run([5])
    side.dropValues(1)
    await run([6])
    const setups = told.filter(({ kind }) => kind === 'setup')
    expect(setups.map(({ key }) => key)).toEqual([0, 1, 2])
    const [cells, first, second] = setups.map(({ setup }) => setup as { readonly values: Float64Array })
    expect([cells, first, second].map(each => [...each.values])).toEqual(
      [table.values, other, table.values].map(each => [...each]),
    )
    for (const each of [cells, first, second])
      expect(each.values.buffer instanceof SharedArrayBuffer).toBe(sharedMemory)
    expect(cells).toMatchObject({ modes: table.modes.map(({ name, size, ordered }) => ({ name, size, ordered })) })
    expect(told.flatMap(({ kind, key }) => (kind === 'forget' ? [key] : []))).toEqual([1])
    // What was said between two lists of tasks is heard between them.
    expect(told.slice(-3).map(({ kind }) => kind)).toEqual(['task', 'forget', 'task'])
    await side.close()
  })

  it('are started for tasks or values, not to forget any', async () => {
    const { side, seen, run } = threadsOf(() => 1)
    side.dropValues(1)
    await side.close()
    expect(seen.made).toBe(0)
    expect((await run([])).all).toEqual([])
    expect(seen.made).toBe(0)
  })

  it('are worth it after thirty milliseconds of work, unless there are none', async () => {
    const { side } = threadsOf(() => 1)
    side.spend(20_000_000)
    side.spend(10_000_000)
    expect(side.worthIt(false)).toBe(false)
    side.spend(1)
    expect(side.worthIt(false)).toBe(true)
    expect(side.worthIt(true)).toBe(false)
    let calls = 0
    const none = async () => {
      calls++
      throw new NoThreadsError('the page forbids it')
    }
    expect(await side.attempt(none)).toBeUndefined()
    expect(side.notes).toEqual([
      'One thread does all the work, because no worker thread could be started: the page forbids it. The results are the same. To use all cores, give the address of the worker script: wasmEngine({ workerUrl }).',
    ])
    expect(side.worthIt(false)).toBe(false)
    expect(await side.attempt(none)).toBeUndefined()
    expect(calls).toBe(1)
    const { side: other } = threadsOf(() => 1)
    await expect(other.attempt(() => Promise.reject(new EngineError('a fault')))).rejects.toThrow('a fault')
    expect([await other.attempt(async () => 7), other.notes]).toEqual([7, []])
  })

  it('fail where a task fails, and are closed all the same', async () => {
    const { side, run } = threadsOf(number => {
      if (number === 2) throw new Error('no luck')
      return number
    })
    await expect(run([1, 2])).rejects.toThrow(new EngineError('a web worker failed: no luck'))
    await side.close()
  })
})

describe('threads whose tasks are stopped', () => {
  it('do nothing if that was before, and are not even started', async () => {
    const { run, seen } = threadsOf(() => 1)
    expect((await run([1, 2], AbortSignal.abort())).all).toEqual([])
    expect(seen.made).toBe(0)
    const controller = new AbortController()
    const started = run([1, 2], controller.signal)
    controller.abort()
    expect((await started).all).toEqual([])
    expect(seen.made).toBe(0)
  })

  it('hear of it in shared memory, and have three tenths of a second', async () => {
    const heard: boolean[] = []
    const { side, run } = threadsOf(async (number, say, signal) => {
      say(number)
      while (!signal.aborted) await later(10)
      heard.push(signal.aborted)
      if (number === 2) await later(1000)
      return number
    })
    // What is loaded for them is there from now on.
    await run([])
    vi.useFakeTimers()
    try {
      const controller = new AbortController()
      let ended = false
      const all = run([1, 2], controller.signal).finally(() => {
        ended = true
      })
      await vi.advanceTimersByTimeAsync(50)
      expect(heard).toEqual([])
      controller.abort()
      await vi.advanceTimersByTimeAsync(299)
      expect([heard, ended]).toEqual([[true, true], false])
      await vi.advanceTimersByTimeAsync(1)
      // The one that ended in time.
      expect([(await all).all, (await all).results]).toEqual([[1], ['0: 1']])
      await side.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('are given up at once if they cannot hear of it', async () => {
    const { side, run, told, seen } = threadsOf(() => later(1e6), { sharedMemory: false })
    await run([])
    const controller = new AbortController()
    const all = run([1, 2], controller.signal)
    await later(0)
    expect(told.filter(({ kind }) => kind === 'stop').map(({ flag }) => flag)).toEqual([undefined, undefined])
    controller.abort()
    expect((await all).all).toEqual([])
    await side.close()
    expect(seen.ended).toBe(2)
  })

  it('leave nothing behind at the signal', async () => {
    const listening = new Set<unknown>()
    const signal = {
      aborted: false,
      addEventListener: (_: string, listener: unknown) => void listening.add(listener),
      removeEventListener: (_: string, listener: unknown) => void listening.delete(listener),
    } as unknown as AbortSignal
    let most = 0
    const { side, run } = threadsOf(number => {
      most = Math.max(most, listening.size)
      if (number === 2) throw new Error('no luck')
      return number
    })
    await run([1], signal)
    await expect(run([2], signal)).rejects.toThrow('no luck')
    expect([most, listening.size]).toEqual([1, 0])
    await side.close()
  })
})
