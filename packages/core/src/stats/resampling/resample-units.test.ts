import { describe, expect, it } from 'vitest'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { DrawReplicate } from './resample-units.ts'
import { drawClusters, drawRows } from './resample-units.ts'

/** The mean and the variance of a sum of cells over replicates. */
const momentsOf = (draw: DrawReplicate, sum: (values: Float64Array) => number, replicates: number) => {
  const sums = Array.from({ length: replicates }, (_, number) => sum(draw(3, number)))
  const mean = sums.reduce((all, each) => all + each, 0) / replicates
  return { mean, variance: sums.reduce((all, each) => all + (each - mean) ** 2, 0) / (replicates - 1) }
}

/** Taylor's variance of a total: Σ over strata of n/(n − 1)·Σ (z − mean of z)², z the totals of the clusters. */
const linearized = (strata: readonly (readonly number[])[]): number =>
  strata.reduce((sum, totals) => {
    const n = totals.length
    const mean = totals.reduce((all, each) => all + each, 0) / n
    return sum + (n / (n - 1)) * totals.reduce((all, each) => all + (each - mean) ** 2, 0)
  }, 0)

const REPLICATES = 4000
/** The standard error of a variance of so many draws is about √(2/4000) of it. */
const near = (value: number, expected: number) => expect(Math.abs(value / expected - 1)).toBeLessThan(0.12)

describe('replicates of clusters', () => {
  const rows = ['n1', 'n2', 'n3', 's1', 's2', 's3', 's4'].flatMap((psu, c) =>
    Array.from({ length: 3 + c * 2 }, (_, i) => ({
      vote: (i * (c + 2)) % 3 === 0 ? 'yes' : 'no',
      psu,
      stratum: psu[0],
    })),
  )
  const data = tensorFromRows(rows)
  const answers = withoutModes(data, ['psu', 'stratum'])
  const yes = answers.modes[0].indexOf('yes')!
  const cellOf = answers.indices[0].indexOf(yes)
  const totals = (stratum: string) =>
    [...new Set(rows.filter(row => row.stratum === stratum).map(({ psu }) => psu))].map(
      psu => rows.filter(row => row.psu === psu && row.vote === 'yes').length,
    )

  it('have the mean of the sample, and the variance of linearization', () => {
    const draw = drawClusters(data, { cluster: 'psu', stratum: 'stratum' }, answers)
    const { mean, variance } = momentsOf(draw, values => values[cellOf], REPLICATES)
    const expected = linearized([totals('n'), totals('s')])
    near(variance, expected)
    expect(Math.abs(mean - answers.values[cellOf])).toBeLessThan(5 * Math.sqrt(expected / REPLICATES))
  })

  it('without strata too, and if clusters were drawn that nobody is in', () => {
    const all = [...totals('n'), ...totals('s')]
    const plain = drawClusters(data, { cluster: 'psu' }, answers)
    near(momentsOf(plain, values => values[cellOf], REPLICATES).variance, linearized([all]))
    const more = drawClusters(data, { cluster: 'psu', sizes: 9 }, answers)
    near(momentsOf(more, values => values[cellOf], REPLICATES).variance, linearized([[...all, 0, 0]]))
  })

  it('are the same for the same seed and number', () => {
    const draw = drawClusters(data, { cluster: 'psu' }, answers)
    expect(draw(3, 5)).toEqual(draw(3, 5))
    expect(draw(3, 5)).not.toEqual(draw(3, 6))
    expect(draw(4, 5)).not.toEqual(draw(3, 5))
  })
})

describe('replicates of rows with weights', () => {
  it('have the mean of the sample, and the variance of linearization', () => {
    const answers = tensorFromRows([{ vote: 'yes' }, { vote: 'no' }])
    const rows = {
      cells: Int32Array.of(0, 1, 0, 1),
      weights: Float64Array.of(0.5, 0.75, 2, 1.5),
      counts: Float64Array.of(9, 7, 3, 5),
    }
    const { mean, variance } = momentsOf(drawRows(answers, rows), values => values[0], REPLICATES)
    // A row of the other cell adds nothing.
    const each = [...Array(9).fill(0.5), ...Array(7).fill(0), ...Array(3).fill(2), ...Array(5).fill(0)]
    const expected = linearized([each])
    near(variance, expected)
    expect(Math.abs(mean - (9 * 0.5 + 3 * 2))).toBeLessThan(5 * Math.sqrt(expected / REPLICATES))
  })
})
