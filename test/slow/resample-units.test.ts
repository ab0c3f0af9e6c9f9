import { describe, expect, it } from 'vitest'
import { fit } from '../../packages/core/src/fit/fit.ts'
import { drawWeighted } from '../../packages/core/src/model/draws.ts'
import { random } from '../../packages/core/src/numeric/philox.ts'
import { standardErrors } from '../../packages/core/src/stats/errors/standard-errors.ts'
import { prepareDesign } from '../../packages/core/src/stats/errors/survey-design.ts'
import { testRanks } from '../../packages/core/src/stats/ranks/test-ranks.ts'
import { bootstrap } from '../../packages/core/src/stats/resampling/bootstrap.ts'
import { drawClusters, drawRows } from '../../packages/core/src/stats/resampling/resample-units.ts'
import { tensorFromColumns } from '../../packages/core/src/tensor/coordinates.ts'
import { MISSING } from '../../packages/core/src/tensor/mode.ts'
import { withoutModes } from '../../packages/core/src/tensor/reshape.ts'
import { tensorFromRows } from '../../packages/core/src/tensor/rows.ts'
import { design, mean, designRows as tensorOf, weighed } from '../design-rows.ts'

const data = prepareDesign(tensorOf(['a', 'b', 'e', 'c', 'h']), design)
const answers = withoutModes(data, ['c', 'h'])

/** The rows of every cell by weight, as a reader gives them. */
const rowWeights = (() => {
  const apart = tensorFromRows(weighed as never, { modes: ['a', 'b', 'e', 'w'] })
  const cellOf = (at: number) => answers.values.findIndex((_, cell) => [0, 1, 2].every(n => answers.indices[n][cell] === apart.indices[n][at])) // biome-ignore format: one call
  return {
    cells: Int32Array.from(apart.values, (_, at) => cellOf(at)),
    weights: Float64Array.from(apart.values, (_, at) => Number(apart.modes[3].label(apart.indices[3][at])) / mean),
    counts: apart.values,
  }
})()

const [TOTAL_ERROR, MEAN_ERROR, ROW_ERROR] = [13.0248872062897, 0.0376499077486428, 0.0356507004780531]

/** The mean and the variance of the share of b1 over replicates, as a ratio and as a total. */
const moments = (draw: (seed: number, number: number) => Float64Array, replicates: number) => {
  const found = Array.from({ length: replicates }, (_, r) => {
    const values = draw(7, r)
    const total = values.reduce((sum, value) => sum + value, 0)
    const own = values.reduce((sum, value, cell) => sum + (answers.indices[1][cell] === 1 ? value : 0), 0)
    return [own / total, own, total]
  })
  return [0, 1, 2].map(at => {
    const average = found.reduce((sum, each) => sum + each[at], 0) / replicates
    return {
      average,
      deviation: Math.sqrt(found.reduce((sum, each) => sum + (each[at] - average) ** 2, 0) / replicates),
    }
  })
}

describe('replicates of a sample by design', () => {
  it('of clusters within strata vary as a total and a mean do', () => {
    // R 4.2.2, survey 4.1.1: SE(svytotal(~b, design))/mean(w) and SE(svymean(~b, design)); as.svrepdesign(type = "subbootstrap") has these expectations.
    const [ratio, own, total] = moments(drawClusters(data, design, answers), 4000)
    expect(own.average / 95.5689655172414).toBeCloseTo(1, 2)
    expect(total.average / 230).toBeCloseTo(1, 2)
    expect(own.deviation / TOTAL_ERROR).toBeGreaterThan(0.96)
    expect(own.deviation / TOTAL_ERROR).toBeLessThan(1.04)
    expect(ratio.deviation / MEAN_ERROR).toBeGreaterThan(0.95)
    expect(ratio.deviation / MEAN_ERROR).toBeLessThan(1.05)
  })

  it('of single rows vary as weighted rows do', () => {
    // R as above with ids = ~1, of the rows that weigh something.
    const [ratio] = moments(drawRows(answers, rowWeights), 4000)
    expect(ratio.deviation / ROW_ERROR).toBeGreaterThan(0.96)
    expect(ratio.deviation / ROW_ERROR).toBeLessThan(1.04)
  })

  it('give the errors of the design to the parameters of a model', async () => {
    const { model } = await fit(answers, { rank: 1, threads: 1 })
    const drawn = await bootstrap(data, model, {
      kind: 'nonparametric',
      design,
      rowWeights,
      replicates: 400,
      threads: 1,
    })
    const errors = await standardErrors(data, model, { design })
    for (const [n, k, j] of [[0, 0, 0], [1, 0, 1], [2, 0, 0]]) // biome-ignore format: three
      expect(drawn.profiles[n][k][j].standardError / errors.factors![n][k][j]!).toBeCloseTo(1, 0.7)
    expect(drawn.gSquared).toBeUndefined()
    const two = await bootstrap(data, model, { kind: 'nonparametric', design, rowWeights, replicates: 400, threads: 2 })
    expect(two).toEqual(drawn)
  })

  it('of the model keep weights and gaps, test it, and have no intervals', async () => {
    const { model } = await fit(answers, { rank: 1, threads: 1 })
    const found = await bootstrap(data, model, { design, rowWeights, replicates: 60, threads: 1 })
    expect(found.gSquared!.pValue).toBeLessThan(0.1)
    expect(found.shares[0]).toEqual({ standardError: Number.NaN, interval: undefined })
    const gaps = tensorFromColumns([[0, 0, 1], [MISSING, 1, 1]], [1.5, 2.5, 2], { shape: [2, 2] }) // biome-ignore format: a table
    const own = { cells: Int32Array.of(0, 1, 1, 2), weights: Float64Array.of(0.5, 0.5, 1, 2), counts: Float64Array.of(3, 1, 2, 1) } // biome-ignore format: a table
    const parameters = { rank: 1, shares: Float64Array.of(1), factors: [Float64Array.of(0.5, 0.5), Float64Array.of(0.5, 0.5)] } // biome-ignore format: a model
    const drawn = drawWeighted(gaps, parameters, own, random(1, 'replicate', 0))
    expect(drawn.total).toBeCloseTo(6, 12)
    expect(drawn.indices[1].reduce((sum, j, cell) => sum + (j === MISSING ? drawn.values[cell] : 0), 0)).toBeCloseTo(1.5, 12) // biome-ignore format: one call
  })

  it('test numbers of classes of weighted rows', async () => {
    const options = { rank: 1, rowWeights, replicates: 50, starts: 3, threads: 1 }
    const test = await testRanks(answers, options)
    expect(test.pValue).toBeLessThan(0.1)
    await expect(testRanks(answers, { ...options, rowWeights: undefined } as never)).rejects.toThrow('whole numbers')
  })
})
