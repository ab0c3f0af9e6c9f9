import { describe, expect, it } from 'vitest'
import { wasmEngine } from '../../packages/core/src/engine/wasm/wasm-engine.ts'
import { covariateData } from '../../packages/core/src/fit/covariates/design.ts'
import { constraintProjector } from '../../packages/core/src/fit/descent/constraint-projector.ts'
import { type Constraints, constraintSetting } from '../../packages/core/src/fit/descent/constraints.ts'
import { LogitBlock } from '../../packages/core/src/fit/descent/logit-block.ts'
import { mStepOf, mStepSettings } from '../../packages/core/src/fit/descent/m-step.ts'
import { run } from '../../packages/core/src/fit/descent/run.ts'
import type { ModelParameters } from '../../packages/core/src/model/parameters.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'
import { random } from '../../packages/core/src/numeric/philox.ts'
import { tensorFromRows } from '../../packages/core/src/tensor/rows.ts'
import type { Tensor } from '../../packages/core/src/tensor/tensor.ts'

const rows = Array.from({ length: 60 }, (_, i) => ({ a: i % 2, b: (i * 7) % 3, x: (i * i) % 11 }))
const { tensor, design } = covariateData(tensorFromRows(rows), { covariates: ['x'] })
const start = randomStart(tensor.shape.slice(0, -1), 2, 1, 0)

describe('membership that is explained', () => {
  it('is no model where coefficients have left all bounds: no step ends there', () => {
    const membership = new LogitBlock(design, tensor.shape.length - 1, 2, tensor.total)
    const point = membership.newPoint()
    membership.initialize(point, start)
    for (const beyond of [Number.NaN, Number.POSITIVE_INFINITY, -1e13]) {
      point.at[1] = beyond
      expect(membership.computeTable(point)).toBe(false)
    }
    point.at[1] = -1e6
    expect(membership.computeTable(point)).toBe(true)
    expect([...point.table].every(Number.isFinite)).toBe(true)
  })

  it('gives back the coefficients that it began at, with a sum of zero over the classes', () => {
    const membership = new LogitBlock(design, tensor.shape.length - 1, 2, tensor.total)
    const point = membership.newPoint()
    membership.initialize(point, { ...start, coefficients: Float64Array.of(0.3, 1.3, -2, 1) })
    const expected = [-0.5, 0.5, -1.5, 1.5]
    membership.parameters(point).coefficients.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12)
    })
  })

  it('begins without coefficients at memberships that are the shares', () => {
    const membership = new LogitBlock(design, tensor.shape.length - 1, 2, tensor.total)
    const point = membership.newPoint()
    membership.initialize(point, { ...start, shares: Float64Array.of(0.8, 0.2) })
    membership.computeTable(point)
    expect(point.shares[0]).toBeCloseTo(0.8, 12)
  })
})

/** Rows of two classes, whose membership depends on a number and a category; some answers are missing. */
const drawn = (seed: number): Tensor => {
  const { uniform } = random(seed, 'data')
  const answer = (yes: number) => (uniform() < 0.1 ? null : uniform() < yes ? 'yes' : 'no')
  return tensorFromRows(
    Array.from({ length: 800 }, () => {
      const [x, c] = [Math.floor(9 * uniform()), uniform() < 0.4 ? 'town' : 'country']
      const first = uniform() < 1 / (1 + Math.exp(-(x - 4) / 2 - (c === 'town' ? 0.8 : 0)))
      return { a: answer(first ? 0.9 : 0.2), b: answer(first ? 0.7 : 0.3), d: answer(first ? 0.8 : 0.15), x, c }
    }),
  )
}

/**
 * EM as it stands in the books, cell by cell: the coefficients by a hundredth of gradient ascent a step, columns that are equal from their
 * sums, known entries as they are, counts added to all others.
 */
const naive = (
  data: Tensor,
  terms: Float64Array,
  begin: ModelParameters,
  equal: boolean,
  known: number | undefined,
  added: number,
) => {
  const patterns = data.shape.length - 1
  const width = terms.length / data.shape[patterns]
  let factors = begin.factors.map(factor => [...factor])
  let beta = new Array<number>(width).fill(0)
  let logLikelihood = 0
  for (let step = 0; step < 4000; step++) {
    const sums = factors.map(factor => factor.map(() => added))
    const slope = new Array<number>(width).fill(0)
    logLikelihood = 0
    for (let cell = 0; cell < data.cells; cell++) {
      const z = data.indices[patterns][cell]
      const predictor = beta.reduce((sum, b, p) => sum + b * terms[z * width + p], 0)
      const own = [1 / (1 + Math.exp(predictor)), 1 / (1 + Math.exp(-predictor))]
      const joint = own.map((pi, k) =>
        factors.reduce((product, factor, n) => {
          const j = data.indices[n][cell]
          return j < 0 ? product : product * factor[j * 2 + k]
        }, pi),
      )
      const all = joint[0] + joint[1]
      const y = data.values[cell]
      logLikelihood += y * Math.log(all)
      factors.forEach((_, n) => {
        const j = data.indices[n][cell]
        if (j >= 0) for (const k of [0, 1]) sums[n][j * 2 + k] += (y * joint[k]) / all
      })
      for (let p = 0; p < width; p++) slope[p] += y * (joint[1] / all - own[1]) * terms[z * width + p]
    }
    beta = beta.map((b, p) => b + slope[p] / 200)
    if (equal) {
      for (let i = 0; i < 4; i++) {
        const mean = (sums[0][i] + sums[1][i]) / 2
        sums[0][i] = mean
        sums[1][i] = mean
      }
    }
    factors = sums.map(table => table.map((sum, i) => sum / (table[i % 2] + table[2 + (i % 2)])))
    if (known !== undefined) {
      factors[2][0] = known
      factors[2][2] = 1 - known
    }
  }
  return { factors, beta, logLikelihood }
}

describe('a run with explained membership', () => {
  it.each<[string, Constraints | undefined, number]>([
    ['alone', undefined, 0],
    ['and equal columns', { equal: [[{ mode: 'a', class: 1 }, { mode: 'b', class: 1 }], [{ mode: 'a', class: 2 }, { mode: 'b', class: 2 }]] }, 0], // biome-ignore format: a table
    ['and a known probability', { fixed: [{ mode: 'd', class: 1, label: 'yes', probability: 0.1 }] }, 0],
    ['and a prior', undefined, 2],
  ])('%s: as EM by the book', async (_, constraints, pseudoCounts) => {
    const data = covariateData(drawn(5), { covariates: ['x', 'c'] })
    const modes = data.items.modes
    const begin: ModelParameters = {
      rank: 2,
      shares: Float64Array.of(0.5, 0.5),
      factors: modes.map(mode => Float64Array.from({ length: 4 }, (_, i) => (mode.label(i >> 1) === 'yes') === (i % 2 === 1) ? 0.7 : 0.3)), // biome-ignore format: one array
    }
    const setting = constraints === undefined ? undefined : constraintSetting(modes, 2, constraints)
    const found = await run(await wasmEngine({ threads: 1 }).open(data.tensor), begin, {
      algorithm: 'accelerated',
      stopping: { tolerance: 1e-13, stationarity: 1e-9, minGain: 0, maxPasses: 5000 },
      steps: mStepSettings(modes, { pseudoCounts }, setting).map(mStepOf),
      projector: setting === undefined ? undefined : constraintProjector(setting),
      explained: data.design,
    })
    const yes = modes[2].label(0) === 'yes' ? 0.1 : 0.9
    const book = naive(data.tensor, data.design.values, begin, constraints?.equal !== undefined, constraints?.fixed && yes, pseudoCounts) // biome-ignore format: one call
    expect(['stationary', 'stalled']).toContain(found.reason)
    expect(found.passes).toBeLessThan(200)
    found.parameters.factors.forEach((factor, n) => {
      factor.forEach((p, i) => {
        expect(p).toBeCloseTo(book.factors[n][i], 6)
      })
    })
    found.parameters.coefficients!.forEach((value, i) => {
      if (i % 2 === 1) expect(2 * value).toBeCloseTo(book.beta[i >> 1], 5)
    })
  })
})
