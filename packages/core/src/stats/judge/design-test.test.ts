import { describe, expect, it } from 'vitest'
import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { fit } from '../../fit/fit.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { prepareDesign } from '../errors/survey-design.ts'
import { designTest } from './design-test.ts'
import { evaluate } from './evaluate.ts'

/**
 * R 4.2.2, survey 4.1.1, on 240 rows of 24 clusters in two strata, of which one cluster weighs nothing:
 * i <- 0:239; c <- i %% 24; h <- ifelse(c < 12, "n", "s"); u <- function(s) ((i*(7919+131*s) + i^2*(13+29*s) + i^3*(5+s) + s*331) %% 1009)/1009
 * a <- floor(3*u(1)); b <- (u(2) < 0.3 + 0.1*a + 0.2*(c %% 3 == 0)) + 0; e <- (u(3) < 0.35 + 0.2*b + 0.15*(c %% 4 == 0)) + 0; w <- ifelse(c == 5, 0, 1 + (i*5) %% 4)
 */
const rows = Array.from({ length: 240 }, (_, i) => {
  const u = (s: number) =>
    ((i * (7919 + 131 * s) + i * i * (13 + 29 * s) + i * i * i * (5 + s) + s * 331) % 1009) / 1009
  const c = i % 24
  const a = Math.floor(3 * u(1))
  const b = u(2) < 0.3 + 0.1 * a + (c % 3 === 0 ? 0.2 : 0) ? 1 : 0
  const e = u(3) < 0.35 + 0.2 * b + (c % 4 === 0 ? 0.15 : 0) ? 1 : 0
  return { a: `a${a}`, b: `b${b}`, e: `e${e}`, c: `c${c}`, h: c < 12 ? 'n' : 's', w: c === 5 ? 0 : 1 + ((i * 5) % 4) }
})
const weighed = rows.filter(({ w }) => w > 0)
const mean = weighed.reduce((sum, { w }) => sum + w, 0) / weighed.length
const tensorOf = (modes: readonly string[], value: (w: number) => number = w => w): Tensor =>
  tensorFromRows(weighed.map(row => ({ ...row, y: value(row.w / mean) })) as never, { modes: [...modes], count: 'y' })
const design = { cluster: 'c', stratum: 'h', sizes: { n: 12, s: 12 } }

const tested = async (modes: readonly string[], clustered: boolean) => {
  const answers = tensorOf(modes)
  const model = principalComponent(answers)
  const evaluation = await evaluate(answers, model)
  const found = clustered
    ? designTest(prepareDesign(tensorOf([...modes, 'c', 'h']), design), model, evaluation, { design })
    : designTest(answers, model, evaluation, { squares: tensorOf(modes, w => w * w).values })
  return { evaluation, ...found! }
}

describe('independence under a design', () => {
  it('is svychisq with clusters within strata', async () => {
    const { evaluation, chiSquared, degreesOfFreedom } = await tested(['a', 'b'], true)
    // svychisq(~a + b, svydesign(ids = ~c, strata = ~h, weights = ~w, nest = TRUE)), statistic = "Chisq" and "F"; X² of the rows that weigh something.
    expect(evaluation.chiSquared).toBeCloseTo(13.8803675535849, 9)
    expect(degreesOfFreedom).toBe(2)
    expect(chiSquared.pValue).toBeCloseTo(0.000227346223600706, 12)
    expect(chiSquared.f.statistic).toBeCloseTo(8.38903648834053, 9)
    expect(chiSquared.f.degreesOfFreedom).toEqual([1.87756542258436, 41.3064392968558].map(x => expect.closeTo(x, 8)))
    expect(chiSquared.f.pValue).toBeCloseTo(0.00108633377331011, 10)
  })

  it('is svychisq with weights alone', async () => {
    // Of the rows that weigh something.
    const { chiSquared } = await tested(['a', 'b'], false)
    expect(chiSquared.pValue).toBeCloseTo(0.00318382848589449, 12)
    expect(chiSquared.f.statistic).toBeCloseTo(5.74967087994636, 9)
    expect(chiSquared.f.degreesOfFreedom).toEqual([1.99745443173425, 457.417064867143].map(x => expect.closeTo(x, 7)))
    expect(chiSquared.f.pValue).toBeCloseTo(0.00343213816553165, 10)
  })

  it('is the formula of Rao and Scott by the covariance of svymean in a table of three variables', async () => {
    // Δ = (Zᵀ·D⁻¹·Z/n)⁻¹·Zᵀ·D⁻¹·V·D⁻¹·Z, Z orthogonal to the main effects, V = vcov(svymean(~cell)).
    const clustered = await tested(['a', 'b', 'e'], true)
    expect(clustered.evaluation.chiSquared).toBeCloseTo(27.9208385592718, 8)
    expect(clustered.designEffect).toBeCloseTo(8.40196686392395 / 7, 9)
    expect(clustered.chiSquared.f.degreesOfFreedom[0]).toBeCloseTo(4.41489303670001, 8)
    expect(clustered.chiSquared.pValue).toBeCloseTo(0.00153445870448783, 11)
    const { designEffect } = await tested(['a', 'b', 'e'], false)
    // R's rows of weight zero are in n/(n − 1).
    expect(designEffect).toBeCloseTo((((8.39916028378738 / 7) * 239) / 240) * (230 / 229), 9)
  })
})

describe('the fit of classes under a design', () => {
  const modes = ['p', 'q', 'r', 's']
  /** Rows of two classes; every row twice is a cluster of two that tell what one does. */
  const patterns = Array.from({ length: 900 }, (_, i) => {
    const u = (s: number) => ((i * (4177 + 89 * s) + i * i * (3 + 7 * s) + i * i * i * (11 + s)) % 2003) / 2003
    const k = u(9) < 0.45 ? 0 : 1
    return Object.fromEntries(modes.map((mode, n) => [mode, u(n) < (k === 0 ? 0.85 : 0.2) ? 'yes' : 'no']))
  })

  it('is what it is without one if rows are drawn one by one, and twice as uncertain if all rows come in pairs', async () => {
    const answers = tensorFromRows(patterns as never, { modes })
    const { model } = await fit(answers, { rank: 2, threads: 1 })
    const evaluation = await evaluate(answers, model)
    const simple = designTest(answers, model, evaluation, { squares: answers.values })!
    expect(simple.designEffect).toBeGreaterThan(0.9)
    expect(simple.designEffect).toBeLessThan(1.15)
    const twice = patterns.flatMap((row, i) => [0, 1].map(() => ({ ...row, c: i })))
    const data = tensorFromRows(twice as never, { modes: [...modes, 'c'] })
    const pairs = withoutModes(data, ['c'])
    const doubled = designTest(data, model, await evaluate(pairs, model), { design: { cluster: 'c' } })!
    expect(doubled.designEffect / simple.designEffect).toBeCloseTo(2, 6)
    expect(doubled.gSquared.statistic).toBeCloseTo(simple.gSquared.statistic, 6)
  })

  it('is not tested without degrees of freedom, with gaps or in large tables', async () => {
    const answers = tensorFromRows(patterns as never, { modes: modes.slice(0, 2) })
    const { model } = await fit(answers, { rank: 2, threads: 1 })
    expect(designTest(answers, model, await evaluate(answers, model), { squares: answers.values })).toBeUndefined()
    expect(() => designTest(answers, model, { gSquared: 1, chiSquared: 1, degreesOfFreedom: 1 }, {})).toThrow('squares must have 4 numbers') // biome-ignore format: one call
  })
})
