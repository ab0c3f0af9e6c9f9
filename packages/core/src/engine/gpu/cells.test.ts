import { describe, expect, it } from 'vitest'
import { MISSING } from '../../tensor/mode.ts'
import { randomTensor } from '../random-tensor.ts'
import { type CellPlan, orderBy, planByCells, planByMode, writeRecords } from './cells.ts'

/** How much of the data every row has, summed as the card does: segment by segment, then the labels of several segments. */
const sumsOf = (plan: CellPlan, valueAt: (mode: number, from: number, at: number) => number): Float64Array => {
  const sums = new Float64Array(plan.rows.count + plan.extra)
  const written = new Set<number>()
  for (const { mode, from, segments } of plan.chunks)
    for (let s = 0; s < segments.length; s += 4) {
      const [first, cells, , into] = segments.subarray(s, s + 4)
      expect(written.has(into)).toBe(false)
      written.add(into)
      for (let i = 0; i < cells; i++) sums[into] += valueAt(mode, from, first + i)
    }
  for (let h = 0; h < plan.heavy.length; h += 4) {
    const [row, first, count] = plan.heavy.subarray(h, h + 3)
    for (let i = 0; i < count; i++) sums[row] += sums[first + i]
  }
  return sums
}

const tensor = randomTensor({ shape: [40, 3, 700], cells: 5000, missing: 0.1, real: true })

describe('the plan of the cells', () => {
  it.each([1e9, 1700, 100])('has every cell once in every mode, in chunks of at most %i', most => {
    for (const byMode of [true, false]) {
      const plan = byMode ? planByMode(tensor, most) : planByCells(tensor, most)
      const orders = new Map<string, Uint32Array>()
      const cellAt = (mode: number, from: number, at: number): number => {
        const key = byMode ? `${mode}` : `${mode} ${from}`
        const part = byMode ? tensor.indices[mode] : tensor.indices[mode].subarray(from, from + most)
        if (!orders.has(key)) orders.set(key, orderBy(part, tensor.shape[mode]))
        return byMode ? orders.get(key)![from + at] : from + orders.get(key)![at]
      }
      const sums = sumsOf(plan, (mode, from, at) => tensor.values[cellAt(mode, from, at)])
      tensor.shape.forEach((labels, n) => {
        for (let label = 0; label < labels; label++)
          expect(sums[plan.rows.first[n] + label]).toBeCloseTo(tensor.marginals[n][label], 9)
      })
      // What lacks the first label is summed too.
      const all = sums.subarray(0, tensor.shape[0] + 1).reduce((sum, value) => sum + value, 0)
      expect(all).toBeCloseTo(tensor.total, 7)
      expect(plan.chunks.every(({ cells }) => cells <= most)).toBe(true)
    }
  })

  it('writes the rows of all other labels, and the value', () => {
    const { rows } = planByMode(tensor, 1e9)
    const order = orderBy(tensor.indices[2], 700)
    const words = writeRecords(tensor, rows, { from: 10, cells: 50, without: 2, order })
    const values = new Float32Array(words.buffer)
    for (let i = 0; i < 50; i++) {
      const cell = order[10 + i]
      const rowOf = (n: number) => {
        const label = tensor.indices[n][cell]
        return label === MISSING ? rows.missing[n] : rows.first[n] + label
      }
      expect([...words.subarray(3 * i, 3 * i + 2)]).toEqual([rowOf(0), rowOf(1)])
      expect(values[3 * i + 2]).toBe(Math.fround(tensor.values[cell]))
    }
  })
})
