import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketShift, fitsBuckets, sortBuckets } from './bucket-sort.ts'
import { random } from './philox.ts'
import { sortedOrder, sortKeyed, sortSteps } from './radix-sort.ts'

/** Whole numbers below a limit, many of them twice where there are few. */
const drawn = (count: number, limit: number, seed = 1): number[] => {
  const { below } = random(seed, 'data')
  return Array.from({ length: count }, () => below(limit))
}

/** Positions by key; equal keys stay in their order, as the language promises for `sort`. */
const stable = (keys: readonly number[]) => [...keys.keys()].sort((a, b) => keys[a] - keys[b])

/** Sorts keys by buckets, and puts the upper and the lower bits of each together again. */
const byBuckets = (keys: readonly number[], range: number, shift: number, weighted: boolean) => {
  const factor = 2 ** shift
  const upper = keys.map(key => Math.floor(key / factor))
  const low = Uint32Array.from(keys, (key, i) => key - upper[i] * factor)
  const values = weighted ? Float64Array.from(keys.keys()) : undefined
  const sorted = sortBuckets(Uint16Array.from(upper), low, values, shift)
  const bucketOf: number[] = []
  for (let bucket = 0; bucket + 1 < sorted.starts.length; bucket++)
    for (let i = sorted.starts[bucket]; i < sorted.starts[bucket + 1]; i++) bucketOf.push(bucket)
  expect(Math.max(...upper, 0)).toBeLessThan(Math.max(2 ** 11, range / 2 ** 32))
  expect(range).toBeLessThanOrEqual(2 ** 48)
  return { keys: [...sorted.low].map((each, i) => bucketOf[i] * factor + each), values: sorted.values }
}

describe('sorting by buckets', () => {
  // Fewer than are inserted one by one, more, and with lower parts of one, two and three digits.
  it.each([
    [0, 100],
    [1, 100],
    [7, 5],
    [40, 1000],
    [48, 1e6],
    [49, 1e6],
    [300, 50],
    [500, 2 ** 11],
    [1000, 2 ** 20],
    [1000, 2 ** 30],
    [1000, 2 ** 43],
    [3000, 2 ** 47],
  ])('%i keys below %d come in order, equal ones as they were', (count, range) => {
    const keys = drawn(count, range)
    const order = stable(keys)
    const shift = bucketShift(range, count)
    for (const weighted of [true, false]) {
      const sorted = byBuckets(keys, range, shift, weighted)
      expect(sorted.keys).toEqual(order.map(i => keys[i]))
      expect(sorted.values).toEqual(weighted ? Float64Array.from(order) : undefined)
    }
  })

  it('in many buckets too', () => {
    const keys = drawn(2000, 2 ** 17, 3)
    const order = stable(keys)
    // Two hundred full buckets of ten, and some that hold hundreds.
    for (const shift of [6, 9, 13]) {
      const sorted = byBuckets(keys, 2 ** 17, shift, true)
      expect(sorted.keys).toEqual(order.map(i => keys[i]))
      expect(sorted.values).toEqual(Float64Array.from(order))
    }
  })

  it('leaves to a bucket what its bits do not say: as few buckets as there need be, of about 16,384 keys', () => {
    expect(fitsBuckets(2 ** 48)).toBe(true)
    expect(fitsBuckets(2 ** 48 + 2 ** 10)).toBe(false)
    expect(bucketShift(2 ** 20, 100)).toBe(20)
    expect(bucketShift(2 ** 20, 2 ** 14)).toBe(20)
    expect(bucketShift(2 ** 20, 2 ** 15)).toBe(19)
    expect(bucketShift(2 ** 20, 2 ** 17)).toBe(17)
    expect(bucketShift(2 ** 20 + 1, 2 ** 17)).toBe(18)
    expect(bucketShift(2 ** 20, 2 ** 40)).toBe(9)
    expect(bucketShift(2, 2 ** 20)).toBe(0)
    expect(bucketShift(1, 1)).toBe(1)
    // Lower bits are kept in 32.
    expect(bucketShift(2 ** 40, 10)).toBe(32)
    expect(bucketShift(2 ** 43, 10)).toBe(32)
    expect(bucketShift(2 ** 48, 10)).toBe(32)
  })
})

describe('the order of rows by columns', () => {
  it('is that of a stable sort, missing ones first', () => {
    const column = (rows: number) => fc.array(fc.integer({ min: -1, max: 3 }), { minLength: rows, maxLength: rows })
    const columns = fc
      .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 3 }))
      .chain(([rows, modes]) => fc.array(column(rows), { minLength: modes, maxLength: modes }))
    fc.assert(
      fc.property(columns, lists => {
        const expected = [...lists[0].keys()].sort((a, b) => {
          for (const list of lists) if (list[a] !== list[b]) return list[a] - list[b]
          return a - b
        })
        const given = lists.map(list => ({ index: Int32Array.from(list), size: 4 }))
        expect([...sortedOrder(given)]).toEqual(expected)
      }),
    )
  })

  it.each([2 ** 16 - 2, 2 ** 16 - 1, 2 ** 16, 200_000])('with %i labels, which take one digit or two', size => {
    const list = [...drawn(50, size + 1, 2).map(key => key - 1), size - 1, 0, -1, size - 1]
    const steps = sortSteps([{ index: Int32Array.from(list), size }])
    let yields = 0
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        expect([...step.value]).toEqual(stable(list))
        break
      }
      yields++
      // 20 ns for a row.
      expect(step.value).toBe(20 * list.length)
    }
    expect(yields).toBe(size + 1 > 2 ** 16 ? 2 : 1)
  })
})

describe('sorting keys of two words', () => {
  it.each([1, 2, 8, 2 ** 11, 2 ** 11 + 1, 2 ** 22 + 5, 2 ** 32, 2 ** 32 + 1, 2 ** 40, 2 ** 52])('below %d', range => {
    const keys = drawn(200, range, 4)
    keys[3] = range - 1
    const order = stable(keys)
    const values = Float64Array.from(keys.keys())
    const words = {
      high: Uint32Array.from(keys, key => Math.floor(key / 2 ** 32)),
      low: Uint32Array.from(keys, key => key % 2 ** 32),
    }
    const sorted = sortKeyed({ ...words, values }, range)
    expect(Array.from(sorted.low, (low, i) => sorted.high[i] * 2 ** 32 + low)).toEqual(order.map(i => keys[i]))
    expect([...sorted.values]).toEqual(order)
    // The values given are left as they are.
    expect([...values]).toEqual([...keys.keys()])
  })
})
