import { describe, expect, it } from 'vitest'
import { randomStart } from '../../model/random.ts'
import { same } from '../compare.ts'
import { conformance, randomTensor, singleOf } from '../conformance.ts'
import type { Statistics } from '../engine.ts'
import { wasmEngine } from './wasm-engine.ts'

describe('the WebAssembly engine in single precision', () => {
  it.each(conformance)('$name', async ({ check }) => {
    await check(singleOf(wasmEngine({ threads: 1 })))
  })

  it.each([
    ['two wide modes', { shape: [3000, 2500], cells: 70_000 }],
    ['joined modes, missing entries', { shape: [2, 3, 2, 2, 300, 2, 3], cells: 70_000, missing: 0.02 }],
  ])('gives the same bits on any number of threads: %s', async (_, options) => {
    const tensor = randomTensor(options)
    const parameters = [randomStart(tensor.shape, 17, 1, 0), randomStart(tensor.shape, 32, 1, 1)]
    const results: Statistics[][] = []
    for (const engine of [{ threads: 1 }, { threads: 2 }, { threads: 3, sharedMemory: false }]) {
      const session = await wasmEngine(engine).open(tensor)
      const found: Statistics[] = []
      // From one precision to the other and back.
      for (const each of parameters)
        found.push(await session.single!.pass(each), await session.pass(each), await session.single!.pass(each))
      same(found[2], found[0])
      results.push(found)
      await session.close()
    }
    for (const other of results.slice(1)) for (const [i, each] of other.entries()) same(each, results[0][i])
  })

  it('suits ranks from 16 on', async () => {
    const session = await wasmEngine({ threads: 1 }).open(randomTensor({ shape: [5, 6], cells: 20 }))
    expect([8, 15, 16, 64].map(rank => session.single!.suits!(rank))).toEqual([false, false, true, true])
    await session.close()
    await expect(session.single!.pass(randomStart([5, 6], 16, 1, 0))).rejects.toThrow('closed')
  })
})
