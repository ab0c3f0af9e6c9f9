import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { evaluate } from '../../stats/fit-statistics/evaluate.ts'
import { tensorFromCoordinates } from '../../tensor/coordinates.ts'
import { Mode } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { fit } from '../fit.ts'
import { type ConstraintSetting, type Constraints, constrainedParameters, constraintSetting } from './constraints.ts'

const table = (text: string, modes: string[]): Tensor => {
  const entries = text
    .trim()
    .split(/\s+/)
    .map(entry => entry.split(':'))
  return tensorFromCoordinates(
    entries.map(([codes]) => [...codes].map(code => Number(code) - 1)),
    entries.map(([, count]) => Number(count)),
    { modes },
  )
}

/** Role conflict (Stouffer and Toby): four items of which two are alike. */
const values = table(
  '1111:20 1112:2 1121:9 1122:2 1211:6 1212:1 1221:4 1222:1 2111:38 2112:7 2121:24 2122:6 2211:25 2212:6 2221:23 2222:42',
  ['A', 'B', 'C', 'D'],
)
const gss82 = table(
  `1111:419 1112:35 1113:2 1121:71 1122:25 1123:5 1211:270 1212:25 1213:4 1221:42 1222:16 1223:5
   2111:23 2112:4 2113:1 2121:6 2122:2 2211:43 2212:9 2213:2 2221:9 2222:3 2223:2
   3111:26 3112:3 3121:1 3122:2 3211:85 3212:23 3213:6 3221:13 3222:12 3223:8`,
  ['purpose', 'accuracy', 'understanding', 'cooperation'],
)

/** Constrained EM as it is defined: expected counts of all entries that are one parameter are added up before they are divided. */
const naive = (
  tensor: Tensor,
  rank: number,
  { fixed, tied }: ConstraintSetting,
  seed: number,
  rounds: number,
): number => {
  const { shape, cells, indices, values: counts } = tensor
  const { uniform } = random(seed, 'data')
  let shares = Array.from({ length: rank }, () => 1 / rank)
  let theta = Array.from({ length: rank }, () => shape.map(size => Array.from({ length: size }, () => 0.3 + uniform())))
  const obey = (tables: number[][][]): number[][][] => {
    const summed = tables.map(own => own.map(column => [...column]))
    for (const group of tied) {
      group[0].labels.forEach((_, part) => {
        const sum = group.reduce((total, c) => total + tables[c.class][c.mode][c.labels[part]], 0)
        for (const c of group) summed[c.class][c.mode][c.labels[part]] = sum
      })
    }
    return summed.map((own, k) =>
      own.map((column, n) => {
        const known = new Map(fixed.filter(e => e.mode === n && e.class === k).map(e => [e.label, e.value]))
        const left = 1 - [...known.values()].reduce((a, b) => a + b, 0)
        const free = column.reduce((sum, count, j) => (known.has(j) ? sum : sum + count), 0)
        return column.map((count, j) => known.get(j) ?? (left * count) / free)
      }),
    )
  }
  theta = obey(theta)
  let logLikelihood = 0
  for (let round = 0; round < rounds; round++) {
    logLikelihood = 0
    const next = theta.map(own => own.map(column => column.map(() => 0)))
    const sizes = shares.map(() => 0)
    for (let cell = 0; cell < cells; cell++) {
      const w = shares.map((share, k) => shape.reduce((p, _, n) => p * theta[k][n][indices[n][cell]], share))
      const p = w.reduce((a, b) => a + b, 0)
      logLikelihood += counts[cell] * Math.log(p)
      w.forEach((part, k) => {
        sizes[k] += (counts[cell] * part) / p
        shape.forEach((_, n) => {
          next[k][n][indices[n][cell]] += (counts[cell] * part) / p
        })
      })
    }
    shares = sizes.map(size => size / tensor.total)
    theta = obey(next)
  }
  return logLikelihood
}

const parallel: Constraints = {
  equal: [
    [
      { mode: 'B', class: 1 },
      { mode: 'C', class: 1 },
    ],
    [
      { mode: 'B', class: 2 },
      { mode: 'C', class: 2 },
    ],
  ],
}

describe('a fit under constraints', () => {
  it.each<[string, Tensor, Constraints, number]>([
    ['parallel items', values, parallel, 7],
    ['an item that tells nothing', values, { equal: [[{ mode: 'A' }]] }, 8],
    ['one error rate for all', values, { equal: [[{ class: 1 }, { class: 2, labels: [1, 0] }]] }, 2],
    [
      'a known rate, and an answer that a class never gives',
      values,
      { fixed: [{ mode: 'D', class: 1, label: 0, probability: 0.9 }], zero: [{ mode: 'A', class: 2, label: 0 }] },
      7,
    ],
    ['one of three labels known', gss82, { fixed: [{ mode: 'purpose', class: 2, label: 0, probability: 0.1 }] }, 12],
    [
      'equal columns, one label of which is known',
      gss82,
      { fixed: [{ mode: 'cooperation', class: 1, label: 2, probability: 0.02 }], equal: [[{ mode: 'cooperation' }]] },
      10,
    ],
  ])('%s: as plain constrained EM', async (_, tensor, constraints, parameters) => {
    const setting = constraintSetting(tensor.modes, 2, constraints)
    const slow = Math.max(...[1, 2, 3, 4].map(seed => naive(tensor, 2, setting, seed, 3000)))
    const result = await fit(tensor, { rank: 2, constraints })
    expect(result.converged).toBe(true)
    // Plain EM creeps up on the optimum from below.
    expect(result.logLikelihood).toBeGreaterThan(slow - 1e-6)
    expect(result.logLikelihood).toBeLessThan(slow + 0.01)
    const found = await evaluate(tensor, result.model, { constraints })
    expect(found.parameters).toBe(parameters)
    expect(found.identification.verdict).toBe('identified')
    for (const { mode, class: k, label, value } of setting.fixed)
      expect(result.model.profile(mode, k)[label]).toBe(value)
    for (const group of setting.tied) {
      const columns = group.map(({ mode, class: k, labels }) =>
        labels.map(label => result.model.profile(mode, k)[label]),
      )
      for (const column of columns) expect(column).toEqual(columns[0])
    }
  })

  it('with everything fixed is the model that was given', async () => {
    const free = await fit(values, { rank: 2 })
    const fixed = values.modes.flatMap(({ name }, n) =>
      [0, 1].flatMap(k =>
        [0, 1].map(label => ({ mode: name, class: k + 1, label, probability: free.model.profile(n, k)[label] })),
      ),
    )
    const result = await fit(values, { rank: 2, constraints: { fixed } })
    expect(result.logLikelihood).toBeCloseTo(free.logLikelihood, 8)
    expect((await evaluate(values, result.model, { constraints: { fixed } })).parameters).toBe(1)
  })

  it('keeps the numbers of classes that are named, and sorts those that are not', async () => {
    const small = await fit(values, {
      rank: 2,
      constraints: { fixed: [{ mode: 'A', class: 1, label: 1, probability: 0.99 }] },
    })
    expect(small.model.shares[0]).toBeLessThan(small.model.shares[1])
    const sorted = await fit(values, { rank: 2, constraints: { equal: [[{ mode: 'A' }]] } })
    expect(sorted.model.shares[0]).toBeGreaterThan(sorted.model.shares[1])
  })

  it('is never better than without, and obeys, whatever is fixed', async () => {
    const free = await fit(values, { rank: 2 })
    const probability = fc.double({ min: 0.05, max: 0.95, noNaN: true })
    const entry = fc.record({
      mode: fc.constantFrom('A', 'B', 'C', 'D'),
      class: fc.constantFrom(1, 2),
      label: fc.constantFrom(0, 1),
      probability,
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { maxLength: 4, selector: e => `${e.mode}${e.class}` }), async fixed => {
        const { model, logLikelihood } = await fit(values, { rank: 2, constraints: { fixed }, starts: 3 })
        expect(logLikelihood).toBeLessThanOrEqual(free.logLikelihood + 1e-6)
        for (const { mode, class: k, label, probability } of fixed)
          expect(model.profile(mode, k - 1)[label]).toBe(probability)
      }),
      { numRuns: 20 },
    )
  })

  it('tells what a table cannot determine', async () => {
    const constraints: Constraints = { equal: [[{ mode: 'B' }], [{ mode: 'C' }], [{ mode: 'D' }]] }
    const { model } = await fit(values, { rank: 2, constraints, starts: 2 })
    const { identification } = await evaluate(values, model, { constraints })
    // The items are independent: what is left are four margins.
    expect(identification).toMatchObject({ parameters: 6, rank: 4, verdict: 'not identified' })
  })
})

describe('constraints', () => {
  const modes = [new Mode('A', ['no', 'yes']), new Mode('B', ['no', 'yes']), new Mode('C', ['x', 'y', 'z'])]
  const fixed = (label: string, probability: number, k = 1) => ({ mode: 'A', class: k, label, probability })

  it('are counted', () => {
    const count = (constraints: Constraints) =>
      constrainedParameters([2, 2, 3], 2, constraintSetting(modes, 2, constraints))
    expect(count({})).toBe(9)
    expect(count({ fixed: [fixed('no', 0.5)] })).toBe(8)
    expect(count({ zero: [{ mode: 'C', label: 'x' }] })).toBe(7)
    expect(
      count({
        equal: [
          [
            { mode: 'A', class: 1 },
            { mode: 'B', class: 1 },
          ],
        ],
      }),
    ).toBe(8)
    // What is known of one column is known of its equal.
    expect(
      count({
        fixed: [fixed('no', 0.5)],
        equal: [
          [
            { mode: 'A', class: 1 },
            { mode: 'B', class: 1 },
          ],
        ],
      }),
    ).toBe(7)
    expect(count({ fixed: [{ mode: 'C', class: 1, label: 'x', probability: 1 }] })).toBe(7)
  })

  it.each<[unknown, RegExp]>([
    [[], /constraints must be an object of fixed, zero or equal \(got an array of 0\)/],
    [{ fix: [] }, /constraints has no option "fix"; it takes fixed, zero, equal/],
    [{ fixed: {} }, /constraints\.fixed must be a list \(got an object\)/],
    [
      { fixed: [{ mode: 'D', label: 'no', probability: 1 }] },
      /constraints\.fixed\[0\]: there is no mode "D"; the modes are A, B, C/,
    ],
    [
      { fixed: [{ mode: 'A', label: 'maybe', probability: 1 }] },
      /constraints\.fixed\[0\]: mode "A" has no label "maybe"; its labels are no, yes/,
    ],
    [{ fixed: [{ label: 'no', probability: 1 }] }, /constraints\.fixed\[0\]: it names no mode; the modes are A, B, C/],
    [{ zero: [{ mode: 'A' }] }, /constraints\.zero\[0\]: it names no label of mode "A"; its labels are no, yes/],
    [
      { fixed: [{ mode: 'A', label: 'no' }] },
      /constraints\.fixed\[0\]\.probability must be a number from 0 to 1 \(it is missing\)/,
    ],
    [{ fixed: [fixed('no', 1.5)] }, /constraints\.fixed\[0\]\.probability must be a number from 0 to 1 \(got 1\.5\)/],
    [{ fixed: [fixed('no', 0.5, 3)] }, /constraints\.fixed\[0\]\.class must be a whole number from 1 to 2 \(got 3\)/],
    [
      { fixed: [fixed('no', 0.7), fixed('yes', 0.7)] },
      /fixed probabilities of mode "A", class 1 must sum to 1, since all are fixed/,
    ],
    [
      { fixed: [fixed('no', 0.7), fixed('no', 0.6)] },
      /contradict each other: mode "A", class 1, label "no" is both 0\.7 and 0\.6/,
    ],
    [{ equal: [[{ mode: 'A', class: 1 }]] }, /constraints\.equal\[0\] must have at least two columns/],
    [
      {
        equal: [
          [
            { mode: 'A', class: 1 },
            { mode: 'C', class: 1 },
          ],
        ],
      },
      /mode "A", class 1 has 2 labels and mode "C", class 1 has 3/,
    ],
    [
      { equal: [[{ mode: 'A' }], [{ mode: 'A' }]] },
      /mode "A", class 1 is in constraints\.equal\[0\] and \[1\]: join them/,
    ],
    [{ equal: [[{ mode: 'A', labels: ['no'] }]] }, /labels must name every label of mode "A" once/],
  ])('%j is refused', (given, message) => {
    expect(() => constraintSetting(modes, 2, given as Constraints)).toThrow(message)
  })

  it('that make the data impossible are refused', async () => {
    const asked = fit(values, { rank: 2, constraints: { zero: [{ mode: 'A', label: 0 }] } })
    await expect(asked).rejects.toThrow(/constraints make a cell of the data impossible in every class/)
  })
})
