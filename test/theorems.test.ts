import { evaluate, fit, MISSING, Model, principalComponent, type Tensor, tensorFromColumns } from '@polyad/core'
import { logLikelihoodOf, lossesOf } from '@polyad/core/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referencePass } from '../packages/core/src/engine/reference.ts'
import { SweepPool } from '../packages/core/src/engine/sweeps/sweeps.ts'
import { mStepOf } from '../packages/core/src/fit/descent/m-step.ts'
import { newPoint, setParameters, statisticsOf, takeStatistics } from '../packages/core/src/fit/descent/point.ts'
import { stationarity } from '../packages/core/src/fit/descent/stationarity.ts'
import { randomStart } from '../packages/core/src/model/random.ts'
import { models, tensors, tensorsWithStart } from './arbitrary.ts'

/** A model, and what one pass says of it. */
const pointAt = (tensor: Tensor, { parameters }: Model) => {
  const sweeps = new SweepPool().borrow(tensor.shape, parameters.rank, 0)
  const point = newPoint(sweeps, 0)
  setParameters(point, parameters)
  const statistics = referencePass(tensor, parameters, statisticsOf(sweeps))
  const steps = tensor.shape.map(() => mStepOf({ added: 0, width: 0 }))
  takeStatistics(point, sweeps, statistics, tensor.total, steps)
  return { point, statistics }
}

/** One update of EM: the weights are the statistics' own, so that Lemma 1 is tested. */
const update = (tensor: Tensor, model: Model): Model => {
  const { point, statistics } = pointAt(tensor, model)
  point.values.set(point.update)
  return new Model(tensor.modes, { rank: model.rank, sizes: statistics.sizes, factors: point.parameters.factors })
}

const rounding = (tensor: Tensor, loss: number) => 1e-11 * Math.max(1, tensor.total, Math.abs(loss))

const losses = (tensor: Tensor, { parameters }: Pick<Model, 'parameters'>, weight = tensor.total) =>
  lossesOf(tensor, logLikelihoodOf(tensor, parameters), weight)

const loss = (tensor: Tensor, model: Model) => losses(tensor, model, model.total).loss

describe('Theorem 2: the principal component', () => {
  it('has no higher loss than any of 100 random rank-one models', () => {
    fc.assert(
      fc.property(tensors(), tensor => {
        const best = loss(tensor, principalComponent(tensor))
        for (let start = 0; start < 100; start++) {
          const parameters = randomStart(tensor.shape, 1, 7, start)
          expect(losses(tensor, { parameters }, tensor.total * (0.5 + start / 100)).loss).toBeGreaterThanOrEqual(
            best - rounding(tensor, best),
          )
        }
      }),
      { numRuns: 60 },
    )
  })

  it('satisfies the KKT conditions, with λ = M and the marginals over what is present', () => {
    fc.assert(
      fc.property(tensors(), tensor => {
        const model = principalComponent(tensor)
        expect(stationarity(pointAt(tensor, model).point)).toBeLessThan(1e-12)
        expect(model.total).toBe(tensor.total)
        tensor.marginals.forEach((marginal, n) => {
          const sum = marginal.reduce((total, each) => total + each, 0)
          marginal.forEach((each, j) => {
            if (sum > 0) expect(model.profile(n, 0)[j]).toBe(each / sum)
          })
        })
      }),
    )
  })

  it('is where one step of EM from any rank-one model ends', () => {
    fc.assert(
      fc.property(
        tensors().chain(tensor => fc.tuple(fc.constant(tensor), models(tensor.shape, 1, tensor.total))),
        ([tensor, start]) => {
          const [next, closed] = [update(tensor, start), principalComponent(tensor)]
          tensor.indices.forEach((column, n) => {
            if (column.every(index => index === MISSING)) return
            next.profile(n, 0).forEach((p, j) => {
              expect(p).toBeCloseTo(closed.profile(n, 0)[j], 12)
            })
          })
          expect(next.total).toBeCloseTo(tensor.total, 8)
        },
      ),
    )
  })

  it('is not beaten by EM of rank one from random starts', async () => {
    await fc.assert(
      fc.asyncProperty(
        tensors().chain(tensor => fc.tuple(fc.constant(tensor), models(tensor.shape, 1, tensor.total))),
        async ([tensor, init]) => {
          const closed = await fit(tensor, { rank: 1 })
          const iterated = await fit(tensor, { rank: 1, init })
          expect(closed.loss).toBeLessThanOrEqual(iterated.loss + rounding(tensor, closed.loss))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('Lemma 1', () => {
  it('after every update the weights sum to the total', () => {
    fc.assert(
      fc.property(tensorsWithStart(), ([tensor, start]) => {
        let model = start
        for (let step = 0; step < 5; step++) {
          model = update(tensor, model)
          expect(Math.abs(model.total - tensor.total)).toBeLessThanOrEqual(1e-13 * tensor.cells * tensor.total)
        }
      }),
    )
  })
})

describe('Theorem 1', () => {
  it('the reduced loss is −log-likelihood − M log M + M once Σλ = M', () => {
    fc.assert(
      fc.property(tensorsWithStart(), ([tensor, model]) => {
        const found = losses(tensor, model)
        const M = tensor.total
        const expected = -found.logLikelihood - M * Math.log(M) + M
        expect(Math.abs(found.loss - expected)).toBeLessThan(rounding(tensor, expected))
      }),
    )
  })

  it('the scale of the weights does not change the likelihood, and Σλ = M has the least loss of all scales', () => {
    fc.assert(
      fc.property(tensorsWithStart(), fc.double({ min: 0.1, max: 10, noNaN: true }), ([tensor, model], scale) => {
        const { rank, factors } = model.parameters
        const sizes = Float64Array.from(model.sizes, weight => weight * scale)
        const scaled = new Model(model.modes, { rank, sizes, factors })
        const [a, b] = [losses(tensor, model), losses(tensor, scaled, scaled.total)]
        expect(Math.abs(a.logLikelihood - b.logLikelihood)).toBeLessThan(rounding(tensor, a.logLikelihood))
        expect(b.loss).toBeGreaterThanOrEqual(a.loss - rounding(tensor, a.loss))
      }),
    )
  })

  it('the loss and the likelihood put any two models in the same order', () => {
    fc.assert(
      fc.property(
        tensors().chain(tensor =>
          fc.tuple(fc.constant(tensor), models(tensor.shape, 2, tensor.total), models(tensor.shape, 3, tensor.total)),
        ),
        ([tensor, a, b]) => {
          const [x, y] = [losses(tensor, a), losses(tensor, b)]
          if (Math.abs(x.loss - y.loss) < rounding(tensor, x.loss)) return
          expect(x.loss < y.loss).toBe(x.logLikelihood > y.logLikelihood)
        },
      ),
    )
  })

  it('the generalized divergence summed over every cell of the table is what the sparse formula gives', async () => {
    await fc.assert(
      fc.asyncProperty(tensorsWithStart({ missing: false, modes: { min: 1, max: 4 } }), async ([tensor, model]) => {
        let dense = 0
        const seen = new Map(
          Array.from(tensor.values, (value, cell) => [tensor.indices.map(column => column[cell]).join(), value]),
        )
        const walk = (indices: number[]): void => {
          if (indices.length < tensor.shape.length) {
            for (let j = 0; j < tensor.shape[indices.length]; j++) walk([...indices, j])
            return
          }
          const y = seen.get(indices.join()) ?? 0
          const m = model.expected(indices)
          dense += (y === 0 ? 0 : y * Math.log(y / m)) - y + m
        }
        walk([])
        const { divergence, gSquared } = await evaluate(tensor, model)
        expect(divergence).toBeCloseTo(dense, 8)
        expect(gSquared).toBeCloseTo(2 * dense, 7)
      }),
    )
  })
})

describe('EM', () => {
  it('never raises the loss', () => {
    fc.assert(
      fc.property(tensorsWithStart(), ([tensor, start]) => {
        let model = start
        let before = loss(tensor, model)
        for (let step = 0; step < 20; step++) {
          model = update(tensor, model)
          const after = loss(tensor, model)
          expect(after).toBeLessThanOrEqual(before + rounding(tensor, before))
          before = after
        }
      }),
    )
  })

  it('ends at a stationary point, which another update leaves in place', async () => {
    await fc.assert(
      fc.asyncProperty(tensorsWithStart({ modes: { min: 2, max: 4 } }), async ([tensor, init]) => {
        const result = await fit(tensor, { rank: init.rank, init, maxPasses: 200_000, stationarity: 1e-7 })
        expect(result.converged).toBe(true)
        expect(result.stationarity).toBeLessThanOrEqual(1e-7)
        const next = update(tensor, result.model)
        expect(Math.abs(loss(tensor, next) - result.loss)).toBeLessThan(1e-9 * Math.max(1, Math.abs(result.loss)))
      }),
      { numRuns: 25 },
    )
  })

  it('does not depend on how modes and labels are arranged', () => {
    const arranged = tensorsWithStart({ modes: { min: 2, max: 5 } }).chain(([tensor, model]) => {
      const order = fc.shuffledSubarray([...tensor.shape.keys()], { minLength: tensor.shape.length })
      const labels = fc.tuple(
        ...tensor.shape.map(size => fc.shuffledSubarray([...Array(size).keys()], { minLength: size })),
      )
      return fc.tuple(fc.constant(tensor), fc.constant(model), order, labels)
    })
    fc.assert(
      fc.property(arranged, ([tensor, model, order, labels]) => {
        const { rank } = model
        const moved = tensorFromColumns(
          order.map(n => Array.from(tensor.indices[n], j => (j === MISSING ? MISSING : labels[n][j]))),
          tensor.values,
          { shape: order.map(n => tensor.shape[n]) },
        )
        const factors = order.map(n => {
          const factor = new Float64Array(tensor.shape[n] * rank)
          labels[n].forEach((to, from) => {
            for (let k = 0; k < rank; k++) factor[to * rank + k] = model.parameters.factors[n][from * rank + k]
          })
          return factor
        })
        let [a, b] = [model, new Model(moved.modes, { rank, sizes: Float64Array.from(model.sizes), factors })]
        for (let step = 0; step < 4; step++) [a, b] = [update(tensor, a), update(moved, b)]
        a.sizes.forEach((weight, k) => {
          expect(b.sizes[k]).toBeCloseTo(weight, 7)
        })
        order.forEach((n, position) => {
          for (let k = 0; k < rank; k++) {
            const [left, right] = [a.profile(n, k), b.profile(position, k)]
            labels[n].forEach((to, from) => {
              expect(right[to]).toBeCloseTo(left[from], 7)
            })
          }
        })
      }),
    )
  })

  it('of two modes is probabilistic latent semantic analysis', () => {
    fc.assert(
      fc.property(tensorsWithStart({ modes: { min: 2, max: 2 }, missing: false }), ([tensor, start]) => {
        const [documents, words] = tensor.shape
        const { rank } = start
        const counts = Array.from({ length: documents }, () => new Array<number>(words).fill(0))
        tensor.values.forEach((value, cell) => {
          counts[tensor.indices[0][cell]][tensor.indices[1][cell]] = value
        })
        // Hofmann's equations, written out: P(z|d,w), then P(z), P(d|z), P(w|z).
        const [z, d, w] = [new Array(rank).fill(0), start.profile(0, 0).map(() => new Array(rank).fill(0)), start.profile(1, 0).map(() => new Array(rank).fill(0))] // biome-ignore format: three tables
        for (let i = 0; i < documents; i++) {
          for (let j = 0; j < words; j++) {
            const joint = start.shares.map((share, k) => share * start.profile(0, k)[i] * start.profile(1, k)[j])
            const all = joint.reduce((sum, each) => sum + each, 0)
            joint.forEach((each, k) => {
              const part = (counts[i][j] * each) / all
              z[k] += part
              d[i][k] += part
              w[j][k] += part
            })
          }
        }
        const next = update(tensor, start)
        for (let k = 0; k < rank; k++) {
          expect(next.shares[k]).toBeCloseTo(z[k] / tensor.total, 11)
          next.profile(0, k).forEach((p, i) => {
            expect(p).toBeCloseTo(d[i][k] / z[k], 10)
          })
          next.profile(1, k).forEach((p, j) => {
            expect(p).toBeCloseTo(w[j][k] / z[k], 10)
          })
        }
      }),
    )
  })

  it('five hundred modes do not underflow: the loss is that of a computation in logarithms', async () => {
    const modes = 500
    const shape = new Array<number>(modes).fill(2)
    const cells = 12
    const columns = shape.map((_, n) =>
      Array.from({ length: cells }, (_, cell) => ((n * 7 + cell * 13) % 5 < 2 ? 1 : 0)),
    )
    const tensor = tensorFromColumns(columns, undefined, { shape })
    const parameters = randomStart(shape, 3, 3, 0)
    let expected = tensor.total - tensor.total * Math.log(tensor.total)
    for (let cell = 0; cell < tensor.cells; cell++) {
      const logs = Array.from(parameters.shares, (share, k) =>
        parameters.factors.reduce((sum, f, n) => sum + Math.log(f[tensor.indices[n][cell] * 3 + k]), Math.log(share)),
      )
      const top = Math.max(...logs)
      expected -= tensor.values[cell] * (top + Math.log(logs.reduce((sum, each) => sum + Math.exp(each - top), 0)))
    }
    const found = losses(tensor, { parameters }).loss
    expect(Math.abs(found / expected - 1)).toBeLessThan(1e-9)
    const fitted = await fit(tensor, { rank: 3, starts: 2 })
    expect(Number.isFinite(fitted.loss)).toBe(true)
    expect(fitted.loss).toBeLessThan(found)
  })
})
