import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { gss82 } from '../../../../test/tables.ts'
import { withDeadline } from './deadline.ts'
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
