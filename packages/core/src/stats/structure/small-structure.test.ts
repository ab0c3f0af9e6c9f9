import { describe, expect, it } from 'vitest'
import { hairEyeColor } from '../../../../../test/tables.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { comparedModel, meanScaling, nestedTests, type Scaling } from '../fit-statistics/nested.ts'
import { explainingColumns, modelData, usableRows } from '../model-data/model-data.ts'
import { byShare } from '../model-data/placed-model.ts'
import { modeConstraints, modeCounts, splittingColumns, type Variables } from '../model-data/variable-constraints.ts'
import { directComparison } from './direct-comparison.ts'
import { checkGroupCells, partOf } from './group-comparison.ts'
import { joinedComparison, separated } from './joined-comparison.ts'
import { fitStructured } from './structured.ts'
import { normalized, withoutGroups } from './structured-models.ts'
import { liftedStart, type PlacedFit, searchStructured } from './structured-search.ts'

const columns = (...names: string[]) => ({ modes: names.map(name => new Mode(name, 2)) })

describe('a specification', () => {
  const data = columns('a', 'x', 'y', 'g', 'u*v')

  it('names all columns that explain the classes once', () => {
    expect(explainingColumns(data, { covariates: ['x * y', 'x', 'u*v'], groups: 'g' })).toEqual(['x', 'y', 'u*v', 'g'])
    expect(explainingColumns(data, { covariates: ['g'], groups: 'g' })).toEqual(['g'])
    expect(explainingColumns(data, {})).toEqual([])
  })

  it('without its groups has what is left of products, once', () => {
    const of = (...covariates: string[]) => withoutGroups(data, { groups: 'g', covariates }).covariates
    expect(of('x', 'y')).toEqual(['x', 'y'])
    expect(of('x*g', 'g', 'y')).toEqual(['x', 'y'])
    expect(of('x', 'x*g')).toEqual(['x'])
    expect(of('x*y*g', 'y * x')).toEqual(['x*y'])
    // A column of that very name is no product.
    expect(withoutGroups(data, { groups: 'u', covariates: ['u*v'] }).covariates).toEqual(['u*v'])
    expect(withoutGroups(data, { groups: 'g', free: [{ mode: 'a' }], known: 'k' })).toEqual({
      covariates: [],
      known: 'k',
    })
    expect(withoutGroups(data, { groups: 'g', categories: ['x', 'g'], referenceCategories: { g: 1, x: 0 } })).toEqual({
      covariates: [],
      categories: ['x'],
      referenceCategories: { x: 0 },
    })
    expect(withoutGroups(data, { groups: 'g', referenceCategories: { g: 1 } })).toEqual({ covariates: [] })
  })

  it('has direct effects of the group as variables that are free', () => {
    const direct = [
      { covariate: 'g', mode: 'a', class: 2 },
      { covariate: 'x', mode: 'b' },
    ]
    expect(normalized({ groups: 'g', free: [{ mode: 'c' }], direct, known: 'k' })).toEqual({
      groups: 'g',
      free: [{ mode: 'c' }, { mode: 'a', class: 2 }],
      direct: [{ covariate: 'x', mode: 'b' }],
      known: 'k',
    })
    expect(normalized({ covariates: ['x'] })).toEqual({ covariates: ['x'], free: [] })
    expect(normalized({ groups: 'g', direct: direct.slice(0, 1) })).toEqual({
      groups: 'g',
      free: [{ mode: 'a', class: 2 }],
    })
  })

  it('with its joined modes apart has effects on each of them', () => {
    const join = [
      ['a', 'b'],
      ['c', 'd'],
    ]
    const free = [{ mode: 'a / b', class: 1 }, { mode: 'e' }]
    expect(separated({ join, free, direct: [{ covariate: 'x', mode: 'c / d' }], groups: 'g' })).toEqual({
      groups: 'g',
      free: [{ mode: 'a', class: 1 }, { mode: 'b', class: 1 }, { mode: 'e' }],
      direct: [
        { covariate: 'x', mode: 'c' },
        { covariate: 'x', mode: 'd' },
      ],
    })
    expect(separated({ groups: 'g' })).toEqual({ groups: 'g' })
    const plain = { fixed: [{ mode: 'a', label: 0, probability: 1 }] }
    expect(separated({ join, constraints: plain })).toEqual({ constraints: plain })
    const reason =
      'constraints cannot be of a joined variable ("c / d"): the model is compared with the one in which its parts are separate'
    for (const constraints of [
      { fixed: [{ mode: 'c / d', label: 0, probability: 1 }] },
      { zero: [{ mode: 'c / d', label: 0 }] },
      { equal: [[{ mode: 'e', class: 1 }], [{ mode: 'c / d', class: 1 }]] },
    ])
      expect(() => separated({ join, constraints })).toThrow(reason)
  })
})

describe('constraints on variables', () => {
  const part = (mode: string, label: string) => ({
    mode,
    name: `${mode} (g = ${label})`,
    where: [{ column: 'g', label }],
  })
  const parts = ['p', 'q'].flatMap(mode => ['n', 's'].map(label => part(mode, label)))
  /** p differs between groups in the first class alone, q in both; r does not. */
  const splits = [
    { mode: 'p', columns: [['g'], []] },
    { mode: 'q', columns: [['g'], ['g']] },
  ]
  const variables: Variables = { names: ['p', 'q', 'r'], splits, parts }
  const tie = [
    { mode: 'p (g = n)', class: 2 },
    { mode: 'p (g = s)', class: 2 },
  ]

  it('hold for all parts of them, which are equal where they do not differ', () => {
    expect(modeConstraints(undefined, variables, 2)).toEqual({ equal: [tie] })
    expect(
      modeConstraints(
        {
          zero: [
            { mode: 'q', label: 0, class: 1 },
            { mode: 'r', label: 1 },
          ],
          fixed: [{ mode: 'p', label: 1, probability: 0.5 }],
        },
        variables,
        2,
      ),
    ).toEqual({
      fixed: [
        { mode: 'p (g = n)', label: 1, probability: 0.5 },
        { mode: 'p (g = s)', label: 1, probability: 0.5 },
      ],
      zero: [
        { mode: 'q (g = n)', label: 0, class: 1 },
        { mode: 'q (g = s)', label: 0, class: 1 },
        { mode: 'r', label: 1 },
      ],
      equal: [tie],
    })
    expect(splittingColumns(splits)).toEqual(['g'])
  })

  it('of equal columns are lists by group if they depend on it, and one list if they do not', () => {
    const equal = (...list: object[]) => modeConstraints({ equal: [list] } as never, variables, 2)!.equal
    const column = (mode: string, k: number) => ({ mode, class: k })
    expect(equal(column('p', 1), column('q', 1))).toEqual([
      [column('p (g = n)', 1), column('q (g = n)', 1)],
      [column('p (g = s)', 1), column('q (g = s)', 1)],
      tie,
    ])
    // Ties of the parts are in the list that was asked for.
    expect(equal(column('p', 2), column('r', 1))).toEqual([[...tie, column('r', 1)]])
    expect(equal({ mode: 'r' })).toEqual([[column('r', 1), column('r', 2)], tie])
    const message = (a: string, b: string) =>
      `constraints.equal[0]: "${a}" and "${b}" cannot be equal: their probabilities do not depend on the same columns`
    expect(() => equal(column('p', 1), column('r', 1))).toThrow(message('p', 'r'))
    expect(() => equal({ class: 2 })).toThrow(message('p', 'q'))
    // What is no list is refused with all other constraints.
    expect(modeConstraints({ equal: [7] } as never, variables, 2)!.equal).toEqual([7, tie])
    expect(modeConstraints({ equal: [[null]] } as never, variables, 2)!.equal).toEqual([[null], tie])
  })

  it('are refused if they are no lists of constraints, whatever else a model has', async () => {
    const tensor = tensorFromRows([0, 1, 2, 3].map(i => ({ p: i % 2, q: i >> 1, g: i % 2 ? 'n' : 's' })))
    for (const [constraints, message] of [
      [{ fixed: 3 }, 'constraints.fixed must be a list (got 3)'],
      [{ zero: 'x' }, 'constraints.zero must be a list (got "x")'],
      [{ equal: 7 }, 'constraints.equal must be a list (got 7)'],
      [{ equal: [7] }, 'constraints.equal[0] must be a list of columns (got 7)'],
      [{ equal: [[null]] }, 'constraints.equal[0][0] needs an object of options (got null)'],
      [{ fixed: [null] }, 'constraints.fixed[0] needs an object of options (got null)'],
      [{ zero: [{ mode: 'p', label: 0 }, 5] }, 'constraints.zero[1] needs an object of options (got 5)'],
    ] as const)
      for (const free of [[], [{ mode: 'p' }]])
        await expect(
          fitStructured(tensor, { rank: 2, groups: 'g', free, constraints: constraints as never }),
        ).rejects.toThrow(message)
  })

  it('are as they are without parts, but for what names no variable', () => {
    const plain: Variables = { names: ['p', 'q'], splits: [], parts: [] }
    const given = { zero: [{ mode: 'p', label: 0 }] }
    expect(modeConstraints(given, plain, 2)).toBe(given)
    expect(modeConstraints(undefined, plain, 2)).toBeUndefined()
    expect(modeConstraints({ equal: [[{ class: 1 }]] }, plain, 2)).toEqual({
      equal: [
        [
          { mode: 'p', class: 1 },
          { mode: 'q', class: 1 },
        ],
      ],
    })
    expect(modeConstraints({ equal: [] }, plain, 2)).toBeUndefined()
    const known = { name: 'k', labels: ['u', 'v'], occurs: [true, true], totals: [1, 1] }
    const fixed = ['u', 'v'].flatMap((label, j) =>
      [0, 1].map(k => ({ mode: 'k', class: k + 1, label, probability: j === k ? 1 : 0 })),
    )
    expect(modeConstraints(undefined, { ...plain, known }, 2)).toEqual({ fixed })
    expect(modeConstraints(given, { ...plain, known }, 2)).toEqual({ fixed, ...given })
  })

  it('and pseudo-counts are by part, and none of known classes', () => {
    const known = { name: 'k', labels: ['u', 'v'], occurs: [true, true], totals: [1, 1] }
    expect(modeCounts(2, variables)).toEqual({ 'p (g = n)': 2, 'p (g = s)': 2, 'q (g = n)': 2, 'q (g = s)': 2, r: 2 })
    expect(modeCounts({ p: 1, r: 3 }, variables)).toEqual({ 'p (g = n)': 1, 'p (g = s)': 1, r: 3 })
    expect(modeCounts(2, { names: ['r'], splits: [], parts: [], known })).toEqual({ r: 2 })
    expect(modeCounts(2, { names: ['r'], splits: [], parts: [] })).toBe(2)
    expect(modeCounts(undefined, variables)).toBeUndefined()
  })
})

describe('the search for a structured model', () => {
  it('is of the first seed unless another is asked for', async () => {
    const data = modelData(hairEyeColor, { covariates: ['sex'] }, 2)
    const attempts = async (seed?: number) =>
      (await searchStructured(data, { rank: 2, starts: 2, threads: 1, ...(seed !== undefined && { seed }) })).result
        .attempts
    expect(await attempts(1)).toEqual(await attempts())
    expect(await attempts(2)).not.toEqual(await attempts())
  })
})

describe('groups', () => {
  const rows = [
    { a: 'x', g: 'n', n: 3 },
    { a: 'y', g: 'n', n: 2 },
    { a: 'z', g: 's', n: 4 },
    { a: 'x', g: 's', n: 1 },
  ]
  const tensor = tensorFromRows(rows, { count: 'n' })

  it('have the cells of their own, and all labels', () => {
    const north = partOf(tensor, 1, 0)
    expect([north.modes.map(({ name }) => name), north.shape, north.total, [...north.values]]).toEqual([
      ['a'],
      [3],
      5,
      [3, 2],
    ])
    expect(() => checkGroupCells(north, 'n', 2)).not.toThrow()
    expect(() => checkGroupCells(north, 'n', 3)).toThrow(
      'rank must be at most 2, the distinct cells of group "n" (got 3)',
    )
  })

  it('are tested model by model', () => {
    const models = [comparedModel('a', -20, 2, 50), comparedModel('b', -17, 4, 50), comparedModel('c', -16.5, 7, 50)]
    expect(nestedTests(models)).toEqual([
      { model: 'a', within: 'b', statistic: 6, degreesOfFreedom: 2, pValue: chiSquareTail(6, 2) },
      { model: 'b', within: 'c', statistic: 1, degreesOfFreedom: 3, pValue: chiSquareTail(1, 3) },
    ])
    const [small, large] = [
      { logLikelihood: -20, dimension: 2 },
      { logLikelihood: -17, dimension: 4 },
    ]
    const direct = directComparison([], small, large, 50)
    expect(direct.models.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['without direct effects', 2],
      ['with direct effects', 4],
    ])
    expect(direct.test).toMatchObject({ statistic: 6, degreesOfFreedom: 2, pValue: chiSquareTail(6, 2) })
    const joined = joinedComparison([['a', 'b']], small, large, { total: 50, partial: 3 })
    expect(joined).toMatchObject({
      joined: [['a', 'b']],
      partial: 3,
      test: { model: 'separate', within: 'joined', statistic: 6, pValue: chiSquareTail(6, 2) },
    })
    expect(joined.models.map(({ bic }) => bic)).toEqual(
      [40 + 2 * Math.log(50), 34 + 4 * Math.log(50)].map(x => expect.closeTo(x, 10)),
    )
  })

  it('are tested by scaled ratios if rows are weighted or come in clusters', () => {
    const models = [comparedModel('a', -20, 2, 50), comparedModel('b', -17, 4, 50), comparedModel('c', -16, 7, 50)]
    const of = (...scalings: Scaling[]) => nestedTests(models.slice(0, scalings.length), scalings)
    // (4·1.5 − 2·1.2)/2 = 1.8 and (7·1.4 − 4·1.5)/3 = 3.8/3.
    const [first, second] = of(1.2, 1.5, 1.4)
    expect(first).toMatchObject({ statistic: 6, scaling: expect.closeTo(1.8, 12), scaled: expect.closeTo(6 / 1.8, 12) })
    expect(first.pValue).toBeCloseTo(chiSquareTail(6 / 1.8, 2), 12)
    expect(second.scaling).toBeCloseTo(3.8 / 3, 12)
    expect(second.pValue).toBeCloseTo(chiSquareTail(6 / 3.8, 3), 12)
    const none = { statistic: 6, pValue: undefined, degreesOfFreedom: 2 }
    expect(of(3, 1)[0]).toEqual({
      ...none,
      model: 'a',
      within: 'b',
      reason: 'the scaling factor of the difference is not positive (-1.000)',
    })
    expect(of('the fit was stopped', 1)[0]).toMatchObject({
      ...none,
      reason: 'the model “a” has no scaling factor: the fit was stopped',
    })
    expect(of(1, 'the fit was stopped')[0].reason).toContain('the model “b”')
    const part = { scaling: 1.5, parameters: 4 }
    expect(meanScaling([part, { scaling: 3, parameters: 2 }])).toBe(2)
    expect(meanScaling([part, { scaling: 'why', parameters: 2 }])).toBe('why')
    expect(meanScaling([part, { scaling: undefined, parameters: 2 }])).toBeUndefined()
  })

  it('need rows that can be used', () => {
    const gaps = tensorFromRows([
      { a: 'x', g: null },
      { a: null, g: 'n' },
    ])
    expect(() => usableRows(gaps, ['g'], [])).toThrow(
      'every row lacks a covariate, its group or all answers: there is nothing to fit',
    )
    expect(() => usableRows(gaps, ['h'], [])).toThrow('covariates names no mode of the data: "h"; the modes are a, g')
    const some = tensorFromRows([...rows, { a: 'x', g: null, n: 9 }] as typeof rows, { count: 'n' })
    expect(usableRows(some, ['g'], []).total).toBe(10)
    // Neither an answer nor a covariate makes a row usable.
    expect(() => usableRows(tensor, ['g'], ['a'])).toThrow('every row lacks')
  })
})

describe('a model as the start of a larger one', () => {
  const rows = [0, 1].flatMap(a =>
    [0, 1].flatMap(b => ['n', 's'].flatMap(g => ['p', 'q'].map(h => ({ a, b, g, h, x: a + b })))),
  )
  const tensor = tensorFromRows(rows)

  it('has the probabilities and coefficients that it had, of all that is new none', () => {
    const small = modelData(tensor, { covariates: ['x'], groups: 'g', free: [{ mode: 'a' }] }, 2, ['h'])
    const to = modelData(
      tensor,
      {
        covariates: ['x', 'h'],
        groups: 'g',
        free: [{ mode: 'a' }, { mode: 'b' }],
        direct: [{ covariate: 'h', mode: 'a' }],
      },
      2,
    )
    expect(small.items.modes.map(({ name }) => name)).toEqual(['a (g = n)', 'a (g = s)', 'b'])
    const factors = small.items.modes.map((_, n) => Float64Array.of(0.1 * n, 0.2, 0.3, 0.4))
    const terms = small.design.terms.map(({ name }) => name)
    const coefficients = Float64Array.from({ length: 2 * terms.length }, (_, i) => (i + 1) ** 2)
    const start = { rank: 2, shares: Float64Array.of(0.6, 0.4), factors, coefficients }
    const lifted = liftedStart({ placed: byShare(start, 0, true), data: small } as PlacedFit, to)
    expect([lifted.rank, lifted.shares]).toEqual([2, start.shares])
    expect(to.items.modes.map(({ name }) => name)).toEqual([
      ...['n', 's'].flatMap(g => ['p', 'q'].map(h => `a (g = ${g}, h = ${h})`)),
      ...['b (g = n)', 'b (g = s)'],
    ])
    expect(lifted.factors).toEqual([0, 0, 1, 1, 2, 2].map(n => factors[n]))
    // They are copies.
    expect(lifted.factors[0]).not.toBe(factors[0])
    to.design.terms.forEach(({ name }, p) => {
      const q = terms.indexOf(name)
      expect([...lifted.coefficients!.subarray(2 * p, 2 * p + 2)]).toEqual(
        q < 0 ? [0, 0] : [0, (2 * q + 2) ** 2 - (2 * q + 1) ** 2],
      )
    })
  })
})
