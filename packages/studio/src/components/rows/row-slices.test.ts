import { expect, it } from 'vitest'
import type { RowPage } from '../../worker/protocol.ts'
import { RowSlices } from './row-slices.ts'

const pageOf = (from: number, count: number, found: number): RowPage => ({
  columns: ['a'],
  found,
  rows: Array.from({ length: Math.max(0, Math.min(count, found - from)) }, (_, i) => ({
    row: from + i,
    values: ['x'],
    posterior: [1],
    class: 0,
    logLikelihood: -1,
  })),
})

/** A worker that answers when it is told to. */
const slowly = (found: number) => {
  const asked: number[] = []
  const waiting: (() => void)[] = []
  const ask = (from: number, count: number) => {
    asked.push(from)
    return new Promise<RowPage>(resolve => waiting.push(() => resolve(pageOf(from, count, found))))
  }
  const answer = async () => {
    waiting.shift()?.()
    // What waits for the answer goes on.
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  return { asked, ask, answer }
}

it('asks for the slices in view, one at a time, and leaves out what was scrolled past', async () => {
  const { asked, ask, answer } = slowly(100_000)
  let told = 0
  const slices = new RowSlices(ask, () => told++)
  slices.want(0, 40)
  slices.want(5000, 5040)
  slices.want(90_080, 90_120)
  expect(asked).toEqual([0])
  await answer()
  expect(slices.found).toBe(100_000)
  expect(slices.row(39)?.row).toBe(39)
  await answer()
  await answer()
  expect(asked).toEqual([0, 90_000, 90_100])
  expect(slices.row(90_119)?.row).toBe(90_119)
  expect(slices.row(5000)).toBeUndefined()
  expect(told).toBe(3)
  // What is here is not asked for again.
  slices.want(0, 40)
  expect(asked).toHaveLength(3)
})

it('forgets rows that nobody looks at, and tells what went wrong once', async () => {
  const slices = new RowSlices(
    async (from, count) => pageOf(from, count, 1e6),
    () => {},
  )
  for (let i = 0; i < 150; i++) {
    slices.want(i * 100, i * 100 + 1)
    for (let j = 0; j < 5; j++) await Promise.resolve()
  }
  expect(slices.row(0)).toBeUndefined()
  expect(slices.row(14_900)?.row).toBe(14_900)
  let told = 0
  const broken = new RowSlices(
    () => Promise.reject(new Error('no table is open')),
    () => told++,
  )
  broken.want(0, 40)
  for (let j = 0; j < 5; j++) await Promise.resolve()
  broken.want(0, 40)
  expect([broken.failure, told]).toEqual(['no table is open', 1])
})
