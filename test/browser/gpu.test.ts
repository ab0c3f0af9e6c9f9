import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conformance } from '../../packages/core/src/engine/conformance.ts'
import { CHROMIUM, hasBrowser } from '../studio-browser.ts'

/** WebGPU on Chromium's driver for processors: slow, but the shaders are the same. */
const FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan']

const DIST = fileURLToPath(new URL('../../packages/core/dist', import.meta.url))

const PAGE = `
import { fit } from '/fit/fit.js'
import { gpuEngine } from '/engine/gpu/gpu-engine.js'
import { wasmEngine } from '/engine/wasm/wasm-engine.js'
import { conformance, randomTensor } from '/engine/conformance.js'
import { randomStart } from '/model/random.js'
Object.assign(globalThis, { fit, gpuEngine, wasmEngine, conformance, randomTensor, randomStart })
globalThis.withoutSubgroups = async () => (await (await navigator.gpu.requestAdapter()).requestDevice())
globalThis.ready = true
`

const serve = (): Promise<Server> => {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const answer = (type: string, body: string | Buffer) => response.writeHead(200, { 'Content-Type': type }).end(body)
    try {
      if (path === '/') answer('text/html', '<!doctype html><script type="module" src="/page.js"></script>')
      else answer('text/javascript', path === '/page.js' ? PAGE : await readFile(DIST + path))
    } catch {
      response.writeHead(404).end()
    }
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

const open = (flags: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--no-first-run', ...flags] })

describe.skipIf(!hasBrowser)('the engine of graphics devices', () => {
  let server: Server
  let browser: Browser
  let page: Page
  const pageOf = async (from: Browser) => {
    const opened = await from.newPage()
    await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await opened.waitForFunction('globalThis.ready')
    return opened
  }
  beforeAll(async () => {
    server = await serve()
    browser = await open(FLAGS)
    page = await pageOf(browser)
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it.each(conformance.map(({ name }, i) => [name, i] as const))(
    'single precision: %s',
    { timeout: 120_000 },
    async (_, i) => {
      const said = await page.evaluate(`(async () => {
      globalThis.whole ??= gpuEngine({ threads: 1 })
      const open = async tensor => (await whole.open(tensor)).single
      await conformance[${i}].check({ name: 'gpu', open })
      return 'fine'
    })()`)
      expect(said).toBe('fine')
    },
  )

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

  it.each([
    { shape: [40, 30, 20], cells: 4000, rank: 4 },
    { shape: [200, 7, 6, 5], cells: 3000, rank: 3, missing: 0.1 },
    { shape: [6, 5, 4, 3, 5, 4], cells: 1500, rank: 5, real: true },
  ])(
    'a fit begins on the card and ends in double where a fit in double does: $shape',
    { timeout: 120_000 },
    async ({ rank, ...data }) => {
      const found = (await page.evaluate(`(async () => {
      const tensor = randomTensor(${JSON.stringify(data)})
      const options = { rank: ${rank}, seed: 3, starts: 2, maxPasses: 3000 }
      const double = await fit(tensor, { ...options, engine: wasmEngine({ threads: 1 }) })
      const plain = gpuEngine({ threads: 1 })
      let [passes, failed] = [0, '']
      const engine = { ...plain, async open(data) {
        const session = await plain.open(data)
        const { descents } = session.single
        const counted = { async open(rank, pairs) {
          const descent = await descents.open(rank, pairs)
          return new Proxy(descent, { get(target, name) {
            const value = target[name]
            if (typeof value !== 'function') return value
            return (...all) => { if (name === 'pass') passes++; return value.apply(target, all) }
          } })
        } }
        return { ...session, single: { ...session.single, descents: counted } }
      } }
      const run = () => fit(tensor, { ...options, engine, precision: 'single' })
      const [first, second] = [await run(), await run()]
      const bits = ({ model }) => JSON.stringify([...model.parameters.shares, ...model.parameters.factors.map(f => [...f])])
      return {
        double: [double.loss, double.totalPasses], single: [first.loss, first.totalPasses], passes, notes: first.notes, stationarity: first.stationarity,
        same: bits(first) === bits(second),
      }
    })()`)) as {
        double: number[]
        single: number[]
        passes: number
        notes: string[]
        stationarity: number
        same: boolean
      }
      console.log(JSON.stringify(found))
      expect(found.notes).toEqual([])
      expect(found.single[0]).toBeLessThanOrEqual(found.double[0] + 1e-7 * Math.abs(found.double[0]))
      expect(found.passes).toBeGreaterThan(found.single[1])
      expect(found.same).toBe(true)
    },
  )
})
