import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import { NestedStructure } from '../../model/structures/nested.ts'
import { random } from '../../numeric/philox.ts'
import { Mode } from '../../tensor/mode.ts'
import { classifyRows } from './classify-rows.ts'
import { linkedClasses } from './linked-classes.ts'

const K = 3
const { uniform } = random(11, 'data')
const distribution = (length: number) => {
  const draws = Array.from({ length }, () => 0.1 + uniform())
  const sum = draws.reduce((all, each) => all + each, 0)
  return draws.map(each => each / sum)
}
const modes = [new Mode('a', ['no', 'yes']), new Mode('b', ['low', 'mid', 'high'])]
const profiles = modes.map(mode => Array.from({ length: K }, () => distribution(mode.size)))
const components = {
  rank: K,
  sizes: Float64Array.of(30, 50, 20),
  factors: modes.map((mode, n) =>
    Float64Array.from({ length: mode.size * K }, (_, i) => profiles[n][i % K][Math.floor(i / K)]),
  ),
}
const waves = ['w1', 'w2', 'w3', 'w4']
const initial = distribution(K)
const transitions = [1, 2, 3].map(() => [1, 2, 3].map(() => distribution(K)))
const chain = new Model(
  modes,
  components,
  undefined,
  new ChainStructure({ person: 'id', time: 'wave', waves, initial, transitions }),
)

interface Answers {
  readonly a?: string | null
  readonly b?: string | null
}
const answered = (row: Answers | undefined, k: number): number =>
  modes.reduce((p, mode, n) => {
    const label = row?.[mode.name as 'a' | 'b']
    const j = label === undefined || label === null ? undefined : mode.indexOf(label)
    return j === undefined ? p : p * profiles[n][k][j]
  }, 1)

/** All sequences of classes. */
const sequences = (length: number): number[][] =>
  length === 0 ? [[]] : sequences(length - 1).flatMap(start => [0, 1, 2].map(k => [...start, k]))

const sumOver = <T>(all: readonly T[], of: (each: T) => number) => all.reduce((sum, each) => sum + of(each), 0)

describe('persons over time', () => {
  const rows = [
    { id: 'Ann', wave: 'w1', a: 'yes', b: 'low' },
    { id: 'Bob', wave: 'w3', a: 'no', b: null },
    { id: 'Ann', wave: 'w4', a: 'no', b: 'high' },
    { id: 'Ann', wave: 'w2', a: null, b: 'mid' },
    { id: 'Bob', wave: 'w1', a: 'yes', b: 'perhaps' },
    // Without answers, without a person, and without a wave that the model knows.
    { id: 'Bob', wave: 'w4', a: null, b: null },
    { id: null, wave: 'w2', a: 'yes', b: 'high' },
    { id: null, wave: 'w2', a: 'yes', b: 'high' },
    { id: 'Ann', wave: 'w9', a: 'yes', b: 'high' },
  ]
  const found = classifyRows(chain, rows)

  it('have the posteriors and the most probable path of all paths', () => {
    let all = 0
    for (const id of ['Ann', 'Bob']) {
      const own = waves.map(wave => rows.find(row => row.id === id && row.wave === wave))
      const paths = sequences(4).map(path => ({
        path,
        p: path.reduce(
          (p, k, t) => p * (t === 0 ? initial[k] : transitions[t - 1][path[t - 1]][k]) * answered(own[t], k),
          1,
        ),
      }))
      const total = sumOver(paths, ({ p }) => p)
      all += Math.log(total)
      const person = found.persons!.find(each => each.person === id)!
      expect(person.waves).toHaveLength(4)
      person.waves.forEach(({ probabilities }, t) => {
        probabilities.forEach((each, k) => {
          expect(each).toBeCloseTo(
            sumOver(
              paths.filter(({ path }) => path[t] === k),
              ({ p }) => p,
            ) / total,
            12,
          )
        })
      })
      expect(person.path).toEqual(paths.reduce((best, each) => (each.p > best.p ? each : best)).path)
      rows.forEach((row, i) => {
        const t = waves.indexOf(row.wave)
        if (row.id !== id || t < 0) return
        expect(found.rows[i].probabilities).toEqual(person.waves[t].probabilities)
        expect(found.rows[i].logLikelihood).toBeCloseTo(Math.log(total), 12)
      })
    }
    // Two rows that stand alone, and one without a wave.
    const sizes = chain.structure.kind === 'chain' ? chain.structure.sizes(1) : []
    const alone = [0, 1, 2].map(k => sizes[k] * answered(rows[6], k))
    const sum = sumOver(alone, p => p)
    for (const i of [6, 7])
      found.rows[i].probabilities.forEach((each, k) => void expect(each).toBeCloseTo(alone[k] / sum, 12))
    expect(found.rows[6].unit).not.toBe(found.rows[7].unit)
    const shares = chain.posterior({ a: 'yes', b: 'high' })
    expect(found.rows[8]).toMatchObject({ probabilities: shares.probabilities, unit: undefined })
    expect(found.logLikelihood).toBeCloseTo(all + 2 * Math.log(sum) + shares.logLikelihood, 12)
  })

  it('may be one person, and may have waves without answers', () => {
    const { persons } = classifyRows(chain, [
      { id: 1, wave: 'w2', a: 'yes' },
      { id: 1, wave: 'w4' },
    ])
    expect(persons).toHaveLength(1)
    expect(persons![0].path).toHaveLength(4)
  })

  it('have one row in a wave', () => {
    const twice = [rows[0], { ...rows[0], a: 'no' }]
    expect(() => classifyRows(chain, twice)).toThrow('person "Ann" has two rows in wave "w1"')
  })
})

describe('members of groups', () => {
  const groupSizes = [0.6, 0.4]
  const mixes = [distribution(K), distribution(K)]
  const nested = new Model(modes, components, undefined, new NestedStructure({ within: 'school', groupSizes, mixes }))
  const rows = [
    { school: 'A', a: 'yes', b: 'low' },
    { school: 'B', a: 'no', b: 'high' },
    { school: 'A', a: 'yes', b: 'low' },
    { school: 'A', a: null, b: 'mid' },
    { school: 'B', a: null, b: null },
    { school: null, a: 'no', b: 'low' },
  ]
  const found = classifyRows(nested, rows)

  it('have the posteriors of all classes of groups and members', () => {
    let all = 0
    for (const school of ['A', 'B', null]) {
      const members = rows.flatMap((row, i) => (row.school === school ? [i] : []))
      const combinations = groupSizes.flatMap((size, g) =>
        sequences(members.length).map(classes => ({
          g,
          classes,
          p: classes.reduce((p, k, i) => p * mixes[g][k] * answered(rows[members[i]], k), size),
        })),
      )
      const total = sumOver(combinations, ({ p }) => p)
      all += Math.log(total)
      const group = found.groups![found.rows[members[0]].unit!]
      expect(group.group).toBe(school ?? undefined)
      group.probabilities.forEach((each, g) => {
        expect(each).toBeCloseTo(
          sumOver(
            combinations.filter(own => own.g === g),
            ({ p }) => p,
          ) / total,
          12,
        )
      })
      members.forEach((row, i) => {
        found.rows[row].probabilities.forEach((each, k) => {
          expect(each).toBeCloseTo(
            sumOver(
              combinations.filter(own => own.classes[i] === k),
              ({ p }) => p,
            ) / total,
            12,
          )
        })
      })
    }
    expect(found.logLikelihood).toBeCloseTo(all, 12)
  })
})

describe('classes that are drawn', () => {
  const yes = (k: number) => profiles[0][k][1]
  const frequency = (found: ReturnType<typeof linkedClasses>, of: (classes: Int32Array) => boolean) => {
    const draws = 3000
    return Array.from({ length: draws }, (_, d) => of(found.draw(5, d + 1))).filter(Boolean).length / draws
  }
  const near = (share: number, p: number) =>
    void expect(Math.abs(share - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 3000))

  it('are those of a person at all waves together', () => {
    // Two waves with an answer, and one between them without.
    const codes = [Int32Array.of(1, -1, 1), Int32Array.of(-1, -1, -1)]
    const found = linkedClasses(chain, { codes, units: Int32Array.of(0, 0, 0), waves: Int32Array.of(0, 1, 2) })
    const paths = sequences(3).map(path => ({
      path,
      p:
        initial[path[0]] *
        yes(path[0]) *
        transitions[0][path[0]][path[1]] *
        transitions[1][path[1]][path[2]] *
        yes(path[2]),
    }))
    const total = sumOver(paths, ({ p }) => p)
    for (const path of [
      [0, 0, 0],
      [1, 2, 0],
      [2, 1, 1],
    ])
      near(
        frequency(found, classes => classes.join() === path.join()),
        paths.find(each => each.path.join() === path.join())!.p / total,
      )
  })

  it('are those of all members of a group together', () => {
    const mixes = [
      [0.9, 0.05, 0.05],
      [0.05, 0.05, 0.9],
    ]
    const structure = new NestedStructure({ within: 'school', groupSizes: [0.5, 0.5], mixes })
    const nested = new Model(modes, components, undefined, structure)
    const codes = [Int32Array.of(1, 1, -1), Int32Array.of(-1, -1, -1)]
    const found = linkedClasses(nested, { codes, units: Int32Array.of(0, 0, 0) })
    const p = (classes: number[]) =>
      sumOver([0, 1], g => 0.5 * classes.reduce((all, k, i) => all * mixes[g][k] * (i < 2 ? yes(k) : 1), 1))
    const total = sumOver(sequences(3), p)
    for (const classes of [
      [0, 0, 0],
      [2, 2, 2],
      [0, 2, 0],
    ])
      near(
        frequency(found, own => own.join() === classes.join()),
        p(classes) / total,
      )
  })
})
