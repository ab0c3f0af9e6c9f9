import { execFileSync } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import { gss82 } from '../../../../test/tables.ts'
import { AbortError } from '../errors.ts'
import { stoppedBy, withDeadline } from './deadline.ts'
import { fit } from './fit.ts'

describe('a limit of seconds', () => {
  it('comes with the caller’s signal, or when the time is over, and leaves no timer behind', async () => {
    const controller = new AbortController()
    const wait = (signal: AbortSignal | undefined) =>
      new Promise<string>(resolve => {
        signal?.addEventListener('abort', () => resolve('stopped'))
      })
    expect(await withDeadline({ maxSeconds: 0.02 }, wait)).toBe('stopped')
    const stopped = withDeadline({ maxSeconds: 1e9, signal: controller.signal }, wait)
    controller.abort()
    expect(await stopped).toBe('stopped')
    await expect(withDeadline({ signal: controller.signal }, wait)).rejects.toMatchObject({ name: 'AbortError' })
    await expect(withDeadline({ maxSeconds: 0 }, wait)).rejects.toThrow('maxSeconds must be a number > 0')
  })

  it('says which of the two it was', async () => {
    const reasonOf = (signal: AbortSignal | undefined) =>
      new Promise<unknown>(resolve => {
        signal?.addEventListener('abort', () => resolve(signal.reason))
      })
    expect(await withDeadline({ maxSeconds: 0.001 }, reasonOf)).toEqual(
      new Error('the time limit of 0.001 s has passed'),
    )
    const controller = new AbortController()
    const stopped = withDeadline({ maxSeconds: 100, signal: controller.signal }, reasonOf)
    controller.abort('enough')
    expect(await stopped).toBe('enough')
    const late = stoppedBy({ maxSeconds: 3, signal: new AbortController().signal })
    expect(late).toBeInstanceOf(AbortError)
    expect([late.message, late.cause]).toEqual([
      'stopped before there was a result',
      new Error('the time limit of 3 s has passed'),
    ])
    const asked = stoppedBy({ maxSeconds: 3, signal: controller.signal }, 'stopped before the first test')
    expect([asked.message, asked.cause]).toEqual(['stopped before the first test', 'enough'])
  })

  it('leaves the signal alone without seconds, and waits no longer than a timer can', async () => {
    const { signal } = new AbortController()
    expect(await withDeadline({ signal }, async given => given)).toBe(signal)
    expect(await withDeadline({}, async given => given)).toBeUndefined()
    const listening = new Set<unknown>()
    const watched = {
      aborted: false,
      addEventListener: (_: string, listener: unknown) => void listening.add(listener),
      removeEventListener: (_: string, listener: unknown) => void listening.delete(listener),
    } as unknown as AbortSignal
    vi.useFakeTimers()
    try {
      const timers = (maxSeconds: number) =>
        withDeadline({ maxSeconds, signal: watched }, async () => [vi.getTimerCount(), listening.size])
      expect(await timers(2147483.647)).toEqual([1, 1])
      expect(await timers(2147483.648)).toEqual([0, 1])
      expect([vi.getTimerCount(), listening.size]).toEqual([0, 0])
      const failing = withDeadline({ maxSeconds: 5, signal: watched }, () => Promise.reject(new Error('a fault')))
      await expect(failing).rejects.toThrow('a fault')
      expect([vi.getTimerCount(), listening.size]).toEqual([0, 0])
      // Parts of a millisecond are one.
      let over = false
      const waiting = withDeadline(
        { maxSeconds: 0.0101 },
        given => new Promise<void>(resolve => given!.addEventListener('abort', () => resolve())),
      ).then(() => {
        over = true
      })
      await vi.advanceTimersByTimeAsync(10)
      expect(over).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(over).toBe(true)
      await waiting
    } finally {
      vi.useRealTimers()
    }
  })

  it('holds though garbage is collected meanwhile', () => {
    const core = new URL('../../dist/index.js', import.meta.url)
    const script = `import { fit, tensorFromColumns } from '${core}'
const columns = [0, 1, 2].map(n => Array.from({ length: 3000 }, (_, i) => (i * (7 + n) + (i % 13)) % 40))
const tensor = tensorFromColumns(columns)
const began = performance.now()
setInterval(() => globalThis.gc(), 20).unref()
const { reason } = await fit(tensor, { rank: 12, starts: 1_000_000, maxSeconds: 1, signal: new AbortController().signal })
console.log((performance.now() - began) / 1000)`
    const seconds = Number(
      execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], { encoding: 'utf8' }),
    )
    // The machine may be busy; a limit that does not hold would take minutes.
    expect(seconds).toBeLessThan(20)
  })

  it('holds in every phase of a search', async () => {
    const options = { rank: 6, maxSeconds: 0.2, maxPasses: 1e9, tolerance: 0, stationarity: 0, threads: 1 }
    for (const more of [{}, { starts: 1_000_000 }, { pseudoCounts: 0.1 }]) {
      const result = await fit(gss82, { ...options, ...more })
      expect(Number.isFinite(result.loss)).toBe(true)
      expect(result.converged).toBe(false)
    }
  })
})
