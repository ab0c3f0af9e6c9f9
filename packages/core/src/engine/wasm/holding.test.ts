import { expect, test } from 'vitest'
import { randomStart } from '../../model/random.ts'
import { randomTensor } from '../conformance.ts'
import { newStatistics } from '../engine.ts'
import { newArenaPool } from './arena.ts'
import { newHolding } from './holding.ts'
import { layOut } from './layout.ts'
import { clearListed, runHere, totalInto } from './passes.ts'

test('lanes that do not fit in one memory are spread over several, and give the same bits', async () => {
  const tensor = randomTensor({ shape: [5000, 40, 30], cells: 100_000, missing: 0.01 })
  const layout = layOut(tensor, 5)
  const { plan } = layout
  const parameters = randomStart(tensor.shape, 5, tensor.total, 1, 0)
  const results = []
  for (const bytes of [undefined, 300_000]) {
    const holding = newHolding(newArenaPool(), plan, 5, bytes)
    for (let lane = 0; lane < plan.lanes; lane++) await holding.add(layout.lane(lane))
    const shares = holding.finish()
    expect(shares.length > 1).toBe(bytes !== undefined)
    const into = newStatistics(tensor.shape, 5)
    clearListed(plan, into)
    results.push(totalInto(runHere(shares, parameters, into), shares[0].shape, plan, into))
    holding.release()
  }
  expect(results[1]).toEqual(results[0])
})
