import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensorFromCoordinates } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { randomTensor } from '../conformance.ts'
import { BLOCK_CELLS } from './context.ts'
import { type Lane, type Layout, layOut, NO_TABLE, type Plan } from './layout.ts'

/** Reads a lane back: for every cell the row of each column, and its value. */
const readLane = ({ words, starts, values }: Lane, { columns, depth }: Plan): string[] => {
  const row = (word: number) => word & 0x7fffffff
  const isLast = (word: number) => word >>> 31 === 1
  const cells: string[] = []
  const path = new Uint32Array(depth)
  let at = 0
  let level = 0
  for (let cell = 0; cell < values.length; cell++) {
    if (cell % BLOCK_CELLS === 0) {
      expect(starts[cell / BLOCK_CELLS]).toBe(at)
      expect(level).toBe(0)
    }
    for (; level < depth; level++) path[level] = words[at++]
    const leaf = [...words.subarray(at, at + columns.length - depth)]
    at += leaf.length
    cells.push([...[...path].map(row), ...leaf.map(row), values[cell]].join())
    if (!isLast(leaf[0])) continue
    for (level = depth - 1; level > 0 && isLast(path[level]); level--);
    // The root's last node ends the block.
    if (level === 0 && isLast(path[0])) expect((cell + 1) % BLOCK_CELLS === 0 || cell + 1 === values.length).toBe(true)
  }
  expect(at).toBe(words.length)
  return cells
}

/** The labels of the modes that a row of a table stands for. */
const labelsOf = (plan: Plan, lane: Lane, table: number, row: number): Map<number, number> => {
  const modes = plan.shape.length
  if (table === NO_TABLE) return new Map()
  if (table < modes) {
    const label = lane.labels[table]?.[row] ?? row
    return new Map([[table, label === plan.shape[table] ? MISSING : label]])
  }
  const { left, right, rows } = plan.pairs[table - modes]
  return new Map([...labelsOf(plan, lane, left, rows[2 * row]), ...labelsOf(plan, lane, right, rows[2 * row + 1])])
}

const cellsOf = ({ indices, values, cells }: Tensor): string[] =>
  Array.from({ length: cells }, (_, cell) => [...indices.map(index => index[cell]), values[cell]].join())

const lanesOf = ({ plan, lane }: Layout): Lane[] => Array.from({ length: plan.lanes }, (_, number) => lane(number))

const readBack = (tensor: Tensor): { cells: string[]; words: number; plan: Plan } => {
  const layout = layOut(tensor)
  const { plan } = layout
  let words = 0
  const cells = lanesOf(layout).flatMap(lane => {
    words += lane.words.length
    return readLane(lane, plan).map(text => {
      const numbers = text.split(',')
      const labels = new Map(plan.columns.flatMap((table, c) => [...labelsOf(plan, lane, table, Number(numbers[c]))]))
      return [...plan.shape.map((_, n) => labels.get(n)), numbers[numbers.length - 1]].join()
    })
  })
  return { cells, words, plan }
}

describe('the layout', () => {
  it('holds every cell of the tensor once, and takes no more words than a flat list', () => {
    const options = fc.record({
      shape: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 7 }),
      cells: fc.integer({ min: 1, max: 3000 }),
      seed: fc.integer({ min: 1, max: 100 }),
      missing: fc.constantFrom(0, 0.3),
    })
    fc.assert(
      fc.property(options, given => {
        const tensor = randomTensor(given)
        const { cells, words } = readBack(tensor)
        expect(cells.sort()).toEqual(cellsOf(tensor).sort())
        // One word per block is the root of a flat layout.
        expect(words).toBeLessThanOrEqual(tensor.cells * tensor.shape.length + Math.ceil(tensor.cells / BLOCK_CELLS))
      }),
      { numRuns: 100 },
    )
  })

  it('is written as the README draws it', () => {
    const text = ({ words }: Lane) =>
      [...words].map(word => `${word & 0x7fffffff}${word >>> 31 === 1 ? '*' : ''}`).join(' ')
    const cells = [
      [0, 0, 0],
      [0, 0, 1],
      [0, 0, 3],
      [0, 1, 2],
      [1, 0, 0],
      [1, 0, 3],
      [1, 1, 1],
    ]
    const tree = layOut(tensorFromCoordinates(cells, [5, 1, 2, 4, 1, 1, 7], { shape: [2, 2, 4] }))
    expect(text(tree.lane(0))).toBe('0 0 0 1 3* 1* 2* 1* 0 0 3* 1* 1*')
    const flat = layOut(
      tensorFromCoordinates([
        [0, 1],
        [1, 2],
        [2, 0],
      ]),
    )
    expect(text(flat.lane(0))).toBe('0* 0 1 1 2 2* 0')
  })

  it('does so on many lanes and with compacted modes', () => {
    for (const shape of [
      [400, 300],
      [100_000, 20],
      [30, 20, 10, 5],
    ]) {
      const tensor = randomTensor({ shape, cells: 70_000, missing: 0.01 })
      const { cells, plan } = readBack(tensor)
      expect(plan.lanes).toBeGreaterThan(1)
      expect(cells.sort()).toEqual(cellsOf(tensor).sort())
    }
  })

  it('is a tree where cells share prefixes, and flat where they do not', () => {
    expect(layOut(randomTensor({ shape: [30, 40, 50], cells: 20_000 })).plan.depth).toBe(2)
    const sparse = layOut(randomTensor({ shape: [3000, 3000, 3000], cells: 500 })).plan
    expect(sparse.columns[0]).toBe(NO_TABLE)
  })

  it('joins modes of few labels', () => {
    const { plan } = layOut(randomTensor({ shape: new Array(20).fill(2), cells: 60_000 }))
    expect(plan.columns.length).toBe(3)
    expect(Math.max(...plan.tableRows)).toBeLessThanOrEqual(256)
  })

  it('takes the cells of long fibres range by range where the table of the leaves is large', () => {
    const tensor = randomTensor({ shape: [9000, 8192], cells: 240_000 })
    // Every range begins each fibre anew, with one more word; within a range, leaves are of one range of labels.
    const layout = layOut(tensor)
    const nodes = lanesOf(layout).reduce((sum, lane) => sum + lane.words.length - lane.values.length, 0)
    expect(nodes).toBeGreaterThan(3 * 9000)
    expect(nodes).toBeLessThan(5 * 9000)
    const total = lanesOf(layout).reduce((sum, lane) => sum + lane.values.reduce((a, b) => a + b, 0), 0)
    expect(total).toBe(tensor.total)
  })

  it('puts a mode too wide for the caches at the root', () => {
    const { plan } = layOut(randomTensor({ shape: [50, 90_000, 40], cells: 50_000 }))
    expect(plan.columns.filter(table => table !== NO_TABLE)[0]).toBe(1)
  })
})
