import { readFileSync } from 'node:fs'
import {
  fitStructured,
  Model,
  type StandardErrorKind,
  type StandardErrors,
  type StructuredFitOptions,
  standardErrors,
  tensorFromRows,
} from '@polyad/core'
import { ChainStructure, NestedStructure } from '@polyad/core/model'
import { linkedClasses } from '@polyad/core/stats'
import { describe, expect, it } from 'vitest'

/** Models of persons over time and of groups, as `bench/linked/oracle.py` computes them in numpy: recursions, derivatives and maxima of its own. */

type Answers = readonly number[]
interface Person {
  readonly rows: readonly (Answers | null)[]
  readonly sex: number
  readonly x: readonly number[]
  readonly weight: number
}
interface Shown {
  readonly values: readonly number[]
  readonly errors: readonly number[]
}
interface Maximum extends Partial<Record<StandardErrorKind, Shown>> {
  readonly logLikelihood: number
}
interface Chain {
  readonly initial: readonly number[]
  readonly transitions: readonly (readonly (readonly number[])[])[]
  readonly stayers?: { readonly share: number; readonly sizes: readonly number[] }
  readonly logLikelihoods: readonly number[]
  readonly posteriors: readonly (readonly (readonly number[])[])[]
}
interface Nested {
  readonly groupSizes: readonly number[]
  readonly mixes: readonly (readonly number[])[]
  readonly logLikelihoods: readonly number[]
  readonly groups: readonly (readonly number[])[]
  readonly members: readonly (readonly (readonly number[])[])[]
}
interface Oracles {
  readonly items: readonly (readonly (readonly number[])[])[]
  readonly persons: readonly Person[]
  readonly regular: readonly Person[]
  readonly staying: readonly Person[]
  readonly groups: readonly { readonly members: readonly (readonly [Answers, number, number])[] }[]
  readonly chain: Chain
  readonly stayers: Chain
  readonly nested: Nested
  readonly maxima: Readonly<Record<string, Maximum>>
}

const oracles: Oracles = JSON.parse(readFileSync(new URL('./data/linked/oracles.json', import.meta.url), 'utf8'))
const { persons, regular, staying, groups, items } = oracles
const NAMES = ['q1', 'q2', 'q3']
const answered = (answers: Answers) =>
  Object.fromEntries(NAMES.map((name, n) => [name, answers[n] < 0 ? null : answers[n]]))
const wavesOf = (list: readonly Person[], more: (person: Person, t: number) => object = () => ({})) =>
  list.flatMap((person, id) =>
    person.rows.flatMap((row, t) => (row === null ? [] : [{ id, wave: t, ...answered(row), ...more(person, t) }])),
  )
const membersOf = (more: (count: number, sex: number) => object = () => ({})) =>
  groups.flatMap(({ members }, group) =>
    members.map(([answers, count, sex]) => ({ group, ...answered(answers), ...more(count, sex) })),
  )

const chain = { rank: 2, person: 'id', time: 'wave', transitions: 'same', starts: 1, threads: 1 } as const
const nested = { rank: 2, within: 'group', groupClasses: 2, starts: 5, threads: 1 } as const

/** A model with the items of the oracle. */
const withItems = (structure: ChainStructure | NestedStructure) => {
  const { modes } = tensorFromRows(membersOf().map(({ group: _, ...row }) => row))
  const factors = modes.map(({ size }, n) => Float64Array.from({ length: 2 * size }, (_, i) => items[i % 2][n][i >> 1]))
  return new Model(modes, { rank: 2, sizes: Float64Array.of(1, 1), factors }, undefined, structure)
}
const codesOf = (list: readonly Answers[]) => NAMES.map((_, n) => Int32Array.from(list, answers => answers[n]))

const close = (found: ArrayLike<number>, expected: readonly number[], digits: number) => {
  expect(found.length).toBe(expected.length)
  expected.forEach((each, i) => void expect(found[i], String(i)).toBeCloseTo(each, digits))
}

describe('the forward and backward recursion', () => {
  it.each(['chain', 'stayers'] as const)('of persons with gaps, missing answers and unequal waves: %s', name => {
    const { initial, transitions, stayers, logLikelihoods, posteriors } = oracles[name]
    const waves = [0, 1, 2, 3]
    const model = withItems(new ChainStructure({ person: 'id', time: 'wave', waves, initial, transitions, stayers }))
    const rows = persons.flatMap(({ rows }, id) =>
      rows.flatMap((answers, wave) => (answers === null ? [] : [{ id, wave, answers }])),
    )
    const found = linkedClasses(model, {
      codes: codesOf(rows.map(({ answers }) => answers)),
      units: Int32Array.from(rows, ({ id }) => id),
      waves: Int32Array.from(rows, ({ wave }) => wave),
    })
    rows.forEach(({ id, wave }, row) => {
      expect(found.logLikelihoods[row]).toBeCloseTo(logLikelihoods[id], 9)
      close(found.posteriors.subarray(2 * row, 2 * row + 2), posteriors[id][wave], 9)
    })
    found.waves!.forEach((own, id) => void close(own, posteriors[id].flat(), 9))
  })

  it('of groups', () => {
    const { groupSizes, mixes, logLikelihoods, groups: ofGroups, members } = oracles.nested
    const model = withItems(new NestedStructure({ within: 'group', groupSizes, mixes }))
    const rows = groups.flatMap(({ members }, id) => members.map(([answers]) => ({ id, answers })))
    const found = linkedClasses(model, {
      codes: codesOf(rows.map(({ answers }) => answers)),
      units: Int32Array.from(rows, ({ id }) => id),
    })
    close(found.posteriors, members.flat(2), 9)
    close(found.groups!, ofGroups.flat(), 9)
    rows.forEach(({ id }, row) => void expect(found.logLikelihoods[row]).toBeCloseTo(logLikelihoods[id], 9))
  })
})

/** The classes in the order of the oracle's: a frequent first answer to the first question. */
const placesOf = (model: Model) => (model.profile('q1', 0)[0] > model.profile('q1', 1)[0] ? [0, 1] : [1, 0])

/** Values and errors in the order of the oracle: tables first, and then the items by class. */
const shown = (model: Model, { chain, nested, factors }: StandardErrors) => {
  const places = placesOf(model)
  const ofItems = places.flatMap(k =>
    model.modes.flatMap((mode, n) =>
      [...model.profile(n, k)].map((value, j) => ({ value, error: factors![n][k][j], mode })),
    ),
  )
  if (chain !== undefined)
    return [
      ...places.map(k => chain.initial[k]),
      ...chain.transitions.flatMap(step => places.flatMap(i => places.map(k => step[i][k]))),
      ...ofItems,
      ...(chain.stayers === undefined
        ? []
        : [
            { value: 1 - chain.stayers.share.value, error: chain.stayers.share.error },
            chain.stayers.share,
            ...places.map(k => chain.stayers!.sizes[k]),
          ]),
    ]
  const { groupSizes, mixes } = nested!
  const order = mixes[0][places[0]].value > mixes[1][places[0]].value ? [0, 1] : [1, 0]
  return [...order.map(g => groupSizes[g]), ...order.flatMap(g => places.map(k => mixes[g][k])), ...ofItems]
}

/** A fit has the maximum, the estimates and the standard errors of the oracle. */
const reaches = async (name: string, rows: readonly object[], options: StructuredFitOptions, count?: string) => {
  const expected = oracles.maxima[name]
  const data = tensorFromRows(rows as Record<string, number | null>[], count === undefined ? {} : { count })
  const squares = count === undefined ? {} : { squares: data.values.map(weight => weight ** 2) }
  const { linked, result } = await fitStructured(data, { ...options, ...squares })
  expect(result.logLikelihood).toBeCloseTo(expected.logLikelihood, 6)
  return { expected, data: linked!.data, model: result.model, errors: linked!.standardErrors!, squares }
}

describe('maxima, and standard errors of units', () => {
  it.each<[string, () => readonly object[], StructuredFitOptions]>([
    ['chain', () => wavesOf(persons), chain],
    ['stayers', () => wavesOf(staying), { ...chain, stayers: true }],
    ['nested', () => membersOf(), nested],
  ])('%s', async (name, rows, options) => {
    const { expected, data, model, errors } = await reaches(name, rows(), options)
    for (const kind of ['sandwich', 'observed', 'empirical'] as const) {
      const own = shown(model, kind === 'sandwich' ? errors : await standardErrors(data, model, { kind }))
      own.forEach(({ value, error }, i) => {
        expect(value).toBeCloseTo(expected[kind]!.values[i], 4)
        expect(error! / expected[kind]!.errors[i], `${kind} ${i}`).toBeCloseTo(1, 3)
      })
    }
  })

  it('of persons with sampling weights, which average 1 over persons', async () => {
    const rows = wavesOf(persons, ({ weight }) => ({ weight }))
    // As they are read: they average 1 over rows.
    const mean = rows.reduce((sum, row) => sum + (row as unknown as Person).weight, 0) / rows.length
    const scaled = rows.map(row => ({ ...row, weight: (row as unknown as Person).weight / mean }))
    const { expected, data, model, errors, squares } = await reaches('weighted chain', scaled, chain, 'weight')
    expect(data.observations).toBeCloseTo(persons.length, 9)
    shown(model, errors).forEach(({ error }, i) => {
      expect(error! / expected.sandwich!.errors[i], String(i)).toBeCloseTo(1, 3)
    })
    // The same from the table; other kinds are not for weights.
    const table = tensorFromRows(scaled, { count: 'weight' })
    const again = await standardErrors(table, model, { kind: 'sandwich', ...squares })
    expect(again.chain!.initial[0].error).toBeCloseTo(errors.chain!.initial[0].error!, 10)
    const observed = { kind: 'observed', ...squares } as const
    await expect(standardErrors(table, model, observed)).rejects.toThrow("kind must be 'sandwich' with weights")
    await expect(fitStructured(table, { ...chain, ...observed })).rejects.toThrow(
      "kind must be 'sandwich' with weights",
    )
  })

  it('of groups whose members have sampling weights', async () => {
    const rows = membersOf(count => ({ count }))
    const mean = rows.reduce((sum, row) => sum + (row as unknown as { count: number }).count, 0) / rows.length
    const scaled = rows.map(row => ({ ...row, count: (row as unknown as { count: number }).count / mean }))
    const { expected, model, errors } = await reaches('weighted nested', scaled, nested, 'count')
    shown(model, errors).forEach(({ error }, i) => {
      expect(error! / expected.sandwich!.errors[i], String(i)).toBeCloseTo(1, 3)
    })
  })

  it('of coefficients', async () => {
    const covariates = { covariates: ['sex'], kind: 'observed' } as const
    const panel = await reaches(
      'explained chain',
      wavesOf(regular, ({ sex, x }, t) => ({ sex, x: x[t] })),
      { ...chain, ...covariates, transitionCovariates: ['x'] },
    )
    const members = await reaches(
      'explained nested',
      membersOf((_, sex) => ({ sex })),
      { ...nested, ...covariates },
    )
    for (const kind of ['observed', 'empirical', 'sandwich'] as const) {
      // Classes of the model that are in the other order have the other sign.
      const ofPanel = await standardErrors(panel.data, panel.model, { kind })
      const [first, moves] = ofPanel.effects!.map(({ coefficients }) => coefficients)
      const places = placesOf(panel.model)
      const sign = places[0] === 0 ? 1 : -1
      const moving = places.map(k => moves.filter(({ from }) => from === k + 1))
      const { values, errors } = panel.expected[kind]!
      const own = [...first, moving[0][0], moving[1][0], moving[0][1], moving[1][1]]
      own.forEach(({ estimate, error }, i) => {
        expect(estimate).toBeCloseTo((i < 2 ? sign : 1) * values[i], 4)
        expect(error! / errors[i]).toBeCloseTo(1, 3)
      })
      const { effects } = await standardErrors(members.data, members.model, { kind })
      const slope = effects![0].coefficients.find(({ term }) => term === 'sex')!
      expect(Math.abs(slope.estimate)).toBeCloseTo(Math.abs(members.expected[kind]!.values[3]), 4)
      expect(slope.error! / members.expected[kind]!.errors[3]).toBeCloseTo(1, 3)
    }
  })
})
