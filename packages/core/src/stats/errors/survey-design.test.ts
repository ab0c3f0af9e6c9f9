import { beforeAll, describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { OptionError } from '../../errors.ts'
import { fit } from '../../fit/fit.ts'
import type { Model } from '../../model/model.ts'
import { random } from '../../numeric/philox.ts'
import { studentQuantile } from '../../numeric/special.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { standardErrors } from './standard-errors.ts'
import { prepareDesign, type SurveyDesign } from './survey-design.ts'

/** Every observation of a table by itself, `copies` of it in a cluster of its own; the cluster is the last mode. */
const oneByOne = (tensor: Tensor, copies: number): Tensor => {
  const cells = [...tensor.values].flatMap((y, cell) => new Array<number>(y).fill(cell))
  return tensorFromColumns(
    [...tensor.indices.map(column => cells.map(cell => column[cell])), cells.map((_, i) => i)],
    cells.map(() => copies),
    { modes: [...tensor.modes.map(({ name }) => name), 'person'] },
  )
}

/** Answers by school and region. */
const schools = tensorFromRows(
  [
    { region: 'north', school: 'a', answer: 'yes', n: 8 },
    { region: 'north', school: 'a', answer: 'no', n: 2 },
    { region: 'north', school: 'b', answer: 'yes', n: 3 },
    { region: 'north', school: 'b', answer: 'no', n: 9 },
    { region: 'north', school: 'c', answer: 'no', n: 6 },
    { region: 'south', school: 'd', answer: 'yes', n: 5 },
    { region: 'south', school: 'd', answer: 'no', n: 5 },
    { region: 'south', school: 'e', answer: 'yes', n: 11 },
    { region: 'south', school: 'e', answer: 'no', n: 1 },
  ],
  { modes: ['school', 'answer', 'region'], count: 'n' },
)

describe('standard errors under a design', () => {
  let model = {} as Model
  beforeAll(async () => {
    model = (await fit(values, { rank: 2, threads: 1 })).model
  })

  it('are those of the sandwich where every cluster is one observation', async () => {
    const errors = await standardErrors(oneByOne(values, 1), model, { design: { cluster: 'person' } })
    const plain = await standardErrors(values, model, { kind: 'sandwich' })
    expect(errors).toMatchObject({ kind: 'sandwich', reason: undefined })
    expect(errors.design).toMatchObject({ clusters: 216, strata: 1, degreesOfFreedom: 215 })
    errors.covariance!.forEach((value, i) => {
      expect(value).toBeCloseTo((plain.covariance![i] * 216) / 215, 7)
    })
  })

  it('have no limit to the number of clusters', async () => {
    const { uniform } = random(3, 'data')
    const rows = Array.from({ length: 6000 }, () => {
      const yes = uniform() < 0.4 ? 0.8 : 0.25
      return Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, uniform() < yes ? 1 : 0]))
    })
    const table = tensorFromRows(rows)
    const { model: own } = await fit(table, { rank: 2, threads: 1 })
    const errors = await standardErrors(oneByOne(table, 1), own, { design: { cluster: 'person' } })
    const plain = await standardErrors(table, own, { kind: 'sandwich' })
    expect(errors.design).toMatchObject({ clusters: 6000, strata: 1 })
    errors.covariance!.forEach((value, i) => {
      expect(value).toBeCloseTo((plain.covariance![i] * 6000) / 5999, 9)
    })
  })

  it('see that copies are no observations', async () => {
    const once = await standardErrors(oneByOne(values, 1), model, { design: { cluster: 'person' } })
    const five = await standardErrors(oneByOne(values, 5), model, { design: { cluster: 'person' } })
    five.shares!.forEach((error, k) => {
      expect(error).toBeCloseTo(once.shares![k]!, 10)
      expect(five.design!.effects.shares[k]).toBeCloseTo(5 * once.design!.effects.shares[k]!, 8)
    })
  })

  it.each([
    ['clusters', { cluster: 'school' }, [[0, 1, 2, 3, 4]]],
    [
      'clusters within strata',
      { cluster: 'school', stratum: 'region' },
      [
        [0, 1, 2],
        [3, 4],
      ],
    ],
  ] as const)('are those of a proportion in a sample of %s', async (_, design, strata) => {
    const answers = withoutModes(schools, ['school', 'region'])
    const { model: one } = await fit(answers, { rank: 1 })
    const data = 'stratum' in design ? schools : withoutModes(schools, ['region'])
    const errors = await standardErrors(data, one, { design })
    const [no, yes] = [
      [2, 9, 6, 5, 1],
      [8, 3, 0, 5, 11],
    ]
    const p = 27 / 50
    expect(one.profile('answer', 0)[1]).toBeCloseTo(p, 12)
    let variance = 0
    for (const stratum of strata) {
      const residuals = stratum.map(c => yes[c] - p * (yes[c] + no[c]))
      const mean = residuals.reduce((sum, z) => sum + z, 0) / stratum.length
      for (const z of residuals) variance += ((z - mean) ** 2 * stratum.length) / (stratum.length - 1) / 50 ** 2
    }
    expect(errors.factors![0][0][1]).toBeCloseTo(Math.sqrt(variance), 12)
    expect(errors.design!.degreesOfFreedom).toBe(5 - strata.length)
    expect(errors.design!.effects.factors[0][0][1]).toBeCloseTo(variance / ((p * (1 - p)) / 50), 10)
    // Few clusters: the interval uses Student's t.
    const [, high] = errors.intervals!.factors[0][0][1]!
    const reach = (studentQuantile(0.95, 5 - strata.length) * Math.sqrt(variance)) / (p * (1 - p))
    expect(Math.log(high / (1 - high)) - Math.log(p / (1 - p))).toBeCloseTo(reach, 8)
    const session = await referenceEngine.open(data)
    const plain = await standardErrors(session, one, { design })
    expect(plain.factors![0][0][1]).toBeCloseTo(Math.sqrt(variance), 12)
    await session.close()
  })

  // numpy: sqrt(sum over strata of n·var(z, ddof=1)) / 50, z the totals of yes − 0.54 per cluster with zeros appended up to n clusters.
  it.each([
    [{ cluster: 'school', sizes: 8 }, 0.15112288282813333, 7],
    [{ cluster: 'school', stratum: 'region', sizes: { north: 5, south: 2 } }, 0.15056267797830908, 5],
    // A stratum without any observations has a sum of zero, and takes none of the degrees of freedom of the others.
    [{ cluster: 'school', stratum: 'region', sizes: { north: 3, south: 4, west: 2 } }, 0.15147347402543235, 6],
  ] as const)(
    'count clusters without observations if the design says so: %o',
    async (design, error, degreesOfFreedom) => {
      const { model: one } = await fit(withoutModes(schools, ['school', 'region']), { rank: 1 })
      const data = 'stratum' in design ? schools : withoutModes(schools, ['region'])
      const errors = await standardErrors(prepareDesign(data, design), one, { design })
      expect(errors.factors![0][0][1]).toBeCloseTo(error, 12)
      expect(errors.design).toMatchObject({ degreesOfFreedom })
      expect(errors.design!.clusters! - errors.design!.strata!).toBe(degreesOfFreedom)
    },
  )

  it('refuse sizes that the data contradicts, or that are none', async () => {
    const { model: one } = await fit(withoutModes(schools, ['school', 'region']), { rank: 1 })
    const refused = (sizes: unknown, stratum: string | undefined = 'region') => {
      const design = { cluster: 'school', ...(stratum !== '' && { stratum }), sizes } as SurveyDesign
      expect(() => prepareDesign(schools, design)).toThrow(OptionError)
      const data = stratum === '' ? withoutModes(schools, ['region']) : schools
      return expect(standardErrors(data, one, { design })).rejects
    }
    await refused({ north: 3, south: 1 }).toThrow(
      'sizes is 1 for stratum "south", fewer than the clusters in the data (2)',
    )
    await refused({ north: 3 }).toThrow('sizes is 0 for stratum "south", fewer than the clusters in the data (2)')
    await refused(4, '').toThrow('sizes is 4, fewer than the clusters in the data (5)')
    await refused({ north: 3.5, south: 2 }).toThrow('sizes must be whole numbers of clusters (got 3.5)')
    await refused(5).toThrow('sizes must give the number of clusters of every stratum (got 5)')
    await refused({ north: 3 }, '').toThrow('sizes must be the number of clusters, because the design has no strata')
    const lone = { cluster: 'school', stratum: 'region', sizes: { north: 3, south: 2, west: 1 } }
    expect(() => prepareDesign(schools, lone)).toThrow('stratum "west" has one cluster')
  })

  it('refuse a design that the data does not have', async () => {
    const { model: one } = await fit(withoutModes(schools, ['school', 'region']), { rank: 1 })
    const refused = (data: Tensor, options: object) => expect(standardErrors(data, one, options as never)).rejects
    await refused(schools, { design: { cluster: 'town' } }).toThrow(
      /there is no mode "town": the modes are school, answer/,
    )
    await refused(schools, { design: { cluster: 'school' }, kind: 'observed' }).toThrow(
      /kind must be 'sandwich' with a design/,
    )
    await refused(schools, { design: { clusters: 'school' } }).toThrow(/design has no option "clusters"/)
    await refused(schools, { design: { cluster: 'region', stratum: 'school' } }).toThrow(
      /a cluster must be in one stratum, and "north" is in "a" and "b"/,
    )
    const { model: both } = await fit(withoutModes(schools, ['school']), { rank: 1 })
    await expect(standardErrors(schools, both, { design: { cluster: 'school', stratum: 'region' } })).rejects.toThrow(
      /the data without its design and the model must have the same modes: only the model has "region"/,
    )
    const lone = tensorFromColumns(
      [
        [0, 1, 2, 2],
        [0, 1, 1, 0],
        [0, 0, 1, 1],
      ],
      [5, 4, 3, 2],
      { modes: ['school', { name: 'answer', labels: ['no', 'yes'] }, 'region'] },
    )
    await refused(lone, { design: { cluster: 'school', stratum: 'region' } }).toThrow(/stratum "1" has one cluster/)
    const gap = tensorFromColumns(
      [
        [0, 1, -1],
        [0, 1, 1],
      ],
      [5, 4, 3],
      { modes: ['school', 'answer'] },
    )
    await refused(gap, { design: { cluster: 'school' } }).toThrow(/mode "school" is missing in some cells/)
  })
})

describe('a design whose clusters are numbered within strata', () => {
  const numbered = tensorFromRows(
    [...schools.values].map((n, cell) => {
      const [school, answer, region] = schools.modes.map((mode, m) => mode.label(schools.indices[m][cell]))
      return { region, school: { a: 1, b: 2, c: 3, d: 1, e: 2 }[school as string], answer, n }
    }),
    { modes: ['school', 'answer', 'region'], count: 'n' },
  )
  const design = { cluster: 'school', stratum: 'region' }

  it('gets names of their own for them, and the same standard errors', async () => {
    const { model } = await fit(withoutModes(schools, ['school', 'region']), { rank: 1 })
    const prepared = prepareDesign(numbered, design)
    expect(prepared.modes[0].labels).toEqual(['north / 1', 'north / 2', 'north / 3', 'south / 1', 'south / 2'])
    const [own, named] = await Promise.all([prepared, schools].map(data => standardErrors(data, model, { design })))
    expect(own.factors).toEqual(named.factors)
    expect(own.design).toEqual(named.design)
    // Where they have names of their own already, nothing changes.
    expect(prepareDesign(schools, design)).toBe(schools)
  })

  it('is refused before a fit where it cannot be used', () => {
    expect(() => prepareDesign(schools, { cluster: 'school', stratum: 'school' })).toThrow(/must be different modes/)
    expect(() => prepareDesign(schools, { cluster: 'region', stratum: 'school' })).toThrow(
      /stratum "a" has one cluster/,
    )
    const gap = tensorFromColumns(
      [
        [0, 1, -1],
        [0, 1, 1],
      ],
      [5, 4, 3],
      { modes: ['school', 'answer'] },
    )
    expect(() => prepareDesign(gap, { cluster: 'school' })).toThrow(/mode "school" is missing in some cells/)
  })
})

describe('standard errors of weighted observations', () => {
  /** Every observation by itself, with a weight. */
  const cells = [...values.values].flatMap((y, cell) => new Array<number>(y).fill(cell))
  const weights = cells.map((_, i) => 0.5 + ((i * 7) % 11) / 6)
  const columns = values.indices.map(column => cells.map(cell => column[cell]))
  const modes = values.modes.map(({ name }) => name)
  const weighted = (times: number) => {
    const of = (power: number) =>
      tensorFromColumns(
        columns,
        weights.map(w => (times * w) ** power),
        { modes },
      )
    return { tensor: of(1), squares: of(2).values }
  }

  it('are those of a design in which every observation is a cluster', async () => {
    const { tensor, squares } = weighted(1)
    const { model } = await fit(tensor, { rank: 2, threads: 1 })
    const errors = await standardErrors(tensor, model, { squares })
    expect(errors).toMatchObject({
      kind: 'sandwich',
      design: { clusters: undefined, strata: undefined, degreesOfFreedom: undefined },
    })
    const people = tensorFromColumns([...columns, cells.map((_, i) => i)], weights, { modes: [...modes, 'person'] })
    const { covariance, design } = await standardErrors(people, model, { design: { cluster: 'person' } })
    errors.covariance!.forEach((value, i) => {
      expect(value).toBeCloseTo((covariance![i] * 215) / 216, 7)
    })
    errors.design!.effects.shares.forEach((effect, k) => {
      expect(effect).toBeCloseTo((design!.effects.shares[k]! * 215) / 216, 6)
    })
  })

  it.each([1e-3, 7, 1e6])(
    'do not change with the scale of the weights, nor do design effects: times %d',
    async times => {
      const [one, other] = [weighted(1), weighted(times)]
      const { model } = await fit(one.tensor, { rank: 2, threads: 1 })
      const observations = cells.length
      const [plain, scaled] = await Promise.all(
        [one, other].map(({ tensor, squares }) => standardErrors(tensor, model, { squares, observations })),
      )
      scaled.shares!.forEach((error, k) => {
        expect(error).toBeCloseTo(plain.shares![k]!, 10)
        expect(scaled.design!.effects.shares[k]).toBeCloseTo(plain.design!.effects.shares[k]!, 8)
      })
      // Without classes the effect of unequal weights is that of Kish: n·Σw²/(Σw)².
      const { model: single } = await fit(other.tensor, { rank: 1 })
      const { design } = await standardErrors(other.tensor, single, { squares: other.squares, observations })
      const people = weights.map((w, i) => ({ w, first: columns[0][i] }))
      const mean = people.reduce((sum, { w, first }) => sum + w * first, 0) / people.reduce((sum, { w }) => sum + w, 0)
      const squared = people.reduce((sum, { w, first }) => sum + (w * (first - mean)) ** 2, 0)
      const all = weights.reduce((sum, w) => sum + w, 0)
      expect(design!.effects.factors[0][0][0]).toBeCloseTo((observations * squared) / (all ** 2 * mean * (1 - mean)), 8)
    },
  )

  it('refuse what does not fit', async () => {
    const { tensor, squares } = weighted(1)
    const { model } = await fit(tensor, { rank: 1 })
    const refused = (options: object) => expect(standardErrors(tensor, model, options)).rejects
    await refused({ squares, kind: 'observed' }).toThrow(/kind must be 'sandwich' with weights/)
    await refused({ squares: squares.slice(1) }).toThrow(/squares must have 16 numbers, one per cell \(got 15\)/)
    await refused({ squares, observations: 0 }).toThrow(/observations must be a number > 0 \(got 0\)/)
    await refused({ squares, design: { cluster: 'A' } }).toThrow(/squares cannot be combined with a design/)
  })
})

describe('a tensor without some of its modes', () => {
  it('adds up the cells that become one', () => {
    const answers = withoutModes(schools, ['school'])
    expect(answers.modes.map(({ name }) => name)).toEqual(['answer', 'region'])
    expect([...answers.values]).toEqual([17, 6, 11, 16])
    expect(answers.total).toBe(schools.total)
    expect(() => withoutModes(schools, ['town'])).toThrow(/names no mode of the data: "town"/)
    expect(() => withoutModes(schools, ['school', 'answer', 'region'])).toThrow(/must be a mode besides/)
  })
})
