import { compareStatistics, conformance } from '@polyad/core/conformance'
import { newStatistics, referenceEngine } from '@polyad/core/engine'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { duckdbEngine } from '../../packages/polyad/src/engine/sql/duckdb/engine.ts'
import { models, tensors } from '../arbitrary.ts'

const engine = duckdbEngine()

describe('the pass as SQL in DuckDB', () => {
  it.each(conformance)('$name', async ({ check }) => {
    await check(engine)
  })

  it('is that of the reference to 1e-9, for any tensor and model', async () => {
    const data = tensors().chain(tensor =>
      fc.tuple(
        fc.constant(tensor),
        fc.integer({ min: 1, max: 5 }).chain(rank => models(tensor.shape, rank, tensor.total)),
      ),
    )
    await fc.assert(
      fc.asyncProperty(data, async ([tensor, { parameters }]) => {
        const sessions = [await engine.open(tensor), await referenceEngine.open(tensor)]
        try {
          const [found, expected] = await Promise.all(
            sessions.map(session => session.pass(parameters, newStatistics(tensor.shape, parameters.rank))),
          )
          compareStatistics(found, expected, 1e-9)
        } finally {
          for (const session of sessions) await session.close()
        }
      }),
      { numRuns: 12, seed: 1 },
    )
  })
})
