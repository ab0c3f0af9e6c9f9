import { fitCovariates, Mode, Model } from '@polyad/core'
import { LogitStructure } from '@polyad/core/model'
import { openTable, readView, structuredRecipe, type TableView } from 'polyad/table'
import { describe, expect, it } from 'vitest'
import { classifyTyped, inIntervals } from './typed-row.ts'

const model = new Model([new Mode('vote', ['none', 'yes']), new Mode('age', [20, 30, 40])], {
  rank: 2,
  sizes: Float64Array.of(60, 40),
  factors: [Float64Array.of(0.1, 0.8, 0.9, 0.2), Float64Array.of(0.5, 0, 0.3, 0.4, 0.2, 0.6)],
})

describe('classifyTyped', () => {
  it('is the posterior of the model', () => {
    const typed = classifyTyped(model, { vote: 'none', age: '30' })
    const { probabilities, logLikelihood } = model.posterior({ vote: 'none', age: 30 })
    expect(typed.probabilities).toEqual(probabilities)
    expect(typed.logLikelihood).toBe(logLikelihood)
    expect(typed.answers.map(({ mode, label }) => [mode, label])).toEqual([
      ['vote', 'none'],
      ['age', 30],
    ])
    expect(typed.answers[0].times).toBeCloseTo(8, 12)
  })

  it('takes numbers of variables that were cut', () => {
    const modes = [new Mode('age', ['<30', '[30,60)', '≥60']), new Mode('size', ['[10,20)', '[20,30)'])]
    const factors = [Float64Array.of(0.2, 0.5, 0.3), Float64Array.of(0.4, 0.6)]
    const cut = new Model(modes, { rank: 1, sizes: Float64Array.of(1), factors })
    const recipe = {
      modes: [
        { column: 'age', binning: { kind: 'quantiles' as const, edges: [30, 60] } },
        { column: 'size', binning: { kind: 'width' as const, width: 10 } },
      ],
      missing: [],
    }
    expect(inIntervals(cut, recipe, { age: '59.5', size: '20' })).toEqual({ age: '[30,60)', size: '[20,30)' })
    expect(inIntervals(cut, recipe, { age: '-3', size: '45' })).toEqual({ age: '<30', size: '45' })
    expect(inIntervals(cut, recipe, { age: '' })).toEqual({ age: '' })
  })

  it('takes what is empty as unknown, and what was never seen too, saying so', () => {
    expect(classifyTyped(model, {}).probabilities).toEqual([0.6, 0.4])
    const typed = classifyTyped(model, { vote: '', age: '99', toString: 'x' })
    expect(typed.probabilities).toEqual([0.6, 0.4])
    expect(typed.unseen).toEqual(['age'])
  })

  it('says what no other class has, and what is impossible', () => {
    const [answer] = classifyTyped(model, { age: '20' }).answers
    expect(answer.times).toBe(Number.POSITIVE_INFINITY)
    const impossible = new Model([new Mode('a', ['x', 'y'])], {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: [Float64Array.of(1, 0)],
    })
    expect(classifyTyped(impossible, { a: 'y' }).logLikelihood).toBe(Number.NEGATIVE_INFINITY)
  })

  it('begins from the chances that covariates give', () => {
    const structure = new LogitStructure({
      reference: 1,
      terms: [
        { name: 'intercept', factors: [] },
        { name: 'income', factors: [{ covariate: 'income' }] },
        { name: 'city yes', factors: [{ covariate: 'city', label: 'yes' }] },
      ],
      coefficients: [
        [0, 0, 0],
        [0.5, 2, -1],
      ],
      given: [
        { name: 'income', labels: [0, 1, 2], numeric: true },
        { name: 'city', labels: ['no', 'yes'], numeric: false },
      ],
    })
    const { rank, sizes, parameters } = model
    const explained = new Model(
      model.modes,
      { rank, sizes: Float64Array.from(sizes), factors: parameters.factors },
      undefined,
      structure,
    )
    const odds = (typed: { readonly probabilities: readonly number[] }) =>
      typed.probabilities[1] / typed.probabilities[0]
    expect(odds(classifyTyped(explained, { income: '1.5', city: 'yes' }))).toBeCloseTo(Math.exp(2.5), 9)
    expect(odds(classifyTyped(explained, { income: '1.5', city: 'no' }))).toBeCloseTo(Math.exp(3.5), 9)
    const lacking = classifyTyped(explained, { city: 'elsewhere' })
    expect(lacking.lacking).toEqual(['income', 'city'])
    // As polyad classify: of whom nothing is known, the shares say all there is.
    expect(lacking.probabilities).toEqual([0.6, 0.4])
  })

  it('agrees with rows that are read from a table', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => {
      const old = (i * 7) % 10 > 4
      const first = (i * 3) % 10 < (old ? 8 : 2)
      return [
        first ? 'yes' : 'no',
        (i * 11) % 10 < (first ? 9 : 2) ? 'x' : 'y',
        i % 7 < 5 === first ? 'u' : 'v',
        20 + (i % 40),
        old ? 'city' : 'land',
      ]
    })
    const bytes = new TextEncoder().encode(`a,b,c,age,home\n${rows.map(row => row.join(',')).join('\n')}\n`)
    const table = await openTable({ name: 'x.csv', bytes })
    const read = await readView(table as TableView, { modes: ['a', 'b', 'c'], include: ['age', 'home'], count: 'none' })
    const { model: found } = await fitCovariates(read.tensor, { rank: 2, covariates: ['age', 'home'] })
    const recipe = structuredRecipe(read, found, undefined)
    const { predictors } = await table.rowCodes(recipe, found.modes, found.structure)
    for (const row of [0, 1, 7, 150]) {
      const [a, b, c, age, home] = rows[row].map(String)
      const typed = classifyTyped(found, { a, b, c, age, home })
      const weights = predictors.map(each => Math.exp(each[row] - predictors[0][row]))
      const joint = weights.map((weight, k) =>
        [a, b, c].reduce((p, label, n) => p * found.profile(n, k)[found.modes[n].indexOf(label) as number], weight),
      )
      expect(typed.probabilities[0]).toBeCloseTo(joint[0] / (joint[0] + joint[1]), 10)
      expect(typed.lacking).toEqual([])
    }
  })
})
