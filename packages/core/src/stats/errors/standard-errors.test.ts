import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { tensorsWithStart } from '../../../../../test/arbitrary.ts'
import { acm, carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { referenceEngine, referenceInformation } from '../../engine/reference.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { fit } from '../../fit/fit.ts'
import { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { atOnce } from '../../numeric/interruptible.ts'
import { cholesky, inverse } from '../../numeric/symmetric.ts'
import { buildTensor } from '../../tensor/build.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { eachFree, freeParameters } from '../identification/free-parameters.ts'
import { empiricalSteps, observedSteps } from './covariance.ts'
import type { StandardErrors } from './error-results.ts'
import { standardErrors } from './standard-errors.ts'

const fitted = async (tensor: Tensor, rank: number): Promise<Model> => (await fit(tensor, { rank, threads: 1 })).model

/** Σ y·log p, as plainly as it can be said. */
const logLikelihood = (tensor: Tensor, { rank, shares, factors }: Parameters): number => {
  let sum = 0
  for (let cell = 0; cell < tensor.cells; cell++) {
    let p = 0
    for (let k = 0; k < rank; k++) {
      p += tensor.indices.reduce((w, column, n) => {
        return column[cell] === MISSING ? w : w * factors[n][column[cell] * rank + k]
      }, shares[k])
    }
    sum += tensor.values[cell] * Math.log(p)
  }
  return sum
}

/** The second derivatives of a function, by central differences. */
const hessian = (f: (x: readonly number[]) => number, at: readonly number[], h: readonly number[]): Float64Array => {
  const n = at.length
  const moved = (...steps: [number, number][]) => {
    const x = [...at]
    for (const [i, step] of steps) x[i] += step
    return f(x)
  }
  return Float64Array.from({ length: n * n }, (_, position) => {
    const [i, j] = [Math.floor(position / n), position % n]
    const [a, b] = [h[i], h[j]]
    if (i === j) return (moved([i, a]) - 2 * f(at) + moved([i, -a])) / (a * a)
    return (
      (moved([i, a], [j, b]) - moved([i, a], [j, -b]) - moved([i, -a], [j, b]) + moved([i, -a], [j, -b])) / (4 * a * b)
    )
  })
}

describe('standard errors', () => {
  let [three, two] = [{} as StandardErrors, {} as StandardErrors]
  let models: Model[] = []
  beforeAll(async () => {
    models = [await fitted(carcinoma, 3), await fitted(values, 2)]
    three = await standardErrors(carcinoma, models[0], { kind: 'empirical' })
    two = await standardErrors(values, models[1], { kind: 'empirical' })
  })

  // Published, of the first label, in classes of descending share; undefined for a probability at 0 or 1.
  const published: [string, () => StandardErrors, number[], (number | undefined)[][]][] = [
    [
      'carcinoma, three classes',
      () => three,
      [0.04793, 0.04746, 0.04067],
      [
        [undefined, 0.03864, 0.12589],
        [0.01926, 0.06381, undefined],
        [0.05602, undefined, undefined],
        [0.07452, undefined, 0.06321],
        [undefined, 0.03776, 0.12377],
        [0.07484, undefined, undefined],
        [undefined, undefined, 0.12107],
      ],
    ],
    [
      'values, two classes',
      () => two,
      [0.05614, 0.05614],
      [
        [0.0393, 0.02539],
        [0.04895, 0.06491],
        [0.04821, 0.06418],
        [0.03791, 0.09288],
      ],
    ],
  ]

  it.each(published)('are the published ones: %s', (_, of, shares, factors) => {
    const errors = of()
    expect(errors).toMatchObject({ kind: 'empirical', confidence: 0.95, reason: undefined })
    shares.forEach((error, k) => {
      expect(errors.shares![k]! / error).toBeCloseTo(1, 3)
    })
    factors.forEach((row, n) => {
      row.forEach((error, k) => {
        const found = errors.factors![n][k]
        if (error === undefined) expect(found).toEqual([undefined, undefined])
        else {
          expect(Math.abs(found[0]! / error - 1)).toBeLessThan(1e-3)
          expect(found[1]).toBeCloseTo(found[0]!, 12)
        }
      })
    })
  })

  it('name the parameters at 0 or 1, and give them an interval', () => {
    expect(three.free).toBe(13)
    expect(three.boundary).toHaveLength(20)
    expect(two.boundary).toEqual([])
    const [first] = three.boundary
    expect(first).toMatchObject({ mode: 'A', label: 0, class: 0, value: 0, interval: [0, expect.closeTo(0.037, 2)] })
    // Of two labels, the other one's interval is the mirror image.
    expect(three.boundary[1].interval![0]).toBe(1 - first.interval![1])
    // A class of m certain members who all say the same: (1 − t)^m falls to exp(−3.84/2).
    const certain = three.boundary.find(({ mode, class: k, value }) => mode === 'C' && k === 1 && value === 1)
    const members = models[0].sizes[1]
    expect(certain?.interval?.[0]).toBeCloseTo(Math.exp(-3.8414588 / 2 / members), 3)
  })

  it('are on the scale of logits for intervals, at any level', async () => {
    const [low, high] = two.intervals!.factors[0][0][0]!
    const p = models[1].profile(0, 0)[0]
    const reach = (1.959963985 * two.factors![0][0][0]!) / (p * (1 - p))
    const logit = (x: number) => Math.log(x / (1 - x))
    expect(logit(high) - logit(p)).toBeCloseTo(reach, 7)
    expect(logit(p) - logit(low)).toBeCloseTo(reach, 7)
    const wide = await standardErrors(values, models[1], { kind: 'empirical', confidence: 0.99 })
    expect(wide.factors).toEqual(two.factors)
    const [lower, higher] = wide.intervals!.factors[0][0][0]!
    expect(lower).toBeLessThan(low)
    expect(higher).toBeGreaterThan(high)
  })

  it('come with the covariance of all parameters, in which every column sums to nothing', async () => {
    const { covariance } = two
    const size = 2 + 4 * 4
    expect(covariance).toHaveLength(size * size)
    expect(covariance![0]).toBeCloseTo(two.shares![0]! ** 2, 14)
    for (let at = 0; at < size; at++) expect(covariance![at] + covariance![size + at]).toBeCloseTo(0, 12)
    // A function of the parameters: the marginal of the first label, whose error is that of a proportion in a saturated fit.
    const model = await fitted(acm, 2)
    const errors = await standardErrors(acm, model)
    const gradient = new Float64Array(2 + 3 * 4)
    for (let k = 0; k < 2; k++) {
      gradient[k] = model.profile(0, k)[0]
      gradient[2 + k] = model.shares[k]
    }
    let variance = 0
    gradient.forEach((a, i) => {
      gradient.forEach((b, j) => {
        variance += a * b * errors.covariance![i * gradient.length + j]
      })
    })
    const p = acm.marginals[0][0] / acm.total
    expect(Math.sqrt(variance) / Math.sqrt((p * (1 - p)) / acm.total)).toBeCloseTo(1, 5)
  })

  it.each([2, 3])('survey attitudes, rank %i: observed ones are those of second differences', async rank => {
    const model = await fitted(gss82, rank)
    const errors = await standardErrors(gss82, model, { kind: 'observed' })
    // Probabilities themselves, all labels of a column but the largest; those at zero stay there.
    const { values: all, columns } = freeParameters(model.parameters)
    const free = columns.flatMap(column => column.moving.slice(0, -1).map(at => ({ at, last: column.moving.at(-1)! })))
    const at = (x: readonly number[]): number => {
      const parameters = all.slice()
      free.forEach(({ at: position, last }, i) => {
        parameters[last] -= x[i] - all[position]
        parameters[position] = x[i]
      })
      let offset = rank
      const factors = gss82.shape.map(size => {
        offset += size * rank
        return parameters.subarray(offset - size * rank, offset)
      })
      return logLikelihood(gss82, { rank, shares: parameters.subarray(0, rank), factors })
    }
    const x = free.map(({ at: position }) => all[position])
    const second = hessian(
      at,
      x,
      x.map(value => 1e-4 * Math.min(1, 10 * value)),
    )
    const oracle = inverse(
      cholesky(
        second.map(value => -value),
        free.length,
      )!,
      free.length,
    )
    expect(free.length).toBe(errors.free)
    free.forEach(({ at: position }, i) => {
      const own = errors.covariance![position * all.length + position]
      expect(Math.abs(own / oracle[i * free.length + i] - 1)).toBeLessThan(1e-3)
    })
  })

  it('are made of the derivatives of the log-likelihood, missing entries or not', () => {
    fc.assert(
      fc.property(tensorsWithStart({ modes: { min: 1, max: 3 } }), ([tensor, { parameters }]) => {
        const free = freeParameters(parameters)
        const { rank } = parameters
        const list = eachFree(free)
        const moved = (x: readonly number[]): Parameters => {
          const out = free.values.slice()
          list.forEach(({ at }, i) => {
            out[at] *= Math.exp(x[i])
          })
          for (const { entries } of free.columns) {
            const sum = entries.reduce((total, at) => total + out[at], 0)
            for (const at of entries) out[at] /= sum
          }
          let offset = rank
          const factors = tensor.shape.map(size => {
            offset += size * rank
            return out.slice(offset - size * rank, offset)
          })
          return { rank, shares: out.slice(0, rank), factors }
        }
        const n = list.length
        const zero = list.map(() => 0)
        const information = referenceInformation(tensor, parameters)
        const empirical = atOnce(empiricalSteps(information, free))
        const expected = hessian(
          x => logLikelihood(tensor, moved(x)),
          zero,
          list.map(() => 1e-3),
        )
        atOnce(observedSteps(information, free, empirical)).forEach((value, i) => {
          expect(Math.abs(value + expected[i])).toBeLessThan(2e-5 * tensor.total)
        })
        const outer = new Float64Array(n * n)
        for (let cell = 0; cell < tensor.cells; cell++) {
          const one = tensorFromColumns(
            tensor.indices.map(column => [column[cell]]),
            [1],
            { shape: tensor.shape },
          )
          const score = list.map((_, i) => {
            const f = (h: number) => logLikelihood(one, moved(zero.map((_, j) => (j === i ? h : 0))))
            return (f(1e-4) - f(-1e-4)) / 2e-4
          })
          score.forEach((a, i) => {
            score.forEach((b, j) => {
              outer[i * n + j] += tensor.values[cell] * a * b
            })
          })
        }
        empirical.forEach((value, i) => {
          expect(Math.abs(value - outer[i])).toBeLessThan(1e-6 * tensor.total)
        })
      }),
      { numRuns: 40 },
    )
  })

  it('are the same on every engine, and agree with each other where the model is true', async () => {
    const model = models[1]
    const plain = await referenceEngine.open(values)
    const session = await wasmEngine({ threads: 1 }).open(values)
    for (const kind of ['empirical', 'observed', 'sandwich'] as const) {
      const [a, b] = [await standardErrors(plain, model, { kind }), await standardErrors(session, model, { kind })]
      a.covariance!.forEach((value, i) => {
        expect(Math.abs(value - b.covariance![i])).toBeLessThan(1e-12)
      })
    }
    // Data that is exactly what the model expects: all three are the same.
    const { shape } = values
    const cells = Array.from({ length: 16 }, (_, i) => shape.map((_, n) => (i >> n) & 1))
    const row = (cell: number[]) => Object.fromEntries(values.modes.map(({ name }, n) => [name, cell[n]]))
    const expected = tensorFromColumns(
      shape.map((_, n) => cells.map(cell => cell[n])),
      cells.map(cell => model.expected(row(cell))),
      { shape, modes: values.modes.map(({ name, labels = [0, 1] }) => ({ name, labels })) },
    )
    const [one, other, third] = await Promise.all(
      (['empirical', 'observed', 'sandwich'] as const).map(kind => standardErrors(expected, model, { kind })),
    )
    one.covariance!.forEach((value, i) => {
      expect(other.covariance![i]).toBeCloseTo(value, 10)
      expect(third.covariance![i]).toBeCloseTo(value, 10)
    })
    await Promise.all([plain.close(), session.close()])
  })

  it('are by scores and curvature where no kind is named', async () => {
    const plain = await standardErrors(values, models[1])
    expect(plain).toEqual(await standardErrors(values, models[1], { kind: 'sandwich' }))
    expect(plain.kind).toBe('sandwich')
  })

  it('scale with the data as they must', async () => {
    const four = buildTensor(
      values.modes,
      values.indices,
      values.values.map(y => 4 * y),
    )
    const errors = await standardErrors(four, models[1], { kind: 'empirical' })
    errors.shares!.forEach((error, k) => {
      expect(error).toBeCloseTo(two.shares![k]! / 2, 12)
    })
  })

  it('say how far the model is from a maximum', async () => {
    expect(two.shortfall).toBeLessThan(1e-6)
    const { model } = await fit(values, { rank: 2, pseudoCounts: 2, threads: 1 })
    const { shortfall } = await standardErrors(values, model, { kind: 'observed' })
    const behind = logLikelihood(values, models[1].parameters) - logLikelihood(values, model.parameters)
    expect(behind).toBeGreaterThan(0.5)
    expect(shortfall! / behind).toBeGreaterThan(0.3)
    expect(shortfall! / behind).toBeLessThan(3)
  })

  it('are not given where the data does not determine the parameters, and it is said why', async () => {
    const errors = await standardErrors(values, await fitted(values, 3))
    expect(errors).toMatchObject({ shares: undefined, factors: undefined, intervals: undefined, covariance: undefined })
    expect(errors.reason).toMatch(
      /does not determine all parameters \(13 of 14 free ones; classes 1, 2 and 3 in A, B, C, D\)/,
    )
    // More free parameters than distinct cells: the outer products cannot tell, the curvature can.
    const few = tensorFromColumns(
      [
        [0, 0, 1, 2],
        [0, 1, 1, 0],
        [1, 0, 0, 1],
      ],
      [5, 3, 9, 4],
    )
    const one = await fitted(few, 1)
    expect((await standardErrors(few, one, { kind: 'empirical' })).reason).toMatch(
      /4 distinct cells are too few for standard errors of 4 free parameters.*use observed standard errors/,
    )
    expect((await standardErrors(few, one, { kind: 'observed' })).reason).toBeUndefined()
    const impossible = new Model(carcinoma.modes, {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: carcinoma.shape.map(() => Float64Array.of(1, 0)),
    })
    expect((await standardErrors(carcinoma, impossible)).reason).toMatch(/impossible/)
    const saddle = new Model(values.modes, {
      rank: 2,
      sizes: Float64Array.of(1, 1),
      factors: values.marginals.map(y => Float64Array.from([y[0], y[0], y[1], y[1]], value => value / values.total)),
    })
    expect((await standardErrors(values, saddle)).reason).toMatch(/does not determine/)
  })

  it('know what needs no data', async () => {
    const single = tensorFromColumns(
      [
        [0, 0, 0],
        [0, 1, 1],
      ],
      [5, 3, 4],
    )
    const errors = await standardErrors(single, await fitted(single, 1))
    expect(errors.shares).toEqual([0])
    expect(errors.factors![0]).toEqual([[0]])
    expect(errors.intervals!.shares).toEqual([[1, 1]])
    // One proportion of 12: √(p(1 − p)/12).
    expect(errors.factors![1][0][0]).toBeCloseTo(Math.sqrt(((5 / 12) * (7 / 12)) / 12), 12)
    expect(errors.boundary).toEqual([])
  })

  it('refuse wrong options', async () => {
    const [model] = models
    const calls: [object, RegExp][] = [
      [{ kind: 'robust' }, /kind must be one of empirical, observed, sandwich \(got "robust"\)/],
      [{ confidence: 95 }, /confidence must be a number between 0 and 1 \(got 95\)/],
      [{ boundary: 0.7 }, /boundary must be a number from 0 to below 0.5/],
      [{ knid: 'observed' }, /standardErrors has no option "knid"/],
    ]
    for (const [options, message] of calls) {
      await expect(standardErrors(carcinoma, model, options as never)).rejects.toThrow(message)
    }
    await expect(standardErrors(gss82, model)).rejects.toThrow(/same modes: only the data has "PURPOSE"/)
    await expect(standardErrors(gss82, {} as never)).rejects.toThrow(/model must be a Model/)
  })
})
