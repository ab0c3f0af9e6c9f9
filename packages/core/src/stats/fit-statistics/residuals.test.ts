import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensorsWithStart } from '../../../../../test/arbitrary.ts'
import { gss82, hairEyeColor } from '../../../../../test/tables.ts'
import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { fit } from '../../fit/fit.ts'
import { fitByCells } from '../../model/misfit.ts'
import type { Model } from '../../model/model.ts'
import { atOnce } from '../../numeric/interruptible.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { evaluate } from './evaluate.ts'
import { fitByCellsWithin } from './goodness.ts'
import { Largest } from './residual-lists.ts'
import { bivariateResiduals, residuals, residualsWithin } from './residuals.ts'

/** Every combination of labels. */
const places = (shape: readonly number[]): number[][] =>
  shape.reduce<number[][]>(
    (all, size) => all.flatMap(some => Array.from({ length: size }, (_, j) => [...some, j])),
    [[]],
  )

/** X² of two modes as its definition says it: the model's expectation summed over all other modes. */
const naivePair = (tensor: Tensor, model: Model, a: number, b: number): number => {
  const { shape, indices, values, cells } = tensor
  const both = Array.from({ length: cells }, (_, cell) => cell).filter(
    cell => indices[a][cell] !== MISSING && indices[b][cell] !== MISSING,
  )
  const total = both.reduce((sum, cell) => sum + values[cell], 0)
  if (total === 0) return 0
  let statistic = 0
  for (let i = 0; i < shape[a]; i++) {
    for (let j = 0; j < shape[b]; j++) {
      const observed = both
        .filter(cell => indices[a][cell] === i && indices[b][cell] === j)
        .reduce((sum, cell) => sum + values[cell], 0)
      const expected =
        total *
        places(shape)
          .filter(place => place[a] === i && place[b] === j)
          .reduce((sum, place) => sum + model.probability(place), 0)
      statistic += (observed - expected) ** 2 / expected
    }
  }
  return statistic
}

describe('the residuals of cells', () => {
  it('have squares that sum to X² over the whole table, seen and unseen', async () => {
    const { model } = await fit(gss82, { rank: 2, threads: 1 })
    const all = residuals(gss82, model, { limit: 36 })
    expect(all).toHaveLength(36)
    expect(all.filter(({ observed }) => observed === 0)).toHaveLength(3)
    const { chiSquared } = await evaluate(gss82, model)
    expect(all.reduce((sum, { residual }) => sum + residual ** 2, 0)).toBeCloseTo(chiSquared as number, 6)
    expect(all.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(gss82.total, 6)
    expect(residuals(gss82, model, { limit: 5 })).toEqual(all.slice(0, 5))
  })

  it('come largest first, with labels', () => {
    const [first] = residuals(hairEyeColor, principalComponent(hairEyeColor))
    expect(first.labels).toEqual(['Blond', 'Blue', 'female'])
    expect(first.residual).toBeCloseTo((first.observed - first.expected) / Math.sqrt(first.expected), 12)
  })

  it('leave out what lacks something, and cells never seen of a huge table', () => {
    const columns = [
      [0, 1, 0, MISSING],
      [0, 1, 1, 0],
      [0, 1, 0, 1],
    ]
    const small = tensorFromColumns(columns, [5, 6, 7, 100], { shape: [2, 2, 2] })
    const found = residuals(small, principalComponent(small), { limit: 100 })
    expect(found).toHaveLength(8)
    expect(found.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(18, 9)
    const huge = tensorFromColumns(columns, [5, 6, 7, 100], { shape: [200, 200, 200] })
    expect(residuals(huge, principalComponent(huge), { limit: 100 })).toHaveLength(3)
  })

  it('refuse what they cannot use', () => {
    const model = principalComponent(gss82)
    expect(() => residuals(gss82, model, { limit: -1 })).toThrow('limit must be a whole number ≥ 0')
    expect(() => residuals(gss82, model, { limt: 1 } as never)).toThrow('residuals has no option "limt"')
    expect(() => residuals(gss82, {} as never)).toThrow('model must be a Model')
    expect(() => residuals(hairEyeColor, model)).toThrow('must have the same modes: only the data has "hair"')
    expect(() => bivariateResiduals({ data: { shape: [2] }, pass: () => {} } as never, model)).toThrow('in memory')
  })
})

describe('cells with the largest residuals', () => {
  const cell = (residual: number) => ({ labels: [], observed: 0, expected: 0, residual })

  it('are those of all that were seen, in either direction, however many (property)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 500 }), fc.nat(12), (drawn, limit) => {
        const largest = new Largest(limit)
        for (const residual of drawn) if (largest.takes(residual)) largest.add(cell(residual))
        const sizes = drawn
          .map(Math.abs)
          .filter(size => size > 0)
          .sort((a, b) => b - a)
        expect(largest.list().map(({ residual }) => Math.abs(residual))).toEqual(sizes.slice(0, limit))
      }),
      { numRuns: 60 },
    )
  })

  it('are not asked for any more once they cannot be among them', () => {
    const largest = new Largest(2)
    expect([largest.takes(0), largest.takes(0.1), new Largest(0).takes(9)]).toEqual([false, true, false])
    for (let i = 1; i <= 108; i++) largest.add(cell(i))
    expect([largest.takes(107), largest.takes(-107.5)]).toEqual([false, true])
  })
})

describe('the residuals of cells and pairs together', () => {
  it('are those of each, within a time limit or without', async () => {
    const model = principalComponent(gss82)
    const { cells, pairs } = await residualsWithin(gss82, model, { limit: 7 })
    expect(cells).toEqual(residuals(gss82, model, { limit: 7 }))
    expect(pairs).toEqual(bivariateResiduals(gss82, model))
    expect(pairs).toHaveLength(6)
    expect((await residualsWithin(gss82, model)).cells).toHaveLength(20)
    const sizes = pairs.map(({ residual }) => residual)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    await expect(residualsWithin(gss82, model, { limit: -1 })).rejects.toThrow(
      'limit must be a whole number ≥ 0 (got -1)',
    )
    await expect(residualsWithin(gss82, model, { limt: 1 } as never)).rejects.toThrow(
      'residualsWithin has no option "limt"',
    )
    const far = { data: { shape: [2] }, pass: () => {} } as never
    await expect(residualsWithin(far, model)).rejects.toThrow(
      /^residualsWithin needs .*in memory.*which this session does not have$/,
    )
    expect(() => residuals(far, model)).toThrow(/^residuals needs/)
    expect(() => bivariateResiduals(far, model)).toThrow(/^bivariateResiduals needs/)
  })
})

describe('the residuals of pairs', () => {
  it('are those of the two-way tables (property), whatever is missing', () => {
    fc.assert(
      fc.property(tensorsWithStart({ modes: { min: 2, max: 4 } }), ([tensor, model]) => {
        const names = tensor.modes.map(({ name }) => name)
        for (const { modes, chiSquared, degreesOfFreedom, residual } of bivariateResiduals(tensor, model)) {
          const [a, b] = modes.map(name => names.indexOf(name))
          expect(degreesOfFreedom).toBe((tensor.shape[a] - 1) * (tensor.shape[b] - 1))
          const expected = naivePair(tensor, model, a, b)
          expect(Math.abs(chiSquared - expected)).toBeLessThanOrEqual(1e-9 * (tensor.total + expected))
          expect(residual).toBe(chiSquared / degreesOfFreedom)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('are the same where two modes have too many labels for a table of all combinations', () => {
    const draw = (n: number, size: number) => Array.from({ length: 300 }, (_, i) => (i * (7 + 4 * n) + n) % size)
    const columns = [draw(0, 13), draw(1, 11)]
    columns[0][5] = MISSING
    const tight = tensorFromColumns(columns, undefined, { shape: [13, 11] })
    const wide = tensorFromColumns(columns, undefined, { shape: [1300, 1100] })
    const [one] = bivariateResiduals(tight, principalComponent(tight))
    const [other] = bivariateResiduals(wide, principalComponent(wide))
    expect(other.chiSquared).toBeCloseTo(one.chiSquared, 8)
    expect(other.degreesOfFreedom).toBe(1299 * 1099)
  })

  it('have nothing to say of a mode with one label', () => {
    const tensor = tensorFromColumns(
      [
        [0, 1],
        [0, 0],
      ],
      [3, 4],
    )
    expect(bivariateResiduals(tensor, principalComponent(tensor))).toEqual([])
  })
})

describe('Cressie and Read', () => {
  const scanned = (...scan: Parameters<typeof fitByCells>) => atOnce(fitByCells(...scan))

  it('is the power divergence at ⅔ (property), and lies near G² and X² where they are near each other', async () => {
    fc.assert(
      fc.property(tensorsWithStart({ missing: false }), ([tensor, model]) => {
        let sum = 0
        for (let cell = 0; cell < tensor.cells; cell++) {
          const y = tensor.values[cell]
          const m =
            tensor.total * model.probability(tensor.indices.map((column, n) => tensor.modes[n].label(column[cell])))
          sum += y * ((y / m) ** (2 / 3) - 1)
        }
        const expected = 1.8 * sum
        expect(Math.abs(scanned(tensor, model.parameters).cressieRead - expected)).toBeLessThan(
          1e-9 * (tensor.total + expected),
        )
      }),
      { numRuns: 40 },
    )
    const { gSquared, chiSquared, cressieRead: between } = await evaluate(gss82, principalComponent(gss82))
    expect(between).toBeGreaterThan(gSquared as number)
    expect(between).toBeLessThan(chiSquared as number)
  })

  it('is left out if there is not enough time for it, and has the same bits if there is', async () => {
    const rows = Int32Array.from({ length: 250_000 }, (_, i) => i)
    const large = tensorFromColumns([rows.map(i => i % 500), rows.map(i => i / 500), rows.map(i => (i * i) % 3)])
    const { parameters } = principalComponent(large)
    const { signal } = new AbortController()
    expect(await fitByCellsWithin(large, parameters, AbortSignal.abort())).toBeUndefined()
    expect(await fitByCellsWithin(large, parameters, signal)).toEqual(scanned(large, parameters))
    // A small table takes no time.
    const small = principalComponent(gss82).parameters
    expect(await fitByCellsWithin(gss82, small, AbortSignal.abort())).toEqual(scanned(gss82, small))
  })
})
