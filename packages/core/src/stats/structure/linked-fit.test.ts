import { describe, expect, it } from 'vitest'
import { normal } from '../../model/items/choices.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { standardErrors } from '../errors/standard-errors.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { bivariateResiduals } from '../fit-statistics/residuals.ts'
import { panelData } from '../model-data/panel-data.ts'
import { chooseRank } from '../ranks/choose-rank.ts'
import { fitStructured } from './structured.ts'

const initial = [0.6, 0.4]
const transitions = [
  [0.9, 0.1],
  [0.2, 0.8],
]
const yes = [
  [0.9, 0.15],
  [0.8, 0.2],
  [0.7, 0.1],
]

/** Persons whose classes change, with three answers in three or four waves, some of which are missing. */
const panelRows = (persons: number, seed: number) => {
  const { uniform } = random(seed, 'data')
  return Array.from({ length: persons }, (_, id) => {
    let k = -1
    return Array.from({ length: id % 5 === 0 ? 3 : 4 }, (_, wave) => {
      const sizes = k < 0 ? initial : transitions[k]
      k = uniform() < sizes[0] ? 0 : 1
      const answers = yes.map(of => (uniform() < 0.05 ? null : uniform() < of[k] ? 'yes' : 'no'))
      const score =
        Math.round(10 * (2 * k + Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()))) / 10
      return { id, wave, a: answers[0], b: answers[1], c: answers[2], score }
    }).filter(() => uniform() > 0.1)
  }).flat()
}

const rows = panelRows(400, 3)
const plain = rows.map(({ score: _, ...row }) => row)
const panel = tensorFromRows(plain)
const chain = { person: 'id', time: 'wave', starts: 3, threads: 1 } as const

const groupedBy = <T>(rows: readonly T[], of: (row: T) => number): Map<number, T[]> => {
  const groups = new Map<number, T[]>()
  for (const row of rows) groups.set(of(row), [...(groups.get(of(row)) ?? []), row])
  return groups
}

/** The log-likelihood by all paths of two classes. */
const byPaths = (
  data: readonly (typeof plain)[number][],
  { initial, transitions }: { initial: readonly number[]; transitions: readonly (readonly (readonly number[])[])[] },
  probability: (name: 'a' | 'b' | 'c', label: string, k: number) => number,
): number => {
  const persons = groupedBy(data, ({ id }) => id)
  let sum = 0
  for (const own of persons.values()) {
    const last = Math.max(...own.filter(({ a, b, c }) => (a ?? b ?? c) !== null).map(({ wave }) => wave), -1)
    if (last < 0) continue
    let total = 0
    for (let path = 0; path < 2 ** (last + 1); path++) {
      let p = 1
      for (let t = 0; t <= last; t++) {
        const [k, before] = [(path >> t) & 1, (path >> (t - 1)) & 1]
        p *= t === 0 ? initial[k] : transitions[transitions.length === 1 ? 0 : t - 1][before][k]
        const row = own.find(({ wave }) => wave === t)
        for (const name of ['a', 'b', 'c'] as const) {
          const label = row?.[name]
          if (label !== undefined && label !== null) p *= probability(name, label, k)
        }
      }
      total += p
    }
    sum += Math.log(total)
  }
  return sum
}

describe('classes that change', () => {
  it.each(['free', 'same'] as const)(
    'have the log-likelihood of all paths, and are stationary there: %s',
    async kind => {
      const { linked, result } = await fitStructured(panel, { ...chain, rank: 2, transitions: kind, kind: 'observed' })
      const { model, logLikelihood } = result
      const { structure } = model
      if (structure.kind !== 'chain') throw new Error('a chain was asked for')
      const n = (name: string) => model.modes.findIndex(mode => mode.name === name)
      const tables = (name: string, label: string, k: number) =>
        model.profile(name, k)[model.modes[n(name)].indexOf(label)!]
      expect(byPaths(plain, structure, tables)).toBeCloseTo(logLikelihood, 8)
      // No other parameters nearby are better; those of the simulation are not much worse.
      const [stay] = [structure.transitions[0][0][0]]
      for (const delta of [-0.01, 0.01]) {
        const moved = structure.transitions.map((step, t) =>
          t > 0 ? step : [[stay + delta, 1 - stay - delta], step[1]],
        )
        expect(byPaths(plain, { initial: structure.initial, transitions: moved }, tables)).toBeLessThan(logLikelihood)
      }
      expect(structure.transitions[0][0][0]).toBeCloseTo(0.9, 1)
      expect(model.profile('a', 0)[1]).toBeCloseTo(0.9, 1)
      // The curvature of the log-likelihood in a single probability is part of the information: its error is no smaller than by that alone.
      const step = 1e-3
      const at = (value: number) =>
        byPaths(plain, structure, (name, label, k) =>
          name === 'a' && k === 0 ? (label === 'yes' ? value : 1 - value) : tables(name, label, k),
        )
      const p = tables('a', 'yes', 0)
      const curvature = -(at(p + step) - 2 * at(p) + at(p - step)) / step ** 2
      const error = linked!.standardErrors!.factors![n('a')][0][0]!
      expect(error).toBeGreaterThan(0.999 / Math.sqrt(curvature))
      expect(error).toBeLessThan(2 / Math.sqrt(curvature))
    },
  )

  it('may have numbers among the answers, and weights that count persons', async () => {
    const data = tensorFromRows(rows)
    const items = { score: normal({ step: 0.1 }) }
    const { result, linked } = await fitStructured(data, { ...chain, rank: 2, items })
    const means = result.model.itemParameters('score').filter(({ name }) => name === 'mean')
    expect(Math.abs(means[0].value - means[1].value)).toBeCloseTo(2, 0)
    expect(linked!.standardErrors!.items![result.model.modes.findIndex(({ name }) => name === 'score')]).toHaveLength(4)
    expect((await evaluate(linked!.data, result.model)).logDensity).toBeGreaterThan(result.logLikelihood)
    // Everybody twice: the same model, and standard errors by √2 smaller.
    const twice = tensorFromRows(plain.flatMap(row => [row, { ...row, id: row.id + 1000 }]))
    const [one, two] = await Promise.all([panel, twice].map(each => fitStructured(each, { ...chain, rank: 2 })))
    expect(two.result.logLikelihood).toBeCloseTo(2 * one.result.logLikelihood, 5)
    const [a, b] = [one, two].map(({ linked }) => linked!.standardErrors!.chain!.initial[0].error!)
    expect(a / b).toBeCloseTo(Math.SQRT2, 4)
  })

  it('are compared for several numbers, and have residuals of pairs', async () => {
    const { fits, recommended } = await chooseRank(panel, {
      person: 'id',
      time: 'wave',
      starts: 3,
      to: 3,
      folds: 0,
      threads: 1,
    })
    expect(recommended).toBe(2)
    const [one, two] = fits
    expect(two.parameters).toBe(6 + 1 + 2 * 3)
    expect(one.parameters).toBe(3)
    expect(
      bivariateResiduals(tensorFromRows(plain.map(({ a, b, c }) => ({ a, b, c }))), two.result.model),
    ).toHaveLength(3)
    expect((await standardErrors(panel, two.result.model)).chain?.sizes).toHaveLength(4)
  })

  it.each<[string, Tensor, object]>([
    ['"wave" has one wave only (1)', tensorFromRows(plain.filter(({ wave }) => wave === 1)), {}],
    [
      'person 7 has two rows in wave 0: a person has one row for each wave',
      tensorFromRows([
        ...plain,
        { id: 7, wave: 0, a: 'no', b: 'no', c: 'no' },
        { id: 7, wave: 0, a: 'yes', b: 'no', c: 'no' },
      ]),
      {},
    ],
    ['time must be another mode than the person', panel, { time: 'id' }],
    ['person needs time: it says which wave a row is of', panel, { time: undefined }],
    ['person cannot be combined with direct', panel, { covariates: ['a'], direct: [{ covariate: 'a', mode: 'b' }] }],
    [
      'person 7 counts 1 in wave 2 and 2 in another wave: a row occurs twice, or weights differ',
      tensorFromRows([...plain, ...plain.filter(({ id, wave }) => id === 7 && wave === 1)]),
      {},
    ],
    [
      'no person in "id" has answers in two waves, so change cannot be seen',
      tensorFromRows(plain.map((row, id) => ({ ...row, id }))),
      {},
    ],
    [
      'stayers needs three waves or more: in two, persons who never change look like those who did not',
      tensorFromRows(plain.filter(({ wave }) => wave < 2)),
      { stayers: true },
    ],
    ["kind must be 'sandwich' with weights", panel, { squares: panel.values, kind: 'observed' }],
    ['within cannot be combined with person', panel, { within: 'a', groupClasses: 2 }],
    ['person names no mode of the data: "who"', panel, { person: 'who' }],
  ])('need data that says who and when: %s', async (message, data, more) => {
    await expect(fitStructured(data, { ...chain, rank: 2, ...more })).rejects.toThrow(message)
  })
})

describe('what notes say of waves', () => {
  it.each<[string, readonly object[]]>([
    ['c has no answers at wave = 1, 3; there it is treated as missing', plain.map(row => (row.wave % 2 === 0 ? row : { ...row, c: null }))], // biome-ignore format: one list
    ['"wave" has 38 different values, and a person has answers at', plain.map(row => ({ ...row, wave: 4 * (row.id % 10) + row.wave }))], // biome-ignore format: one list
    ['persons have answers in one wave only, which says nothing of change', plain.filter(({ id, wave }) => id % 9 === 0 || wave === 0)], // biome-ignore format: one list
  ])('%s', (note, rows) => {
    const { notes } = panelData(tensorFromRows(rows as typeof plain), { person: 'id', time: 'wave' })
    expect(notes.join(' ')).toContain(note)
  })
})

describe('classes of groups', () => {
  const { uniform } = random(5, 'data')
  const pupils = Array.from({ length: 40 }, (_, school) => {
    const mix = school % 2 === 0 ? 0.8 : 0.3
    return Array.from({ length: 25 }, () => {
      const k = uniform() < mix ? 0 : 1
      return { school, a: uniform() < yes[0][k], b: uniform() < yes[1][k], c: uniform() < yes[2][k] }
    })
  })
    .flat()
    .map(({ school, a, b, c }) => ({ school, a: String(a), b: String(b), c: String(c) }))
  const data = tensorFromRows(pupils)

  it('are found, with the log-likelihood of all classes of every group', async () => {
    const { result, linked } = await fitStructured(data, { rank: 2, within: 'school', groupClasses: 2, starts: 4 })
    const { model } = result
    const { structure } = model
    if (structure.kind !== 'nested') throw new Error('groups were asked for')
    const probability = (row: (typeof pupils)[number], k: number) =>
      (['a', 'b', 'c'] as const).reduce(
        (p, name) => p * model.profile(name, k)[model.modes.find(mode => mode.name === name)!.indexOf(row[name])!],
        1,
      )
    const schools = groupedBy(pupils, ({ school }) => school)
    let sum = 0
    for (const own of schools.values())
      sum += Math.log(
        structure.groupSizes.reduce(
          (all, size, g) =>
            all +
            own.reduce(
              (p, row) => p * structure.mixes[g].reduce((q, mix, k) => q + mix * probability(row, k), 0),
              size,
            ),
          0,
        ),
      )
    expect(sum).toBeCloseTo(result.logLikelihood, 8)
    expect(linked?.evaluation.parameters).toBe(6 + 1 + 2)
    const first = structure.mixes.map(mix => Math.max(mix[0], mix[1]) === mix[0])
    expect(new Set(first).size).toBe(2)
  })

  it.each<[string, object]>([
    ['groupClasses must be at most the number of groups, 40 (got 41)', { groupClasses: 41 }],
    ['within needs groupClasses: it says how many classes groups have', { groupClasses: undefined }],
  ])('need several groups: %s', async (message, more) => {
    await expect(fitStructured(data, { rank: 2, within: 'school', groupClasses: 2, ...more })).rejects.toThrow(message)
  })
})
