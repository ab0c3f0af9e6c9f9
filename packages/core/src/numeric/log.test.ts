import fc from 'fast-check'
import { expect, test } from 'vitest'
import { log } from './log.ts'

/** Numbers with 200 bits after the point. */
const BITS = 200n
const ONE = 1n << BITS

const atanh = (s: bigint): bigint => {
  const square = (s * s) >> BITS
  let sum = 0n
  for (let power = s, odd = 1n; power !== 0n; power = (power * square) >> BITS, odd += 2n) sum += power / odd
  return sum
}

const LN2 = 2n * atanh(ONE / 3n)

/** The logarithm to 190 bits: the number's own bits taken apart, the series of atanh in whole numbers. */
const exactLog = (x: number): bigint => {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const exponent = (bits >> 52n) - 1023n
  const fraction = ((bits & ((1n << 52n) - 1n)) | (1n << 52n)) << (BITS - 52n)
  return exponent * LN2 + 2n * atanh(((fraction - ONE) << BITS) / (fraction + ONE))
}

/** How far `log(x)` is from the truth, in units of the last place of the truth. */
const error = (x: number): number => {
  const exact = exactLog(x)
  const magnitude = exact < 0n ? -exact : exact
  const bits = BigInt(magnitude.toString(2).length)
  const unit = bits > 53n ? 1n << (bits - 53n) : 1n
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, Math.abs(log(x)))
  const got = view.getBigUint64(0)
  const shift = (got >> 52n) - 1023n - 52n + BITS
  const significand = (got & ((1n << 52n) - 1n)) | (1n << 52n)
  const value = shift >= 0n ? significand << shift : significand >> -shift
  const distance = value > magnitude ? value - magnitude : magnitude - value
  return Number((distance * 1000n) / unit) / 1000
}

test('the exact logarithm of this test agrees with a known value', () => {
  expect(Number(exactLog(10) >> (BITS - 60n)) / 2 ** 60).toBe(Math.LN10)
})

test('the error is below one unit in the last place over the normal range', () => {
  const normal = fc.double({ min: 2 ** -1022, max: Number.MAX_VALUE, noNaN: true }).filter(x => x !== 1)
  fc.assert(
    fc.property(normal, x => error(x) < 1),
    { numRuns: 2000 },
  )
})

test('the error is below one unit in the last place near 1, where the logarithm is small', () => {
  const near = fc.tuple(fc.integer({ min: 1, max: 52 }), fc.double({ min: -1, max: 1, noNaN: true }))
  const points = near.map(([bits, part]) => 1 + part * 2 ** -bits).filter(x => x !== 1)
  fc.assert(
    fc.property(points, x => error(x) < 1),
    { numRuns: 2000 },
  )
})

test('the ends of the range are those of a logarithm', () => {
  expect(log(0)).toBe(Number.NEGATIVE_INFINITY)
  expect(log(-0)).toBe(Number.NEGATIVE_INFINITY)
  expect(log(1)).toBe(0)
  expect(Object.is(log(1), 0)).toBe(true)
  expect(log(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  expect(log(-1)).toBeNaN()
  expect(log(Number.NEGATIVE_INFINITY)).toBeNaN()
  expect(log(Number.NaN)).toBeNaN()
})

test('a number below the normal range loses nothing', () => {
  for (const x of [5e-324, 1e-320, 2 ** -1023]) expect(Math.abs(log(x) - Math.log(x))).toBeLessThan(2e-13)
})
