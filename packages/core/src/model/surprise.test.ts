import { describe, expect, it } from 'vitest'
import { Mode } from '../tensor/mode.ts'
import { Model } from './model.ts'
import { explainRow, surprisingRows } from './surprise.ts'

const modes = [new Mode('a', ['x', 'y']), new Mode('b', ['u', 'v', 'w']), new Mode('c', ['0', '1'])]
const shares = [0.7, 0.3]
const tables = [
  [
    [0.9, 0.2],
    [0.1, 0.8],
  ],
  [
    [0.6, 0.1],
    [0.3, 0.1],
    [0.1, 0.8],
  ],
  [
    [0.95, 0.25],
    [0.05, 0.75],
  ],
]
const model = new Model(modes, {
  rank: 2,
  sizes: Float64Array.of(700, 300),
  factors: tables.map(table => Float64Array.from(table.flat())),
})

const all = ['x', 'y'].flatMap(a => ['u', 'v', 'w'].flatMap(b => ['0', '1'].map(c => ({ a, b, c }))))
type Answers = Readonly<Record<string, string | null>>

/** P of some answers, by summing the whole table: no code of the library. */
const probability = (row: Answers): number => {
  let sum = 0
  for (const [i, a] of ['x', 'y'].entries())
    for (const [j, b] of ['u', 'v', 'w'].entries())
      for (const [l, c] of ['0', '1'].entries()) {
        const fits = (name: string, label: string) => (row[name] ?? label) === label
        if (!fits('a', a) || !fits('b', b) || !fits('c', c)) continue
        for (const k of [0, 1]) sum += shares[k] * tables[0][i][k] * tables[1][j][k] * tables[2][l][k]
      }
  return sum
}

describe('how surprising a row is', () => {
  it('is −log₂ of its probability, and of each answer given the others', () => {
    for (const row of all) {
      for (const left of [{}, { a: null }, { b: null }, { a: null, c: null }]) {
        const answers: Answers = { ...row, ...left }
        const { surprise, contributions } = explainRow(model, answers)
        expect(surprise).toBeCloseTo(-Math.log2(probability(answers)), 12)
        expect(contributions.map(({ mode }) => mode).sort()).toEqual(
          Object.keys(answers).filter(n => answers[n] !== null),
        )
        for (const { mode, bits } of contributions)
          expect(bits).toBeCloseTo(
            Math.log2(probability({ ...answers, [mode]: null })) - Math.log2(probability(answers)),
            12,
          )
      }
    }
  })

  it.each([[{}], [{ a: null }], [{ b: null, c: null }]])(
    'is on average what is expected, with a deviation of 1 at most, whatever is missing: %o',
    left => {
      const open = all.filter(row => Object.keys(left).every(name => row[name as 'a'] === all[0][name as 'a']))
      let [mean, square] = [0, 0]
      for (const row of open) {
        const answers: Answers = { ...row, ...left }
        const { surprise, expected, score } = explainRow(model, answers)
        mean += probability(answers) * (surprise - expected)
        square += probability(answers) * score ** 2
      }
      expect(mean).toBeCloseTo(0, 12)
      expect(square).toBeLessThanOrEqual(1)
      expect(square).toBeGreaterThan(0.2)
    },
  )

  it('comes from what does not go with the rest', () => {
    const [first, second] = surprisingRows(model, [
      { a: 'x', b: 'u', c: '0' },
      { a: 'x', b: 'u', c: '1' },
      { a: 'y', b: 'w', c: '1' },
      { a: 'y' },
    ])
    expect(first.row).toBe(1)
    expect(first.contributions[0]).toMatchObject({ mode: 'c', label: '1', unseen: false })
    expect(second.score).toBeLessThan(first.score)
    expect(surprisingRows(model, all, { limit: 3 })).toHaveLength(3)
  })

  it('counts a label that was never seen as one in 1 + the total, which says nothing of the class', () => {
    const row = { a: 'x', b: 'new', c: '0' }
    const { surprise, contributions, class: best } = explainRow(model, row)
    expect(contributions[0]).toEqual({ mode: 'b', label: 'new', bits: Math.log2(1001), unseen: true })
    expect(surprise).toBeCloseTo(Math.log2(1001) - Math.log2(probability({ ...row, b: null })), 10)
    expect(best).toBe(model.posterior({ a: 'x', c: '0' }).class)
  })

  it('is finite for what the model makes impossible', () => {
    const certain = new Model([modes[0], modes[2]], {
      rank: 2,
      sizes: Float64Array.of(3, 4),
      factors: [Float64Array.of(1, 0, 0, 1), Float64Array.of(1, 0, 0, 1)],
    })
    const { surprise, contributions } = explainRow(certain, { a: 'x', c: '1' })
    // In either class one of the two answers counts as one in 8: 3/7 · 1/8 + 4/7 · 1/8.
    expect(surprise).toBeCloseTo(3, 12)
    expect(contributions.every(({ bits }) => Number.isFinite(bits))).toBe(true)
    expect(explainRow(certain, { a: 'x', c: '0' }).score).toBeLessThan(1)
  })

  it('refuses what is no row, and options that are not there', () => {
    expect(() => explainRow(model, { d: 1 } as never)).toThrow('none of the modes')
    expect(() => surprisingRows(model, all, { limit: 0 })).toThrow('limit must be a whole number ≥ 1')
  })
})
