import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fit } from '@polyad/core'
import { memoryOfFit } from '@polyad/core/engine'
import { describe, expect, it } from 'vitest'
import { randomTensor } from '../../packages/core/src/engine/random-tensor.ts'

/** Whether a fit takes as much memory as its plan says: measured as the peak of a process that does nothing else. */

const core = new URL('../../packages/core/dist/', import.meta.url).href

/** The bytes that were planned, and how many more the process had at most than before the fit. */
const measured = async (memory: number) => {
  const script = `
    import { fit, tensorFromColumns } from '${core}index.js'
    import { memoryOfFit, wasmEngine } from '${core}entries/engine.js'
    import { planMemory } from '${core}fit/memory-plan.js'
    const [cells, shape] = [120_000, [60_000, 6000, 100]]
    let state = 7
    const draw = size => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0, Math.floor(size * (state / 2 ** 32) ** 2))
    const indices = shape.map(size => Int32Array.from({ length: cells }, () => draw(size)))
    const tensor = tensorFromColumns(indices, new Float64Array(cells).fill(1), { shape })
    const rank = 20
    const { usual, least } = memoryOfFit(tensor, { rank })
    const limit = Math.max(least, ${memory} * usual)
    const session = await wasmEngine({ threads: 2 }).open(tensor)
    globalThis.gc()
    const before = process.memoryUsage().rss
    const plan = planMemory(tensor, { rank, starts: 'auto', accelerated: true, single: false }, limit)
    const { notes } = await fit(session, { rank, seed: 1, memory: limit, maxPasses: 260, maxSeconds: 15 })
    const took = 1024 * process.resourceUsage().maxRSS - before
    await session.close()
    console.log(JSON.stringify({ planned: plan.bytes, took, notes }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '-e', script])
  return JSON.parse(stdout) as { planned: number; took: number; notes: string[] }
}

describe('the memory of a fit', () => {
  it.each([1, 0.8, 0])('is about what was planned: %f of what is usual', async share => {
    const { planned, took, notes } = await measured(share)
    // Garbage comes and goes as it likes; a plan that is too small by a fifth would be found out.
    expect(took).toBeLessThan(1.2 * planned)
    expect(took).toBeGreaterThan(0.3 * planned)
    expect(notes.length).toBe(share === 1 ? 0 : 1)
  })
})

describe('a fit with a memory limit', () => {
  const tensor = randomTensor({ shape: [6000, 3000, 20], cells: 20_000, seed: 3 })
  const options = { rank: 20, seed: 1, maxPasses: 24, threads: 1 } as const
  const { usual, least } = memoryOfFit(tensor, options)

  it('is the same to the last bit if it has room, and says what it had none for', async () => {
    const free = await fit(tensor, options)
    const roomy = await fit(tensor, { ...options, memory: usual })
    expect(roomy).toEqual(free)
    const [tight, again] = [
      await fit(tensor, { ...options, memory: least }),
      await fit(tensor, { ...options, memory: least }),
    ]
    expect(tight.notes).toEqual([expect.stringContaining('the memory limit leaves room for 6 of 8 models')])
    expect(again).toEqual(tight)
    expect(tight.loss).toBeLessThan(1.02 * free.loss)
  })
})
