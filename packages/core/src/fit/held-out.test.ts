import { describe, expect, it } from 'vitest'
import { chooseRank } from '../stats/ranks/choose-rank.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { splitFolds } from '../tensor/folds.ts'
import { MISSING } from '../tensor/mode.ts'

describe('the held-out log-likelihood', () => {
  // A label that was seen once, a missing entry, and a cell above the counts that are dealt one by one.
  const columns = [[0, 0, 1, 1, 2, 0, 1], [0, 1, 0, 1, 1, MISSING, 2]] // biome-ignore format: a table
  const tensor = tensorFromColumns(columns, [40_017, 12, 9, 31, 1, 8, 3])

  it('is that of a model with one observation more, here of one class', async () => {
    // The model of one class has the marginals of the training data, so all of it is written out.
    let [sum, weight] = [0, 0]
    for (const { training, test } of splitFolds(tensor, 4, 5)) {
      const { marginals, total } = training
      const sums = marginals.map(each => each.reduce((a, b) => a + b))
      for (let cell = 0; cell < test.cells; cell++) {
        let [own, more] = [1, 1]
        test.indices.forEach((column, n) => {
          if (column[cell] === MISSING) return
          own *= marginals[n][column[cell]] / sums[n]
          more *= (marginals[n][column[cell]] + 1 / 3) / (sums[n] + 1)
        })
        sum += test.values[cell] * Math.log((total * own + more) / (total + 1))
        weight += test.values[cell]
      }
    }
    const { fits } = await chooseRank(tensor, { to: 1, folds: 4, seed: 5, threads: 1 })
    expect(fits[0].heldOut).toBeCloseTo(sum / weight, 12)
  })
})
