import { describe, expect, it } from 'vitest'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type CovariateErrors, covariateErrors, type DrawnRows, type Memberships } from './covariate-errors.ts'
import { indexDesign } from './survey-design.ts'

/** Two classes, answers of 2 and 3 labels, and three combinations of the covariates with an intercept and a slope. */
const RANK = 2
const X = [-1, 0.5, 2]
const design = {
  terms: ['intercept', 'x'].map(name => ({ name, factors: [] })),
  patterns: 3,
  values: Float64Array.from(X.flatMap(x => [1, x])),
  covariates: [],
} as unknown as CovariateDesign

/** By eight numbers: coefficients of the second class against the first, logits of a, and of b by class. */
const START = [0.3, 0.7, -1.1, 0.9, 0.4, -0.6, -0.8, 0.5]
const modelOf = (theta: readonly number[]) => {
  const memberships = Float64Array.from(
    X.flatMap(x => {
      const odds = Math.exp(theta[0] + theta[1] * x)
      return [1 / (1 + odds), odds / (1 + odds)]
    }),
  )
  const softmax = (...logits: number[]) => {
    const odds = [1, ...logits.map(Math.exp)]
    return odds.map(each => each / odds.reduce((a, b) => a + b))
  }
  const columns = [
    [softmax(theta[2]), softmax(theta[3])],
    [softmax(theta[4], theta[5]), softmax(theta[6], theta[7])],
  ]
  const factors = columns.map(([one, two]) => Float64Array.from(one.flatMap((p, j) => [p, two[j]])))
  return { memberships, factors }
}

/** All cells, with answers missing here and there, counted about as often as expected; in two clusters each. */
const { uniform } = random(3, 'data')
const cells = [0, 1, 2]
  .flatMap(z => [0, 1, MISSING].flatMap(a => [0, 1, 2, MISSING].flatMap(b => [0, 1, 2, 3].map(c => ({ a, b, c, z })))))
  .filter(({ a, b }) => a !== MISSING || b !== MISSING)
const truth = modelOf(START)
const probability = ({ memberships, factors }: ReturnType<typeof modelOf>, { a, b, z }: (typeof cells)[number]) =>
  [0, 1].reduce(
    (sum, k) =>
      sum + memberships[2 * z + k] * (a < 0 ? 1 : factors[0][2 * a + k]) * (b < 0 ? 1 : factors[1][2 * b + k]),
    0,
  )
const drawnCounts = cells.map(cell => 100 * probability(truth, cell) * (0.8 + 0.4 * uniform()))
const columns = (...names: ('a' | 'b' | 'c' | 'z')[]) => names.map(name => cells.map(cell => cell[name]))
const whole = tensorFromColumns(columns('a', 'b', 'c', 'z'), drawnCounts, {
  modes: ['a', 'b', 'c', 'z'],
  shape: [2, 3, 4, 3],
})
const tensor = tensorFromColumns(columns('a', 'b', 'z'), drawnCounts, { modes: ['a', 'b', 'z'], shape: [2, 3, 3] })
const counts = Float64Array.from({ length: 3 }, (_, z) =>
  drawnCounts.reduce((sum, y, i) => (cells[i].z === z ? sum + y : sum), 0),
)
const fullDesign = { ...design, counts }

const row = (from: Tensor, cell: number, names: readonly string[]) =>
  Object.fromEntries(names.map((name, n) => [name, from.indices[n][cell]])) as (typeof cells)[number]
const logOf = (theta: readonly number[], cell: (typeof cells)[number]) => Math.log(probability(modelOf(theta), cell))

const moved = (theta: readonly number[], ...steps: [number, number][]) =>
  theta.map((each, i) => steps.reduce((sum, [at, by]) => (at === i ? sum + by : sum), each))
const scoreOf = (cell: (typeof cells)[number]) =>
  START.map((_, i) => (logOf(moved(START, [i, 1e-5]), cell) - logOf(moved(START, [i, -1e-5]), cell)) / 2e-5)
/** Σ times·s·sᵀ over cells. */
const outer = (of: Tensor, names: readonly string[], times: (cell: number) => number) => {
  const matrix = new Float64Array(64)
  for (let cell = 0; cell < of.cells; cell++) {
    const score = scoreOf(row(of, cell, names))
    for (let i = 0; i < 64; i++) matrix[i] += times(cell) * score[i >> 3] * score[i & 7]
  }
  return matrix
}
const answers = ['a', 'b', 'z']
const empirical = outer(tensor, answers, cell => tensor.values[cell])
const observed = Float64Array.from({ length: 64 }, (_, at) => {
  const [i, j] = [at >> 3, at & 7]
  const h = 1e-3
  const sum = (a: number, b: number) =>
    cells.reduce((total, cell, c) => total + drawnCounts[c] * logOf(moved(START, [i, a * h], [j, b * h]), cell), 0)
  return -(sum(1, 1) - sum(1, -1) - sum(-1, 1) + sum(-1, -1)) / (4 * h * h)
})
const times = (a: Float64Array, b: Float64Array) =>
  Float64Array.from({ length: 64 }, (_, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, k) => sum + a[(at & 56) + k] * b[8 * k + (at & 7)], 0),
  )
const inverse = (matrix: Float64Array) => inverseOf(matrix, 8)!
const sandwich = (variance: Float64Array) => times(times(inverse(observed), variance), inverse(observed))

/** The shares and all probabilities, and their covariance from that of the eight numbers. */
const allOf = (theta: readonly number[]) => {
  const { memberships, factors } = modelOf(theta)
  const total = counts.reduce((a, b) => a + b)
  const shares = [0, 1].map(k => counts.reduce((sum, n, z) => sum + (n / total) * memberships[2 * z + k], 0))
  return [...shares, ...factors.flatMap(each => [...each])]
}
const throughAll = (covariance: Float64Array) => {
  const map = START.map((_, i) => {
    const [up, down] = [allOf(moved(START, [i, 1e-5])), allOf(moved(START, [i, -1e-5]))]
    return up.map((p, at) => (p - down[at]) / 2e-5)
  })
  return map[0].flatMap((_, r) =>
    map[0].map((_, c) => covariance.reduce((sum, v, at) => sum + v * map[at >> 3][r] * map[at & 7][c], 0)),
  )
}

const { memberships, factors } = truth
const parameters = { rank: RANK, shares: Float64Array.from(allOf(START).slice(0, 2)), factors }
const errorsOf = (kind: Memberships['kind'], more: Partial<Memberships> = {}) =>
  covariateErrors(tensor, parameters, { design: fullDesign, memberships, reference: 0, kind, ...more })
const close = (found: ArrayLike<number>, expected: ArrayLike<number>, within = 2e-5) => {
  expect(found.length).toBe(expected.length)
  const size = Math.max(...Array.from(expected, Math.abs))
  for (let i = 0; i < expected.length; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(within * size)
}
/** Of the coefficients, those of the first class being none. */
const check = (found: CovariateErrors | string, covariance: Float64Array, sign = 1) => {
  const { coefficients, ofCoefficients, covariance: all, free } = found as CovariateErrors
  const [from, none] = sign > 0 ? [2, 0] : [0, 2]
  expect([...coefficients.subarray(none, none + 2)]).toEqual([Number.NaN, Number.NaN])
  for (const i of [0, 1]) {
    expect(coefficients[from + i] / Math.sqrt(covariance[9 * i])).toBeCloseTo(1, 4)
    for (const j of [0, 1]) expect(ofCoefficients[(from + i) * 4 + from + j]).toBeCloseTo(covariance[8 * i + j], 4)
  }
  expect([...ofCoefficients].filter(Number.isNaN)).toHaveLength(12)
  expect(free).toBe(8)
  close(all, throughAll(covariance))
}

describe('errors of a fit with covariates', () => {
  it.each([
    ['empirical', inverse(empirical)],
    ['observed', inverse(observed)],
    ['sandwich', sandwich(empirical)],
  ] as const)('are those of differences of the log-likelihood: %s', async (kind, covariance) => {
    const found = await errorsOf(kind)
    check(found, covariance)
    expect((found as CovariateErrors).sample).toBeUndefined()
    // Against the other class the signs change, and nothing else.
    check(await errorsOf(kind, { reference: 1 }), covariance, -1)
  })

  it('allow for weights, by the sums of their squares', async () => {
    const squares = tensor.values.map((y, i) => y * (0.5 + (i % 3)))
    const expected = sandwich(outer(tensor, answers, cell => squares[cell]))
    for (const [observations, times] of [
      [undefined, 1],
      [tensor.total / 2, 2],
    ] as const) {
      const found = (await errorsOf('sandwich', { drawn: { squares, observations } })) as CovariateErrors
      check(found, expected)
      expect(found.sample).toMatchObject({ clusters: undefined, strata: undefined })
      close(
        found.sample!.simple,
        throughAll(inverse(observed)).map(each => each * times),
      )
    }
  })

  it('allow for clusters', async () => {
    const drawn: DrawnRows = { tensor: whole, designIndex: indexDesign(whole, { cluster: 'c' }) }
    const sums = [0, 1, 2, 3].map(() => new Array<number>(8).fill(0))
    for (let cell = 0; cell < whole.cells; cell++) {
      const { c, ...own } = row(whole, cell, ['a', 'b', 'c', 'z'])
      for (const [i, each] of scoreOf({ ...own, c }).entries()) sums[c][i] += whole.values[cell] * each
    }
    const mean = sums[0].map((_, i) => sums.reduce((sum, each) => sum + each[i] / 4, 0))
    const variance = Float64Array.from({ length: 64 }, (_, at) =>
      sums.reduce((sum, each) => sum + (4 / 3) * (each[at >> 3] - mean[at >> 3]) * (each[at & 7] - mean[at & 7]), 0),
    )
    const found = (await errorsOf('sandwich', { drawn })) as CovariateErrors
    expect(found.sample).toMatchObject({ clusters: 4, strata: 1 })
    // Three differences of clusters say nothing of eight numbers together, but something of each.
    const expected = sandwich(variance)
    close(found.covariance, throughAll(expected), 1e-3)
    close(found.sample!.simple, throughAll(inverse(observed)))
  })

  it('are those of fewer numbers if one is fixed', async () => {
    const constraints: ConstraintSetting = {
      named: true,
      fixed: [{ mode: 1, class: 1, label: 0, value: factors[1][1] }],
      tied: [],
    }
    const found = (await errorsOf('observed', { constraints })) as CovariateErrors
    expect(found.free).toBe(7)
    // The fixed probability does not vary.
    const size = 12
    for (let i = 0; i < size; i++) expect(Math.abs(found.covariance[7 * size + i])).toBeLessThan(1e-15)
    expect(found.covariance[9 * size + 11]).toBeCloseTo(-found.covariance[9 * size + 9], 12)
  })

  it('are none, and it is said why', async () => {
    const many = { ...tensor, cells: 4e9 } as Tensor
    const explained = { design: fullDesign, memberships, reference: 0, kind: 'empirical' } as const
    expect(await covariateErrors(many, parameters, explained)).toBe(
      '8 free parameters and 4000000000 cells are too many for the information',
    )
    const stopped = { ...tensor, cells: 3e9 } as Tensor
    expect(await covariateErrors(stopped, parameters, { ...explained, signal: AbortSignal.abort() })).toBe(
      'the fit was stopped before they were computed',
    )
    // What is short is done all the same.
    check(await errorsOf('empirical', { signal: AbortSignal.abort() }), inverse(empirical))
    const impossible = { ...parameters, factors: [Float64Array.of(1, 1, 0, 0), factors[1]] }
    expect(await covariateErrors(tensor, impossible, explained)).toBe(
      'the model makes cells of the data impossible: it was not fitted to them',
    )
    // Classes that are alike in all answers.
    const alike = { ...parameters, factors: factors.map(each => each.map((_, i) => each[i - (i % 2)])) }
    const reason =
      'the likelihood has no strict maximum here: other parameters fit equally well, or the fit has not converged'
    expect(await covariateErrors(tensor, alike, { ...explained, kind: 'sandwich' })).toBe(reason)
    const few = tensorFromColumns(
      [
        [0, 1, 0],
        [0, 1, 2],
        [0, 1, 2],
      ],
      [5, 4, 3],
      { shape: [2, 3, 3] },
    )
    expect(await covariateErrors(few, parameters, explained)).toBe(
      'the scores of the cells do not determine all parameters: use fewer classes or covariates',
    )
  })
})
