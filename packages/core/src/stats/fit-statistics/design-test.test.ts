import { describe, expect, it } from 'vitest'
import { design, designRows as tensorOf } from '../../../../../test/design-rows.ts'
import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { fit } from '../../fit/fit.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { chiSquareTail, fisherTail } from '../../numeric/special.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { prepareDesign } from '../errors/survey-design.ts'
import { designTest } from './design-test.ts'
import { evaluate } from './evaluate.ts'

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

  it('counts rows that answer nothing for their clusters alone', async () => {
    const rows = patterns.slice(0, 300).map((row, i) => ({ ...row, c: i % 20 }))
    const silent = { p: null, q: null, r: null, s: null }
    const [plain, more] = [rows, [...rows, { ...silent, c: 3 }, { ...silent, c: 7 }]].map(each =>
      tensorFromRows(each as never, { modes: [...modes, 'c'] }),
    )
    const answers = withoutModes(plain, ['c'])
    const { model } = await fit(answers, { rank: 2, starts: 2, threads: 1 })
    const evaluation = await evaluate(answers, model)
    const found = designTest(plain, model, evaluation, { design: { cluster: 'c' } })!
    const other = designTest(more, model, evaluation, { design: { cluster: 'c' } })!
    // Wherever the cluster stands among the modes.
    const first = tensorFromRows(rows as never, { modes: ['c', ...modes] })
    expect(designTest(first, model, evaluation, { design: { cluster: 'c' } })!.designEffect).toBeCloseTo(
      found.designEffect,
      10,
    )
    expect(other.designEffect).toBeCloseTo(found.designEffect, 10)
    expect(other.gSquared.f.degreesOfFreedom[1]).toBeCloseTo(found.gSquared.f.degreesOfFreedom[1], 7)
  })

  it('takes the shares of the model if a cell is empty', () => {
    // 2×3 cells, of which one is empty: K = D⁻¹ − S·I⁻¹·Sᵀ with the scores S of independence by differences.
    const counts = [12, 0, 9, 20, 14, 25]
    const data = tensorFromRows(
      counts.map((n, i) => ({ a: Math.floor(i / 3), b: i % 3, n })),
      { count: 'n' },
    )
    const model = principalComponent(data)
    const total = 80
    const [a, b] = [[21, 59].map(n => n / total), [32, 14, 34].map(n => n / total)]
    const shares = (theta: readonly number[]) => {
      const rows = [a[0] * Math.exp(theta[0]), a[1]]
      const columns = [b[0] * Math.exp(theta[1]), b[1] * Math.exp(theta[2]), b[2]]
      const all = rows.reduce((x, y) => x + y) * columns.reduce((x, y) => x + y)
      return counts.map((_, i) => (rows[Math.floor(i / 3)] * columns[i % 3]) / all)
    }
    const D = shares([0, 0, 0])
    const scores = [0, 1, 2].map(j => {
      const at = (by: number) => shares([0, 1, 2].map(i => (i === j ? by : 0)))
      const [up, down] = [at(1e-5), at(-1e-5)]
      return up.map((p, i) => (Math.log(p) - Math.log(down[i])) / 2e-5)
    })
    const information = Float64Array.from(
      scores.flatMap(x => scores.map(y => x.reduce((sum, each, i) => sum + D[i] * each * y[i], 0))),
    )
    const inverse = inverseOf(information, 3)!
    const K = (i: number, k: number) =>
      (i === k ? 1 / D[i] : 0) -
      scores.reduce((sum, x, j) => sum + scores.reduce((own, y, l) => own + x[i] * inverse[j * 3 + l] * y[k], 0), 0)
    const observed = counts.map(n => n / total)
    // Every row weighs 1: the covariance of shares, times n/(n − 1).
    const V = (i: number, k: number) => ((i === k ? observed[i] : 0) - observed[i] * observed[k]) / (total - 1)
    const places = counts.map((_, i) => i)
    const product = places.map(i => places.map(k => total * places.reduce((sum, l) => sum + K(i, l) * V(l, k), 0)))
    const trace = places.reduce((sum, i) => sum + product[i][i], 0)
    const square = places.reduce((sum, i) => sum + places.reduce((own, k) => own + product[i][k] * product[k][i], 0), 0)
    const found = designTest(
      data,
      model,
      { gSquared: 7, chiSquared: 5, degreesOfFreedom: 2 },
      { squares: data.values },
    )!
    expect(found.designEffect).toBeCloseTo(trace / 2, 6)
    expect(found.gSquared.statistic).toBeCloseTo(14 / trace, 5)
    expect(found.chiSquared.f.statistic).toBeCloseTo(5 / trace, 6)
    const [above, below] = found.chiSquared.f.degreesOfFreedom
    expect([above, below]).toEqual([
      expect.closeTo(trace ** 2 / square, 5),
      expect.closeTo((79 * trace ** 2) / square, 3),
    ])
    expect(found.gSquared.pValue).toBeCloseTo(chiSquareTail(14 / trace, 2), 6)
    expect(found.gSquared.f.pValue).toBeCloseTo(fisherTail(7 / trace, above, below), 6)
  })

  it('is not tested without degrees of freedom, with gaps or in large tables', async () => {
    const answers = tensorFromRows(patterns as never, { modes: modes.slice(0, 2) })
    const { model } = await fit(answers, { rank: 2, threads: 1 })
    expect(designTest(answers, model, await evaluate(answers, model), { squares: answers.values })).toBeUndefined()
    expect(() => designTest(answers, model, { gSquared: 1, chiSquared: 1, degreesOfFreedom: 1 }, {})).toThrow(
      'squares must have 4 numbers, one per cell',
    )
    const figures = { gSquared: 1, chiSquared: 1, degreesOfFreedom: 1 }
    const squares = answers.values
    expect(() => designTest(answers, model, figures, { squares: squares.slice(1) })).toThrow('one per cell (got 3)')
    expect(designTest(answers, model, figures, { squares })).toMatchObject({ degreesOfFreedom: 1 })
    for (const more of [{ degreesOfFreedom: 0 }, { gSquared: undefined }, { chiSquared: undefined }])
      expect(designTest(answers, model, { ...figures, ...more }, { squares })).toBeUndefined()
    const large = tensorFromRows([{ a: 0, b: 0, n: 1 }], {
      count: 'n',
      modes: ['a', 'b'].map((name, n) => ({ name, labels: Array.from({ length: [7, 143][n] }, (_, j) => j) })),
    } as never)
    expect(designTest(large, principalComponent(large), figures, { squares: large.values })).toBeUndefined()
    const other = tensorFromRows([
      { c: 1, p: 'yes' },
      { c: 2, p: 'no' },
    ])
    expect(() => designTest(other, model, figures, { design: { cluster: 'c' } })).toThrow('the data without its design')
  })
})
