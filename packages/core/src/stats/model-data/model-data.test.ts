import { describe, expect, it } from 'vitest'
import { tensorFromRows } from '../../tensor/rows.ts'
import { identifyStructured } from '../identification/identification.ts'
import { modelData } from './model-data.ts'
import type { Specification } from './specification.ts'

/** Every combination of answers q1, q2, … once, with every combination of other columns; the last column has gaps. */
const everything = (
  sizes: readonly number[],
  others: Readonly<Record<string, readonly (string | undefined)[]>> = {},
) => {
  const lists = [
    ...sizes.map((size, j) => [`q${j + 1}`, Array.from({ length: size }, (_, i) => `${i}`)] as const),
    ...Object.entries(others),
  ]
  return tensorFromRows(
    lists.reduce<Record<string, string | undefined>[]>(
      (rows, [name, values]) => rows.flatMap(row => values.map(value => ({ ...row, [name]: value }))),
      [{}],
    ),
  )
}

const two = ['north', 'south']
const three = [...two, 'west']
const free = (...effects: { mode: string; class?: number }[]): Specification => ({ groups: 'g', free: effects })

/**
 * Ranks of numerical Jacobians (numpy, central differences) of all tables of the answers given what explains the classes, by logits, at three
 * random points each; known classes have a table for each of them, besides that of rows whose class is not known. The singular values that
 * count are above 4e-4 of the largest, the others below 3e-11.
 */
describe('the dimension of models with structure', () => {
  it.each([
    { sizes: [2, 2, 2], rank: 3, others: { g: three }, given: free({ mode: 'q1' }), parameters: 21, dimension: 18 },
    { sizes: [3, 3], rank: 2, others: { g: two }, given: free({ mode: 'q2' }), parameters: 14, dimension: 12 },
    {
      sizes: [3, 3],
      rank: 2,
      others: { g: two },
      given: free({ mode: 'q2', class: 1 }),
      parameters: 12,
      dimension: 11,
    },
    { sizes: [3, 3], rank: 2, others: { g: two }, given: { groups: 'g' }, parameters: 10, dimension: 10 },
    {
      sizes: [2, 2, 2, 2],
      rank: 3,
      others: { g: two },
      given: free({ mode: 'q1' }, { mode: 'q2' }),
      parameters: 22,
      dimension: 22,
    },
    { sizes: [2, 2], rank: 2, others: { k: [...two, undefined] }, given: { known: 'k' }, parameters: 5, dimension: 5 },
    { sizes: [2, 2], rank: 2, others: { k: ['north', undefined] }, given: { known: 'k' }, parameters: 5, dimension: 5 },
    {
      sizes: [2, 2, 2],
      rank: 3,
      others: { k: ['north', undefined] },
      given: { known: 'k' },
      parameters: 11,
      dimension: 11,
    },
    { sizes: [2, 2, 2], rank: 3, others: {}, given: {}, parameters: 11, dimension: 7 },
    { sizes: [2, 2], rank: 3, others: { k: [...two, undefined] }, given: { known: 'k' }, parameters: 8, dimension: 8 },
    {
      sizes: [2, 3],
      rank: 2,
      others: { g: two, p: two },
      given: { covariates: ['p'], groups: 'g', direct: [{ covariate: 'p', mode: 'q2' }] },
      parameters: 13,
      dimension: 13,
    },
    {
      sizes: [2, 2],
      rank: 2,
      others: { g: two, p: two, k: ['north', undefined] },
      given: { covariates: ['p'], groups: 'g', direct: [{ covariate: 'p', mode: 'q2' }], known: 'k' },
      parameters: 9,
      dimension: 9,
    },
  ])('is the rank of the Jacobian: $sizes, $rank classes, $given', ({ sizes, rank, others, given, ...expected }) => {
    const { items, structure } = modelData(everything(sizes, others), given as Specification, rank)
    const { parameters, rank: dimension } = identifyStructured(items.shape, rank, structure)
    expect({ parameters, dimension }).toEqual(expected)
  })
})

describe('the data of a structure', () => {
  it('has one mode for each group of a variable that differs, and constraints hold for each of them', () => {
    const constraints = {
      zero: [{ mode: 'q1', label: '0', class: 2 }],
      equal: [
        [
          { mode: 'q2', class: 1 },
          { mode: 'q3', class: 1 },
        ],
      ],
    }
    const data = modelData(
      everything([2, 2, 2], { g: two }),
      { groups: 'g', free: [{ mode: 'q1', class: 1 }, { mode: 'q2' }, { mode: 'q3' }], constraints },
      2,
    )
    const parts = (mode: string) => two.map(group => `${mode} (g = ${group})`)
    expect(data.items.modes.map(({ name }) => name)).toEqual([...parts('q1'), ...parts('q2'), ...parts('q3')])
    expect(data.parts[1]).toEqual({ mode: 'q1', name: 'q1 (g = south)', where: [{ column: 'g', label: 'south' }] })
    // A row has the answer of its own group, and lacks the other.
    expect(
      data.items.indices[0]
        .map((index, cell) => index + data.items.indices[1][cell])
        .every(sum => sum >= -1 && sum <= 0),
    ).toBe(true)
    expect(data.constraints).toEqual({
      zero: parts('q1').map(mode => ({ mode, label: '0', class: 2 })),
      equal: [
        ...two.map(group => ['q2', 'q3'].map(mode => ({ mode: `${mode} (g = ${group})`, class: 1 }))),
        parts('q1').map(mode => ({ mode, class: 2 })),
      ],
    })
  })

  it('has one class for each known label, in the order of labels or by number', () => {
    const known = (labels: readonly (string | number | undefined)[], rank: number) =>
      modelData(everything([2, 2], { k: labels as string[] }), { known: 'k' }, rank).known
    expect(known(['u', undefined, 'v'], 3)).toMatchObject({
      labels: ['u', 'v', 'class 3'],
      occurs: [true, true, false],
    })
    expect(known([3, undefined, 1], 3)).toMatchObject({ labels: [1, 2, 3], occurs: [true, false, true] })
    expect(() => known(['u', 'v', 'w'], 2)).toThrow('known names "k", which has 3 classes: the model has 2')
  })

  it.each([
    [{ groups: 'g', free: [{ mode: 'q9' }] }, /free names no variable: "q9"; the variables are q1, q2, p, x/],
    [{ groups: 'g', free: [{ mode: 'q1', class: 3 }] }, /the class of "q1" must be a whole number from 1 to 2/],
    [
      { covariates: ['x'], direct: [{ covariate: 'x', mode: 'q1' }] },
      /direct needs a covariate with categories, and "x" is a number: cut it with bins/,
    ],
    [{ covariates: ['x'], direct: [{ covariate: 'p', mode: 'q1' }] }, /direct needs "p" among covariates/],
    [{ groups: 'g', known: 'g' }, /known names "g", which is also a covariate or the column of groups/],
    [
      {
        groups: 'g',
        free: [{ mode: 'q1' }],
        constraints: {
          equal: [
            [
              { mode: 'q1', class: 1 },
              { mode: 'q2', class: 1 },
            ],
          ],
        },
      },
      /equal\[0\]: "q1" and "q2" cannot be equal: their probabilities do not depend on the same columns/,
    ],
  ])('refuses %j', (given, message) => {
    const data = everything([2, 2], { g: two, p: two, x: [1, 2, 3] as never })
    expect(() => modelData(data, given as Specification, 2)).toThrow(message)
  })
})
