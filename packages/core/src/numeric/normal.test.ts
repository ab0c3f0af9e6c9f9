import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalDensity, normalQuantile, normalTail, normalTailRatio } from './normal.ts'

// The numbers are those of mpmath 1.3 with 40 digits.
const TAILS: readonly (readonly [number, number])[] = [
  [-40, 1],
  [-5, 0.9999997133484281],
  [-1.5, 0.9331927987311419],
  [-0.67448975, 0.7499999999376898],
  [-0.3, 0.6179114221889527],
  [0, 0.5],
  [1e-9, 0.49999999960105773],
  [0.3, 0.3820885778110474],
  [0.6744, 0.2500285213729406],
  [0.675, 0.249837882471777],
  [1, 0.15865525393145705],
  [1.7, 0.04456546275854304],
  [2.5, 0.006209665325776135],
  [3.9, 0.000048096344017602736],
  [5.65, 8.022391850663497e-9],
  [5.66, 7.568649751997714e-9],
  [7, 1.279812543885835e-12],
  [9.3, 7.022284240441625e-21],
  [12.7, 2.95648536485205e-37],
  [20, 2.7536241186062337e-89],
  [26.1, 1.822897875755477e-150],
  [30.03, 1.992035863615295e-198],
  [36.9, 2.3105244811406173e-298],
]

it.each(TAILS)('P[Z > %d]', (z, expected) => {
  expect(Math.abs(normalTail(z) / expected - 1)).toBeLessThan(1e-15)
})

it('the tails have ends', () => {
  const { POSITIVE_INFINITY: infinite } = Number
  expect([infinite, 50, -50, -infinite].map(normalTail)).toEqual([0, 0, 1, 1])
  expect(normalTail(Number.NaN)).toBeNaN()
})

it.each([
  [0.7, 0.30913791910109306],
  [3, 0.12151394835556217],
  [5.7, 0.0680091908605887],
  [40, 0.00996733518830131],
  [1e6, 3.9894228040103374e-7],
])('P[Z > %d] / e^(−z²/2)', (z, expected) => {
  expect(Math.abs(normalTailRatio(z) / expected - 1)).toBeLessThan(1e-15)
})

it('the density is the slope of the tail', () => {
  for (const z of [-3, -0.6, 0, 0.1, 2, 6, 20]) {
    const slope = (normalTail(z - 1e-5) - normalTail(z + 1e-5)) / 2e-5
    expect(Math.abs(slope / normalDensity(z) - 1)).toBeLessThan(1e-6)
  }
})

it.each([
  [1e-300, -37.0470962993612],
  [1e-100, -21.273453560965326],
  [1e-20, -9.262340089798407],
  [1e-9, -5.9978070150076865],
  [1e-5, -4.264890793922825],
  [0.025, -1.9599639845400543],
  [0.075, -1.439531470938456],
  [0.0751, -1.43882539275254],
  [0.4999, -0.00025066283008800747],
  [0.6, 0.2533471031357997],
  [0.8, 0.8416212335729144],
  [0.93, 1.475791028179171],
  [0.999999, 4.753424308817087],
])('the quantile of %d', (p, expected) => {
  expect(Math.abs(normalQuantile(p) / expected - 1)).toBeLessThan(p > 0.99 ? 1e-11 : 2e-15)
})

it('quantiles have ends', () => {
  const { POSITIVE_INFINITY: infinite } = Number
  expect([0, 0.5, 1].map(normalQuantile)).toEqual([-infinite, 0, infinite])
  expect([-0.1, 1.1, Number.NaN].map(normalQuantile)).toEqual([Number.NaN, Number.NaN, Number.NaN])
})

it('the quantile of a tail is where it begins', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 37, noNaN: true }), z => {
      expect(Math.abs(normalQuantile(normalTail(z)) + z)).toBeLessThan(1e-14 * (1 + z))
    }),
  )
})
