import { describe, expect, it } from 'vitest'
import { fit } from '../fit/fit.ts'
import { random } from '../numeric/philox.ts'
import { standardErrors } from '../stats/errors/standard-errors.ts'
import { evaluate } from '../stats/fit-statistics/evaluate.ts'
import { bivariateResiduals } from '../stats/fit-statistics/residuals.ts'
import { type Label, Mode } from '../tensor/mode.ts'
import { tensorFromRows } from '../tensor/rows.ts'
import { alignModel } from './align.ts'
import { matchClasses } from './match.ts'
import { Model } from './model.ts'

const LABELS = { city: ['Bonn', 'Köln', 'Ulm'], vote: ['no', 'yes'], age: [1, 2, 3] }

/** Answers of two classes. */
const rows = (count: number, seed = 1) => {
  const { uniform, below } = random(seed, 'data')
  const pick = <T>(list: readonly T[], first: boolean): T =>
    uniform() < 0.6 ? list[first ? 0 : list.length - 1] : list[below(list.length)]
  return Array.from({ length: count }, () => {
    const first = uniform() < 0.4
    return { city: pick(LABELS.city, first), vote: pick(LABELS.vote, first), age: pick(LABELS.age, first) }
  })
}

const tensorOf = (labels: Readonly<Record<string, readonly Label[]>>, of = rows(500)) =>
  tensorFromRows(of, { modes: Object.entries(labels).map(([name, own]) => ({ name, labels: own })) })

const data = tensorOf(LABELS)
/** The same rows, with modes and labels in another order. */
const turned = tensorOf({ age: [3, 1, 2], city: ['Ulm', 'Bonn', 'Köln'], vote: ['yes', 'no'] })
const { model } = await fit(data, { rank: 2, starts: 2, threads: 1 })

const renamed = (names: readonly string[], labels: readonly (readonly Label[])[], weight = 1) =>
  new Model(
    names.map((name, n) => new Mode(name, labels[n])),
    {
      rank: 2,
      sizes: Float64Array.from(model.sizes, each => each * weight),
      factors: model.parameters.factors,
    },
  )

describe('models and data are matched by label', () => {
  it('in evaluations and starts', async () => {
    // Row by row, by what the labels are called.
    const byRow = rows(500).reduce((sum, row) => sum + Math.log(model.probability(row)), 0)
    for (const each of [data, turned]) expect((await evaluate(each, model)).logLikelihood).toBeCloseTo(byRow, 8)
    const again = await fit(turned, { rank: 2, init: model, threads: 1 })
    expect(again.logLikelihood).toBeCloseTo(byRow, 8)
    expect(again.passes).toBeLessThan(10)
    expect(again.model.profile('city', 0)[0]).toBeCloseTo(model.profile('city', 0)[2], 6)
    const aligned = alignModel(model, turned.modes)
    expect(aligned.profile('age', 1)).toEqual([2, 0, 1].map(j => model.profile('age', 1)[j]))
    expect(alignModel(model, data.modes)).toBe(model)
  })

  it('and refused with the labels that differ', async () => {
    const others = tensorOf(
      { ...LABELS, city: ['Köln', 'Ulm', 'Trier'] },
      rows(500).map(row => ({ ...row, city: row.city === 'Bonn' ? 'Trier' : row.city })),
    )
    const message = /in mode "city", only (the model|init) has "Bonn"; only the data has "Trier"/
    await expect(evaluate(others, model)).rejects.toThrow(message)
    await expect(standardErrors(others, model)).rejects.toThrow(message)
    expect(() => bivariateResiduals(others, model)).toThrow(message)
    const more = tensorOf({ ...LABELS, age: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })
    await expect(evaluate(more, model)).rejects.toThrow(/"age", only the data has "4", "5", "6", "7", "8" and 2 more/)
    const named = renamed(['town', 'vote', 'age'], Object.values(LABELS))
    await expect(evaluate(data, named)).rejects.toThrow(/only the data has "city"; only the model has "town"/)
    // What is told by position has no place for another order.
    await expect(standardErrors(turned, model)).rejects.toThrow(/in another order: use alignModel/)
  })

  it('in pairs of models', () => {
    const names = Object.keys(LABELS)
    const turnedModel = alignModel(model, turned.modes)
    expect(matchClasses(model, turnedModel)).toMatchObject({ partner: [0, 1], unshared: [] })
    expect(matchClasses(model, turnedModel).score).toBeCloseTo(1, 12)
    const disjoint = renamed(names, [['Rom', 'Bari', 'Pisa'], LABELS.vote, LABELS.age])
    expect(() => matchClasses(model, disjoint)).toThrow(
      /no label of mode "city" in common: only the first has "Bonn", "Köln", "Ulm"; only the second has "Rom", "Bari", "Pisa"/,
    )
    const partly = renamed(names, [['Rom', 'Köln', 'Ulm'], LABELS.vote, LABELS.age])
    const found = matchClasses(model, partly)
    expect(found.unshared).toEqual([{ mode: 'city', onlyA: ['Bonn'], onlyB: ['Rom'] }])
    // By hand: the cosine of the columns without what they do not share, since all else is equal.
    found.similarity.forEach((similarity, k) => {
      const [bonn, ...shared] = model.profile('city', k)
      const squares = shared.reduce((sum, p) => sum + p * p, 0)
      expect(similarity).toBeCloseTo(squares / (bonn * bonn + squares), 12)
    })
    expect(matchClasses(partly, model).unshared).toEqual([{ mode: 'city', onlyA: ['Rom'], onlyB: ['Bonn'] }])
  })

  it('with a score that does not depend on the sample sizes', () => {
    const large = renamed(Object.keys(LABELS), Object.values(LABELS), 1e4)
    expect(matchClasses(model, large).score).toBeCloseTo(1, 12)
    expect(matchClasses(large, model).score).toBeCloseTo(1, 12)
  })
})
