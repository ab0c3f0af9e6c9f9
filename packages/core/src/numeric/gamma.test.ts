import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digamma, log1p, logGap, poissonDeviance, stirlingRest } from './gamma.ts'
import { log } from './log.ts'
import { logGammaBy } from './log-gamma.ts'
import { logGamma } from './special.ts'

const expectClose = (value: number, expected: number, part = 2e-14) =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(part * Math.abs(expected))

// The numbers are those of mpmath 1.3 with 40 digits.
it.each([
  [1e-6, 5.9888309840731795],
  [0.3, 0.2360649007482156],
  [1, 0.08106146679532726],
  [4, 0.020790672103765093],
  [14.5, 0.0057462165130101155],
  [15, 0.005554733551962801],
  [27, 0.0030862786826087773],
  [1000, 0.00008333333055555635],
  [100000000, 8.333333333333334e-10],
])('log %d! beyond its approximation', (x, expected) => {
  expectClose(stirlingRest(x), expected, x < 15 ? 2e-12 : 2e-15)
})

it.each([
  [1e-6, -1000000.5772140201],
  [0.01, -100.56088545786868],
  [0.5, -1.9635100260214235],
  [1, -0.5772156649015329],
  [3.7, 1.1671535393615113],
  [14.9, 2.6674289762160424],
  [15, 2.6743466616607936],
  [200, 5.295815283219912],
  [10000000000, 23.025850929890456],
])('ψ(%d)', (x, expected) => {
  expectClose(digamma(x), expected)
})

it.each([
  [-0.9, 1.402585092994046],
  [-0.21, 0.02572233352106987],
  [-0.19, 0.020721031315652602],
  [-0.001, 5.003335835335002e-7],
  [1e-10, 4.999999999666667e-21],
  [1e-5, 4.9999666669166655e-11],
  [0.1, 0.00468982019567514],
  [0.199, 0.01751212395462281],
  [0.201, 0.017845456902153514],
  [3, 1.6137056388801094],
  [1000000, 999986.184488442],
])('%d less the logarithm of 1 more', (t, expected) => {
  expectClose(logGap(t), expected)
})

it.each([
  [1, 1e-10, 22.025850930040455],
  [3, 2, 0.21639532432449315],
  [5, 100, 80.02133863223004],
  [100, 101, 0.004966914683191715],
  [100000, 99000, 5.033585350144119],
  [100000000, 100000005, 1.249999958333335e-7],
  [7, 7.1, 0.0007075550563049696],
])('the deviance of %d from %d', (x, mean, expected) => {
  expectClose(poissonDeviance(x, mean), expected)
})

it('log Γ is the same with either logarithm, but for rounding', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-8, max: 1e8, noNaN: true }), x => {
      expect(Math.abs(logGammaBy(x, log) - logGamma(x))).toBeLessThanOrEqual(1e-13 * Math.max(1, Math.abs(logGamma(x))))
    }),
  )
})

it('has ends', () => {
  const { POSITIVE_INFINITY: infinite } = Number
  expect([digamma(0), digamma(-1), poissonDeviance(0, 3), logGap(0)]).toEqual([-infinite, Number.NaN, 3, 0])
})

it('what is left of the logarithm agrees with the logarithm', () => {
  fc.assert(
    fc.property(fc.double({ min: -0.99, max: 50, noNaN: true }), t => {
      expect(Math.abs(t - logGap(t) - Math.log1p(t))).toBeLessThan(1e-15 * Math.max(1, Math.abs(t)) * 4)
      expect(Math.abs(log1p(t) - Math.log1p(t))).toBeLessThanOrEqual(
        1e-15 * Math.max(Math.abs(t), Math.abs(Math.log1p(t))) * 4,
      )
    }),
  )
})
