import { describe, expect, it } from 'vitest'
import { drawnRow } from '../../../../../test/design-rows.ts'
import { carcinoma } from '../../../../../test/tables.ts'
import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { fit } from '../../fit/fit.ts'
import { drawValues } from '../../model/draws.ts'
import { random } from '../../numeric/philox.ts'
import { studentQuantile } from '../../numeric/special.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { standardErrors } from '../errors/standard-errors.ts'
import { type ReplicateKind, replicateErrors, replicateScales } from './replicate-errors.ts'

/**
 * R 4.2.2, survey 4.1.1: SE(svymean(~a + b, svrepdesign(weights = ~w, repweights = …, combined.weights = TRUE, mse = TRUE))) of the first 16 clusters of
 * the rows of test/design-rows.ts, in pairs as strata, with w <- 1 + (i*5) %% 4. Half-samples are by the parity of the bits that replicate and stratum share.
 */
const rows = Array.from({ length: 240 }, (_, i) => drawnRow(i))
  .filter(({ c }) => c < 16)
  .map(row => ({ ...row, h: Math.floor(row.c / 2) }))

const answers = tensorFromRows(rows as never, { modes: ['a', 'b'], count: 'w' })
/** The sums of the weights of a replicate, cell by cell. */
const summed = (factor: (c: number, h: number) => number): Float64Array => {
  const values = new Float64Array(answers.cells)
  for (const { a, b, c, h, w } of rows) {
    const cell = answers.values.findIndex(
      (_, at) =>
        answers.modes[0].label(answers.indices[0][at]) === a && answers.modes[1].label(answers.indices[1][at]) === b,
    )
    values[cell] += w * factor(c, h)
  }
  return values
}
const parity = (x: number): number => (x === 0 ? 0 : (x & 1) ^ parity(x >> 1))
const half = (fay: number) =>
  Array.from({ length: 8 }, (_, r) => summed((c, h) => (parity(r & h) === c % 2 ? 2 - fay : fay)))
const jk1 = Array.from({ length: 16 }, (_, r) => summed(c => (c === r ? 0 : 16 / 15)))
const jkn = Array.from({ length: 16 }, (_, r) => summed((c, h) => (c === r ? 0 : h === Math.floor(r / 2) ? 2 : 1)))

const CASES: readonly [ReplicateKind, Float64Array[], object, readonly number[]][] = [
  ['brr', half(0), {}, [0.0434453679924569, 0.0341326685522829, 0.0637699111062576, 0.0304138126514911]],
  ['fay', half(0.5), {}, [0.0412062525220819, 0.0338135261762085, 0.0610503959755007, 0.0300231392244197]],
  ['jk1', jk1, {}, [0.0460091795461365, 0.032355379430953, 0.0521250047952733, 0.040687467399049]],
  ['jkn', jkn, { scales: 0.5 }, [0.0395639672847769, 0.0336148875021186, 0.0590837008476078, 0.0297684424609665]],
  [
    'bootstrap',
    [...half(0), ...jk1],
    {},
    [0.0268932825999428, 0.0208536312285531, 0.0384225210831456, 0.0195425120679663],
  ],
]

describe('errors by replicate weights', () => {
  it.each(CASES)(
    '%s: those of svrepdesign for proportions, the parameters of one class',
    async (kind, replicates, more, expected) => {
      const { model } = await fit(answers, { rank: 1, threads: 1 })
      const { factors, ...found } = await replicateErrors(answers, model, { replicates, kind, threads: 1, ...more })
      const errors = [...factors![0][0], factors![1][0][1]]
      expect(errors).toEqual(expected.map(x => expect.closeTo(x, 9)))
      expect(found).toMatchObject({
        kind: 'replicates',
        design: { replicates: { kind, count: replicates.length }, degreesOfFreedom: replicates.length - 1 },
      })
    },
  )

  it('are like others for classes, with intervals by Student t and classes that keep their order', async () => {
    const { model } = await fit(carcinoma, { rank: 2, threads: 1 })
    const replicates = Array.from({ length: 200 }, (_, r) => drawValues(carcinoma, random(1, 'resample', r)))
    const { shares, intervals, factors } = await replicateErrors(carcinoma, model, {
      replicates,
      kind: 'bootstrap',
      threads: 1,
    })
    const others = await standardErrors(carcinoma, model)
    expect(shares![0]! / others.shares![0]!).toBeGreaterThan(0.75)
    expect(shares![0]! / others.shares![0]!).toBeLessThan(1.35)
    const [low, high] = intervals!.shares[0]!
    const logit = (p: number) => Math.log(p / (1 - p))
    const reach = (studentQuantile(0.95, 199) * shares![0]!) / (model.shares[0] * model.shares[1])
    expect((logit(high) - logit(low)) / 2).toBeCloseTo(reach, 8)
    expect(factors![0][0].length).toBe(2)
  })

  it.each([
    [{ kind: 'jkn', replicates: jkn }, 'scales must be given for jkn'],
    [{ kind: 'brr', replicates: [] }, 'replicates must be 2 or more'],
    [{ kind: 'brr', replicates: [new Float64Array(2), new Float64Array(2)] }, 'must have 6 numbers each'],
    [{ kind: 'brr', replicates: half(0), scales: [1, 2] }, 'one for each of 8 replicates'],
    [{ kind: 'half', replicates: half(0) }, 'kind must be one of brr, fay, jk1, jkn, bootstrap'],
    [{ kind: 'fay', replicates: half(0), fay: 1 }, 'fay must be a number from 0 to below 1'],
  ])('refuses %j', async (options, message) => {
    const { model } = await fit(answers, { rank: 1, threads: 1 })
    await expect(replicateErrors(answers, model, options as never)).rejects.toThrow(message)
  })
})

describe('errors of a small table by replicate weights', () => {
  const counts = [30, 20, 50]
  const data = tensorFromColumns([[0, 1, 2]], counts)
  const model = principalComponent(data)
  const replicates = [
    [40, 20, 40],
    [20, 20, 60],
    [30, 26, 44],
  ].map(each => Float64Array.from(each))

  it('are sums of squared deviations, with the factors of their kind', async () => {
    expect([...replicateScales('brr', 4)]).toEqual([0.25, 0.25, 0.25, 0.25])
    expect([...replicateScales('bootstrap', 2)]).toEqual([0.5, 0.5])
    expect([...replicateScales('jk1', 4)]).toEqual([0.75, 0.75, 0.75, 0.75])
    expect([...replicateScales('fay', 2)]).toEqual([2, 2])
    expect(replicateScales('fay', 2, 0.3)[1]).toBeCloseTo(1 / (2 * 0.49), 12)
    expect([...replicateScales('jkn', 2, undefined, 0.5)]).toEqual([0.5, 0.5])
    expect([...replicateScales('brr', 2, undefined, [3, 0])]).toEqual([3, 0])
    for (const [scales, message] of [
      [undefined, 'scales must be given for jkn: (n − 1)/n of the stratum of every replicate, such as 0.5'],
      [[1], 'scales must be one number, or one for each of 2 replicates (got 1)'],
      [-1, 'scales must be numbers ≥ 0 (got -1)'],
      [Number.POSITIVE_INFINITY, 'scales must be numbers ≥ 0'],
    ] as const)
      expect(() => replicateScales('jkn', 2, undefined, scales)).toThrow(message)
    const scales = [1, 2, 0.5]
    const { covariance, design, confidence } = await replicateErrors(data, model, {
      replicates,
      kind: 'jkn',
      scales,
      threads: 1,
      confidence: 0.9,
    })
    // Proportions by hand: the deviations are 0.1, 0, −0.1; −0.1, 0, 0.1; 0, 0.06, −0.06.
    const deviations = [
      [0.1, 0, -0.1],
      [-0.1, 0, 0.1],
      [0, 0.06, -0.06],
    ]
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++)
        expect(covariance![(1 + a) * 4 + 1 + b]).toBeCloseTo(
          deviations.reduce((sum, d, r) => sum + scales[r] * d[a] * d[b], 0),
          6,
        )
    expect(confidence).toBe(0.9)
    expect(design).toMatchObject({
      clusters: undefined,
      strata: undefined,
      degreesOfFreedom: 2,
      replicates: { kind: 'jkn', count: 3 },
    })
    // Over the variance of a proportion of 100 observations drawn one by one.
    expect(design!.effects.factors[0][0][0]).toBeCloseTo(covariance![5] / 0.0021, 4)
  })

  it('are told replicate by replicate, and are none if they were stopped', async () => {
    const told: number[] = []
    await replicateErrors(data, model, {
      replicates,
      kind: 'brr',
      threads: 1,
      onReplicate: ({ done, replicates: of }) => void told.push(10 * done + of),
    })
    expect(told).toEqual([13, 23, 33])
    const many = Array.from({ length: 40 }, () => Float64Array.from(counts))
    const controller = new AbortController()
    const found = await replicateErrors(data, model, {
      replicates: many,
      kind: 'brr',
      threads: 1,
      signal: controller.signal,
      onReplicate: () => controller.abort(),
    })
    expect(found).toMatchObject({ kind: 'replicates', stopped: true, shares: undefined, covariance: undefined })
    expect(found.reason).toMatch(/^stopped after \d+ of 40 replicates$/)
  })

  it.each<[object, string]>([
    [{ replicates: [replicates[0]] }, 'replicates must be 2 or more (got 1)'],
    [{ replicates: [replicates[0], Float64Array.of(1)] }, 'replicates must have 3 numbers each, one per cell (got 1)'],
    [{ replicates: 3 }, 'replicates must be a list of Float64Array (got 3)'],
    [{ scales: 'a' }, 'scales must be a number or a list of numbers (got "a")'],
    [{ kind: undefined }, 'kind'],
    [{ fay: -0.1 }, 'fay must be a number from 0 to below 1 (got -0.1)'],
  ])('refuse %j', async (wrong, message) => {
    await expect(replicateErrors(data, model, { replicates, kind: 'brr', ...wrong } as never)).rejects.toThrow(message)
  })
})
