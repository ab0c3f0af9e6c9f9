import { expect, test } from 'vitest'
import { tensorFromRows } from './rows.ts'
import { shipTensor, unshipTensor } from './ship-tensor.ts'

test('a tensor is the same after a journey as plain data, with shared memory and without', () => {
  const rows = [
    { age: 'old', size: 3 },
    { age: 'young', size: 1 },
    { age: null, size: 3 },
  ]
  const tensor = tensorFromRows(rows, { modes: ['age', 'size'] })
  for (const shared of [false, true]) {
    const shipped = shipTensor(tensor, shared)
    expect(shipped.values.buffer instanceof SharedArrayBuffer).toBe(shared)
    const arrived = unshipTensor(shared ? shipped : structuredClone(shipped))
    expect(arrived.modes.map(mode => [mode.name, mode.labels, mode.size, mode.ordered])).toEqual(
      tensor.modes.map(mode => [mode.name, mode.labels, mode.size, mode.ordered]),
    )
    expect(arrived.modes[0].indexOf('young')).toBe(tensor.modes[0].indexOf('young'))
    expect([...arrived.values]).toEqual([...tensor.values])
    expect(arrived.indices.map(index => [...index])).toEqual(tensor.indices.map(index => [...index]))
    expect([arrived.cells, arrived.total, arrived.shape, arrived.missing]).toEqual([
      tensor.cells,
      tensor.total,
      tensor.shape,
      tensor.missing,
    ])
  }
})
