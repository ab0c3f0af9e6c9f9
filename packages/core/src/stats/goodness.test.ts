import { describe, expect, it } from 'vitest'
import { principalComponent } from '../fit/closed-form/principal-component.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { tensorFromRows } from '../tensor/rows.ts'
import { criteria } from './criteria.ts'
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
    const missing = tensorFromRows([['a', 'x'], ['b', null], ['a', 'y']]) // biome-ignore format: a table
    expect((await evaluate(missing, principalComponent(missing))).gSquared).toBeUndefined()
    const single = tensorFromRows([['a'], ['b']])
    expect(await evaluate(single, principalComponent(single))).toMatchObject({ degreesOfFreedom: 0, pValue: undefined })
  })

  it('criteria do not reward parameters in data that sums to less than one', () => {
    expect(criteria(-1, 10, 0.01).bic).toBeGreaterThanOrEqual(criteria(-1, 5, 0.01).bic)
  })
})
