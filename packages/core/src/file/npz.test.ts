import { expect, it } from 'vitest'
import { readNpz, writeNpz } from './npz.ts'
import { writeZip } from './zip.ts'

it('an archive has its arrays by name, and what is none as text', () => {
  const arrays = new Map([
    ['a', { shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) }],
    ['b', { shape: [1], data: Float64Array.of(-0.5) }],
  ])
  const bytes = writeNpz(arrays)
  expect(writeNpz(arrays)).toEqual(bytes)
  const read = readNpz(bytes)
  expect([...read.keys()]).toEqual(['a', 'b'])
  expect(read.get('a')?.shape).toEqual([2, 2])
  expect([...read.get('a')!.data]).toEqual([1, 2, 3, 4])
  expect([...read.get('b')!.data]).toEqual([-0.5])
  const text = readNpz(writeZip(new Map([['readme', new TextEncoder().encode('grüß')]])))
  expect(text).toEqual(new Map([['readme', { shape: [], data: ['grüß'] }]]))
  const broken = writeZip(new Map([['c.npy', new TextEncoder().encode('no array')]]))
  expect(() => readNpz(broken, undefined, 'x.npz')).toThrow(/x\.npz, c\.npy/)
})
