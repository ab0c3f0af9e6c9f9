import { Mode, Model, type Tensor, tensorFromRows, testRanks } from '@polyad/core'
import { random } from '@polyad/core/numeric'
import { expect } from 'vitest'

/**
 * For bootstrap*.test.ts. The p-values of the bootstrap are what they say: where the model is true they are spread evenly, and tests at 5% reject 5% of
 * the time, even on tables so sparse that χ² is of no use.
 */

const modes = Array.from({ length: 5 }, (_, n) => new Mode(`mode${n + 1}`, ['yes', 'no']))

/** Two classes that are well apart. */
export const truth = new Model(modes, {
  rank: 2,
  sizes: Float64Array.of(0.6, 0.4),
  factors: modes.map((_, n) => Float64Array.of(0.85 - 0.03 * n, 0.2 + 0.03 * n, 0.15 + 0.03 * n, 0.8 - 0.03 * n)),
})

export const one = new Model(modes, {
  rank: 1,
  sizes: Float64Array.of(1),
  factors: modes.map((_, n) => Float64Array.of(0.35 + 0.07 * n, 0.65 - 0.07 * n)),
})

/** Data drawn from a model, some of it missing where a part is asked for. */
export const drawn = (model: Model, observations: number, seed: number, missing = 0): Tensor => {
  const { rows } = model.sample(observations, { seed })
  const { uniform } = random(seed, 'data')
  return tensorFromRows(
    rows.map(row => row.map(label => (uniform() < missing ? null : label))),
    { modes: modes.map(({ name }) => ({ name, labels: ['yes', 'no'] })) },
  )
}

export const TABLES = 400
/** With 19 of them a p-value is one of 20, so that tests at 5%, 25%, 50% and 75% are exact; more would be no more exact. */
export const REPLICATES = 19

const shareBelow = (values: readonly number[], level: number): number =>
  values.filter(value => value <= level + 1e-12).length / values.length

/** The p-values of many tables: the level of 5% is kept within 2%, and quarters hold a quarter each, roughly. */
export const expectUniform = (pValues: readonly number[]): void => {
  expect(shareBelow(pValues, 0.05)).toBeGreaterThanOrEqual(0.03)
  expect(shareBelow(pValues, 0.05)).toBeLessThanOrEqual(0.07)
  for (const level of [0.25, 0.5, 0.75]) expect(Math.abs(shareBelow(pValues, level) - level)).toBeLessThan(0.08)
}

/** The p-values of tests of a true model against one class more. */
export const expectUniformRanks = async (model: Model, missing: number): Promise<void> => {
  const pValues: number[] = []
  for (let table = 0; table < TABLES; table++) {
    const tensor = drawn(model, 250, 5000 + table, missing)
    const { pValue } = await testRanks(tensor, {
      rank: model.rank,
      replicates: REPLICATES,
      replicateStarts: 12,
      seed: table,
      all: true,
      threads: 1,
    })
    pValues.push(pValue)
  }
  expectUniform(pValues)
}
