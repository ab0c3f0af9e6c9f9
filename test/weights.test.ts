import {
  bivariateResiduals,
  chooseRank,
  evaluate,
  fit,
  random,
  residuals,
  standardErrors,
  withoutModes,
} from '@polyad/core'
import { openTable, readView } from 'polyad/table'
import { describe, expect, it } from 'vitest'

/** Sampling weights say how much a row counts against the others: multiplied by anything, they must say the same. */

const { uniform } = random(12, 'data')
const rows = Array.from({ length: 400 }, (_, i) => {
  const school = i % 16
  const k = uniform() < 0.3 + 0.4 * (school % 2) ? 0 : 1
  const answers = [0.9, 0.85, 0.8, 0.7].map(p => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no'))
  // Some rows weigh nothing, and a whole cluster does.
  const weight = i % 40 === 7 || school === 5 ? 0 : 0.2 + 3 * uniform()
  return { fields: [...answers, `s${school}`, school < 8 ? 'north' : 'south'], weight }
})

const MODES = ['q1', 'q2', 'q3', 'q4']
const design = { cluster: 'school', stratum: 'region' }

const read = async (scale: number, include: readonly string[] = [], used = rows) => {
  const lines = used.map(({ fields, weight }) => [...fields, weight * scale].join(','))
  const text = `${[...MODES, 'school', 'region', 'w'].join(',')}\n${lines.join('\n')}\n`
  return readView(await openTable({ name: 'survey.csv', text }), { modes: MODES, include, weights: 'w' })
}

/** Everything that is said of a fit. */
const figures = async (scale: number) => {
  const { tensor, squares, recipe } = await read(scale)
  const { tensor: sample } = await read(scale, ['school', 'region'])
  const { fits } = await chooseRank(tensor, { from: 2, to: 2, starts: 4, threads: 1 })
  const [{ heldOut, result }] = fits
  return {
    ...{ total: tensor.total, recipe, heldOut, shares: result.model.shares },
    evaluation: await evaluate(tensor, result.model),
    residuals: residuals(tensor, result.model),
    pairs: bivariateResiduals(tensor, result.model),
    weighted: await standardErrors(tensor, result.model, { squares: squares!.values }),
    clustered: await standardErrors(sample, result.model, { design }),
  }
}

/** The same but for what a fit leaves open: where passes end, and rounding. */
const expectAlike = (found: unknown, expected: unknown, where: string): void => {
  if (typeof expected === 'number') {
    const difference = Math.abs((found as number) - expected)
    if (!(difference <= 1e-4 * Math.max(0.1, Math.abs(expected)))) expect(found, where).toBe(expected)
  } else if (typeof expected !== 'object' || expected === null) expect(found, where).toBe(expected)
  else {
    const entries = Object.entries(found as object)
    expect(entries.length, where).toBe(Object.keys(expected).length)
    for (const [key, value] of entries) expectAlike(value, expected[key as keyof typeof expected], `${where} ${key}`)
  }
}

describe('sampling weights', () => {
  it('give the same figures on any scale', async () => {
    const plain = await figures(1)
    expect(plain.total).toBe(rows.filter(({ weight }) => weight > 0).length)
    for (const scale of [1e-3, 7, 1e6]) expectAlike(await figures(scale), plain, `times ${scale}:`)
  })

  it('are said to be divided by their mean, where that changes them', async () => {
    const notes = async (scale: number) => (await read(scale)).notes.map(({ text }) => text).join('\n')
    const positive = rows.filter(({ weight }) => weight > 0)
    const mean = positive.reduce((sum, { weight }) => sum + weight, 0) / positive.length
    expect(await notes(1)).toContain(
      `the weights in w are divided by their mean, ${Number(mean.toPrecision(4))}, so that they sum to ${positive.length}`,
    )
    expect(await notes(1)).toContain(`of 400 rows, ${400 - positive.length} with w = 0 count for nothing`)
    expect(await notes(1 / mean)).not.toContain('divided')
  })

  it('of zero leave a cluster out of the design, as if it had not been there', async () => {
    const { tensor } = await read(1)
    const { model } = await fit(tensor, { rank: 2, threads: 1 })
    const [all, fewer] = await Promise.all(
      [rows, rows.filter(({ weight }) => weight > 0)].map(async used => {
        const { tensor: sample } = await read(1, ['school', 'region'], used)
        expect(withoutModes(sample, ['school', 'region']).total).toBe(tensor.total)
        return standardErrors(sample, model, { design })
      }),
    )
    expect(all.design).toMatchObject({ clusters: 15, strata: 2, degreesOfFreedom: 13 })
    expect(all.design).toEqual(fewer.design)
    expect(all.shares).toEqual(fewer.shares)
  })
})
