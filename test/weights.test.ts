import { bivariateResiduals, chooseRank, evaluate, fit, residuals, standardErrors } from '@polyad/core'
import { completeCells, withoutModes, withTotal } from '@polyad/core/model'
import { random } from '@polyad/core/numeric'
import { prepareDesign } from '@polyad/core/stats'
import { openTable, readView, type TableOptions } from 'polyad/table'
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

const read = async (scale: number, options: TableOptions = {}, used = rows) => {
  const lines = used.map(({ fields, weight }) => [...fields, weight * scale].join(','))
  const text = `${[...MODES, 'school', 'region', 'w'].join(',')}\n${lines.join('\n')}\n`
  return readView(await openTable({ name: 'survey.csv', text }), { modes: MODES, weights: 'w', ...options })
}

/** Everything that is said of a fit. */
const figures = async (scale: number) => {
  const { tensor, squares, recipe } = await read(scale)
  const { tensor: sample } = await read(scale, { design })
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
    expect(plain.total).toBeCloseTo(rows.filter(({ weight }) => weight > 0).length, 10)
    for (const scale of [1e-3, 7, 1e6]) expectAlike(await figures(scale), plain, `times ${scale}:`)
  })

  it('give class sizes in the population that go with their scale, and nothing else does', async () => {
    const { tensor, population, rowWeights } = await read(1)
    const { model } = await fit(tensor, { rank: 2, starts: 3, threads: 1 })
    expect(population).toBeCloseTo(
      rows.reduce((sum, { weight }) => sum + weight, 0),
      8,
    )
    for (const scale of [1e-3, 7, 1e6]) {
      const scaled = await read(scale)
      expect(scaled.population! / population! / scale).toBeCloseTo(1, 12)
      expectAlike({ ...scaled.rowWeights, raw: 0 }, { ...rowWeights, raw: 0 }, `times ${scale}:`)
      const total = withTotal(model, scaled.population!)
      expect(total.sizes[0] / (model.shares[0] * population! * scale)).toBeCloseTo(1, 12)
      expectAlike(total.shares, model.shares, `times ${scale}:`)
    }
  })

  it('are said to be divided by their mean, where that changes them', async () => {
    const notes = async (scale: number) => (await read(scale)).notes.map(({ text }) => text).join('\n')
    const positive = rows.filter(({ weight }) => weight > 0)
    const mean = positive.reduce((sum, { weight }) => sum + weight, 0) / positive.length
    expect(await notes(1)).toContain(
      'w: weights are divided by their mean, so that they sum to the number of rows that are used',
    )
    expect(await notes(1)).toContain(`of 400 rows, ${400 - positive.length} with w = 0 count for nothing`)
    expect(await notes(1 / mean)).not.toContain('divided')
  })

  it.each([1e-200, 1e200])('have squares that are neither lost nor infinite: times %d', async scale => {
    const [plain, scaled] = await Promise.all([read(1), read(scale)])
    expect(scaled.squares!.cells).toBe(plain.squares!.cells)
    scaled.squares!.values.forEach((value, cell) => {
      expect(value / plain.squares!.values[cell]).toBeCloseTo(1, 12)
    })
  })

  it('are refused if they cannot be scaled', async () => {
    await expect(read(1e-320)).rejects.toThrow(/the weights sum to .*e-3\d\d, .*: multiply them all by a constant/)
    await expect(read(5e307)).rejects.toThrow(/the weights sum to Infinity, .*: divide them all by a constant/)
  })

  it('are rows however small they are', async () => {
    const unequal = [1, 1e-200].map((weight, i) => ({ ...rows[i], weight }))
    const { rowWeights, tensor, squares } = await read(1, {}, unequal)
    expect([...rowWeights!.counts]).toEqual([1, 1])
    expect(squares!.cells).toBe(tensor.cells)
  })

  /**
   * R 4.2, survey 4.1.1: svymean(~I(q1 == "yes") + I(q3 == "yes"), svydesign(ids = ~school, strata = ~region, weights = ~w)) on these rows, zeros
   * and all; svydesign on the rows of weight above zero gives 0.052224 and 0.036617.
   */
  const WITH_ZEROS = [0.05203289745331229, 0.03645453570432376]
  /** The same without strata; and with s1 and s2, of weight zero, a stratum of their own. */
  const UNSTRATIFIED = [0.05027310855607929, 0.03551056162196658]
  const EMPTY_STRATUM = [0.05692453866549097, 0.03761329213000148]

  const west = rows.map(row =>
    ['s1', 's2'].includes(row.fields[4]) ? { fields: [...row.fields.slice(0, 5), 'west'], weight: 0 } : row,
  )
  /** Clusters that are numbered anew in each stratum. */
  const numbered = rows.map(({ fields, weight }) => ({
    fields: [...fields.slice(0, 4), `${Number(fields[4].slice(1)) % 8}`, fields[5]],
    weight,
  }))

  it.each([
    ['a cluster', rows, design, WITH_ZEROS, { clusters: 16, strata: 2, degreesOfFreedom: 14 }, '1 of 16 clusters'],
    ['a cluster', numbered, design, WITH_ZEROS, { clusters: 16, strata: 2, degreesOfFreedom: 14 }, '1 of 16 clusters'],
    [
      'a cluster',
      rows,
      { cluster: 'school' },
      UNSTRATIFIED,
      { clusters: 16, strata: 1, degreesOfFreedom: 15 },
      '1 of 16 clusters',
    ],
    ['a stratum', west, design, EMPTY_STRATUM, { clusters: 16, strata: 3, degreesOfFreedom: 13 }, '3 of 16 clusters'],
  ] as const)('of zero leave %s in the design', async (_, used, asked, expected, size, note) => {
    const { tensor, design: drawn, notes } = await read(1, { design: asked }, [...used])
    expect(notes.map(({ text }) => text).join('\n')).toContain(`in ${note} every row has w = 0`)
    const sample = prepareDesign(tensor, drawn!)
    const answers = withoutModes(sample, Object.values(asked))
    expect(answers.total).toBeCloseTo(used.filter(({ weight }) => weight > 0).length, 8)
    const { model } = await fit(answers, { rank: 1 })
    const errors = await standardErrors(sample, model, { design: drawn! })
    expect(errors.factors![0][0][1]).toBeCloseTo(expected[0], 12)
    expect(errors.factors![2][0][1]).toBeCloseTo(expected[1], 12)
    expect(errors.design).toMatchObject(size)
  })

  it('count clusters in the design that have no complete rows', async () => {
    // R as above, with q2 missing in all of s3: svymean on subset(design, !is.na(q2)).
    const gaps = rows.map(({ fields: [q1, q2, ...rest], weight }) => ({
      fields: [q1, rest[2] === 's3' ? '' : q2, ...rest],
      weight,
    }))
    const { tensor, design: drawn } = await read(1, { design }, gaps)
    const complete = completeCells(tensor)
    const { model } = await fit(withoutModes(complete, ['school', 'region']), { rank: 1 })
    const { factors } = await standardErrors(prepareDesign(complete, drawn!), model, { design: drawn! })
    expect(factors![0][0][1]).toBeCloseTo(0.05351692295389089, 12)
    expect(factors![2][0][1]).toBeCloseTo(0.03777799439876739, 12)
  })

  it('of zero are not counts of zero: such rows were never seen', async () => {
    const counted = await read(1, { design, weights: undefined, count: 'w' } as never)
    expect(counted.design).toEqual({ ...design, sizes: { north: 7, south: 8 } })
  })
})
