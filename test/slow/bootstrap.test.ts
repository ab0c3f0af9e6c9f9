import { bootstrap, fit } from '@polyad/core'
import { describe, it } from 'vitest'
import { drawn, expectUniform, expectUniformRanks, one, REPLICATES, TABLES, truth } from './even-p-values.ts'

describe('under a true model', () => {
  it('the p-values of G², X² and Cressie–Read are even on a sparse table', async () => {
    const found = { gSquared: [] as number[], chiSquared: [] as number[], cressieRead: [] as number[] }
    for (let table = 0; table < TABLES; table++) {
      const tensor = drawn(truth, 250, 1000 + table)
      const { model } = await fit(tensor, { rank: 2, starts: 3, threads: 1 })
      const tests = await bootstrap(tensor, model, { replicates: REPLICATES, starts: 1, seed: table, threads: 1 })
      for (const name of ['gSquared', 'chiSquared', 'cressieRead'] as const) found[name].push(tests[name]!.pValue)
    }
    for (const pValues of Object.values(found)) expectUniform(pValues)
  })

  it('the p-values between ranks: one class against two', async () => {
    await expectUniformRanks(one, 0)
  })
})
