import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conformance } from '../../packages/core/src/engine/conformance.ts'
import { libraryHost } from '../local-servers.ts'
import { browserInTests, forTests, hasAdapter, hasBrowser, NO_ADAPTER, WEBGPU_FLAGS } from '../studio-browser.ts'

const PAGE = `
import { fit } from '/fit/fit.js'
import { gpuEngine } from '/engine/gpu/gpu-engine.js'
import { wasmEngine } from '/engine/wasm/wasm-engine.js'
import { conformance, randomTensor } from '/engine/conformance.js'
import { randomStart } from '/model/random.js'
import { run } from '/fit/descent/run.js'
import { mStepOf } from '/fit/descent/m-step.js'
Object.assign(globalThis, { fit, gpuEngine, wasmEngine, conformance, randomTensor, randomStart, run, mStepOf })
globalThis.withoutSubgroups = async () => (await (await navigator.gpu.requestAdapter()).requestDevice())
globalThis.ready = true
`

describe.skipIf(!hasBrowser)('the engine of graphics devices', () => {
  const browser = browserInTests(WEBGPU_FLAGS)
  const host = forTests(
    () => libraryHost(PAGE),
    started => started.close(),
  )
  let page: Page
  const pageOf = async (from: Browser) => {
    const opened = await from.newPage()
    await opened.goto(host().address)
    await opened.waitForFunction('globalThis.ready')
    return opened
  }
  beforeAll(async () => {
    page = await pageOf(browser())
  })
  beforeEach(async ({ skip }) => skip(!(await hasAdapter(page)), NO_ADAPTER))

  it.each(conformance.map(({ name }, i) => [name, i] as const))('single precision: %s', async (_, i) => {
    const said = await page.evaluate(`(async () => {
      globalThis.whole ??= gpuEngine({ threads: 1 })
      const open = async tensor => (await whole.open(tensor)).single
      await conformance[${i}].check({ name: 'gpu', open })
      return 'fine'
    })()`)
    expect(said).toBe('fine')
  })

  it.each([2, 5])('agrees without subgroups too: %i modes', async modes => {
    const said = await page.evaluate(`(async () => {
      const engine = gpuEngine({ threads: 1, device: await withoutSubgroups() })
      const shape = ${JSON.stringify([17, 9, 5, 4, 3])}.slice(0, ${modes})
      const tensor = randomTensor({ shape, cells: 120, missing: 0.1 })
      const session = await engine.open(tensor)
      const worst = []
      for (const rank of [1, 3, 16, 30]) {
        const start = randomStart(shape, rank, 1, 0)
        const [single, double] = [await session.single.pass(start), await session.pass(start)]
        worst.push(...single.factors.map((factor, n) => Math.max(...factor.map((x, i) => Math.abs(x - double.factors[n][i])))))
      }
      await session.close()
      return Math.max(...worst)
    })()`)
    expect(said).toBeLessThan(1e-4)
  })

  it('a descent there takes the steps of a descent in double precision', { timeout: 240_000 }, async () => {
    const found = (await page.evaluate(`(async () => {
      const tensor = randomTensor({ shape: [9, 7, 5], cells: 200, missing: 0.05 })
      const session = await gpuEngine({ threads: 1 }).open(tensor)
      const stopping = { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: 16 }
      const traces = []
      for (const algorithm of ['em', 'accelerated']) {
        const options = { stopping, algorithm, steps: [1, 2, 3].map(() => mStepOf({ added: 0, width: 0 })), warmUp: 4 }
        const start = randomStart(tensor.shape, 3, 2, 0)
        // The rough run in double precision is the same descent, by other arithmetic.
        const double = await run(session, start, { ...options, rough: true })
        const single = await run(session.single, start, { ...options, rough: true })
        const again = await run(session.single, start, { ...options, rough: true })
        traces.push({ double: [...double.trace], single: [...single.trace], total: tensor.total, same: single.trace.every((loss, i) => loss === again.trace[i]) })
      }
      await session.close()
      return traces
    })()`)) as { double: number[]; single: number[]; total: number; same: boolean }[]
    for (const { double, single, total, same } of found) {
      expect(same).toBe(true)
      expect(single.length).toBe(double.length)
      expect(double.length).toBeGreaterThan(10)
      single.forEach((loss, i) => {
        // Rounding grows with every step that is learned from others.
        expect(Math.abs(loss - double[i]) / (Math.abs(loss) + total)).toBeLessThan(i < 6 ? 1e-6 : 1e-4)
      })
    }
    // Acceleration is at work.
    expect(found[1].single.at(-1)).toBeLessThan(found[0].single.at(-1)! - 1e-3)
  })

  it('a fit begins there and ends where a fit in double precision does', { timeout: 240_000 }, async () => {
    const found = (await page.evaluate(`(async () => {
      const tensor = randomTensor({ shape: [4, 3, 3, 2, 3], cells: 60 })
      const options = { rank: 2, seed: 3, starts: 1 }
      const double = await fit(tensor, { ...options, engine: wasmEngine({ threads: 1 }) })
      const { loss, notes, stationarity, converged } = await fit(tensor, { ...options, engine: gpuEngine({ threads: 1 }), precision: 'single' })
      return { double: double.loss, loss, notes, stationarity, converged }
    })()`)) as { double: number; loss: number; notes: string[]; stationarity: number; converged: boolean }
    expect(found.notes).toEqual([])
    expect(found.converged).toBe(true)
    expect(found.stationarity).toBeLessThanOrEqual(1e-6)
    expect(Math.abs(found.loss / found.double - 1)).toBeLessThan(1e-9)
  })

  it('folds are fitted there too', { timeout: 240_000 }, async () => {
    const found = (await page.evaluate(`(async () => {
      const tensor = randomTensor({ shape: [9, 7, 5], cells: 200, missing: 0.05 })
      const session = await gpuEngine({ threads: 1 }).open(tensor)
      // Without the cells of one label, and every third of the others twice.
      const values = tensor.values.map((value, cell) => (tensor.indices[0][cell] === 2 ? 0 : cell % 3 === 0 ? 2 * value : value))
      const fold = await session.reweight(values)
      const nested = await fold.reweight(tensor.values)
      const worst = async one => {
        const start = randomStart(tensor.shape, 3, 1, 0)
        const [single, double] = [await one.single.pass(start), await one.pass(start)]
        const entries = single.factors.map((factor, n) => Math.max(...factor.map((x, i) => Math.abs(x - double.factors[n][i]))))
        return Math.max(...entries, Math.abs(single.logLikelihood / double.logLikelihood - 1))
      }
      const result = { worst: [await worst(fold), await worst(nested)], total: [fold.single.data.total, tensor.total] }
      await nested.close()
      await fold.close()
      const after = await session.single.pass(randomStart(tensor.shape, 2, 1, 0))
      await session.close()
      const refused = await fold.single.pass(randomStart(tensor.shape, 2, 1, 0)).catch(error => error.message)
      return { ...result, sizes: after.sizes.reduce((sum, size) => sum + size), refused }
    })()`)) as { worst: number[]; total: number[]; sizes: number; refused: string }
    for (const worst of found.worst) expect(worst).toBeLessThan(1e-4)
    expect(found.total[0]).not.toBe(found.total[1])
    expect(found.sizes).toBeCloseTo(found.total[1], 2)
    expect(found.refused).toBe('the session is closed')
  })

  it('a device that is lost in the middle leaves the rest to the processor, and says so', {}, async () => {
    const found = (await page.evaluate(`(async () => {
      const tensor = randomTensor({ shape: [4, 3, 3], cells: 30 })
      const device = await withoutSubgroups()
      const engine = gpuEngine({ threads: 1, device })
      const session = await engine.open(tensor)
      const { single } = session
      let passes = 0
      const descents = {
        async open(...all) {
          const descent = await single.descents.open(...all)
          const pass = descent.pass.bind(descent)
          descent.pass = which => {
            if (++passes === 5) device.destroy()
            return pass(which)
          }
          return descent
        },
      }
      const options = { rank: 2, seed: 3, starts: 1 }
      const { loss, notes, converged } = await fit({ ...session, single: { ...single, descents } }, { ...options, precision: 'single' })
      const double = await fit(tensor, { ...options, engine: wasmEngine({ threads: 1 }) })
      const late = await fit(tensor, { ...options, engine }).catch(error => error.message)
      return { apart: Math.abs(loss - double.loss), notes, converged, late, passes }
    })()`)) as { notes: string[]; apart: number; late: string; converged: boolean; passes: number }
    expect(found).toMatchObject({ passes: 5, converged: true, late: 'the graphics device was closed' })
    expect(found.notes).toEqual([
      'single precision failed, and the fit went on in double: the graphics device was closed',
    ])
    expect(found.apart).toBeLessThan(1e-8)
  })

  it('says what is missing: WebGPU, a device, memory in one piece', async () => {
    const said = await page.evaluate(`(async () => {
      const tensor = randomTensor({ shape: [4, 3, 3], cells: 30 })
      const none = await gpuEngine({ gpu: { requestAdapter: async () => null } }).open(tensor).catch(error => [error.name, error.message])
      const device = await withoutSubgroups()
      const small = new Proxy(device, { get: (target, name) => {
        const value = name === 'limits' ? { ...target.limits, maxStorageBufferBindingSize: 4096, maxBufferSize: 4096 } : target[name]
        return typeof value === 'function' ? value.bind(target) : value
      } })
      const session = await gpuEngine({ device: small, threads: 1 }).open(randomTensor({ shape: [30, 20], cells: 100 }))
      const large = await session.single.pass(randomStart([30, 20], 200, 1, 0)).catch(error => [error.name, error.message])
      const many = await session.single.pass(randomStart([30, 20], 300, 1, 0)).catch(error => error.message)
      await session.close()
      return { none, large, many }
    })()`)
    expect(said).toEqual({
      none: ['EngineError', 'no graphics device was found: WebGPU has no adapter here'],
      large: [
        'EngineError',
        expect.stringMatching(/^a pass of 200 classes takes 1 MB in one piece, and this graphics device allows 1 MB/),
      ],
      many: 'the graphics engine can fit up to 256 classes (got 300)',
    })
  })
})
