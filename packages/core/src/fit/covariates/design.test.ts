import { describe, expect, it } from 'vitest'
import { tensorFromRows } from '../../tensor/rows.ts'
import { covariateData } from './design.ts'

const rowsWith = (count: number, x: (i: number) => string | number) =>
  tensorFromRows(Array.from({ length: 2 * count }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: x(i % count) })))

describe('the design of covariates', () => {
  it.each([
    [
      'a decimal comma',
      (i: number) => `${i},5`,
      /"x" has 60 categories, and at most 50 .* look like numbers with a decimal comma \("0,5"\)/,
    ],
    [
      'words',
      (i: number) => `town ${i}`,
      /"x" has 60 categories, and at most 50 .* merge rare categories, or cut it into bins/,
    ],
  ])('has no covariate of hundreds of categories: %s', (_, x, message) => {
    expect(() => covariateData(rowsWith(60, x), { covariates: ['x'] })).toThrow(message)
    expect(covariateData(rowsWith(50, x), { covariates: ['x'] }).design.terms).toHaveLength(50)
  })

  it('tells numbers with a decimal comma from other texts', () => {
    const messageOf = (odd: string, others = (i: number) => `${i},5`) => {
      try {
        return covariateData(
          rowsWith(60, i => (i === 0 ? odd : others(i))),
          { covariates: ['x'] },
        )
      } catch (error) {
        return (error as Error).message
      }
    }
    const advice =
      /: its values look like numbers with a decimal comma \("[^"]*,[^"]*"\); write them with a decimal point$/
    for (const number of ['-12,75', '+3,25', '  4,25', '4,25  ', '-4,25']) expect(messageOf(number)).toMatch(advice)
    // Not all of them have decimals, but some must.
    for (const whole of ['7', ' -12 ', '+3']) expect(messageOf(whole)).toMatch(advice)
    expect(messageOf('x', i => `${i}`)).toContain('merge rare categories, or cut it into bins')
    expect(messageOf('0 ', i => `${i} `)).toContain('merge rare categories, or cut it into bins')
    for (const text of ['x4,25', '4,25x', '*4,25', ',25', '4,', '4.25', '4,2,5', '--4,25', '- 4,25'])
      expect(messageOf(text)).toContain('merge rare categories, or cut it into bins')
  })

  it('has any number of numbers, but not as categories', () => {
    const numbers = rowsWith(500, Number)
    expect(covariateData(numbers, { covariates: ['x'] }).design.terms).toHaveLength(2)
    const asked = () => covariateData(numbers, { covariates: ['x'], categories: ['x'] })
    expect(asked).toThrow(/"x" has 500 categories, .* let it enter as a number, or cut it into bins/)
  })

  it('has no more terms than can be fitted', () => {
    const rows = Array.from({ length: 4000 }, (_, i) => [i % 2, i % 3, `${i % 40}`, `${(i * 7) % 41}`])
    const asked = () => covariateData(tensorFromRows(rows), { covariates: ['mode3*mode4'] })
    expect(asked).toThrow(/covariates make 1640 terms, and at most 200 can be fitted/)
  })

  it('is in units of its own: mean 0 and standard deviation 1, by the counts', () => {
    const rows = [
      { a: 'no', b: 'no', n: 1e6, x: 5e9 },
      { a: 'yes', b: 'no', n: 2e6, x: 5e9 + 3 },
      { a: 'yes', b: 'yes', n: 1e6, x: 5e9 + 6 },
    ]
    const { design } = covariateData(tensorFromRows(rows, { count: 'n' }), { covariates: ['x'] })
    // The mean is 5e9 + 3, the variance (9 + 0 + 9)/4 · 1e6/1e6 = 4.5.
    const values = [...design.values].filter((_, i) => i % 2 === 1).sort((a, b) => a - b)
    expect(values[0]).toBeCloseTo(-3 / Math.sqrt(4.5), 12)
    expect(values[1]).toBeCloseTo(0, 12)
    expect(values[2]).toBeCloseTo(3 / Math.sqrt(4.5), 12)
  })

  it('compares categories with the first of them, or with the one that is named', () => {
    const rows = rowsWith(3, i => ['Democrat', 'Independent', 'Republican'][i])
    const termsWith = (options: object) =>
      covariateData(rows, { covariates: ['x'], ...options }).design.terms.map(({ name }) => name)
    expect(termsWith({})).toEqual(['intercept', 'x = Independent', 'x = Republican'])
    expect(termsWith({ referenceCategories: { x: 'Independent' } })).toEqual([
      'intercept',
      'x = Democrat',
      'x = Republican',
    ])
    expect(() => termsWith({ referenceCategories: { x: 'Green' } })).toThrow(
      /has "Green", which is no category of "x": "Democrat", "Independent", "Republican"/,
    )
    expect(() => termsWith({ referenceCategories: { y: 'Green' } })).toThrow(/has "y", which is not a covariate/)
    const numbers = rowsWith(3, Number)
    const refused = () => covariateData(numbers, { covariates: ['x'], referenceCategories: { x: 1 } })
    expect(refused).toThrow(/enters as a number and has no reference category: name it in categories 'x'/)
    const taken = { covariates: ['x'], categories: ['x'], referenceCategories: { x: '1' } }
    expect(covariateData(numbers, taken).design.terms.map(({ name }) => name)).toEqual(['intercept', 'x = 0', 'x = 2'])
  })

  it('refuses what is no covariate, with its name', () => {
    const rows = rowsWith(4, i => `town ${i}`)
    const refusal = (options: object) => () => covariateData(rows, { covariates: ['x'], ...options } as never)
    expect(refusal({ covariates: [3] })).toThrow('covariates must be names of modes (got 3)')
    expect(refusal({ covariates: ['age'] })).toThrow(/^covariates names no mode of the data: "age"/)
    expect(refusal({ covariates: ['x*age'] })).toThrow('"age"')
    expect(refusal({ covariates: ['x*x'] })).toThrow('covariates must not multiply a mode by itself: x*x')
    expect(refusal({ covariates: ['x', 'x'] })).toThrow('covariates has "x" twice: name it once')
    expect(refusal({ covariates: ['x*a', 'a * x'] })).toThrow('covariates has "a*x" twice: name it once')
    expect(refusal({ categories: ['a'] })).toThrow('categories has "a", which is not a covariate')
    expect(refusal({ referenceCategories: { a: 1 } })).toThrow('referenceCategories has "a", which is not a covariate')
  })

  it('takes a mode whose own name has an asterisk for what it is', () => {
    const rows = Array.from({ length: 8 }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, 'x*y': i >> 2 }))
    const { design } = covariateData(tensorFromRows(rows), { covariates: ['x*y'] })
    expect(design.terms.map(({ name }) => name)).toEqual(['intercept', 'x*y'])
  })

  it('leaves out rows without a covariate, or without an answer, and says how many', () => {
    const rows = [
      { a: 'p', b: 'q', x: 1, n: 10 },
      { a: 'q', b: null, x: 2, n: 20 },
      { a: null, b: null, x: 3, n: 30 },
      { a: 'p', b: 'p', x: null, n: 40 },
      { a: 'q', b: 'q', x: 2, n: 5 },
    ]
    const { tensor, dropped, design, items } = covariateData(tensorFromRows(rows, { count: 'n' }), {
      covariates: ['x'],
    })
    expect([tensor.total, dropped]).toEqual([35, 70])
    expect(design.patterns).toBe(2)
    expect([...design.counts].sort((a, b) => a - b)).toEqual([10, 25])
    // A category that only such rows have is none.
    expect(design.covariates[0].mode.size).toBe(2)
    expect(items.modes.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(tensor.modes.map(({ name }) => name)).toHaveLength(3)
    const none = tensorFromRows(
      [
        { a: 'p', b: 'q', x: null },
        { a: 'q', b: 'q', x: null },
      ],
      { modes: ['a', 'b', { name: 'x', labels: [1, 2] }] },
    )
    expect(() => covariateData(none, { covariates: ['x'] })).toThrow(
      'every row lacks a covariate: there is nothing to fit',
    )
    const same = tensorFromRows(
      rows.map(row => ({ ...row, x: 1 })),
      { count: 'n' },
    )
    expect(() => covariateData(same, { covariates: ['x'] })).toThrow('covariate "x" has the same value in every row')
  })

  it('keeps modes of a design beside the answers, and leaves them out of the fit', () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: i % 3, cluster: `c${i >> 2}` }))
    const { tensor, drawn, items } = covariateData(tensorFromRows(rows), { covariates: ['x'] }, ['cluster'])
    expect(drawn.modes).toHaveLength(4)
    expect(drawn.modes[2].name).toBe('cluster')
    expect(tensor.modes.map(({ size }) => size)).toEqual([2, 2, 3])
    expect(items.modes.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(tensor.total).toBe(12)
  })

  it('numbers the combinations of several covariates, of which each has its own values', () => {
    const rows = Array.from({ length: 24 }, (_, i) => ({
      a: i % 2,
      b: (i >> 1) % 2,
      x: i % 3,
      y: `${Math.floor(i / 3) % 4}`,
    }))
    const { design } = covariateData(tensorFromRows(rows), { covariates: ['x', 'y'] })
    expect(design.patterns).toBe(12)
    const seen = Array.from({ length: 12 }, (_, z) =>
      design.covariates.map(({ mode, indices }) => mode.label(indices[z])).join(),
    )
    expect(new Set(seen).size).toBe(12)
    expect([...design.counts]).toEqual(new Array(12).fill(2))
  })

  it('refuses terms that follow from others, and names the first', () => {
    const rows = Array.from({ length: 24 }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: i % 4, y: (i >> 2) % 3 }))
    const asked = (more: (row: (typeof rows)[number]) => number, covariates: string[]) => () =>
      covariateData(tensorFromRows(rows.map(row => ({ ...row, z: more(row) }))), { covariates })
    expect(asked(({ x }) => 3 * x - 1, ['x', 'z', 'y'])).toThrow(
      'covariates must not determine each other: "z" follows from intercept, x',
    )
    expect(asked(({ x, y }) => x + y, ['x', 'y', 'z'])).toThrow('"z" follows from intercept, x, y')
    expect(asked(({ x, y }) => x * y, ['x', 'y', 'z'])).not.toThrow()
    const categories = { covariates: ['x', 'z'], categories: ['x', 'z'] }
    const alike = tensorFromRows(rows.map(row => ({ ...row, z: row.x % 2 })))
    expect(() => covariateData(alike, categories)).toThrow('"z = 1" follows from intercept, x = 1, x = 2, x = 3')
  })
})
