import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DataError } from '../../errors.ts'
import { Checkpoint, type CheckpointOptions, openCheckpoint } from './checkpoint.ts'
import { Journal } from './journal.ts'
import { withCheckpoint } from './with-checkpoint.ts'

const unit = (key: string, kind: 'run' | 'part' = 'run') => ({ kind, key, within: undefined })

describe('when a checkpoint is stored', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A checkpoint, and the keys of what was stored each time. */
  const opened = (options: Partial<CheckpointOptions> = {}, store: () => void | Promise<void> = () => {}) => {
    const stored: string[] = []
    const keys = ['a', 'b', 'c', 'd']
    const checkpoint = openCheckpoint({
      ...options,
      store: bytes => {
        const journal = Journal.read(bytes, 'it')
        stored.push(keys.filter(key => journal.find(key) !== undefined).join(''))
        return store()
      },
    })
    return { checkpoint, stored }
  }

  it('is after so many seconds, if something has changed', async () => {
    const { checkpoint, stored } = opened({ every: 2 })
    checkpoint.keep(unit('a'), 1, 1)
    checkpoint.keep(unit('b'), 1, 1)
    await vi.advanceTimersByTimeAsync(1999)
    expect(stored).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(stored).toEqual(['ab'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stored).toEqual(['ab'])
    checkpoint.keep(unit('c'), 1, 1)
    await vi.advanceTimersByTimeAsync(2000)
    expect(stored).toEqual(['ab', 'abc'])
    expect(checkpoint.units).toEqual({ found: 0, done: 3 })
    await checkpoint.close()
  })

  it('is soon for the first time, every 30 seconds later by default, and after every unit if that is 0', async () => {
    const { checkpoint, stored } = opened()
    const times: number[] = []
    for (let second = 1; second <= 120; second++) {
      checkpoint.keep(unit('a'), 1, 1)
      await vi.advanceTimersByTimeAsync(1000)
      while (times.length < stored.length) times.push(second)
    }
    expect(times).toEqual([2, 6, 14, 30, 60, 90, 120])
    await checkpoint.close()
    const { checkpoint: eager, stored: all } = opened({ every: 0 })
    eager.keep(unit('a'), 1, 1)
    await vi.advanceTimersByTimeAsync(0)
    eager.keep(unit('b'), 1, 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(all).toEqual(['a', 'ab'])
    expect(eager.due).toBe(true)
    await eager.close()
    expect(all).toEqual(['a', 'ab'])
  })

  it('is once at a time: what has changed in the meantime is stored after it', async () => {
    let done = () => {}
    const { checkpoint, stored } = opened(
      { every: 0 },
      () =>
        new Promise<void>(resolve => {
          done = resolve
        }),
    )
    checkpoint.keep(unit('a'), 1, 1)
    checkpoint.keep(unit('b'), 1, 1)
    checkpoint.keep(unit('c'), 1, 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(stored).toEqual(['a'])
    done()
    await vi.advanceTimersByTimeAsync(0)
    expect(stored).toEqual(['a', 'abc'])
    done()
    await checkpoint.close()
    expect(stored).toEqual(['a', 'abc'])
  })

  it('is at the end, unless that is not wanted or nothing has changed', async () => {
    const { checkpoint, stored } = opened({ every: 100 })
    checkpoint.keep(unit('a'), 1, 1)
    await checkpoint.close()
    expect(stored).toEqual(['a'])
    // Nothing is stored after that.
    checkpoint.keep(unit('b'), 1, 1)
    await vi.advanceTimersByTimeAsync(1e6)
    await checkpoint.save()
    expect(stored).toEqual(['a'])
    const { checkpoint: dropped, stored: none } = opened({ every: 100 })
    dropped.keep(unit('a'), 1, 1)
    await dropped.close({ store: false })
    expect(none).toEqual([])
    const empty = opened({ every: 100 })
    await empty.checkpoint.close()
    expect(empty.stored).toEqual([''])
    const resume = new Journal({}).bytes()
    const same = opened({ every: 100, resume })
    await same.checkpoint.close()
    expect(same.stored).toEqual([])
  })

  it('is when asked, if something has changed', async () => {
    const { checkpoint, stored } = opened({ every: 100 })
    checkpoint.keep(unit('a'), 1, 1)
    await checkpoint.save()
    await checkpoint.save()
    expect(stored).toEqual(['a'])
    await checkpoint.close()
    expect(stored).toEqual(['a'])
  })

  it('is due for a descent under way once the time has come, and stored with what it says', async () => {
    const { checkpoint, stored } = opened({ every: 5, resume: new Journal({}).bytes() })
    checkpoint.watch()
    expect(checkpoint.due).toBe(false)
    await vi.advanceTimersByTimeAsync(1999)
    expect(checkpoint.due).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect([checkpoint.due, stored.length]).toEqual([true, 0])
    // A run that has ended meanwhile says nothing of the descent under way.
    checkpoint.keep(unit('c'), 0, 1)
    expect(checkpoint.due).toBe(true)
    checkpoint.forget('c')
    checkpoint.keep(unit('a', 'part'), 0, 1)
    expect(checkpoint.due).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(stored).toEqual(['a'])
    checkpoint.keep(unit('b', 'part'), 0, 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(stored).toEqual(['a'])
    await checkpoint.close()
    expect(stored).toEqual(['a', 'ab'])
    const { checkpoint: eager } = opened({ every: 0 })
    eager.watch()
    expect(vi.getTimerCount()).toBe(0)
    await eager.close()
  })

  it('is no longer than a timer can wait', async () => {
    const { checkpoint, stored } = opened({ every: 1e10 })
    const waits: number[] = []
    for (let i = 0; i < 30; i++) {
      checkpoint.keep(unit('a'), 1, 1)
      const before = Date.now()
      await vi.runOnlyPendingTimersAsync()
      waits.push(Date.now() - before)
    }
    expect(stored.length).toBe(30)
    expect(Math.max(...waits)).toBe(2 ** 31 - 1)
    await checkpoint.close()
  })

  it('is told once if it fails, and tried again with the next change', async () => {
    const failures: string[] = []
    const failing = () => {
      throw new Error('no space')
    }
    const { checkpoint, stored } = opened({ every: 0, onFailure: error => failures.push(String(error)) }, failing)
    checkpoint.keep(unit('a'), 1, 1)
    await vi.advanceTimersByTimeAsync(0)
    checkpoint.keep(unit('b'), 1, 1)
    await vi.advanceTimersByTimeAsync(0)
    expect([stored, failures]).toEqual([['a', 'ab'], ['Error: no space']])
    expect(checkpoint.notes).toEqual([])
    const { checkpoint: noted } = opened({ every: 0, name: 'x.ck' }, () => Promise.reject('full'))
    noted.keep(unit('a'), 1, 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(noted.notes).toEqual(['x.ck could not be stored (full): the work went on without it'])
  })
})

describe('what a checkpoint knows', () => {
  const open = (options: Partial<CheckpointOptions> = {}) => openCheckpoint({ store: () => {}, ...options })

  it('is found and counted, and refused with its name if it cannot be used', () => {
    const checkpoint = open({ name: 'x.ck' })
    checkpoint.keep(unit('a'), 1, 7)
    expect([checkpoint.find('a', Number), checkpoint.find('b', Number)]).toEqual([7, undefined])
    expect(checkpoint.units).toEqual({ found: 1, done: 1 })
    const refusing = (error: Error) => () =>
      checkpoint.find('a', () => {
        throw error
      })
    expect(refusing(new DataError('a loss is odd'))).toThrow(
      new DataError('x.ck is damaged (a loss is odd): remove it, and the run starts from the beginning'),
    )
    expect(refusing(new TypeError('a fault'))).toThrow(new TypeError('a fault'))
    expect(checkpoint.units.found).toBe(1)
    checkpoint.forget('a')
    expect(checkpoint.find('a', Number)).toBeUndefined()
  })

  it('is done once, unless it was stopped or is of no use', async () => {
    const checkpoint = open()
    let calls = 0
    const once = (key: string, more: object = {}) =>
      checkpoint.once(unit(key), { signal: undefined, check: Number, ...more }, async () => ++calls)
    expect([await once('a'), await once('a')]).toEqual([1, 1])
    expect([await once('b', { usable: () => false }), await once('b')]).toEqual([2, 3])
    const signal = { aborted: true }
    expect([await once('c', { signal }), await once('c')]).toEqual([4, 5])
    const kept = await checkpoint.once(
      unit('d'),
      { signal: undefined, check: Number },
      async () => 9,
      value => value + 1,
    )
    expect([kept, checkpoint.find('d', Number)]).toEqual([9, 10])
  })

  it('is of the data that was seen first', () => {
    const checkpoint = open()
    checkpoint.see({ digest: 'a' })
    // Other data is part of the same work.
    checkpoint.see({ digest: 'b' })
    const resume = (() => {
      const journal = new Journal({ data: { digest: 'a' } })
      return journal.bytes()
    })()
    const resumed = open({ resume, name: 'x.ck' })
    expect(() => resumed.see({ digest: 'b' })).toThrow(/^x\.ck belongs to other data/)
    resumed.see({ digest: 'a' })
    resumed.see({ digest: 'b' })
  })

  it('is that of the options, but for those on which nothing depends', async () => {
    const asked = async (options: object, resume?: Uint8Array) => {
      let bytes = new Uint8Array()
      const checkpoint = {
        store: (stored: Uint8Array) => {
          bytes = stored.slice()
        },
        ...(resume && { resume }),
      }
      await withCheckpoint('fit', { checkpoint, ...options } as never, async ({ checkpoint: opened }) => {
        expect(opened).toBeInstanceOf(Checkpoint)
      })
      return bytes
    }
    const large = { parameters: { rank: 2 }, toString: () => 'x' }
    const bytes = await asked({
      rank: 2,
      threads: 3,
      maxSeconds: 1,
      onProgress: () => {},
      init: large,
      list: new Float64Array(40),
    })
    const { facts } = Journal.read(bytes, 'it')
    expect(Object.keys(facts)).toEqual(['function', 'init', 'list', 'rank'])
    expect(facts).toMatchObject({ function: 'fit', rank: 2 })
    expect([typeof facts.init, typeof facts.list]).toEqual(['string', 'string'])
    await asked({ rank: 2, threads: 8, init: large, list: new Float64Array(40) }, bytes)
    const signal = { aborted: false }
    await asked({ rank: 2, signal, engine: { name: 'other' }, init: large, list: new Float64Array(40) }, bytes)
    await expect(asked({ rank: 3, init: large, list: new Float64Array(40) }, bytes)).rejects.toThrow(
      'belongs to a run with rank 2, and this run has rank 3',
    )
    const open_ = open()
    expect(await withCheckpoint('fit', { checkpoint: open_ }, async ({ checkpoint }) => checkpoint)).toBe(open_)
    expect(await withCheckpoint('fit', {}, async given => given)).toEqual({})
  })
})
