import { describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../../test/tables.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { fit } from '../../fit/fit.ts'
import { Model } from '../../model/model.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { CRITERIA, criteria } from './criteria.ts'
import { evaluate } from './evaluate.ts'

describe('evaluate', () => {
  it('is finite for tables whose expectations are below the smallest double', async () => {
    const columns = Array.from({ length: 2600 }, (_, n) =>
      Array.from({ length: 40 }, (_, i) => ((i * (n + 3)) % 7) % 2),
    )
    const tensor = tensorFromColumns(columns, undefined, { shape: columns.map(() => 2) })
    const { gSquared, pValue, degreesOfFreedom } = await evaluate(tensor, principalComponent(tensor))
    expect(Number.isFinite(gSquared)).toBe(true)
    expect(gSquared).toBeGreaterThan(0)
    expect(degreesOfFreedom).toBe(Number.POSITIVE_INFINITY)
    expect(pValue).toBeUndefined()
  })

  it('has no G² where entries are missing, and no p without degrees of freedom', async () => {
    const missing = tensorFromRows([
      ['a', 'x'],
      ['b', null],
      ['a', 'y'],
    ])
    expect((await evaluate(missing, principalComponent(missing))).gSquared).toBeUndefined()
    const single = tensorFromRows([['a'], ['b']])
    expect(await evaluate(single, principalComponent(single))).toMatchObject({ degreesOfFreedom: 0, pValue: undefined })
  })

  it('leaves out the divergence where entries are missing: it would measure nothing', async () => {
    const columns = [
      [0, 1, 0, 1],
      [0, 1, -1, -1],
    ]
    const tensor = tensorFromColumns(columns, [30, 30, 30, 30])
    const found = await evaluate(tensor, principalComponent(tensor))
    expect(found).toMatchObject({ divergence: undefined, gSquared: undefined, chiSquared: undefined })
    const complete = tensorFromColumns(
      [
        [0, 1],
        [0, 1],
      ],
      [30, 30],
    )
    expect((await evaluate(complete, principalComponent(complete))).divergence).toBeCloseTo(60 * Math.LN2, 9)
  })

  it('says nothing of the certainty where a cell is impossible', async () => {
    const tensor = tensorFromColumns(
      [
        [0, 1, 2],
        [0, 1, 0],
      ],
      [50, 50, 1],
    )
    const factors = [Float64Array.of(0.5, 0.6, 0.5, 0.4, 0, 0), Float64Array.of(0.5, 0.4, 0.5, 0.6)]
    const model = new Model(tensor.modes, { rank: 2, sizes: Float64Array.of(50, 51), factors })
    for (const engine of [referenceEngine, wasmEngine()]) {
      const session = await engine.open(tensor)
      const found = await evaluate(session, model)
      expect(found).toMatchObject({ logLikelihood: -Infinity, relativeEntropy: undefined, icl: Infinity })
      await session.close()
    }
    await expect(evaluate(tensor, {} as never)).rejects.toThrow('model must be a Model')
  })

  it('marks a p that means nothing by one rule', async () => {
    const [sparse, dense] = [3, 40].map(count =>
      tensorFromColumns(
        [
          [0, 0, 1, 1],
          [0, 1, 0, 1],
        ],
        [count, count + 1, count + 2, count],
      ),
    )
    expect((await evaluate(sparse, principalComponent(sparse))).sparse).toBe(true)
    expect((await evaluate(dense, principalComponent(dense))).sparse).toBe(false)
  })

  it('has the criteria of the published fit of carcinoma, by their definitions', async () => {
    const { model } = await fit(carcinoma, { rank: 3, threads: 1 })
    const found = await evaluate(carcinoma, model)
    const [deviance, parameters, n] = [2 * 293.704979, 23, 118]
    const entropy = (1 - 0.925665) * n * Math.log(3)
    expect(found.entropy).toBeCloseTo(entropy, 2)
    expect(found.aic3).toBeCloseTo(deviance + 3 * parameters, 4)
    expect(found.icl).toBeCloseTo(697.1357 + 2 * entropy, 2)
    expect(found.awe).toBeCloseTo(deviance + 2 * entropy + 2 * parameters * (1.5 + Math.log(n)), 2)
    expect(found.smallestClass).toBeCloseTo(0.181708, 5)
    expect(
      CRITERIA.map(({ key }) => key)
        .filter(key => key !== 'heldOut')
        .sort(),
    ).toEqual(Object.keys(criteria(-1, 1, 1)).sort())
  })

  it('criteria do not reward parameters in data that sums to less than one', () => {
    expect(criteria(-1, 10, 0.01).bic).toBeGreaterThanOrEqual(criteria(-1, 5, 0.01).bic)
  })
})
