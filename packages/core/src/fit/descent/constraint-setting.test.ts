import { describe, expect, it } from 'vitest'
import { Mode } from '../../tensor/mode.ts'
import { type Constraints, constrainedParameters, constraintSetting, mayReorder } from './constraints.ts'
import { byColumn, sumOf } from './fixed-columns.ts'

const modes = [new Mode('A', ['no', 'yes']), new Mode('B', ['no', 'yes']), new Mode('C', ['x', 'y', 'z'])]
const setting = (given: Constraints, rank = 2) => constraintSetting(modes, rank, given)
const entries = (given: Constraints, rank = 2) =>
  setting(given, rank).fixed.map(({ mode, class: k, label, value }) => [mode, k, label, value])

describe('constraints by position', () => {
  it('are of one class, or of all', () => {
    expect(setting({})).toEqual({ named: false, fixed: [], tied: [] })
    expect(entries({ fixed: [{ mode: 'C', class: 2, label: 'y', probability: 0.25 }] })).toEqual([[2, 1, 1, 0.25]])
    expect(entries({ fixed: [{ mode: 'C', label: 'y', probability: 0.25 }] })).toEqual([
      [2, 0, 1, 0.25],
      [2, 1, 1, 0.25],
    ])
    expect(entries({ zero: [{ mode: 'C', class: 1, label: 'z' }] })).toEqual([[2, 0, 2, 0]])
    expect(setting({ equal: [[{ mode: 'A' }]] }).tied).toEqual([
      [
        { mode: 0, class: 0, labels: [0, 1] },
        { mode: 0, class: 1, labels: [0, 1] },
      ],
    ])
    expect(
      setting({
        equal: [
          [
            { class: 1, mode: 'A' },
            { mode: 'B', class: 1, labels: ['yes', 'no'] },
          ],
        ],
      }).tied[0][1],
    ).toEqual({ mode: 1, class: 0, labels: [1, 0] })
    const binary = constraintSetting(modes.slice(0, 2), 2, { equal: [[{ class: 2 }]] })
    expect(binary.tied[0].map(({ mode, class: k }) => [mode, k])).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  it('of one column are of all that are equal to it, and of no other', () => {
    const equal = [1, 2].map(k => ['A', 'B'].map(mode => ({ mode, class: k })))
    const fixed = [{ mode: 'B', class: 2, label: 'yes', probability: 0.25 }]
    // What is left of two labels is known then, too.
    const both = (mode: number) => [
      [mode, 1, 0, 0.75],
      [mode, 1, 1, 0.25],
    ]
    expect(entries({ equal, fixed }).sort()).toEqual([...both(0), ...both(1)])
    expect(entries({ equal: equal.slice(0, 1), fixed }).sort()).toEqual(both(1))
  })

  it('say whether any class is named', () => {
    const column = { mode: 'C', label: 'y', probability: 0.25 }
    expect(setting({ fixed: [column] }).named).toBe(false)
    expect(setting({ fixed: [column, { ...column, label: 'x', class: 1 }] }).named).toBe(true)
    expect(setting({ zero: [{ mode: 'C', label: 'x', class: 2 }] }).named).toBe(true)
    expect(
      setting({
        equal: [
          [{ mode: 'A' }],
          [
            { mode: 'B', class: 1 },
            { mode: 'B', class: 2 },
          ],
        ],
      }).named,
    ).toBe(true)
    expect(setting({ equal: [[{ mode: 'A' }]] }).named).toBe(false)
  })

  it('have what follows: the rest of a column for a single label, and zeros where nothing is left', () => {
    expect(entries({ fixed: [{ mode: 'A', class: 1, label: 'no', probability: 0.25 }] })).toEqual([
      [0, 0, 0, 0.25],
      [0, 0, 1, 0.75],
    ])
    expect(entries({ fixed: [{ mode: 'C', class: 1, label: 'y', probability: 1 }] })).toEqual([
      [2, 0, 1, 1],
      [2, 0, 0, 0],
      [2, 0, 2, 0],
    ])
    const two = [
      { mode: 'C', class: 1, label: 'x', probability: 0.5 },
      { mode: 'C', class: 1, label: 'z', probability: 0.125 },
    ]
    expect(entries({ fixed: two })).toEqual([
      [2, 0, 0, 0.5],
      [2, 0, 2, 0.125],
      [2, 0, 1, 0.375],
    ])
    // What is beyond 1 by rounding leaves nothing, and no less.
    const over = [
      { mode: 'C', class: 1, label: 'x', probability: 0.5 },
      { mode: 'C', class: 1, label: 'z', probability: 0.5 + 1e-10 },
    ]
    expect(entries({ fixed: over })[2]).toEqual([2, 0, 1, 0])
  })

  it('of one of several equal columns are of all of them, label by label', () => {
    const equal = [
      [
        { mode: 'A', class: 1 },
        { mode: 'B', class: 2, labels: ['yes', 'no'] },
      ],
    ]
    expect(entries({ fixed: [{ mode: 'A', class: 1, label: 'no', probability: 0.25 }], equal })).toEqual([
      [0, 0, 0, 0.25],
      [0, 0, 1, 0.75],
      [1, 1, 1, 0.25],
      [1, 1, 0, 0.75],
    ])
    // Said twice is said once.
    const both = [
      { mode: 'A', class: 1, label: 'no', probability: 0.25 },
      { mode: 'B', class: 2, label: 'yes', probability: 0.25 },
    ]
    expect(entries({ fixed: both, equal })).toHaveLength(4)
    const apart = [both[0], { ...both[1], probability: 0.5 }]
    expect(() => setting({ fixed: apart, equal })).toThrow(
      'constraints contradict each other: mode "A", class 1, label "no" is both 0.25 and 0.5',
    )
  })

  it.each([
    [null, 'constraints must be an object of fixed, zero or equal (got null)'],
    ['x', 'constraints must be an object of fixed, zero or equal (got "x")'],
    [{ zero: 3 }, 'constraints.zero must be a list (got 3)'],
    [{ equal: {} }, 'constraints.equal must be a list (got an object)'],
    [{ equal: [3] }, 'constraints.equal[0] must be a list of columns (got 3)'],
    [{ fixed: [null] }, 'constraints.fixed[0]'],
    [
      { fixed: [{ mode: 'A', label: 'no', probability: -0.1 }] },
      'constraints.fixed[0].probability must be a number from 0 to 1 (got -0.1)',
    ],
    [
      { fixed: [{ mode: 'A', label: 'no', probability: '1' }] },
      'constraints.fixed[0].probability must be a number from 0 to 1 (got "1")',
    ],
    [{ fixed: [{ mode: 'A', label: 'no', probability: 1, klass: 1 }] }, 'constraints.fixed[0] has no option "klass"'],
    [{ zero: [{ mode: 'A', label: 'no', probability: 1 }] }, 'constraints.zero[0] has no option "probability"'],
    [
      { zero: [{ mode: 'A', label: 'no', class: 0 }] },
      'constraints.zero[0].class must be a whole number from 1 to 2 (got 0)',
    ],
    [
      {
        zero: [
          { mode: 'A', label: 'no', class: 1 },
          { mode: 'A', label: 'yes', class: 1 },
        ],
      },
      'the fixed probabilities of mode "A", class 1 must sum to 1, since all are fixed (got 0)',
    ],
    [
      {
        fixed: [
          { mode: 'C', label: 'x', probability: 0.6 },
          { mode: 'C', label: 'y', probability: 0.6 },
        ],
      },
      'the fixed probabilities of mode "C", class 1 must sum to no more than 1 (got 1.2)',
    ],
    [{ equal: [[{ mode: 'D' }]] }, 'constraints.equal[0][0]: there is no mode "D"; the modes are A, B, C'],
    [{ equal: [[{ mode: 'A', clas: 1 }]] }, 'constraints.equal[0][0] has no option "clas"'],
    [
      { equal: [[{ mode: 'A', labels: ['no', 'no'] }]] },
      'constraints.equal[0][0].labels must name every label of mode "A" once',
    ],
    [
      { equal: [[{ mode: 'A', labels: 'no' }]] },
      'constraints.equal[0][0].labels must name every label of mode "A" once (got "no")',
    ],
    [
      { equal: [[{ mode: 'A', labels: ['no', 'maybe'] }]] },
      'constraints.equal[0][0]: mode "A" has no label "maybe"; its labels are no, yes',
    ],
    [
      {
        equal: [
          [
            { mode: 'A', class: 1 },
            { mode: 'A', class: 1 },
          ],
        ],
      },
      'mode "A", class 1 is twice in constraints.equal[0]',
    ],
    [{ equal: [[]] }, 'constraints.equal[0] must have at least two columns'],
    [
      {
        equal: [
          [
            { mode: 'A', class: 1 },
            { mode: 'B', class: 1 },
          ],
          [{ mode: 'B' }],
        ],
      },
      'mode "B", class 1 is in constraints.equal[0] and [1]: join them',
    ],
  ] as [unknown, string][])('%j are refused', (given, message) => {
    expect(() => setting(given as Constraints)).toThrow(message)
  })

  it('name a dozen labels at most', () => {
    const many = [
      new Mode(
        'D',
        Array.from({ length: 20 }, (_, i) => `d${i}`),
      ),
    ]
    const zero = [{ mode: 'D', label: 'e' }]
    expect(() => constraintSetting(many, 2, { zero })).toThrow(/its labels are d0, d1, .*, d10, d11$/)
  })
})

describe('what constraints leave free', () => {
  const count = (given: Constraints) => constrainedParameters([2, 2, 3], 2, setting(given))

  it('is counted by columns, equal ones once', () => {
    expect(
      count({
        zero: [
          { mode: 'C', class: 1, label: 'x' },
          { mode: 'C', class: 1, label: 'y' },
        ],
      }),
    ).toBe(7)
    expect(count({ equal: [[{ mode: 'C' }]] })).toBe(7)
    expect(count({ equal: [[{ mode: 'A' }, { mode: 'B' }]] })).toBe(6)
    expect(
      count({
        equal: [[{ mode: 'A' }, { mode: 'B' }]],
        fixed: [{ mode: 'B', class: 2, label: 'no', probability: 0.5 }],
      }),
    ).toBe(5)
  })

  it('is the sum of what is fixed, column by column', () => {
    const { fixed } = setting({
      fixed: [
        { mode: 'C', label: 'x', probability: 0.25 },
        { mode: 'C', class: 1, label: 'y', probability: 0.5 },
      ],
    })
    expect(byColumn(fixed).map(column => [column.length, sumOf(column)])).toEqual([
      [3, 1],
      [1, 0.25],
    ])
  })
})

describe('classes may be put into another order', () => {
  const may = (given: Constraints, order: readonly number[], rank = 3) => mayReorder(setting(given, rank), order)

  it('if the constraints are then the same', () => {
    expect(may({}, [2, 0, 1])).toBe(true)
    expect(may({ zero: [{ mode: 'C', label: 'x' }] }, [2, 0, 1])).toBe(true)
    const first = { zero: [{ mode: 'C', class: 1, label: 'x' }] }
    expect([may(first, [0, 2, 1]), may(first, [1, 0, 2])]).toEqual([true, false])
    const values = {
      fixed: [
        { mode: 'C', class: 1, label: 'x', probability: 0.5 },
        { mode: 'C', class: 2, label: 'x', probability: 0.25 },
      ],
    }
    expect(may(values, [1, 0, 2])).toBe(false)
    const pair = {
      equal: [
        [
          { mode: 'A', class: 1 },
          { mode: 'A', class: 2 },
        ],
      ],
    }
    expect([may(pair, [1, 0, 2]), may(pair, [0, 2, 1])]).toEqual([true, false])
    const across = {
      equal: [
        [
          { mode: 'A', class: 1 },
          { mode: 'B', class: 1 },
        ],
        [
          { mode: 'A', class: 2 },
          { mode: 'B', class: 2 },
        ],
      ],
    }
    expect([may(across, [1, 0, 2]), may(across, [2, 1, 0])]).toEqual([true, false])
    const turned = {
      equal: [
        [
          { mode: 'A', class: 1 },
          { mode: 'A', class: 2, labels: ['yes', 'no'] },
        ],
      ],
    }
    expect(may(turned, [1, 0, 2])).toBe(false)
  })
})
