import { expect, test } from 'vitest'
import { randomStart } from '../../model/random.ts'
import { randomTensor } from '../conformance.ts'
import { newStatistics } from '../engine.ts'
import { newArenaPool } from './arena.ts'
import { valueSet } from './lane-group.ts'
import { LaneStore } from './lane-store.ts'
import { layOut } from './layout.ts'
import { clearCompacted, runHere, totalInto } from './passes.ts'

test('lanes that do not fit in one memory are spread over several, and give the same bits', async () => {
  const tensor = randomTensor({ shape: [5000, 40, 30], cells: 100_000, missing: 0.01 })
  const layout = layOut(tensor)
  const { plan } = layout
  const parameters = randomStart(tensor.shape, 5, 1, 0)
  const results = []
  for (const bytes of [undefined, 300_000]) {
    const store = new LaneStore(newArenaPool(), plan, bytes)
    for (let lane = 0; lane < plan.lanes; lane++) await store.add(layout.lane(lane))
    const passes = store.prepare({ rank: 5, set: valueSet(0, tensor.total), single: false })
    expect(passes.length > 1).toBe(bytes !== undefined)
    const into = newStatistics(tensor.shape, 5)
    clearCompacted(plan, into)
    results.push(totalInto(runHere(passes, parameters, into), passes[0].shape, plan, into))
    store.release()
  }
  expect(results[1]).toEqual(results[0])
})
