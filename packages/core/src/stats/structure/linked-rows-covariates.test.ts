import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import { NestedStructure } from '../../model/structures/nested.ts'
import { Mode } from '../../tensor/mode.ts'
import { classifyRows } from './classify-rows.ts'

const YES = [0.9, 0.2]
const modes = [new Mode('a', ['no', 'yes']), new Mode('b', ['no', 'yes'])]
const factor = Float64Array.from([...YES.map(p => 1 - p), ...YES])
const components = { rank: 2, sizes: Float64Array.of(60, 40), factors: [factor, factor] }
const answered = (row: { a?: string | null; b?: string | null } | undefined, k: number) =>
  [row?.a, row?.b].reduce((p, own) => (own == null ? p : p * (own === 'yes' ? YES[k] : 1 - YES[k])), 1)

const SEX = { name: 'sex', labels: ['f', 'm'], numeric: false }
const AGE = { name: 'age', labels: [20, 60], numeric: true }
const isMale = { name: 'sex: m', factors: [{ covariate: 'sex', label: 'm' }] }
const years = { name: 'age', factors: [{ covariate: 'age' }] }
const logistic = (x: number) => 1 / (1 + Math.exp(-x))
const either = (p: number) => [1 - p, p]
const sumOver = <T>(all: readonly T[], of: (each: T) => number) => all.reduce((sum, each) => sum + of(each), 0)

describe('persons with covariates', () => {
  const waves = [1, 2, 3]
  const initial = [0.6, 0.4]
  const transitions = [
    [
      [0.8, 0.2],
      [0.3, 0.7],
    ],
    [
      [0.7, 0.3],
      [0.4, 0.6],
    ],
  ]
  const starting = { terms: [isMale], given: [SEX], intercepts: [[[0, 0.5]]], slopes: [[[0], [-1.5]]] }
  const moving = {
    terms: [years],
    given: [AGE],
    intercepts: [
      [
        [0, -2],
        [-1, 0],
      ],
      [
        [0, -1],
        [-0.5, 0],
      ],
    ],
    slopes: [
      [[0], [0.05]],
      [[0.02], [0]],
    ],
  }
  const structure = new ChainStructure({ person: 'id', time: 'wave', waves, initial, transitions, starting, moving })
  const model = new Model(modes, components, undefined, structure)
  const first = (sex: string | undefined) =>
    sex === undefined ? initial : either(logistic(0.5 - (sex === 'm' ? 1.5 : 0)))
  const move = (t: number, from: number, age: number | undefined) => {
    if (age === undefined) return transitions[t - 1][from]
    return from === 0
      ? either(logistic((t === 1 ? -2 : -1) + 0.05 * age))
      : either(1 - logistic((t === 1 ? -1 : -0.5) + 0.02 * age))
  }

  const rows = [
    { id: 'Ann', wave: 1, sex: 'f', age: 30, a: 'yes', b: 'no' },
    { id: 'Ann', wave: 2, sex: 'f', age: 40, a: 'no', b: null },
    { id: 'Ann', wave: 3, sex: 'f', age: 50, a: 'no', b: 'no' },
    // His age at the second wave is that of the first.
    { id: 'Bob', wave: 1, sex: 'm', age: 35, a: 'yes', b: 'yes' },
    { id: 'Bob', wave: 3, sex: null, age: 55, a: 'no', b: 'no' },
    // Nobody knows her sex, or the age of the last.
    { id: 'Cleo', wave: 1, sex: null, age: 25, a: 'no', b: 'yes' },
    { id: 'Cleo', wave: 2, sex: 'x', age: 26, a: 'no', b: 'no' },
    { id: 'Dan', wave: 1, sex: 'm', age: null, a: 'no', b: 'yes' },
    { id: 'Dan', wave: 2, sex: 'm', age: null, a: 'yes', b: 'yes' },
  ]
  const known = [
    { id: 'Ann', sex: 'f', ages: [30, 40, 50] },
    { id: 'Bob', sex: 'm', ages: [35, 35, 55] },
    { id: 'Cleo', sex: undefined, ages: [25, 26] },
    { id: 'Dan', sex: 'm', ages: [undefined, undefined] },
  ]

  it('have the classes of all paths; who lacks a covariate has the means of the model', () => {
    const found = classifyRows(model, rows)
    let all = 0
    for (const { id, sex, ages } of known) {
      const own = ages.map((_, t) => rows.find(row => row.id === id && row.wave === t + 1))
      const paths = Array.from({ length: 2 ** ages.length }, (_, i) => ages.map((__, t) => (i >> t) & 1)).map(path => ({
        path,
        p: path.reduce(
          (p, k, t) => p * (t === 0 ? first(sex)[k] : move(t, path[t - 1], ages[t])[k]) * answered(own[t], k),
          1,
        ),
      }))
      const total = sumOver(paths, ({ p }) => p)
      all += Math.log(total)
      const person = found.persons!.find(each => each.person === id)!
      expect(person.path).toEqual(paths.reduce((best, each) => (each.p > best.p ? each : best)).path)
      person.waves.forEach(({ probabilities }, t) => {
        const p = sumOver(
          paths.filter(({ path }) => path[t] === 1),
          each => each.p,
        )
        expect(probabilities[1]).toBeCloseTo(p / total, 12)
      })
    }
    expect(found.logLikelihood).toBeCloseTo(all, 10)
    // Nobody has a covariate: all have the means.
    const without = classifyRows(
      model,
      rows.map(row => ({ ...row, sex: null, age: null })),
    )
    const plain = new Model(
      modes,
      components,
      undefined,
      new ChainStructure({ person: 'id', time: 'wave', waves, initial, transitions }),
    )
    expect(without.logLikelihood).toBeCloseTo(classifyRows(plain, rows).logLikelihood, 12)
  })

  it('are drawn with the covariates of the given persons', () => {
    const given = [
      { id: 'Ann', wave: 1, sex: 'f', age: 30 },
      { id: 'Ann', wave: 3, sex: 'f', age: 50 },
      { id: 'Bob', wave: 1, sex: 'm', age: 60 },
    ]
    const drawn = model.sample(4000, { rows: given, weights: [3, 3, 1], seed: 2 })
    expect(drawn.columns).toEqual(['id', 'wave', 'sex', 'age', 'a', 'b'])
    expect(drawn.rows).toHaveLength(12_000)
    const person = Array.from({ length: 4000 }, (_, i) => ({
      sex: drawn.rows[3 * i][2],
      ages: [0, 1, 2].map(t => drawn.rows[3 * i + t][3]),
      path: [0, 1, 2].map(t => drawn.classes[3 * i + t]),
      yes: drawn.rows[3 * i][4] === 'yes' ? 1 : 0,
    }))
    const near = (values: readonly number[], p: number) =>
      void expect(Math.abs(sumOver(values, x => x) / values.length - p)).toBeLessThan(
        4 * Math.sqrt((p * (1 - p)) / values.length),
      )
    near(
      person.map(({ sex }) => (sex === 'f' ? 1 : 0)),
      0.75,
    )
    for (const { sex, ages } of [
      { sex: 'f', ages: [30, 30, 50] },
      { sex: 'm', ages: [60, 60, 60] },
    ]) {
      const own = person.filter(each => each.sex === sex)
      for (const each of own) expect(each.ages).toEqual(ages)
      const p = first(sex)[1]
      near(
        own.map(({ path }) => path[0]),
        p,
      )
      near(
        own.map(({ yes }) => yes),
        (1 - p) * YES[0] + p * YES[1],
      )
      for (const from of [0, 1])
        for (const t of [1, 2])
          near(
            own.filter(({ path }) => path[t - 1] === from).map(({ path }) => path[t]),
            move(t, from, ages[t])[1],
          )
    }
  })

  it('need the values of all covariates to be drawn', () => {
    expect(() => model.sample(1)).toThrow("the model's classes depend on sex, age")
    expect(() => model.sample(1, { rows: [{ id: 'Ann', wave: 1, sex: 'f' }] })).toThrow(
      'person "Ann": "age" must be a number, and has no such value',
    )
    expect(() => model.sample(1, { rows: [{ wave: 1, sex: 'f', age: 3 }] })).toThrow('which says whose row it is')
  })
})

describe('members of groups with covariates', () => {
  const grouping = {
    terms: [{ name: 'town', factors: [{ covariate: 'town', label: 'y' }] }],
    given: [{ name: 'town', labels: ['n', 'y'], numeric: false }],
    intercepts: [[[0, -0.5]]],
    slopes: [[[0], [1.5]]],
  }
  const mixing = { terms: [isMale], given: [SEX], intercepts: [[[0, 1]], [[0, -1]]], slopes: [[[0], [0.8]]] }
  const tables = { within: 'school', groupSizes: [0.55, 0.45], mixes: [either(0.8), either(0.3)] }
  const model = new Model(modes, components, undefined, new NestedStructure({ ...tables, grouping, mixing }))
  const ofGroup = (town: string | undefined) =>
    town === undefined ? tables.groupSizes : either(logistic(-0.5 + (town === 'y' ? 1.5 : 0)))
  const ofMember = (g: number, sex: string | null) =>
    sex === null ? tables.mixes[g] : either(logistic((g === 0 ? 1 : -1) + (sex === 'm' ? 0.8 : 0)))
  const rows = [
    { school: 'A', town: 'y', sex: 'f', a: 'yes', b: 'yes' },
    { school: 'A', town: 'y', sex: 'm', a: 'yes', b: 'no' },
    { school: 'A', town: null, sex: null, a: 'no', b: null },
    { school: 'B', town: null, sex: 'm', a: 'no', b: 'no' },
    { school: 'B', town: null, sex: 'f', a: null, b: null },
  ]

  it('have the classes of all groups and members', () => {
    const found = classifyRows(model, rows)
    let all = 0
    for (const { school, town } of [
      { school: 'A', town: 'y' },
      { school: 'B', town: undefined },
    ]) {
      const members = rows.flatMap((row, i) => (row.school === school ? [i] : []))
      const likely = (g: number, fixed?: { row: number; k: number }) =>
        ofGroup(town)[g] *
        members.reduce(
          (p, i) =>
            p *
            sumOver([0, 1], k =>
              fixed?.row === i && fixed.k !== k ? 0 : ofMember(g, rows[i].sex)[k] * answered(rows[i], k),
            ),
          1,
        )
      const total = sumOver([0, 1], g => likely(g))
      all += Math.log(total)
      const group = found.groups!.find(each => each.group === school)!
      expect(group.probabilities[1]).toBeCloseTo(likely(1) / total, 12)
      for (const i of members)
        expect(found.rows[i].probabilities[1]).toBeCloseTo(
          sumOver([0, 1], g => likely(g, { row: i, k: 1 })) / total,
          12,
        )
    }
    expect(found.logLikelihood).toBeCloseTo(all, 10)
  })

  it('are drawn with the covariates of the given groups', () => {
    const given = rows.slice(0, 2)
    const drawn = model.sample(3000, { rows: given, seed: 3 })
    expect(drawn.columns).toEqual(['school', 'town', 'sex', 'a', 'b'])
    expect(drawn.rows.slice(0, 2).map(row => row.slice(0, 3))).toEqual([
      [1, 'y', 'f'],
      [1, 'y', 'm'],
    ])
    const share = (values: readonly number[]) => sumOver(values, x => x) / values.length
    const groups = drawn.groupClasses!
    expect(share(groups.map(Number))).toBeCloseTo(ofGroup('y')[1], 1)
    for (const g of [0, 1])
      for (const [i, sex] of ['f', 'm'].entries())
        expect(share(drawn.classes.filter((_, row) => groups[row] === g && row % 2 === i))).toBeCloseTo(
          ofMember(g, sex)[1],
          1,
        )
    expect(model.sample(2, { rows: given, members: 5 }).rows).toHaveLength(10)
  })
})
