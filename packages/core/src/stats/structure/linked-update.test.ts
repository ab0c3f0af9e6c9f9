import { describe, expect, it } from 'vitest'
import { linkedSums } from '../../fit/update/answered.ts'
import { updateModel } from '../../fit/update/update.ts'
import { Model } from '../../model/model.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import type { NestedStructure } from '../../model/structures/nested.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { placeUpdate } from './linked-update.ts'
import { fitStructured } from './structured.ts'

const NAMES = ['a', 'b', 'c'] as const
type Answers = Partial<Record<(typeof NAMES)[number], string>>
type Row = Answers & { readonly unit: string; readonly wave: number; readonly sex: string }
const WAVES = [1, 2, 3]

/** Persons of three waves, some of which are missing, as are some answers; or groups of three, if waves are no waves. */
const drawn = (seed: number, units: number, shift: number): Row[] => {
  const { uniform } = random(seed, 'data')
  return Array.from({ length: units }, (_, unit) => {
    let k = uniform() < 0.6 - shift ? 0 : 1
    return WAVES.flatMap(wave => {
      if (wave > 1 && uniform() < 0.25) k = 1 - k
      const say = (p: number) => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no')
      const [a, b, c] = [say(0.9), say(0.85 - shift), say(0.8)]
      const row = { unit: `${seed}:${unit}`, wave, sex: unit % 2 === 0 ? 'f' : 'm', a, c }
      return wave === 2 && unit % 9 === 4 ? [] : [unit % 5 === 0 ? row : { ...row, b }]
    })
  }).flat()
}
const [before, after] = [drawn(3, 120, 0), drawn(4, 60, 0.15)]
const tensorOf = (rows: readonly Row[], without: readonly (keyof Row)[]) =>
  tensorFromRows(
    rows.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !without.includes(name as keyof Row)))),
  )
const unitsOf = (rows: readonly Row[]) => {
  const units = new Map<string, Row[]>()
  for (const row of rows) units.set(row.unit, [...(units.get(row.unit) ?? []), row])
  return [...units.values()]
}
const likelihood = (model: Model, row: Answers | undefined, k: number) =>
  NAMES.reduce((p, name) => {
    const label = row?.[name]
    const n = model.modes.findIndex(mode => mode.name === name)
    return label === undefined ? p : p * model.parameters.factors[n][model.modes[n].indexOf(label)! * 2 + k]
  }, 1)

/** Expected counts by all hidden states: of the entries of the tables, and of answers by variable, label and class. */
const newCounts = (entries: number) => ({
  tables: new Array<number>(entries).fill(0),
  items: new Map<string, number>(),
})
type Expected = ReturnType<typeof newCounts>
const addAnswers = ({ items }: Expected, row: Answers, k: number, p: number) => {
  for (const name of NAMES) {
    if (row[name] === undefined) continue
    const key = `${name} ${row[name]} ${k}`
    items.set(key, (items.get(key) ?? 0) + p)
  }
}
const byPaths = (model: Model, rows: readonly Row[], weight: number, into: Expected) => {
  const { initial, transitions } = model.structure as ChainStructure
  for (const own of unitsOf(rows)) {
    const last = own[own.length - 1].wave
    const at = WAVES.slice(0, last).map(wave => own.find(row => row.wave === wave))
    const paths = Array.from({ length: 2 ** last }, (_, code) => at.map((__, t) => (code >> t) & 1)).map(path => ({
      path,
      p: path.reduce(
        (p, k, t) => p * (t === 0 ? initial[k] : transitions[t - 1][path[t - 1]][k]) * likelihood(model, at[t], k),
        1,
      ),
    }))
    const total = paths.reduce((sum, { p }) => sum + p, 0)
    for (const { path, p } of paths)
      path.forEach((k, t) => {
        into.tables[t === 0 ? k : 2 + 4 * (t - 1) + 2 * path[t - 1] + k] += (weight * p) / total
        if (at[t] !== undefined) addAnswers(into, at[t], k, (weight * p) / total)
      })
  }
  return into
}
const byGroups = (model: Model, rows: readonly Row[], weight: number, into: Expected) => {
  const { groupSizes, mixes } = model.structure as NestedStructure
  for (const own of unitsOf(rows)) {
    const ofGroup = groupSizes.map((size, g) =>
      own.reduce(
        (p, row) => p * (mixes[g][0] * likelihood(model, row, 0) + mixes[g][1] * likelihood(model, row, 1)),
        size,
      ),
    )
    const total = ofGroup[0] + ofGroup[1]
    ofGroup.forEach((each, g) => {
      into.tables[g] += (weight * each) / total
      for (const row of own) {
        const joint = [0, 1].map(k => mixes[g][k] * likelihood(model, row, k))
        joint.forEach((one, k) => {
          const p = (weight * each * one) / total / (joint[0] + joint[1])
          into.tables[2 + 2 * g + k] += p
          addAnswers(into, row, k, p)
        })
      }
    })
  }
  return into
}
const normalized = (values: readonly number[]) => {
  const sum = values.reduce((all, each) => all + each, 0)
  return values.map(each => each / sum)
}
const expectProfiles = (model: Model, { items }: Expected) => {
  for (const name of NAMES)
    for (const k of [0, 1]) {
      const [no, yes] = ['no', 'yes'].map(label => items.get(`${name} ${label} ${k}`) ?? 0)
      expect(model.profile(name, k)[1]).toBeCloseTo(yes / (no + yes), 9)
    }
}

const CASES = [
  {
    of: 'persons',
    options: { person: 'unit', time: 'wave' },
    without: ['sex'] as const,
    entries: 10,
    sums: byPaths,
    expectTables: ({ structure }: Model, counts: readonly number[]) => {
      const { initial, transitions } = structure as ChainStructure
      const rows = [0, 2, 4, 6, 8].map(at => normalized(counts.slice(at, at + 2)))
      expect([...initial, ...transitions.flat(2)]).toEqual(rows.flat().map(each => expect.closeTo(each, 9)))
    },
  },
  {
    of: 'groups',
    options: { within: 'unit', groupClasses: 2 },
    without: ['sex', 'wave'] as const,
    entries: 6,
    sums: byGroups,
    expectTables: ({ structure }: Model, counts: readonly number[]) => {
      const { groupSizes, mixes } = structure as NestedStructure
      const rows = [0, 2, 4].map(at => normalized(counts.slice(at, at + 2)))
      expect([...groupSizes, ...mixes.flat()]).toEqual(rows.flat().map(each => expect.closeTo(each, 9)))
    },
  },
] as const

describe.each(CASES)('an update of a model of $of', ({ options, without, entries, sums, expectTables }) => {
  const fitted = fitStructured(tensorOf(before, without), { rank: 2, starts: 3, threads: 1, ...options })

  it('in one pass is the step of EM in the old and the new data together, from the fit of the old', async () => {
    const { linked } = await fitted
    const { model, data } = linked!
    const own = await linkedSums(placeUpdate(data, model), model)
    const old = sums(model, before, 1, newCounts(entries))
    old.tables.forEach((count, i) => void expect(own.counts[i]).toBeCloseTo(count, 8))
    const rows = placeUpdate(tensorOf(after, without), model)
    const found = await updateModel(model, rows, { ...own, passes: 1 })
    const both = sums(model, after, 1, old)
    expectTables(found.model, both.tables)
    found.counts!.forEach((count, i) => void expect(count).toBeCloseTo(both.tables[i], 8))
    // The fit stopped near to where a step changes nothing: the step in the old data is the model, nearly.
    for (const name of NAMES)
      for (const k of [0, 1]) {
        const [no, yes] = ['no', 'yes'].map(label => both.items.get(`${name} ${label} ${k}`) ?? 0)
        expect(found.model.profile(name, k)[1]).toBeCloseTo(yes / (no + yes), 4)
      }
    expect(found.added).toBe(after.length)
    expect(found.model.total).toBeCloseTo(before.length + after.length, 8)
  })

  it('that forgets nearly all, in many passes, is a fit of the new data from the model', async () => {
    const { linked } = await fitted
    const { model, data } = linked!
    const { counts } = await linkedSums(placeUpdate(data, model), model)
    const rows = placeUpdate(tensorOf(after, without), model)
    const found = await updateModel(model, rows, { counts, passes: 3, decay: 1e-12 })
    let current = model
    let expected = newCounts(entries)
    for (let pass = 0; pass < 3; pass++) {
      expected = sums(current, after, 1, newCounts(entries))
      const one = await updateModel(current, placeUpdate(tensorOf(after, without), current), {
        counts,
        passes: 1,
        decay: 1e-12,
      })
      expectTables(one.model, expected.tables)
      expectProfiles(one.model, expected)
      current = one.model
    }
    expectTables(found.model, expected.tables)
    expectProfiles(found.model, expected)
    const { before: from, after: to } = found.logLikelihood
    expect(to).toBeGreaterThan(from)
  })
})

describe('what an update keeps and refuses', () => {
  const chain = { rank: 2, person: 'unit', time: 'wave', starts: 2, threads: 1 } as const

  it('keeps coefficients, and sizes of what they explain follow the new data', async () => {
    const { linked } = await fitStructured(tensorOf(before, []), { ...chain, covariates: ['sex'], stayers: true })
    const { model, data } = linked!
    const own = await linkedSums(placeUpdate(data, model), model)
    const found = await updateModel(model, placeUpdate(tensorOf(after, []), model), own)
    const [old, now] = [model, found.model].map(({ structure }) => structure as ChainStructure)
    expect(now.starting).toEqual(old.starting)
    expect(now.transitions).not.toEqual(old.transitions)
    expect(now.stayers!.share).not.toBe(old.stayers!.share)
    expect(found.logLikelihood.after).toBeGreaterThan(found.logLikelihood.before)
  })

  it('makes what was impossible possible', async () => {
    const modes = tensorOf(before, ['sex', 'unit', 'wave']).modes
    const table = Float64Array.of(0, 1, 1, 0)
    const never = [
      [1, 0],
      [0, 1],
    ]
    const structure = new ChainStructure({
      person: 'unit',
      time: 'wave',
      waves: WAVES,
      initial: [0.5, 0.5],
      transitions: [never, never],
    })
    const parts = { rank: 2, sizes: Float64Array.of(5, 5), factors: modes.map(() => table) }
    const model = new Model(modes, parts, undefined, structure)
    const counts = [2, 2, 2, 0, 0, 2, 2, 0, 0, 2]
    const found = await updateModel(model, placeUpdate(tensorOf(after, ['sex']), model), { counts })
    expect(found.mixed).toBe(true)
    expect((found.model.structure as ChainStructure).transitions[0][0][1]).toBeGreaterThan(0)
  })

  it('needs rows in the form of the model, and its counts', async () => {
    const { linked } = await fitStructured(tensorOf(before, ['sex']), { ...chain, starts: 1 })
    const { model } = linked!
    const rows = tensorOf(after, ['sex'])
    await expect(updateModel(model, rows)).rejects.toThrow('a model of persons needs all rows of each together')
    await expect(updateModel(model, placeUpdate(rows, model))).rejects.toThrow('counts must be given')
    await expect(updateModel(model, placeUpdate(rows, model), { counts: [1] })).rejects.toThrow(
      'counts must have 10 numbers, one for each entry of the tables of the model (got 1)',
    )
    const later = tensorOf(
      after.map(row => ({ ...row, wave: row.wave + 1 })),
      ['sex'],
    )
    expect(() => placeUpdate(later, model)).toThrow('the data has wave 4 in "wave", and the model knows 1, 2, 3')
  })
})
