import { describe, expect, it } from 'vitest'
import { carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { fit } from '../../fit/fit.ts'
import { drawTensor, drawValues } from '../../model/draws.ts'
import { random } from '../../numeric/philox.ts'
import { buildTensor } from '../../tensor/build.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { standardErrors } from '../errors/standard-errors.ts'
import { bootstrap } from './bootstrap.ts'
import { replicatesForIntervals } from './spreads.ts'

const { model } = await fit(values, { rank: 2, threads: 1 })

describe('a replicate', () => {
  it('drawn from a model has as many observations, and as many without each entry', () => {
    const columns = [
      [0, 1, 0, MISSING, 1],
      [0, 1, MISSING, 0, 1],
      [0, 1, 1, MISSING, 0],
    ]
    const tensor = tensorFromColumns(columns, [40, 30, 20, 10, 5], { shape: [2, 2, 2] })
    const parameters = {
      rank: 1,
      shares: Float64Array.of(1),
      factors: tensor.shape.map(() => Float64Array.of(0.3, 0.7)),
    }
    const drawn = drawTensor(tensor, parameters, random(1, 'replicate', 3))
    expect(drawn.total).toBe(105)
    const patterns = (of: typeof tensor) => {
      const counts = new Map<string, number>()
      for (let cell = 0; cell < of.cells; cell++) {
        const pattern = of.indices.map(column => (column[cell] === MISSING ? '·' : 'x')).join('')
        counts.set(pattern, (counts.get(pattern) ?? 0) + of.values[cell])
      }
      return Object.fromEntries([...counts].sort())
    }
    expect(patterns(drawn)).toEqual(patterns(tensor))
    expect(drawn.values).not.toEqual(tensor.values)
    expect(drawTensor(tensor, parameters, random(1, 'replicate', 3)).values).toEqual(drawn.values)
  })

  it('drawn from the observations is made of cells that were seen', () => {
    const drawn = drawValues(gss82, random(1, 'resample', 0))
    expect(drawn.reduce((sum, value) => sum + value, 0)).toBe(1202)
    const z = (drawn[0] - gss82.values[0]) / Math.sqrt(gss82.values[0] * (1 - gss82.values[0] / 1202))
    expect(Math.abs(z)).toBeLessThan(4)
  })
})

describe('bootstrap', () => {
  it.each(['parametric', 'nonparametric'] as const)('%s: the same bits on one thread and on two', async kind => {
    const [one, two] = await Promise.all(
      [1, 2].map(threads => bootstrap(values, model, { replicates: 60, kind, seed: 3, threads })),
    )
    expect(two).toEqual(one)
    expect(one).toMatchObject({ kind, replicates: 60, converged: 60, stopped: false })
  })

  it('gives intervals about the estimates, as wide as the standard errors that are published', async () => {
    // From the empirical information: .05614 for the shares, .03930 and .04895 for the first two modes in the first class.
    const { shares, profiles } = await bootstrap(values, model, { replicates: 400, threads: 1 })
    expect(shares[0].standardError).toBeGreaterThan(0.04)
    expect(shares[0].standardError).toBeLessThan(0.075)
    expect(shares[0].standardError).toBeCloseTo(shares[1].standardError, 9)
    expect(profiles[0][0][0].standardError).toBeCloseTo(0.0393, 1.5)
    expect(profiles[1][0][0].standardError).toBeCloseTo(0.04895, 1.5)
    model.shares.forEach((share, k) => {
      expect(shares[k].interval?.[0]).toBeLessThan(share)
      expect(shares[k].interval?.[1]).toBeGreaterThan(share)
    })
    for (const [n, mode] of profiles.entries()) {
      for (const [k, labels] of mode.entries()) {
        const [yes, no] = labels.map(({ interval }) => interval as readonly [number, number])
        expect(yes[0]).toBeCloseTo(1 - no[1], 9)
        expect(yes[0]).toBeLessThanOrEqual(model.profile(n, k)[0] + 0.02)
        expect(yes[1]).toBeGreaterThanOrEqual(model.profile(n, k)[0] - 0.02)
      }
    }
  })

  it('accepts a model that fits, with a p-value not far from that of χ², and rejects one that does not', async () => {
    const { gSquared, chiSquared, cressieRead, pairs } = await bootstrap(values, model, { replicates: 199, threads: 1 })
    // G² 2.71992 with 6 degrees of freedom: p 0.843.
    expect(gSquared?.statistic).toBeCloseTo(2.71992, 4)
    for (const test of [gSquared, chiSquared, cressieRead]) {
      expect(test?.pValue).toBeGreaterThan(0.7)
      expect(test?.pValue).toBeLessThan(0.97)
    }
    expect(pairs).toHaveLength(6)
    for (const { pValue } of pairs) expect(pValue).toBeGreaterThan(0.01)
    const poor = await fit(gss82, { rank: 2, threads: 1 })
    const rejected = await bootstrap(gss82, poor.model, { replicates: 99, starts: 1, threads: 1 })
    expect(rejected.gSquared?.pValue).toBe(0.01)
    expect(rejected.pairs[0].pValue).toBeLessThanOrEqual(0.02)
  })

  it('tests nothing by replicates of the observations', async () => {
    const found = await bootstrap(values, model, { replicates: 20, kind: 'nonparametric', threads: 1 })
    expect(found).toMatchObject({ gSquared: undefined, chiSquared: undefined, cressieRead: undefined, pairs: [] })
  })

  it.each([
    [0.95, 39],
    [0.9, 19],
    [0.5, 3],
  ])('has an interval of %f from %i replicates on', async (confidence, fewest) => {
    expect(replicatesForIntervals(confidence)).toBe(fewest)
    const drawn = (replicates: number) => bootstrap(values, model, { replicates, confidence, starts: 0, threads: 1 })
    const [enough, few] = [await drawn(fewest), await drawn(fewest - 1)]
    expect(enough.shares[0].interval).toHaveLength(2)
    expect([few.shares[0].interval, few.profiles[0][0][0].interval]).toEqual([undefined, undefined])
    expect(few.shares[0].standardError).toBeGreaterThan(0)
  })

  it('takes a statistic of the model, whose classes keep their order', async () => {
    const { statistic, shares } = await bootstrap(values, model, {
      replicates: 40,
      threads: 1,
      statistic: each => each.shares[1],
    })
    expect(statistic?.standardError).toBeCloseTo(shares[1].standardError, 9)
  })

  it('keeps what is missing, has no G² there, but the pairs', async () => {
    const rows = model
      .sample(300, { seed: 5 })
      .rows.map((row, i) => row.map((label, n) => ((i + n) % 7 === 0 ? null : label)))
    const tensor = tensorFromRows(rows)
    const fitted = await fit(tensor, { rank: 2, threads: 1 })
    const found = await bootstrap(tensor, fitted.model, { replicates: 30, threads: 1 })
    expect(found).toMatchObject({ gSquared: undefined, replicates: 30 })
    expect(found.pairs).toHaveLength(6)
    expect(found.shares[0].standardError).toBeGreaterThan(0)
  })

  it('works on any engine that can open other data, and on a session', async () => {
    const plain = await bootstrap(values, model, { replicates: 5, starts: 1, engine: referenceEngine })
    const session = await wasmEngine({ threads: 1 }).open(values)
    const fast = await bootstrap(session, model, { replicates: 5, starts: 1 })
    await session.close()
    expect(plain.gSquared?.pValue).toBe(fast.gSquared?.pValue)
    expect(plain.shares[0].standardError).toBeCloseTo(fast.shares[0].standardError, 5)
  })

  it.each([1, 2])('keeps what there is when it is stopped, on %i threads', async threads => {
    const controller = new AbortController()
    const found = await bootstrap(carcinoma, (await fit(carcinoma, { rank: 3, threads: 1 })).model, {
      replicates: 100_000,
      threads,
      signal: controller.signal,
      onReplicate: ({ done }) => {
        if (done === 60) controller.abort()
      },
    })
    expect(found.stopped).toBe(true)
    expect(found.replicates).toBeGreaterThanOrEqual(50)
    expect(found.replicates).toBeLessThan(200)
  })

  it.each([
    ['no replicates', { replicates: 0 }, 'replicates must be a whole number from 1'],
    ['a kind nobody knows', { kind: 'wild' }, 'kind must be one of parametric, nonparametric'],
    ['a confidence of 95', { confidence: 95 }, 'confidence must be a number between 0 and 1'],
    ['a statistic that is none', { statistic: 3 }, 'statistic must be a function of a model'],
    ['a width yet to be chosen', { smoothing: 'auto' }, 'smoothing must be a width'],
    ['an option nobody knows', { nrep: 3 }, 'bootstrap has no option'],
  ])('refuses %s', async (_, options, message) => {
    await expect(bootstrap(values, model, { threads: 1, ...options } as never)).rejects.toThrow(message)
  })

  it('refuses values that are no counts, and says which', async () => {
    const tensor = buildTensor(
      values.modes,
      values.indices,
      values.values.map((value, i) => (i === 2 ? 0.5 : value)),
    )
    await expect(bootstrap(tensor, model, { threads: 1 })).rejects.toThrow('whole numbers (cell 3 has 0.5)')
  })

  it('fits replicates under the constraints of the model, whose errors it then agrees with', async () => {
    const [a, b] = values.modes.map(({ name }) => name)
    const equal = [1, 2].map(of => [
      { mode: a, class: of },
      { mode: b, class: of },
    ])
    const constraints = { equal }
    const { model: tied } = await fit(values, { rank: 2, threads: 1, constraints })
    const found = await bootstrap(values, tied, { replicates: 200, threads: 1, constraints, seed: 3 })
    const errors = await standardErrors(values, tied, { constraints, kind: 'observed' })
    const alone = await bootstrap(values, tied, { replicates: 200, threads: 1, seed: 3 })
    for (const k of [0, 1]) {
      expect(found.profiles[0][k]).toEqual(found.profiles[1][k])
      const [drawn, known] = [found.profiles[0][k][0].standardError, errors.factors![0][k][0]!]
      expect(Math.abs(drawn / known - 1)).toBeLessThan(0.25)
      expect(drawn).toBeLessThan(alone.profiles[0][k][0].standardError)
    }
    // What is tied needs no more than its own replicates to be rejected: the items differ.
    expect(found.gSquared!.pValue).toBeLessThan(0.05)
  })
})
