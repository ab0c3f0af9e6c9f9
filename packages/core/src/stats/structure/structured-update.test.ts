import { describe, expect, it } from 'vitest'
import { answeredBy } from '../../fit/update/answered.ts'
import { updateModel } from '../../fit/update/update.ts'
import type { LogitStructure } from '../../model/structures/logit.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { placeData } from '../model-data/placed-model.ts'
import { fitStructured } from './structured.ts'

const items = ['a', 'b', 'c'] as const
interface Row extends Record<(typeof items)[number], number | null> {
  readonly age: number | null
}

/** Two classes whose odds depend on age; some answers are missing, and rows of the second day have other ages and answers. */
const drawn = (seed: number, shift: number): Row[] => {
  const { uniform, below } = random(seed, 'data')
  return Array.from({ length: 300 }, () => {
    const age = 20 + below(5) + 3 * shift
    const first = uniform() < 1 / (1 + Math.exp(3 - 0.12 * age))
    const answer = (p: number) => (uniform() < 0.06 ? null : uniform() < (first ? p - 0.1 * shift : 1 - p) ? 1 : 0)
    return { a: answer(0.9), b: answer(0.8), c: answer(0.85), age: below(40) === 0 ? null : age }
  })
}
const [yesterday, today] = [drawn(3, 0), drawn(4, 1)]

describe('an update of a model with covariates', async () => {
  const { explained } = await fitStructured(tensorFromRows(yesterday), {
    ...{ rank: 2, covariates: ['age'], starts: 3, threads: 1 },
  })
  const { model, data } = explained!
  const { coefficients } = model.structure as LogitStructure
  const answered = await answeredBy(data, model)
  const rows = placeData(tensorFromRows(today), model)

  /** EM by rows, on plain numbers: memberships by the logit as it is, posteriors by Bayes. Sums of classes, and of answers by item, class and label. */
  const expectedSums = (of: readonly Row[], p: readonly (readonly (readonly number[])[])[]) => {
    const sizes = [0, 0]
    const sums = items.map(() => [
      [0, 0],
      [0, 0],
    ])
    for (const { age, ...answers } of of) {
      if (age === null || items.every(name => answers[name] === null)) continue
      const odds = coefficients.map(([constant, slope]) => Math.exp(constant + slope * age))
      const joint = odds.map((each, k) =>
        items.reduce((product, name, n) => (answers[name] === null ? product : product * p[n][k][answers[name]]), each),
      )
      const total = joint[0] + joint[1]
      joint.forEach((each, k) => {
        sizes[k] += each / total
        items.forEach((name, n) => {
          const label = answers[name]
          if (label !== null) sums[n][k][label] += each / total
        })
      })
    }
    return { sizes, sums }
  }
  const profiles = items.map(name => [0, 1].map(k => model.profile(name, k)))

  it('knows how much of every class has answered, by its memberships', () => {
    const { sums } = expectedSums(yesterday, profiles)
    items.forEach((name, n) => {
      const m = model.modes.findIndex(mode => mode.name === name)
      for (const k of [0, 1]) expect(answered[m][k]).toBeCloseTo(sums[n][k][0] + sums[n][k][1], 8)
    })
  })

  it.each([1, 4])('adds expected counts of the new rows to those of the model, in %d passes', async passes => {
    const decay = 0.8
    const found = await updateModel(model, rows, { decay, passes, answered, threads: 1 })
    const of = (name: string) => model.modes.findIndex(mode => mode.name === name)
    let p = profiles
    let sizes = [0, 0]
    for (let pass = 0; pass < passes; pass++) {
      const fresh = expectedSums(today, p)
      sizes = fresh.sizes.map((size, k) => decay * model.sizes[k] + size)
      p = items.map((name, n) =>
        [0, 1].map(k => {
          const counts = [0, 1].map(j => decay * answered[of(name)][k] * profiles[n][k][j] + fresh.sums[n][k][j])
          return counts.map(count => count / (counts[0] + counts[1]))
        }),
      )
    }
    sizes.forEach((size, k) => void expect(found.model.sizes[k]).toBeCloseTo(size, 8))
    items.forEach((name, n) => {
      for (const k of [0, 1])
        for (const j of [0, 1]) expect(found.model.profile(name, k)[j]).toBeCloseTo(p[n][k][j], 10)
    })
    // The logit is that of the model.
    expect(found.model.structure).toEqual(model.structure)
    expect(found.added).toBe(
      today.filter(({ age, ...rest }) => age !== null && items.some(n => rest[n] !== null)).length,
    )
  })

  it('is worth something: the new rows are more probable than before', async () => {
    const { logLikelihood } = await updateModel(model, rows, { answered, threads: 1 })
    expect(logLikelihood.after).toBeGreaterThan(logLikelihood.before + 1)
  })

  it('is refused if variables depend on covariates', async () => {
    const split = await fitStructured(tensorFromRows(yesterday), {
      ...{ rank: 2, covariates: ['age'], categories: ['age'], starts: 1, threads: 1 },
      direct: [{ covariate: 'age', mode: 'a' }],
    })
    await expect(updateModel(split.result.model, split.explained!.data)).rejects.toThrow(
      'a model with variables that depend on covariates cannot be updated',
    )
  })
})
