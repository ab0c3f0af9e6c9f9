import { EngineError, fit, type Session, type Tensor, tensorFromColumns } from '@polyad/core'
import { type ClosableSession, type Engine, wasmEngine } from '@polyad/core/engine'
import { describe, expect, it } from 'vitest'
import { fitJobs } from './fit-jobs.ts'
import { Graphics } from './graphics.ts'
import type { FitOutcome, FitRequest } from './protocol.ts'
import { tableJobs } from './table-jobs.ts'

const { signal } = new AbortController()
const context = { signal, progress: () => {}, store: async () => true }
const columns = [7, 5, 3].map(step => Int32Array.from({ length: 90 }, (_, i) => ((i * step) % 11 > 4 ? 1 : 0)))
const tensor = () => tensorFromColumns(columns)

/** A device whose passes are those of the processor; it counts what is open. */
class Device implements Engine<Tensor, ClosableSession> {
  readonly name = 'device'
  opened = 0
  closed = 0
  fails = false

  async open(data: Tensor): Promise<ClosableSession> {
    const session = await wasmEngine({ threads: 1 }).open(data)
    this.opened++
    const pass: Session['pass'] = (...given) => {
      if (this.fails) throw new EngineError('the graphics device was lost: it fell asleep.')
      return session.pass(...given)
    }
    const close = () => {
      this.closed++
      return session.close()
    }
    return { ...session, close, single: { ...session, traits: { ...session.traits, precision: 1e-7 }, pass } }
  }
}

const outcome = (warnings: readonly string[]): FitOutcome => ({
  fits: [],
  recommended: null,
  reason: '',
  stopped: false,
  warnings,
})

describe('data on the graphics device', () => {
  it('is placed once, and says whether the device did anything', async () => {
    const [device, data] = [new Device(), tensor()]
    const graphics = new Graphics(() => device)
    const first = await graphics.place(data, signal)
    await fit(first.session!, { rank: 2, starts: 1 })
    expect(await first.complete(outcome([]))).toMatchObject({ graphics: 'unused', warnings: [] })
    const second = await graphics.place(data, signal)
    await fit(second.session!, { rank: 2, starts: 1, precision: 'single' })
    expect(await second.complete(outcome([]))).toMatchObject({ graphics: 'used', warnings: [] })
    expect(device).toMatchObject({ opened: 1, closed: 0 })
    // Other data takes its place.
    await graphics.place(tensor(), signal)
    expect(device).toMatchObject({ opened: 2, closed: 1 })
    await graphics.clear()
    expect(device).toMatchObject({ opened: 2, closed: 2 })
  })

  it('leaves a device that has failed, and is placed on another the next time', async () => {
    const [device, other, data] = [new Device(), new Device(), tensor()]
    const devices = [device, other]
    const graphics = new Graphics(() => devices.shift()!)
    device.fails = true
    const { session, complete } = await graphics.place(data, signal)
    const { notes, converged } = await fit(session!, { rank: 2, starts: 1, precision: 'single' })
    expect(converged).toBe(true)
    const found = await complete(outcome(['of something else', ...notes]))
    expect(found.warnings).toEqual([
      'of something else',
      'The graphics device failed, and the processor finished the fit: the graphics device was lost: it fell asleep.',
    ])
    expect(found.graphics).toBeUndefined()
    expect(device).toMatchObject({ opened: 1, closed: 1 })
    await graphics.place(data, signal)
    expect(other).toMatchObject({ opened: 1, closed: 0 })
    await graphics.clear()
  })

  it('is fitted on the processor if there is no device, with a warning', async () => {
    const rows = Array.from({ length: 90 }, (_, i) => columns.map(column => column[i]).join(','))
    const bytes = new TextEncoder().encode(`a,b,c\n${rows.join('\n')}\n`)
    await tableJobs.open(context, { from: 'bytes', name: 'small.csv', bytes }, {})
    await tableJobs.read(context, { count: 'none' })
    const asked: FitRequest = {
      from: 2,
      to: 2,
      seed: 1,
      prior: 0,
      smoothing: null,
      maxSeconds: null,
      covariates: [],
      line: '',
    }
    for (const to of [2, 3]) {
      const plain = await fitJobs.fit(context, { ...asked, to })
      const { fits, warnings, graphics } = await fitJobs.fit(context, { ...asked, to, graphics: true })
      expect(fits.map(({ trace }) => trace)).toEqual(plain.fits.map(({ trace }) => trace))
      expect(plain.warnings).toEqual([])
      expect(warnings).toEqual([
        expect.stringMatching(
          /^The graphics device could not be used, so the fit ran on the processor: WebGPU is not /,
        ),
      ])
      expect(graphics).toBeUndefined()
    }
  })
})
