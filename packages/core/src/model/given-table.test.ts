import { describe, expect, it } from 'vitest'
import { random } from '../numeric/philox.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { givenPairMisfits } from './given-pairs.ts'
import { type GivenModel, givenGSquared, givenTable, partAt, priorsOf } from './given-table.ts'
import { randomStart } from './random.ts'

/**
 * Modes: a group that is given; an item; an item of one label; an item in two parts, of which a row has one. Every number below is also computed
 * row by row from its definition, over whole tables.
 */
const shape = [3, 2, 1, 4, 4]
const variables = [[1], [2], [3, 4]]
const { below } = random(8, 'data')
const rows = Array.from({ length: 60 }, () => {
  const group = below(4) - 1
  const [item, split, part] = [below(3) - 1, below(5) - 1, below(2)]
  return [group, item, 0, part === 0 ? split : -1, part === 1 ? split : -1]
})
const tensor = tensorFromColumns(
  shape.map((_, n) => rows.map(row => row[n])),
  undefined,
  { shape },
)
const { rank, factors } = randomStart(shape, 2, 5, 1)
const model: GivenModel = {
  parameters: { rank, shares: Float64Array.of(0.3, 0.7), factors },
  given: [0],
  variables,
}
const at = (n: number, label: number, k: number) => factors[n][label * rank + k]

const cellsOf = ({ cells, indices, values }: Tensor) =>
  Array.from({ length: cells }, (_, cell) => ({ cell, row: indices.map(column => column[cell]), y: values[cell] }))

const priorOf = ([group]: readonly number[]): number[] => {
  const joint = [0, 1].map(k => model.parameters.shares[k] * (group < 0 ? 1 : at(0, group, k)))
  return joint.map(each => each / (joint[0] + joint[1]))
}

describe('a table given what is not explained', () => {
  it('each row has the classes that its group makes likely', () => {
    const priors = priorsOf(tensor, model)
    for (const { cell, row } of cellsOf(tensor)) {
      priorOf(row).forEach((p, k) => {
        expect(priors[cell * rank + k]).toBeCloseTo(p, 14)
      })
    }
  })

  it('a row has one part of a variable, or none', () => {
    for (const { cell, row } of cellsOf(tensor)) {
      expect(partAt(tensor, [3, 4], cell)).toBe(row[3] >= 0 ? 3 : row[4] >= 0 ? 4 : -1)
    }
  })

  it('has the counts of the rows that have all variables, and what the model expects of them', () => {
    const { total, observed, expected } = givenTable(tensor, model, priorsOf(tensor, model))
    const complete = cellsOf(tensor).filter(({ row }) => row[1] >= 0 && (row[3] >= 0 || row[4] >= 0))
    expect(total).toBe(complete.reduce((sum, { y }) => sum + y, 0))
    for (let item = 0; item < 2; item++) {
      for (let split = 0; split < 4; split++) {
        const labels = [item, 0, split]
        const count = complete
          .filter(({ row }) => row[1] === item && Math.max(row[3], row[4]) === split)
          .reduce((sum, { y }) => sum + y, 0)
        expect(observed.get(labels.join())?.count ?? 0).toBe(count)
        let sum = 0
        for (const { row, y } of complete) {
          const n = row[3] >= 0 ? 3 : 4
          priorOf(row).forEach((p, k) => {
            sum += y * p * at(1, item, k) * at(2, 0, k) * at(n, split, k)
          })
        }
        expect(expected(labels)).toBeCloseTo(sum, 12)
      }
    }
  })

  it('of two variables has the X² of the whole table, if both have several labels', () => {
    const complete = cellsOf(tensor).filter(({ row }) => row[1] >= 0 && (row[3] >= 0 || row[4] >= 0))
    let chiSquared = 0
    for (let item = 0; item < 2; item++) {
      for (let split = 0; split < 4; split++) {
        let [seen, hoped] = [0, 0]
        for (const { row, y } of complete) {
          if (row[1] === item && Math.max(row[3], row[4]) === split) seen += y
          const n = row[3] >= 0 ? 3 : 4
          priorOf(row).forEach((p, k) => {
            hoped += y * p * at(1, item, k) * at(n, split, k)
          })
        }
        chiSquared += (seen - hoped) ** 2 / hoped
      }
    }
    const [pair, ...others] = givenPairMisfits(tensor, model)
    expect(others).toEqual([])
    expect(pair).toMatchObject({ modes: [0, 2], degreesOfFreedom: 3 })
    expect(pair.chiSquared).toBeCloseTo(chiSquared, 10)
  })

  it('of rows that lack one of the two is no misfit', () => {
    const half = tensorFromColumns(
      [
        [0, 1],
        [0, -1],
        [-1, 1],
      ],
      undefined,
      { shape: [2, 2, 2] },
    )
    const apart = { parameters: randomStart([2, 2, 2], 2, 1, 1), given: [0], variables: [[1], [2]] }
    expect(givenPairMisfits(half, apart)).toEqual([{ modes: [0, 1], chiSquared: 0, degreesOfFreedom: 1 }])
  })
})

describe('G² given a group', () => {
  const whole = tensorFromColumns(
    [0, 1, 2].map(n => Array.from({ length: 40 }, (_, i) => (n === 0 ? i % 3 : (i * (n + 4) + (i >> 2)) % 2))),
    undefined,
    { shape: [3, 2, 2] },
  )
  const saturated = { given: [0], variables: [[1], [2]] }

  it('compares with a table of its own for each group', () => {
    const cells = cellsOf(whole)
    const sizes = [0, 1, 2].map(group => cells.filter(({ row }) => row[0] === group).reduce((sum, { y }) => sum + y, 0))
    // A model that gives each combination ¼.
    const likelihood = cells.reduce((sum, { y }) => sum + y * Math.log(1 / 4), 0)
    const expected = 2 * cells.reduce((sum, { y, row }) => sum + y * Math.log(y / sizes[row[0]] / (1 / 4)), 0)
    expect(givenGSquared(whole, likelihood, saturated)).toBeCloseTo(expected, 10)
    // No model is better than that, but for rounding.
    expect(givenGSquared(whole, likelihood + expected / 2 + 1e-9, saturated)).toBe(0)
  })

  it('is left out if an answer or a group lacks, or if several modes are given', () => {
    expect(givenGSquared(tensor, -100, model)).toBeUndefined()
    expect(givenGSquared(whole, -100, { given: [0, 1], variables: [[2]] })).toBeUndefined()
    expect(givenGSquared(whole, -100, { given: [], variables: [[2]] })).toBeUndefined()
    const lacking = (n: number) =>
      tensorFromColumns(
        whole.indices.map((column, m) => [...column].map((index, i) => (m === n && i === 3 ? -1 : index))),
        whole.values,
        { shape: whole.shape },
      )
    for (const n of [0, 1, 2]) expect(givenGSquared(lacking(n), -100, saturated)).toBeUndefined()
  })
})

describe('the pairs of many labels', () => {
  it('are those of few, if their table is too large for a list', () => {
    const { below } = random(3, 'data')
    const rows = Array.from({ length: 40 }, () => [below(2), below(2), below(3)])
    const tensorOf = (size: number) =>
      tensorFromColumns(
        [0, 1, 2].map(n => rows.map(row => row[n])),
        undefined,
        { shape: [2, size, size] },
      )
    const [small, large] = [3, 1001].map(size => {
      const { rank, factors } = randomStart([2, 3, 3], 2, 5, 1)
      const wide = factors.map((factor, n) => {
        const all = new Float64Array((n === 0 ? 2 : size) * rank)
        all.set(factor)
        return all
      })
      const parameters = { rank, shares: Float64Array.of(0.5, 0.5), factors: wide }
      return givenPairMisfits(tensorOf(size), { parameters, given: [0], variables: [[1], [2]] })
    })
    expect(large[0].chiSquared).toBe(small[0].chiSquared)
    expect(large[0].degreesOfFreedom).toBe(1_000_000)
  })
})
