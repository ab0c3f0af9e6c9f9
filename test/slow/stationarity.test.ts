import { fit, MISSING, Mode, Model, naiveBayes, type Tensor, tensorFromColumns } from '@polyad/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensors } from '../arbitrary.ts'

/**
 * How far a model is from satisfying the Karush–Kuhn–Tucker conditions of min −L/M, from the definition: the derivative by every
 * parameter is summed over the cells without dividing by it, so that zeros are seen like everything else.
 */
const violation = (tensor: Tensor, { parameters: { rank, shares, factors } }: Model): number => {
  const slopes = { shares: new Float64Array(rank), factors: factors.map(factor => new Float64Array(factor.length)) }
  const mass = factors.map(() => new Float64Array(rank))
  for (let cell = 0; cell < tensor.cells; cell++) {
    const at = tensor.indices.map(column => column[cell])
    const present = at.flatMap((index, n) => (index === MISSING ? [] : [n]))
    const entry = (n: number, k: number) => factors[n][at[n] * rank + k]
    const product = (k: number, without: number) =>
      present.reduce((all, n) => (n === without ? all : all * entry(n, k)), 1)
    const p = Array.from(shares, (share, k) => share * product(k, -1)).reduce((a, b) => a + b, 0)
    const y = tensor.values[cell] / tensor.total / p
    for (let k = 0; k < rank; k++) {
      slopes.shares[k] -= y * product(k, -1)
      for (const n of present) {
        slopes.factors[n][at[n] * rank + k] -= y * shares[k] * product(k, n)
        mass[n][k] += y * shares[k] * product(k, -1)
      }
    }
  }
  // With the multipliers of the sums: 1 for the shares, the mass of its column for an entry of a factor.
  const worst = (x: Float64Array, slope: Float64Array, multiplier: (i: number) => number) =>
    x.reduce((most, value, i) => Math.max(most, Math.abs(Math.min(value, slope[i] + multiplier(i)))), 0)
  return Math.max(
    worst(shares, slopes.shares, () => 1),
    ...factors.map((factor, n) => worst(factor, slopes.factors[n], i => mass[n][i % rank])),
  )
}

const modelOf = (tensor: Tensor, weights: number[], factors: number[][]): Model =>
  new Model(
    tensor.shape.map((size, n) => new Mode(`mode${n + 1}`, size)),
    {
      rank: weights.length,
      sizes: Float64Array.from(weights),
      factors: factors.map(factor => Float64Array.from(factor)),
    },
  )

/** Inits with zeros: columns of small whole numbers, a third of them zero. */
const withZeros = (tensor: Tensor, rank: number): fc.Arbitrary<Model> => {
  const column = (size: number) =>
    fc
      .array(fc.constantFrom<number>(0, 0, 1, 2, 3, 5), { minLength: size, maxLength: size })
      .filter(numbers => numbers.some(number => number > 0))
      .map(numbers => numbers.map(number => number / numbers.reduce<number>((a, b) => a + b, 0)))
  const factor = (size: number) =>
    fc
      .array(column(size), { minLength: rank, maxLength: rank })
      .map(columns => Array.from({ length: size * rank }, (_, i) => columns[i % rank][Math.floor(i / rank)]))
  return fc
    .tuple(column(rank), ...tensor.shape.map(factor))
    .map(([shares, ...factors]) => modelOf(tensor, shares, factors))
}

const isPossible = (tensor: Tensor, model: Model): boolean =>
  Array.from({ length: tensor.cells }, (_, cell) =>
    model.probability(tensor.indices.map(column => (column[cell] === MISSING ? null : column[cell]))),
  ).every(p => p > 0)

describe('a fit that says it has converged satisfies the KKT conditions, zeros included', () => {
  it('where a zero of the start is wrong only after another has been lifted', async () => {
    const tensor = tensorFromColumns([[0, 1, 1, 1], [0, 0, 1, 1], [2, 1, 0, 1]], [20, 7, 3, 9]) // biome-ignore format: a table
    const init = modelOf(tensor, [13, 26], [[0.2, 0, 0.8, 1], [0.7, 0, 0.3, 1], [0, 1, 0.5, 0, 0.5, 0]]) // biome-ignore format: a table
    const result = await fit(tensor, { rank: 2, init, threads: 1 })
    expect(result.converged).toBe(true)
    expect(violation(tensor, result.model)).toBeLessThan(1e-5)
    const again = await fit(tensor, { rank: 2, init: result.model, threads: 1 })
    expect(again.loss).toBeCloseTo(result.loss, 6)
  })

  const starts = tensors({ modes: { min: 2, max: 4 } }).chain(tensor =>
    fc
      .integer({ min: 2, max: 4 })
      .chain(rank => fc.tuple(fc.constant(tensor), withZeros(tensor, rank)))
      .filter(([, init]) => isPossible(tensor, init)),
  )

  it.each(['accelerated', 'em'] as const)('from starts with zeros: %s', async algorithm => {
    let converged = 0
    await fc.assert(
      fc.asyncProperty(starts, async ([tensor, init]) => {
        const result = await fit(tensor, { rank: init.rank, init, algorithm, maxPasses: 20_000, threads: 1 })
        if (!result.converged) return
        converged++
        expect(violation(tensor, result.model)).toBeLessThan(1e-5)
      }),
      { numRuns: 150 },
    )
    expect(converged).toBeGreaterThan(100)
  })

  it('from naive Bayes models of some of the modes', async () => {
    let converged = 0
    await fc.assert(
      fc.asyncProperty(tensors({ modes: { min: 3, max: 5 }, missing: false }), async tensor => {
        const { model } = naiveBayes(tensor, { class: 'mode1' })
        const rest = tensorFromColumns(tensor.indices.slice(1), tensor.values, {
          shape: tensor.shape.slice(1),
          modes: model.modes.map(({ name }) => name),
        })
        const result = await fit(rest, { rank: model.rank, init: model, threads: 1 })
        if (!result.converged) return
        converged++
        expect(violation(rest, result.model)).toBeLessThan(1e-5)
      }),
      { numRuns: 150 },
    )
    expect(converged).toBeGreaterThan(100)
  })

  it.each(['accelerated', 'em'] as const)('from random starts: %s', async algorithm => {
    await fc.assert(
      fc.asyncProperty(
        tensors({ modes: { min: 2, max: 5 } }),
        fc.integer({ min: 2, max: 4 }),
        fc.nat(1000),
        async (tensor, rank, seed) => {
          fc.pre(rank <= tensor.cells)
          const result = await fit(tensor, { rank, seed, starts: 1, algorithm, maxPasses: 20_000, threads: 1 })
          if (result.converged) expect(violation(tensor, result.model)).toBeLessThan(1e-5)
        },
      ),
      { numRuns: 150 },
    )
  })
})
