import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bootstrap, chooseRank, fit, fitStructured, testRanks } from '@polyad/core'
import { type Engine, openCells, referenceEngine, wasmEngine, writeCells } from '@polyad/core/engine'
import { describe, expect, it } from 'vitest'
import { duckdbEngine } from '../../packages/polyad/src/engine/sql/duckdb/engine.ts'
import { carcinoma, gss82, hairEyeColor, values } from '../tables.ts'
import { testFolder } from '../test-folder.ts'

/** Many fits: one after the other they leave nothing behind, and at once they do not disturb each other. */

const core = new URL('../../packages/core/dist/', import.meta.url).href

interface Left {
  readonly heap: number
  readonly rss: number
  readonly threads: number
  readonly files: number
  readonly resources: number
}

/** What a process holds after so many fits, each with other options. */
const afterFits = async (counts: readonly number[]): Promise<Left[]> => {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs'
    import { bootstrap, fit, fitStructured, openCheckpoint, tensorFromCoordinates } from '${core}index.js'
    import { referenceEngine } from '${core}entries/engine.js'
    const tensor = tensorFromCoordinates(
      Array.from({ length: 24 }, (_, i) => [i % 2, Math.floor(i / 2) % 3, Math.floor(i / 6)]),
      Array.from({ length: 24 }, (_, i) => 1 + ((7 * i) % 11)),
      { modes: ['a', 'b', 'c'], shape: [2, 3, 4] },
    )
    const one = i => {
      const options = { rank: 2, starts: 2, seed: i + 1, maxPasses: 60 }
      const stopped = new AbortController()
      switch (i % 10) {
        case 0: return fit(tensor, { ...options, threads: 2 })
        case 1: return fit(tensor, { ...options, threads: 1, checkpoint: { store: () => {}, every: 1000 } })
        case 2: return fit(tensor, { ...options, engine: referenceEngine })
        case 3: return fit(tensor, { ...options, threads: 1, pseudoCounts: 1, maxSeconds: 1000, signal: stopped.signal })
        case 4: return fitStructured(tensor, { ...options, threads: 1, covariates: ['a'] })
        case 5: return fit(tensor, { ...options, threads: 1, precision: 'single' })
        case 6: return fit(tensor, { ...options, rank: 100 }).catch(error => error)
        case 7: return fit(tensor, options).then(({ model }) => bootstrap(tensor, model, { replicates: 2, threads: 1 }))
        case 8: stopped.abort(); return fit(tensor, { ...options, signal: stopped.signal }).catch(error => error)
        default: return fit(tensor, options)
      }
    }
    const held = async () => {
      // What ends by itself has ended by then.
      for (let i = 0; i < 5; i++) { await new Promise(resolve => setTimeout(resolve, 100)); globalThis.gc() }
      const { heapUsed: heap, rss } = process.memoryUsage()
      return {
        heap, rss,
        threads: Number(/^Threads:\\s*(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0),
        files: readdirSync('/proc/self/fd').length,
        resources: process.getActiveResourcesInfo().length,
      }
    }
    const found = []
    let done = 0
    for (const count of ${JSON.stringify(counts)}) {
      for (; done < count; done++) await one(done)
      found.push(await held())
    }
    console.log(JSON.stringify(found))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '-e', script])
  return JSON.parse(stdout) as Left[]
}

describe('a thousand fits in one process', () => {
  it.skipIf(process.platform !== 'linux')('keep memory, threads and files flat', async () => {
    const [early, late] = await afterFits([200, 1000])
    // Eight hundred fits more: a leak of 10 kB each would be found out.
    expect(late.heap - early.heap).toBeLessThan(4e6)
    expect(late.rss - early.rss).toBeLessThan(40e6)
    expect(late.threads).toBeLessThanOrEqual(early.threads)
    expect(late.files).toBeLessThanOrEqual(early.files)
    expect(late.resources).toBeLessThanOrEqual(early.resources)
  })
})

/** A result to the last bit, but for how long it took. */
const bits = (value: unknown): string =>
  JSON.stringify(value, (key, each: unknown) => {
    if (key === 'seconds') return undefined
    if (typeof each === 'number') return Object.is(each, -0) || !Number.isFinite(each) ? `${each}` : each
    return ArrayBuffer.isView(each) ? [...(each as Float64Array)] : each
  })

describe('twenty fits at once', () => {
  const folder = testFolder()

  it('give the bits that each gives by itself, whatever engine it is on', async () => {
    await writeCells(gss82, folder.path('cells.polyad'))
    const model = async (engine: Engine | undefined, rank: number, seed: number, threads?: number) => {
      const options = { rank, seed, starts: 4, maxPasses: 300, ...(engine && { engine }), ...(threads && { threads }) }
      const { model, ...rest } = await fit(gss82, options)
      return { ...rest, parameters: model.parameters }
    }
    const shared = wasmEngine({ threads: 2 })
    const work: (() => Promise<unknown>)[] = [
      ...[1, 2, 3].map(seed => () => model(undefined, 3, seed, 1)),
      ...[1, 2].map(seed => () => model(undefined, 4, seed, 2)),
      ...[1, 2, 3].map(seed => () => model(shared, 2, seed)),
      () => model(referenceEngine, 2, 5),
      () => model(duckdbEngine({ threads: 1 }), 2, 6),
      () => model(duckdbEngine({ threads: 1 }), 3, 7),
      ...[0, 1e9].map(memory => async () => {
        const cells = await openCells(folder.path('cells.polyad'), { memory, threads: 2 })
        try {
          const { model, ...rest } = await fit(cells, { rank: 3, starts: 3, seed: 8, maxPasses: 300 })
          return { ...rest, parameters: model.parameters }
        } finally {
          await cells.close()
        }
      }),
      async () => {
        const { explained } = await fitStructured(hairEyeColor, { rank: 2, starts: 3, covariates: ['sex'], threads: 1 })
        return explained?.covariates
      },
      async () => {
        const { model } = await fit(values, { rank: 2, threads: 1 })
        return bootstrap(values, model, { replicates: 10, threads: 2 })
      },
      async () => (await testRanks(values, { rank: 1, replicates: 10, starts: 3, replicateStarts: 2 })).pValue,
      async () => (await chooseRank(carcinoma, { to: 3, folds: 2, starts: 3 })).fits.map(each => each.result.loss),
      ...[11, 12, 13].map(seed => () => model(undefined, 3, seed)),
    ]
    expect(work.length).toBe(20)
    const alone: string[] = []
    for (const each of work) alone.push(bits(await each()))
    const together = await Promise.all(work.map(async each => bits(await each())))
    together.forEach((each, i) => void expect(each, `fit ${i}`).toBe(alone[i]))
  })
})
