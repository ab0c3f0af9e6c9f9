import { describe, expect, it } from 'vitest'
import type { DesignCovariate } from '../../fit/covariates/terms.ts'
import { Model } from '../../model/model.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { unitOfTerm, unitsOf } from '../errors/covariate-units.ts'
import { undeterminedCoefficients } from '../errors/undetermined-coefficients.ts'
import { joinedData } from '../model-data/joined-data.ts'
import { knownClasses } from '../model-data/known-classes.ts'
import { columnsOf, equalParts, partName, splitModes } from '../model-data/split-modes.ts'
import { answersOf, classifiedRows, patternsOf } from '../three-steps/model-cells.ts'
import { rareCategoryAdvice } from '../three-steps/rare-category.ts'

const covariate = (name: string, scale: number, numeric = true): DesignCovariate => ({
  mode: new Mode(name, [1, 2, 3]),
  numeric,
  reference: 0,
  indices: Int32Array.of(0, 1, 2),
  center: 0,
  scale,
})

describe('the units of effects', () => {
  it('are 1, or a power of ten where the spread is far from it', () => {
    const units = (scale: number) => unitsOf([covariate('x', scale)], {})[0]
    expect([17, 100, 0.02].map(scale => units(scale).unit)).toEqual([1, 1, 1])
    expect([101, 999, 1000, 12_345, 0.0199, 0.001, 0.0009].map(scale => units(scale).unit)).toEqual([
      ...[100, 100, 1000, 10_000, 0.01, 0.001, 0.0001],
    ])
    expect(units(17)).toEqual({ covariate: 'x', unit: 1, by: 'one', deviation: 17 })
    expect(units(1000)).toEqual({ covariate: 'x', unit: 1000, by: 'automatic', deviation: 1000 })
  })

  it('are those that were given, or standard deviations, of numbers alone', () => {
    const all = [covariate('x', 17), covariate('y', 5000), covariate('z', 1, false)]
    expect(unitsOf(all, { per: { x: 10 }, standardize: true })).toEqual([
      { covariate: 'x', unit: 10, by: 'given', deviation: 17 },
      { covariate: 'y', unit: 5000, by: 'deviation', deviation: 5000 },
    ])
    for (const [per, message] of [
      [{ w: 1 }, 'per has "w", which is not a covariate'],
      [{ z: 1 }, 'per has "z", which enters as categories: they have no unit'],
      [{ x: 0 }, 'per must be a number > 0 for "x" (got 0)'],
      [{ x: Number.POSITIVE_INFINITY }, 'per must be a number > 0 for "x"'],
    ] as const)
      expect(() => unitsOf(all, { per })).toThrow(message)
    const units = unitsOf(all, { per: { x: 10 } })
    const term = (...factors: { covariate: string; label?: string }[]) => unitOfTerm({ name: '', factors }, units)
    expect([term(), term({ covariate: 'x' }), term({ covariate: 'x' }, { covariate: 'y' })]).toEqual([1, 10, 10_000])
    expect([term({ covariate: 'z', label: '1' }), term({ covariate: 'x', label: '1' })]).toEqual([1, 1])
  })
})

describe('advice about rare categories', () => {
  const advice = (...counts: number[]) =>
    rareCategoryAdvice({ covariates: [covariate('x', 1, false), covariate('y', 1)] }, Float64Array.from(counts))
  const rest = 'merge it with another category, leave it out, or use fewer covariates'

  it('names the rarest, if any is rare', () => {
    expect(advice(5, 9, 0)).toBe('use fewer covariates or classes')
    expect(advice(4, 9, 9)).toBe(`x = 1 has only 4 observations: ${rest}`)
    expect(advice(4, 1, 2)).toBe(`x = 2 has only 1 observation: ${rest}`)
    expect(advice(9, 9, 1.23456)).toBe(`x = 3 has only 1.23 observations: ${rest}`)
    expect(rareCategoryAdvice({ covariates: [covariate('y', 1)] }, Float64Array.of(1, 1, 1))).toBe(
      'use fewer covariates or classes',
    )
  })
})

describe('coefficients that have run off', () => {
  /** An intercept and a category, which half of the data has; information of one class about both. */
  const design = {
    terms: [
      { name: 'intercept', factors: [] },
      { name: 'x', factors: [] },
    ],
    values: Float64Array.of(1, 0, 1, 1),
    counts: Float64Array.of(50, 50),
  }
  /** The information if memberships vary by so much among those without and with the category. */
  const information = (without: number, within: number) =>
    Float64Array.of(50 * (without + within), 50 * within, 50 * within, 50 * within)

  it('are none if all of the likelihood is curved', () => {
    expect(undeterminedCoefficients(information(0.2, 0.1), design, 1)).toMatchObject({
      fixed: new Set(),
      undetermined: new Set(),
    })
    expect(undeterminedCoefficients(Float64Array.of(1, Number.NaN, 0, 1), design, 1).fixed.size).toBe(0)
    // What curves the other way is not flat.
    expect(undeterminedCoefficients(information(0.2, -0.1), design, 1).fixed.size).toBe(0)
  })

  it('are the term of a category that is of one class, or all of them if that is the reference', () => {
    expect(undeterminedCoefficients(information(0.2, 0), design, 1)).toMatchObject({
      fixed: new Set([1]),
      undetermined: new Set([1]),
    })
    const reference = undeterminedCoefficients(information(0, 0.2), design, 1)
    expect(reference.undetermined).toEqual(new Set([0, 1]))
    expect(reference.fixed.size).toBe(1)
    expect(undeterminedCoefficients(information(0, 0), design, 1)).toMatchObject({
      fixed: new Set([0, 1]),
      undetermined: new Set([0, 1]),
    })
  })

  it('are found class by class', () => {
    const [one, other] = [information(0.2, 0.1), information(0.2, 0)]
    const both = new Float64Array(16)
    for (const [k, own] of [one, other].entries())
      for (let i = 0; i < 4; i++) both[(2 * k + (i >> 1)) * 4 + 2 * k + (i & 1)] = own[i]
    expect(undeterminedCoefficients(both, design, 2)).toMatchObject({ fixed: new Set([3]), undetermined: new Set([3]) })
  })
})

describe('the cells of a tensor as rows of three steps', () => {
  const rows = [
    { a: 'p', b: 'u', x: 'r', n: 10 },
    { a: 'q', b: 'v', x: 's', n: 20 },
    { a: 'z', b: null, x: 'r', n: 5 },
    { a: 'q', b: 'v', x: null, n: 3 },
  ]
  const tensor = tensorFromRows(rows, { count: 'n' })
  const model = new Model([new Mode('b', ['v', 'u']), new Mode('a', ['q', 'p'])], {
    rank: 2,
    sizes: Float64Array.of(6, 4),
    factors: [Float64Array.of(0.9, 0.1, 0.1, 0.9), Float64Array.of(0.8, 0.2, 0.2, 0.8)],
  })
  const cell = (a: string, x: string | null) =>
    Array.from({ length: tensor.cells }, (_, i) => i).find(i => {
      const label = (n: number) => (tensor.indices[n][i] < 0 ? null : tensor.modes[n].label(tensor.indices[n][i]))
      return label(0) === a && label(2) === x
    }) as number

  it('are answers by the labels of the model, missing if it does not know them', () => {
    const [b, a] = answersOf(tensor, model)
    expect([cell('p', 'r'), cell('q', 's'), cell('z', 'r')].map(i => [a[i], b[i]])).toEqual([
      [1, 1],
      [0, 0],
      [-1, -1],
    ])
    const { weights, assigned, squares, classes } = classifiedRows(tensor, model, [b, a], undefined)
    expect(classes).toBe(2)
    expect([cell('p', 'r'), cell('q', 's'), cell('z', 'r')].map(i => [weights[i], squares[i]])).toEqual([
      [10, 10],
      [20, 20],
      [0, 0],
    ])
    expect([assigned[cell('p', 'r')], assigned[cell('q', 's')]]).toEqual([1, 0])
    const given = classifiedRows(tensor, model, [b, a], Float64Array.of(1, 2, 3, 4))
    expect(given.squares[cell('z', 'r')]).toBe(0)
    expect([...given.squares].filter(each => each > 0)).toHaveLength(3)
    const alike = new Model(model.modes, {
      rank: 2,
      sizes: Float64Array.of(9, 1),
      factors: [Float64Array.of(0.5, 0.5, 0.5, 0.5), Float64Array.of(0.5, 0.5, 0.5, 0.5)],
    })
    expect(() => classifiedRows(tensor, alike, [b, a], undefined)).toThrow(
      'class 2 is not the most probable class of any row: nothing can be estimated for it; use fewer classes',
    )
  })

  it('have the combination of their covariates, unless one is missing or they weigh nothing', () => {
    const design = {
      patterns: 2,
      covariates: [{ ...covariate('x', 1, false), mode: new Mode('x', ['s', 'r']), indices: Int32Array.of(1, 0) }],
    } as never
    const weights = tensor.values.map((_, i) => (i === cell('z', 'r') ? 0 : 1))
    const found = patternsOf(tensor, design, weights)
    expect([cell('p', 'r'), cell('q', 's'), cell('z', 'r'), cell('q', null)].map(i => found[i])).toEqual([0, 1, -1, -1])
  })
})

describe('classes that are known', () => {
  const known = (labels: (string | number | null)[], rank: number) =>
    knownClasses(tensorFromRows(labels.map((k, i) => ({ a: i % 2, k }))), 'k', rank)

  it('are numbers of classes, or name the first of them', () => {
    const numbered = known([3, 1, null, 3], 3)
    expect(numbered.known).toEqual({ name: 'k', labels: [1, 2, 3], occurs: [true, false, true], totals: [1, 0, 2] })
    expect(numbered.tensor.modes.map(({ name }) => name)).toEqual(['a', 'k'])
    const named = known(['u', null, 'v', 'v'], 3)
    expect(named.known).toEqual({
      name: 'k',
      labels: ['u', 'v', 'class 3'],
      occurs: [true, true, false],
      totals: [1, 2, 0],
    })
    // A number that is no class makes all of them names.
    expect(known([0, 1], 3).known.labels).toEqual([0, 1, 'class 3'])
    expect(known([1.5, 2], 3).known.labels).toEqual([1.5, 2, 'class 3'])
    expect(known([2, 4], 3).known.labels).toEqual([2, 4, 'class 3'])
    expect(() => known(['u', 'v', 'w'], 2)).toThrow('known names "k", which has 3 classes: the model has 2')
    const empty = tensorFromColumns(
      [
        [0, 1],
        [-1, -1],
      ],
      undefined,
      { modes: ['a', 'k'], shape: [2, 2] },
    )
    expect(() => knownClasses(empty, 'k', 2)).toThrow('known names "k", which is empty in every row: no class is known')
  })
})

describe('a variable in parts', () => {
  const rows = [
    { q: 'yes', g: 'at', h: 'm' },
    { q: 'no', g: 'de', h: 'f' },
    { q: 'no', g: 'at', h: 'f' },
    { q: null, g: 'de', h: 'm' },
  ]
  const tensor = tensorFromRows(rows)
  const split = { mode: 'q', columns: [['g'], ['h', 'g']] }

  it('is one mode for each combination that somebody has an answer in', () => {
    expect(columnsOf(split)).toEqual(['g', 'h'])
    const { tensor: made, parts } = splitModes(tensor, [split])
    expect(parts.map(({ name }) => name)).toEqual(['q (g = at, h = f)', 'q (g = at, h = m)', 'q (g = de, h = f)'])
    expect(made.modes.map(({ name }) => name)).toEqual([...parts.map(({ name }) => name), 'g', 'h'])
    expect(made.modes[0].labels).toEqual(tensor.modes[0].labels)
    // Every row has its answer in one of them, or in none.
    const present = Array.from({ length: made.cells }, (_, i) => [0, 1, 2].filter(n => made.indices[n][i] >= 0).length)
    expect(present.sort()).toEqual([0, 1, 1, 1])
    expect(splitModes(tensor, [])).toEqual({ tensor, parts: [] })
    expect(partName('q', [])).toBe('q')
  })

  it('has parts that are equal in a class by what it does not depend on', () => {
    const { parts } = splitModes(tensor, [split])
    const names = (k: number) => equalParts(split, parts, k).map(list => list.map(({ name }) => name))
    expect(names(0)).toEqual([['q (g = at, h = f)', 'q (g = at, h = m)'], ['q (g = de, h = f)']])
    expect(names(1)).toEqual([['q (g = at, h = f)'], ['q (g = at, h = m)'], ['q (g = de, h = f)']])
    expect(equalParts({ ...split, mode: 'other' }, parts, 0)).toEqual([])
  })
})

describe('modes that are joined', () => {
  it('lack all where they lack one, and say how much of the data does', () => {
    const rows = [
      { a: 'p', b: 'q', c: 'r', n: 10 },
      { a: 'p', b: null, c: 'r', n: 5 },
      { a: null, b: null, c: 'r', n: 3 },
      { a: null, b: 'q', c: null, n: 2 },
    ]
    const tensor = tensorFromRows(rows, { count: 'n' })
    const before = tensor.indices.map(column => [...column])
    const { joined, separate, partial } = joinedData(tensor, { join: [['a', 'b']] })
    expect(partial).toBe(7)
    // The data itself stays as it is.
    expect(tensor.indices.map(column => [...column])).toEqual(before)
    // Rows with nothing left are gone; those that lack both anyway are not counted.
    expect([joined.total, separate.total, joined.modes.length, separate.modes.length]).toEqual([18, 18, 2, 3])
    const whole = tensorFromRows(rows.slice(0, 1), { count: 'n' })
    expect(joinedData(whole, { join: [['a', 'b']] })).toMatchObject({ partial: 0, separate: whole })
    expect(() =>
      joinedData(tensor, {
        join: [
          ['a', 'b'],
          ['c', 'a'],
        ],
      }),
    ).toThrow('join has "a" twice: a mode is joined once')
  })
})
