import { describe, expect, it } from 'vitest'
import { covariateData } from '../../packages/core/src/fit/covariates/design.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'
import { inverseOf } from '../../packages/core/src/numeric/linear.ts'
import { random } from '../../packages/core/src/numeric/philox.ts'
import { covariateErrors } from '../../packages/core/src/stats/errors/covariate-errors.ts'
import { fitCovariates } from '../../packages/core/src/stats/structure/deprecated.ts'
import { tensorFromRows } from '../../packages/core/src/tensor/rows.ts'

describe('standard errors of covariates', () => {
  it('are not begun after a fit was stopped, unless they take a moment', async () => {
    const { below } = random(3, 'data')
    const rank = 8
    const problem = (rows: number) => {
      const drawn = Array.from({ length: rows }, (_, i) => [...Array.from({ length: 4 }, () => below(20)), i % 50])
      const { tensor, design } = covariateData(tensorFromRows(drawn), {
        covariates: ['mode5'],
        categories: ['mode5'],
      })
      const parameters = randomStart(tensor.shape.slice(0, -1), rank, 1, 0)
      const memberships = new Float64Array(design.patterns * rank).fill(1 / rank)
      return covariateErrors(tensor, parameters, {
        ...{ design, memberships, reference: 0, kind: 'empirical', signal: AbortSignal.abort() },
      })
    }
    expect(await problem(20_000)).toBe('the fit was stopped before they were computed')
    // So few cells do not span all parameters: they were looked at.
    expect(await problem(50)).toMatch(/do not determine all parameters/)
  })

  it.each([false, true])(
    'of every kind are those by differences of the log-likelihood; equal answers: %s',
    async tied => {
      const { uniform } = random(21, 'data')
      const answer = (yes: number) => (uniform() < 0.05 ? undefined : uniform() < yes ? 1 : 0)
      const rows = Array.from({ length: 700 }, () => {
        const [x, c] = [Math.floor(8 * uniform()), uniform() < 0.5 ? 'country' : 'town']
        const one = uniform() < 1 / (1 + Math.exp(-(x - 3.5) / 2 - (c === 'town' ? 0.9 : 0)))
        return { a: answer(one ? 0.85 : 0.2), b: answer(one ? 0.75 : 0.3), d: answer(one ? 0.9 : 0.35), x, c }
      })
      const tensor = tensorFromRows(rows)
      const equal = [1, 2].map(of => ['a', 'b'].map(mode => ({ mode, class: of })))
      const options = { rank: 2, covariates: ['x', 'c'], starts: 3, seed: 2, stationarity: 1e-10, tolerance: 1e-14, ...(tied && { constraints: { equal } }) } // biome-ignore format: one object
      const { covariates, model, evaluation } = await fitCovariates(tensor, options)
      // Which of the answers' own logits each answer has.
      const slots = tied ? [0, 0, 1] : [0, 1, 2]
      expect(evaluation.parameters).toBe(tied ? 7 : 9)
      const [first, ...others] = covariates.coefficients.map(({ estimate }) => estimate)
      expect(others).toHaveLength(2)
      const [xs, cs] = ['x', 'c'].map(name => tensor.modes.findIndex(mode => mode.name === name))
      const items = tensor.modes.flatMap(({ name }, n) => (name === 'x' || name === 'c' ? [] : [n]))
      const town = tensor.modes[cs].indexOf('town')
      // Intercept, slope, effect of town, and the logits of the second label of each item by class.
      const theta = [first, ...others, ...[...new Set(slots)].map(slot => model.parameters.factors[slots.indexOf(slot)]).flatMap(factor => [0, 1].map(k => Math.log(factor[2 + k] / factor[k])))] // biome-ignore format: one list
      const logistic = (t: number) => 1 / (1 + Math.exp(-t))
      const second = (t: readonly number[], cell: number) =>
      logistic(t[0] + t[1] * Number(tensor.modes[xs].label(tensor.indices[xs][cell])) + (tensor.indices[cs][cell] === town ? t[2] : 0)) // biome-ignore format: one sum
      const cellLog = (t: readonly number[], cell: number) => {
        const own = second(t, cell)
        const joint = [1 - own, own].map((pi, k) =>
          items.reduce((product, n, i) => {
            const j = tensor.indices[n][cell]
            const yes = logistic(t[3 + 2 * slots[i] + k])
            return j < 0 ? product : product * (j === 1 ? yes : 1 - yes)
          }, pi),
        )
        return Math.log(joint[0] + joint[1])
      }
      const moved = (steps: readonly (readonly [number, number])[]) => {
        const to = [...theta]
        for (const [i, by] of steps) to[i] += by
        return to
      }
      const n = theta.length
      const all = (t: readonly number[]) => tensor.values.reduce((sum, y, cell) => sum + y * cellLog(t, cell), 0)
      const [curved, outer] = [new Float64Array(n * n), new Float64Array(n * n)]
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const at = (a: number, b: number) => all(moved([[i, a * 1e-3], [j, b * 1e-3]])) // biome-ignore format: one call
          curved[i * n + j] = -(at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4e-6
        }
      }
      for (let cell = 0; cell < tensor.cells; cell++) {
        const score = theta.map(
          (_, i) => (cellLog(moved([[i, 1e-5]]), cell) - cellLog(moved([[i, -1e-5]]), cell)) / 2e-5,
        )
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++) outer[i * n + j] += tensor.values[cell] * score[i] * score[j]
      }
      const bread = inverseOf(curved, n)!
      const product = (a: Float64Array, b: Float64Array) =>
        Float64Array.from({ length: n * n }, (_, at) => {
          let sum = 0
          for (let k = 0; k < n; k++) sum += a[Math.floor(at / n) * n + k] * b[k * n + (at % n)]
          return sum
        })
      const expected = {
        empirical: inverseOf(outer, n)!,
        observed: bread,
        sandwich: product(product(bread, outer), bread),
      }
      const share = (t: readonly number[]) =>
        tensor.values.reduce((sum, y, cell) => sum + (y * second(t, cell)) / tensor.total, 0)
      for (const kind of ['empirical', 'observed', 'sandwich'] as const) {
        const found = await fitCovariates(tensor, { ...options, kind })
        const covariance = expected[kind]
        found.covariates.coefficients.forEach(({ standardError }, i) => {
          expect(standardError).toBeCloseTo(Math.sqrt(covariance[i * n + i]), 4)
        })
        const { factors, shares } = found.standardErrors
        items.forEach((_, i) => {
          for (const k of [0, 1]) {
            const at = 3 + 2 * slots[i] + k
            const p = logistic(theta[at])
            expect(factors![i][k][1]).toBeCloseTo(p * (1 - p) * Math.sqrt(covariance[at * n + at]), 5)
          }
        })
        const slope = theta.map((_, i) => (share(moved([[i, 1e-5]])) - share(moved([[i, -1e-5]]))) / 2e-5)
        const variance = slope.reduce((sum, a, i) => sum + slope.reduce((inner, b, j) => inner + a * b * covariance[i * n + j], 0), 0) // biome-ignore format: one sum
        expect(shares![1]).toBeCloseTo(Math.sqrt(variance), 5)
        expect(found.standardErrors.kind).toBe(kind)
      }
    },
  )

  it.each(['clusters within strata', 'weights'] as const)(
    'of %s are those of a weighted logistic regression where the answers tell the class',
    async drawn => {
      const { uniform, below } = random(31, 'data')
      const rows = Array.from({ length: 240 }, (_, i) => {
        const cluster = i % 24
        const x = below(6)
        const two = uniform() < 1 / (1 + Math.exp(-(x - 2) / 2 - ((cluster % 5) - 2) / 2))
        const answer = two ? 'yes' : 'no'
        return { a: answer, b: answer, d: answer, x, school: `s${cluster}`, region: cluster < 10 ? 'north' : 'south', w: 0.5 + below(4) } // biome-ignore format: one row
      })
      const modes = ['a', 'b', 'd', 'x', ...(drawn === 'weights' ? [] : ['school', 'region'])]
      // Rows of one weight at a time, so that the squares of a cell's weights are known.
      const tensor = tensorFromRows(rows, { modes, count: 'w' })
      const squares = tensorFromRows(rows.map(row => ({ ...row, w: row.w * row.w })), { modes, count: 'w' }).values // biome-ignore format: one call
      const sample = drawn === 'weights' ? { squares } : { design: { cluster: 'school', stratum: 'region' } }
      const settings = { rank: 2, covariates: ['x'], starts: 2, seed: 1, stationarity: 1e-9 }
      const { covariates, model, standardErrors } = await fitCovariates(tensor, { ...settings, ...sample })
      // The regression of being in the second class on x, by Newton's steps, row by row.
      const second = model.parameters.factors[0][1 + 2 * (tensor.modes[0].label(0) === 'yes' ? 0 : 1)] > 0.5 ? 'yes' : 'no' // biome-ignore format: one choice
      let [b0, b1] = [0, 0]
      const parts = () =>
        rows.map(({ x, a, w, school, region }) => {
          const p = 1 / (1 + Math.exp(-b0 - b1 * x))
          return { x, w, p, score: w * ((a === second ? 1 : 0) - p), school, region }
        })
      const curved = () => {
        const [h00, h01, h11] = parts().reduce(([s, t, u], { x, w, p }) => [s + w * p * (1 - p), t + w * p * (1 - p) * x, u + w * p * (1 - p) * x * x], [0, 0, 0]) // biome-ignore format: three sums
        const det = h00 * h11 - h01 * h01
        return [h11 / det, -h01 / det, h00 / det]
      }
      for (let step = 0; step < 50; step++) {
        const [i00, i01, i11] = curved()
        const [g0, g1] = parts().reduce(([s, t], { score, x }) => [s + score, t + score * x], [0, 0])
        b0 += i00 * g0 + i01 * g1
        b1 += i01 * g0 + i11 * g1
      }
      expect(covariates.coefficients.map(({ estimate }) => estimate)).toEqual([
        expect.closeTo(b0, 6),
        expect.closeTo(b1, 6),
      ])
      const units = new Map<string, { region: string; s: number; t: number }>()
      parts().forEach(({ score, x, school, region }, i) => {
        const key = drawn === 'weights' ? `${i}` : school
        const unit = units.get(key) ?? { region: drawn === 'weights' ? '' : region, s: 0, t: 0 }
        units.set(key, { ...unit, s: unit.s + score, t: unit.t + score * x })
      })
      const meat = [0, 0, 0]
      for (const region of new Set([...units.values()].map(unit => unit.region))) {
        const own = [...units.values()].filter(unit => unit.region === region)
        const n = own.length
        // Weights alone: the scores themselves, whose sum is zero.
        const [ms, mt, times] = drawn === 'weights' ? [0, 0, 1] : [own.reduce((sum, { s }) => sum + s, 0) / n, own.reduce((sum, { t }) => sum + t, 0) / n, n / (n - 1)] // biome-ignore format: three
        for (const { s, t } of own) {
          meat[0] += times * (s - ms) ** 2
          meat[1] += times * (s - ms) * (t - mt)
          meat[2] += times * (t - mt) ** 2
        }
      }
      const [i00, i01, i11] = curved()
      const variance = (u: number, v: number) => u * u * meat[0] + 2 * u * v * meat[1] + v * v * meat[2]
      expect(covariates.coefficients[0].standardError).toBeCloseTo(Math.sqrt(variance(i00, i01)), 6)
      expect(covariates.coefficients[1].standardError).toBeCloseTo(Math.sqrt(variance(i01, i11)), 6)
      expect(standardErrors.kind).toBe('sandwich')
      expect(standardErrors.design).toMatchObject(
        drawn === 'weights' ? { clusters: undefined } : { clusters: 24, strata: 2, degreesOfFreedom: 22 },
      )
      // Under a design, t with 22 degrees of freedom: 2.0739 in place of 1.96 (tables of Student's t).
      const [low, high] = covariates.coefficients[1].interval!
      const width = (Math.log(high) - Math.log(low)) / 2 / covariates.coefficients[1].standardError!
      expect(width).toBeCloseTo(drawn === 'weights' ? 1.96 : 2.0739, 3)
    },
  )
})
