import { describe, expect, it } from 'vitest'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { randomStart } from '../../model/random.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { covariateData } from './design.ts'
import { Descent } from './point.ts'

const rows = Array.from({ length: 60 }, (_, i) => ({ a: i % 2, b: (i * 7) % 3, x: (i * i) % 11 }))
const { tensor, design } = covariateData(tensorFromRows(rows), { covariates: ['x'] })
const start = randomStart(tensor.shape.slice(0, -1), 2, 1, 0)

describe('a point of a run with covariates', () => {
  it('is no model where coefficients have left all bounds: no step ends there', async () => {
    const descent = new Descent(await wasmEngine({ threads: 1 }).open(tensor), design, 2)
    const point = descent.newPoint()
    for (const beyond of [Number.NaN, Number.POSITIVE_INFINITY, -1e13]) {
      descent.begin(point, start)
      point.at[1] = beyond
      await descent.evaluate(point)
      expect(point.loss).toBe(Number.POSITIVE_INFINITY)
    }
    descent.begin(point, start)
    point.at[1] = -1e6
    await descent.evaluate(point)
    expect(Number.isFinite(point.loss)).toBe(true)
  })

  it('gives back the model that it began at, with coefficients that sum to zero over the classes', async () => {
    const descent = new Descent(await wasmEngine({ threads: 1 }).open(tensor), design, 2)
    const point = descent.newPoint()
    descent.begin(point, { ...start, coefficients: Float64Array.of(0.3, 1.3, -2, 1) })
    await descent.evaluate(point)
    const { coefficients, shares } = descent.model(point)
    const expected = [-0.5, 0.5, -1.5, 1.5]
    coefficients.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12)
    })
    expect(shares[0] + shares[1]).toBeCloseTo(1, 12)
  })

  it('begins without coefficients at memberships that are the shares', async () => {
    const descent = new Descent(await wasmEngine({ threads: 1 }).open(tensor), design, 2)
    const point = descent.newPoint()
    descent.begin(point, { ...start, shares: Float64Array.of(0.8, 0.2) })
    await descent.evaluate(point)
    expect(descent.model(point).shares[0]).toBeCloseTo(0.8, 12)
  })
})
