import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fitStructured } from '../structure/structured.ts'

/** The rank of a matrix, by elimination with the largest pivot. */
const rankOf = (rows: number[][]): number => {
  const matrix = rows.map(row => [...row])
  let rank = 0
  for (let column = 0; column < matrix[0].length && rank < matrix.length; column++) {
    const pivot = matrix.reduce(
      (best, row, i) => (i >= rank && Math.abs(row[column]) > Math.abs(matrix[best][column]) ? i : best),
      rank,
    )
    if (Math.abs(matrix[pivot][column]) < 1e-6) continue
    ;[matrix[rank], matrix[pivot]] = [matrix[pivot], matrix[rank]]
    for (let i = rank + 1; i < matrix.length; i++) {
      const times = matrix[i][column] / matrix[rank][column]
      matrix[i] = matrix[i].map((value, j) => value - times * matrix[rank][j])
    }
    rank++
  }
  return rank
}

/**
 * Degrees of freedom by their definition, for binary items: what a row answers is a draw from a multinomial of 2ⁿ cells, of which one follows from the
 * others; less the dimension of what the model can say of these cells, the rank of their derivatives by the parameters, here by differences. Which
 * rows have a known class changes neither: the class is no answer.
 */
const byDefinition = (items: number, rank: number): number => {
  const { uniform } = random(3, 'data')
  const at = Array.from({ length: rank - 1 + rank * items }, () => 0.2 + 0.6 * uniform())
  const cells = (values: readonly number[]) => {
    const odds = [1, ...values.slice(0, rank - 1)]
    const sum = odds.reduce((total, each) => total + each, 0)
    return Array.from({ length: 2 ** items }, (_, cell) =>
      odds.reduce((total, share, k) => {
        const of = (n: number) => values[rank - 1 + k * items + n]
        const answers = Array.from({ length: items }, (_, n) => ((cell >> n) & 1 ? of(n) : 1 - of(n)))
        return total + answers.reduce((product, p) => product * p, share / sum)
      }, 0),
    )
  }
  const step = 1e-5
  const derivatives = at.map((_, i) => {
    const moved = (by: number) => cells(at.map((value, j) => (i === j ? value + by : value)))
    const [more, less] = [moved(step), moved(-step)]
    return more.map((value, cell) => (value - less[cell]) / (2 * step))
  })
  return 2 ** items - 1 - rankOf(derivatives)
}

const survey = (items: number, known: (i: number, k: number) => number | null) => {
  const { uniform } = random(8, 'data')
  const rows = Array.from({ length: 400 }, (_, i) => {
    const k = uniform() < 0.6 ? 0 : 1
    const answers = Array.from({ length: items }, (_, n) => [`q${n}`, uniform() < (k === 0 ? 0.8 : 0.3) ? 'yes' : 'no'])
    return { ...Object.fromEntries(answers), group: i % 2 === 0 ? 'a' : 'b', expert: known(i, k) }
  })
  return tensorFromRows(rows, { modes: [...Array.from({ length: items }, (_, n) => `q${n}`), 'group', 'expert'] })
}

const options = { rank: 2, known: 'expert', starts: 2, threads: 1 } as const

describe('degrees of freedom with known classes', () => {
  it.each([
    ['four items', 4, 6, 9],
    ['three items, which the model fits whatever they are', 3, 0, 7],
    ['two items, whose classes are determined only by those that are known', 2, 0, 5],
  ])('are those of the table of answers: %s', async (_, items, df, parameters) => {
    expect(byDefinition(items, 2)).toBe(df)
    for (const known of [(i: number, k: number) => (i % 5 === 0 ? k + 1 : null), (_i: number, k: number) => k + 1]) {
      const answers = withoutModes(survey(items, known), ['group'])
      const { explained } = await fitStructured(answers, options)
      expect(explained?.evaluation).toMatchObject({ degreesOfFreedom: df, parameters })
      expect(explained?.evaluation.identification).toMatchObject({ rank: parameters, verdict: 'identified' })
    }
  })

  it('with groups are those of a table for each group', async () => {
    const { explained } = await fitStructured(
      survey(4, (i, k) => (i % 3 === 0 ? k + 1 : null)),
      { ...options, groups: 'group' },
    )
    // Two tables of 15 free cells; the sizes of two classes in two groups, and 8 probabilities.
    expect(explained?.evaluation.degreesOfFreedom).toBe(2 * 15 - (2 + 8))
  })
})
