import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fit } from '../../fit/fit.ts'
import { count, type Items, normal, ordinal } from '../../model/items/choices.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { evaluate } from './evaluate.ts'

/** 500 rows of two classes: four scales, three counts, and two numbers and an answer that are missing at times. */
const rows = (() => {
  // Park and Miller's generator: other programs can draw the same data.
  let state = 4321
  const uniform = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  const bell = () => uniform() + uniform() + uniform() + uniform() - 2
  const rounded = (value: number) => Math.round(value * 100) / 100
  return Array.from({ length: 500 }, () => {
    const k = uniform() < 0.4 ? 1 : 0
    const scales = [0, 1, 2, 3].map(() => Math.min(3, Math.max(0, Math.round(1.2 + 1.2 * k + 1.6 * bell()))))
    const counts = [1 + 5 * k, 4 - 3 * k, 2 + 2 * k].map(mean => Math.floor(-Math.log(uniform()) * mean))
    const answers = [rounded(10 + 3 * k + (1 + k) * 2 * bell()), rounded(5 - k + 2.5 * bell())]
    const kind = uniform() < (k === 1 ? 0.8 : 0.3) ? 'a' : 'b'
    return { scales, counts, mixed: [...answers, kind].map(value => (uniform() < 0.1 ? null : value)) }
  })
})()

const fitted = async (
  data: readonly (readonly (string | number | null)[])[],
  items: readonly Items[string][],
  rank = 2,
) => {
  const modes = data[0].map((_, n) => `v${n}`)
  const named = Object.fromEntries(items.map((item, n) => [`v${n}`, item]))
  const tensor = tensorFromRows(data as never, { modes })
  const found = await fit(tensor, { rank, items: named, starts: 8, threads: 1, tolerance: 1e-13, stationarity: 1e-8 })
  const { logDensity } = await evaluate(tensor, found.model)
  return { ...found, logDensity, of: (n: number) => found.model.itemParameters(`v${n}`).map(({ value }) => value) }
}

const closeTo = (values: readonly number[], digits: number) => values.map(value => expect.closeTo(value, digits))

/** The other programs run on the same rows in bench/items/peers.py. */
describe('fits of numbers, scales and counts, beside other programs', () => {
  it('have the optimum of EM in numpy of four scales', async () => {
    const { logLikelihood, model } = await fitted(
      rows.map(({ scales }) => scales),
      [0, 1, 2, 3].map(() => ordinal()),
    )
    expect(logLikelihood / -2594.547827659973).toBeCloseTo(1, 8)
    expect(model.shares).toEqual(closeTo([0.57700588, 0.42299412], 3))
  })

  it('have the rates of flexmix', async () => {
    const { logLikelihood, model, of } = await fitted(
      rows.map(({ counts }) => counts),
      [0, 1, 2].map(() => count()),
    )
    expect(logLikelihood).toBeCloseTo(-3890.6266808, 5)
    expect(model.shares).toEqual(closeTo([0.7175601, 0.2824399], 5))
    expect([of(0), of(1), of(2)]).toEqual([
      closeTo([0.6414821, 8.19890411], 4),
      closeTo([3.1719828, 0.53077442], 4),
      closeTo([1.712788, 5.49841403], 4),
    ])
  })

  it('have the means, variances and probabilities of StepMix, of categories and numbers with missing values', async () => {
    const { logDensity, model, of } = await fitted(
      rows.map(({ mixed }) => mixed),
      [0, 1].map(() => normal({ step: 0.01 })),
    )
    expect(logDensity! / -2128.7318856405013).toBeCloseTo(1, 6)
    expect(model.shares).toEqual(closeTo([0.57469536, 0.42530464], 4))
    expect(of(0)).toEqual(closeTo([9.98768215, 13.28889582, Math.sqrt(1.38982861), Math.sqrt(5.57558475)], 3))
    expect(of(1)).toEqual(closeTo([4.95982105, 3.93373477, Math.sqrt(2.12792507), Math.sqrt(1.87382004)], 3))
    expect(model.profile('v2', 0)[model.modes[2].indexOf('a')!]).toBeCloseTo(0.31311532, 3)
  })

  it('have the log-likelihood and class sizes of mclust of Fisher’s irises, measured to 0.1 cm', async () => {
    const [, ...lines] = readFileSync(new URL('../../../../polyad/data/iris.csv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    const flowers = lines.map(line => line.split(',').slice(0, 4).map(Number))
    const of = (variances: 'free' | 'equal') =>
      fitted(
        flowers,
        [0, 1, 2, 3].map(() => normal({ step: 0.1, variances })),
        3,
      )
    // EEI: −361.4255. Of VVI it is −307.1776 from mclust and from GaussianMixture with 50 starts, at another optimum, which is lower.
    const equal = await of('equal')
    expect(equal.logDensity! / -361.4255).toBeCloseTo(1, 4)
    expect(equal.model.shares).toEqual(closeTo([0.366, 0.333, 0.301], 3))
    const free = await of('free')
    expect(free.logDensity!).toBeGreaterThan(-307.1776)
    expect(Math.abs(free.logDensity! / -307.1776 - 1)).toBeLessThan(0.001)
  })
})
