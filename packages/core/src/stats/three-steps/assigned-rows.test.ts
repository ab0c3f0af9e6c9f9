import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { Mode } from '../../tensor/mode.ts'
import { assignedRows, type DistalData } from './assigned-rows.ts'
import { intervalOf } from './distal.ts'

/** Four rows of two classes, of which the first and the third are alike, and the last has no outcome. */
const data: DistalData = {
  posteriors: [0.9, 0.1, 0.2, 0.8, 0.9, 0.1, 0.4, 0.6],
  classes: 2,
  outcome: [1, 2, 1, Number.NaN],
  counts: [2, 1, 3, 1],
  weights: [1, 0.5, 1, 2],
}
const refused = (change: object) => expect(() => assignedRows({ ...data, ...change } as DistalData, 'estimated'))

describe('rows that are assigned to classes', () => {
  it('are counted where they are alike, in an order of their own', () => {
    const { rows, kept, missing } = assignedRows(data, 'estimated')
    // Rows with an outcome, and how many of them are missing one.
    expect([kept, missing]).toEqual([6, 1])
    expect(rows).toMatchObject({ classes: 2, width: 1, observations: 6, measured: undefined })
    expect(rows).not.toHaveProperty('drawn')
    // By their posteriors: the second, the fourth, and the first with the third.
    expect([...rows.position]).toEqual([0, -1, 1])
    expect([[...rows.assigned], [...rows.outcome]]).toEqual([
      [1, 0],
      [2, 1],
    ])
    expect([[...rows.weights], [...rows.squares]]).toEqual([
      [0.5, 5],
      [0.25, 5],
    ])
    expect([[...rows.all.weights], [...rows.all.squares]]).toEqual([
      [0.5, 2, 5],
      [0.25, 4, 5],
    ])
    expect([...rows.all.posteriors]).toEqual([0.2, 0.8, 0.4, 0.6, 0.9, 0.1])
    // Also rows without an outcome say how often an assignment is wrong: of 5.4 in the first class 4.5 are assigned to it, of 2.1 in the second 1.6.
    const D = [4.5 / 5.4, 0.9 / 5.4, 0.5 / 2.1, 1.6 / 2.1]
    D.forEach((each, at) => void expect(rows.classification[at]).toBeCloseTo(each, 12))
  })

  it('have the position of a category, or −1', () => {
    const { rows, kept, missing } = assignedRows({ ...data, labels: ['u', 'v', 'w'], outcome: [0, 2, 0, -1] }, 'known')
    expect(rows).toMatchObject({ width: 3, observations: 6 })
    expect([[...rows.outcome], kept, missing]).toEqual([[2, 0], 6, 1])
    // A row that was never seen is not missing, and neither counts nor is one that weighs nothing.
    const never = assignedRows({ ...data, counts: [2, 1, 3, 0], weights: [0, 0.5, 1, 2] }, 'known')
    expect([never.kept, never.missing, never.rows.observations]).toEqual([4, 0, 4])
    const once = assignedRows({ ...data, counts: undefined, weights: undefined } as never, 'known')
    expect([once.kept, once.missing, once.rows.observations, [...once.rows.weights]]).toEqual([3, 1, 3, [1, 2]])
  })

  it('are apart if their cluster or stratum is', () => {
    const clusters = ['a', 'b', 'c', 'a']
    const { rows } = assignedRows({ ...data, clusters }, 'known')
    expect(rows.position).toHaveLength(4)
    expect(rows.drawn).toMatchObject({ clusters: 3, strata: 1, degreesOfFreedom: 2 })
    const strata = assignedRows({ ...data, clusters: ['a', 'b', 'a', 'b'], strata: [1, 1, 2, 2] }, 'known').rows
    expect(strata.drawn).toMatchObject({ clusters: 4, strata: 2, degreesOfFreedom: 2 })
    expect(strata.position).toHaveLength(4)
    // One score in each of the first two clusters of three: 1 and 2 about a mean of 1.
    const variance = rows.drawn!.variance(1, (row, into) => {
      into[0] += [1, 0, 2, 0][row]
    })
    expect(variance[0]).toBeCloseTo(1.5 * (0 + 1 + 1), 12)
  })

  it('are refused if they are no rows', () => {
    refused({ outcomes: [1] }).toThrow('distalOutcome has no option "outcomes"')
    refused({ strata: [1, 1, 2, 2] }).toThrow('strata need clusters: if rows were drawn one by one, number them')
    const either = 'give either posteriors and classes, or a model and the answers of every row'
    for (const change of [
      { posteriors: undefined },
      { model: {} },
      { answers: [] },
      { posteriors: undefined, model: {} },
    ])
      refused(change).toThrow(either)
    refused({ classes: 0 }).toThrow('classes must be a whole number ≥ 1 (got 0)')
    refused({ posteriors: [1, 0] }).toThrow('posteriors must have 8 numbers for 4 rows (got 2)')
    refused({ counts: [1] }).toThrow('counts must have 4 numbers for 4 rows (got 1)')
    refused({ weights: [1, 2, 3, 4, 5] }).toThrow('weights must have 4 numbers for 4 rows (got 5)')
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      refused({ counts: [1, wrong, 1, 1] }).toThrow(`row 2: a count must be a number ≥ 0 (got ${wrong})`)
      refused({ weights: [1, 1, 1, wrong] }).toThrow(`row 4: a weight must be a number ≥ 0 (got ${wrong})`)
    }
    refused({ counts: [1, -1, 1, 1] }).toThrow(expect.objectContaining({ place: { row: 2 } }))
    refused({ posteriors: [0.9, 0.1, 0.2, 0.9, 0.9, 0.1, 0.4, 0.6] }).toThrow(
      'row 2: the posteriors must be ≥ 0 and sum to 1 (they sum to 1.1)',
    )
    refused({ posteriors: [0.9, 0.1, 0.2, 0.8, 0.9, 0.1, -0.5, 1.5] }).toThrow(
      'row 4: the posteriors must be ≥ 0 and sum to 1 (they sum to 1)',
    )
    refused({ posteriors: [0.9, 0.1, 0.2, 0.8 + 2e-6, 0.9, 0.1, 0.4, 0.6] }).toThrow('row 2: the posteriors')
    refused({ posteriors: [0.9, 0.1, 0.2, 0.8, 0.9, 0.1, 0.4, Number.NaN] }).toThrow(
      expect.objectContaining({ place: { row: 4 } }),
    )
    refused({ posteriors: [0.9, 0.1, 0.2, 0.8 + 9e-7, 0.9, 0.1, 0.4, 0.6] }).not.toThrow()
  })

  it('are refused if they have no outcome that could differ', () => {
    const number = 'the outcome must be a finite number, or NaN where it is missing'
    refused({ outcome: [1, Number.POSITIVE_INFINITY, 1, 1] }).toThrow(`row 2: ${number} (got Infinity)`)
    const labels = ['u', 'v']
    const position = 'the outcome must be the position of one of 2 labels, or −1 where it is missing'
    for (const wrong of [2, -2, 0.5, Number.NaN])
      refused({ labels, outcome: [0, 1, 0, wrong] }).toThrow(`row 4: ${position} (got ${wrong})`)
    refused({ labels, outcome: [0, 1, 0, 2] }).toThrow(expect.objectContaining({ place: { row: 4 } }))
    refused({ outcome: [5, 5, 5, 5] }).toThrow(
      'the outcome is 5 in every row that has one: the classes cannot differ in it',
    )
    refused({ labels, outcome: [1, 1, 1, -1] }).toThrow(
      'the outcome is "v" in every row that has one: the classes cannot differ in it',
    )
    refused({ outcome: [1, Number.NaN, 2, Number.NaN] }).toThrow(
      'class 2 is not the most probable class of any row with an outcome: its outcome cannot be estimated; use fewer classes',
    )
    // One observation alone has one value, and nothing to differ from.
    const single = { posteriors: [1], classes: 1, outcome: [7] }
    expect(assignedRows(single, 'known').rows.observations).toBe(1)
    expect(() => assignedRows({ ...single, counts: [2] }, 'known')).toThrow('the outcome is 7 in every row')
  })
})

describe('rows of a model', () => {
  const model = new Model([new Mode('a', ['x', 'y']), new Mode('b', ['x', 'y'])], {
    rank: 2,
    sizes: Float64Array.of(6, 4),
    factors: [Float64Array.of(0.9, 0.2, 0.1, 0.8), Float64Array.of(0.8, 0.3, 0.2, 0.7)],
  })
  const rows = {
    model,
    answers: [
      [0, 1, 0, -1, -1],
      [0, 1, 0, 1, -1],
    ],
    outcome: [1, 2, 1, 3, 9],
  }

  it('have the posteriors of their answers, and those without any tell nothing', () => {
    const { rows: found, kept, missing } = assignedRows(rows, 'known')
    expect([kept, missing]).toEqual([4, 1])
    // By their answers: that without any first.
    expect([[...found.position], [...found.all.weights]]).toEqual([
      [-1, 0, 1, 2],
      [0, 1, 2, 1],
    ])
    expect(found.all.posteriors[4]).toBeCloseTo((0.6 * 0.72) / (0.6 * 0.72 + 0.4 * 0.06), 12)
    expect(found.all.posteriors[2]).toBeCloseTo((0.6 * 0.2) / (0.6 * 0.2 + 0.4 * 0.7), 12)
    expect(found.measured).toBeUndefined()
    // Two variables do not determine two classes.
    expect(assignedRows(rows, 'estimated').rows.measured).toMatch(/does not determine/)
  })

  it('are refused if the answers are not those of the model', () => {
    const wrong = (answers: readonly (readonly number[])[]) => expect(() => assignedRows({ ...rows, answers }, 'known'))
    wrong([[0]]).toThrow('answers must have a column for each of the 2 modes (got 1)')
    wrong([rows.answers[0], [0]]).toThrow('answers must have 5 positions for 5 rows in "b" (got 1)')
    for (const each of [2, -2, 0.5]) {
      const message = `row 5: an answer must be the position of one of the 2 labels of "b", or −1 (got ${each})`
      wrong([rows.answers[0], [0, 1, 0, 1, each]]).toThrow(message)
    }
    wrong([rows.answers[0], [0, 1, 0, 1, 2]]).toThrow(expect.objectContaining({ place: { row: 5 } }))
  })
})

describe('the interval of an outcome', () => {
  it('is about a mean, and about the logit of a probability', () => {
    expect(intervalOf(3, 0.5, 2, 'number')).toEqual({ estimate: 3, standardError: 0.5, interval: [2, 4] })
    const { interval } = intervalOf(0.2, 0.04, 2, 'category')
    const logit = (p: number) => Math.log(p / (1 - p))
    interval!.forEach((end, i) => void expect(logit(end)).toBeCloseTo(logit(0.2) + [-1, 1][i] * (0.08 / 0.16), 12))
    expect(intervalOf(0.2, 0, 2, 'category')).toEqual({ estimate: 0.2, standardError: undefined, interval: undefined })
    for (const edge of [0, 1, -0.1, 1.1])
      expect(intervalOf(edge, 0.04, 2, 'category')).toEqual({
        estimate: edge,
        standardError: 0.04,
        interval: undefined,
      })
  })
})
