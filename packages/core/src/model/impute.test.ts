import { describe, expect, it } from 'vitest'
import { random } from '../numeric/philox.ts'
import { imputationScorer, scoreImputation } from '../stats/fit-statistics/imputation-score.ts'
import { Mode } from '../tensor/mode.ts'
import { imputeRows } from './impute.ts'
import { Model } from './model.ts'

/** Two classes of people who answer three questions. */
const model = new Model([new Mode('a', ['no', 'yes']), new Mode('b', ['no', 'yes']), new Mode('c', ['x', 'y', 'z'])], {
  rank: 2,
  sizes: Float64Array.of(60, 40),
  factors: [
    Float64Array.of(0.1, 0.8, 0.9, 0.2),
    Float64Array.of(0.2, 0.7, 0.8, 0.3),
    Float64Array.of(0.6, 0.1, 0.3, 0.2, 0.1, 0.7),
  ],
})

describe('draws of missing values', () => {
  it('come from their distribution given the rest of the row, all of a row together', () => {
    const draws = 20_000
    const row = { a: 'yes', b: null, c: null }
    const { draws: drawn, imputed } = imputeRows(model, [row], { draws, seed: 4 })
    expect(imputed).toEqual([['b', 'c']])
    const { probabilities } = model.posterior(row)
    for (const [j, b] of ['no', 'yes'].entries()) {
      for (const [i, c] of ['x', 'y', 'z'].entries()) {
        const seen = drawn.filter(([[a, own, other]]) => a === 'yes' && own === b && other === c).length / draws
        const expected = probabilities.reduce(
          (sum, p, k) => sum + p * model.profile(1, k)[j] * model.profile(2, k)[i],
          0,
        )
        expect(Math.abs(seen - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / draws))
      }
    }
  })

  it('are the same for the same seed, draw and row, whatever the other rows are', () => {
    const rows = [
      { a: null, b: 'no', c: 'x' },
      { a: 'yes', b: null, c: null },
      { a: null, b: null, c: 'z' },
    ]
    const whole = imputeRows(model, rows, { draws: 4, seed: 9 })
    expect(imputeRows(model, rows, { draws: 4, seed: 9 })).toEqual(whole)
    expect(imputeRows(model, rows.slice(0, 2), { draws: 4, seed: 9 }).draws).toEqual(
      whole.draws.map(d => d.slice(0, 2)),
    )
    expect(imputeRows(model, rows, { draws: 4, seed: 10 }).draws).not.toEqual(whole.draws)
  })

  it('leave what is there, labels that were never seen too', () => {
    const { draws, imputed } = imputeRows(model, [{ a: 'perhaps', b: 'no', c: 'y' }])
    expect(draws).toHaveLength(5)
    for (const [row] of draws) expect(row).toEqual(['perhaps', 'no', 'y'])
    expect(imputed).toEqual([[]])
    expect(() => imputeRows(model, [], { draws: 0 })).toThrow(/draws must be a whole number ≥ 1 \(got 0\)/)
    expect(() => imputeRows(model, [], { times: 2 } as never)).toThrow(/has no option "times"/)
  })
})

describe('the score of hidden values', () => {
  const { rows } = model.sample(3000, { seed: 2 })

  it('is that of the posterior predictive distribution, beside the frequencies alone', () => {
    const score = scoreImputation(model, rows, { part: 0.3, seed: 6 })
    // The same, by its definition.
    let [hidden, log, base, right] = [0, 0, 0, 0]
    rows.forEach((row, i) => {
      const { uniform } = random(6, 'hide', 0, i * 2)
      const gone = row.map(() => uniform() < 0.3)
      const { probabilities } = model.posterior(row.map((label, n) => (gone[n] ? null : label)))
      row.forEach((label, n) => {
        if (!gone[n]) return
        const told = Array.from({ length: model.modes[n].size }, (_, j) =>
          probabilities.reduce((sum, p, k) => sum + p * model.profile(n, k)[j], 0),
        )
        const at = model.modes[n].indexOf(label)!
        hidden++
        log += Math.log(told[at])
        right += told.indexOf(Math.max(...told)) === at ? 1 : 0
        base += Math.log(model.shares.reduce((sum, p, k) => sum + p * model.profile(n, k)[at], 0))
      })
    })
    expect(score.hidden).toBe(hidden)
    expect(score.logScore).toBeCloseTo(log / hidden, 10)
    expect(score.accuracy).toBeCloseTo(right / hidden, 12)
    expect(score.baseline.logScore).toBeCloseTo(base / hidden, 10)
    // The true model tells more than frequencies do.
    expect(score.logScore).toBeGreaterThan(score.baseline.logScore + 0.05)
    expect(score.accuracy).toBeGreaterThan(score.baseline.accuracy + 0.05)
    expect(score.modes.reduce((sum, each) => sum + each.hidden, 0)).toBe(hidden)
  })

  it('does not depend on the pieces that rows come in', () => {
    const columns = model.modes.map((mode, n) => Int32Array.from(rows, row => mode.indexOf(row[n])!))
    const scorer = imputationScorer(model, { part: 0.3, seed: 6 })
    for (const [from, to] of [
      [0, 700],
      [700, 3000],
    ])
      scorer.add(columns.map(column => column.slice(from, to)))
    expect(scorer.result()).toEqual(scoreImputation(model, rows, { part: 0.3, seed: 6 }))
  })

  it('takes a row that was seen often for as many rows, and a part of one for that part', () => {
    const columns = model.modes.map((mode, n) => Int32Array.from(rows.slice(0, 50), row => mode.indexOf(row[n])!))
    const counts = Float64Array.from({ length: 50 }, (_, i) => i % 4)
    const [counted, repeated] = [imputationScorer(model, { part: 0.3 }), imputationScorer(model, { part: 0.3 })]
    counted.add(columns, counts)
    repeated.add(columns.map(column => Int32Array.from([...column].flatMap((j, i) => Array(counts[i]).fill(j)))))
    expect(counted.result()).toEqual(repeated.result())
    const scaled = (factor: number) => {
      const scorer = imputationScorer(model, { part: 0.3 })
      scorer.add(
        columns,
        counts.map(count => factor * count),
      )
      return scorer.result()
    }
    // Seen so often, a row has as much hidden as it should.
    const [halves, many] = [scaled(0.5), scaled(1e6)]
    expect(halves.hidden).toBeLessThan(counted.result().hidden)
    expect(many.hidden / 1e6).toBeCloseTo(0.3 * 3 * 74, -1)
    expect(() => imputationScorer(model).add(columns, counts.fill(-1))).toThrow(/row 1: a count must be a number ≥ 0/)
  })

  it('refuses a part that is none', () => {
    for (const part of [0, 1, Number.NaN, 2])
      expect(() => imputationScorer(model, { part })).toThrow(/part must be a number between 0 and 1/)
  })
})
