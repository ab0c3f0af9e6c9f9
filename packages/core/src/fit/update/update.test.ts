import { describe, expect, it } from 'vitest'
import { randomTensor } from '../../engine/random-tensor.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { throwIfStopped } from '../../errors.ts'
import { Model } from '../../model/model.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { type Label, Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fit } from '../fit.ts'
import { answeredBy } from './answered.ts'
import { updateModel } from './update.ts'
import type { UpdateOptions } from './update-options.ts'

/** Rows of three variables, with answers that are missing and, today, labels that are new or no longer there. */
type Seen = Readonly<Record<string, string | number | null>>

const modes = ['city', 'hour', 'item']
const drawn = (seed: number, cities: string, items: string, rows = 60): Seen[] => {
  let state = seed
  const next = (below: number) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
  return Array.from({ length: rows }, () => {
    const kind = next(2)
    const pick = (labels: string, from: number) => labels[(from + next(Math.ceil(labels.length / 2))) % labels.length]
    return {
      city: next(9) === 0 ? null : pick(cities, kind * 2),
      hour: ['am', 'pm'][next(5) < 4 ? kind : 1 - kind],
      item: next(6) === 0 ? null : pick(items, kind),
      n: 1 + next(3),
    }
  })
}
const tensorOf = (rows: readonly Seen[]) => tensorFromRows(rows as never, { modes, count: 'n' })
const yesterday = drawn(7, 'abcd', 'xyz')
const today = drawn(11, 'bcde', 'xywz')

type Tables = readonly Map<string, number[]>[]

const profilesOf = (model: Model): Tables =>
  model.modes.map((mode, n) => {
    const classes = model.shares.map((_, k) => model.profile(n, k))
    return new Map(Array.from({ length: mode.size }, (_, j) => [String(mode.label(j)), classes.map(each => each[j])]))
  })

/** EM as a textbook has it, on lists and maps: no code of the library. Sums of classes and of every label of every variable. */
const expectedSums = (rows: readonly Seen[], shares: readonly number[], tables: Tables) => {
  const sizes = shares.map(() => 0)
  const sums = modes.map(() => new Map<string, number[]>())
  for (const row of rows) {
    const joint = shares.map((share, k) =>
      modes.reduce(
        (p, name, n) => (row[name] === null ? p : p * (tables[n].get(String(row[name])) as number[])[k]),
        share,
      ),
    )
    const p = joint.reduce((a, b) => a + b, 0)
    joint.forEach((each, k) => {
      const part = (Number(row.n) * each) / p
      sizes[k] += part
      modes.forEach((name, n) => {
        if (row[name] === null) return
        const own = sums[n].get(String(row[name])) ?? shares.map(() => 0)
        own[k] += part
        sums[n].set(String(row[name]), own)
      })
    })
  }
  return { sizes, sums }
}

type SumsOf = ReturnType<typeof expectedSums>

const added = (a: SumsOf, b: SumsOf, factor: number): SumsOf => ({
  sizes: a.sizes.map((size, k) => factor * size + b.sizes[k]),
  sums: a.sums.map((table, n) => {
    const all = new Map([...table].map(([label, own]) => [label, own.map(each => factor * each)]))
    for (const [label, own] of b.sums[n])
      all.set(
        label,
        own.map((each, k) => each + (all.get(label)?.[k] ?? 0)),
      )
    return all
  }),
})

const maximized = ({ sizes, sums }: SumsOf, extra = 0): { shares: number[]; tables: Tables } => {
  const total = sizes.reduce((a, b) => a + b, 0)
  return {
    shares: sizes.map(size => size / total),
    tables: sums.map(table => {
      const mass = sizes.map((_, k) => [...table.values()].reduce((sum, own) => sum + own[k] + extra, 0))
      return new Map([...table].map(([label, own]) => [label, own.map((each, k) => (each + extra) / mass[k])]))
    }),
  }
}

/** Sums that a model stands for: sizes (or how much of them has an answer) times probabilities. */
const sumsOf = (model: Model, answered = modes.map(() => model.sizes)): SumsOf => ({
  sizes: [...model.sizes],
  sums: profilesOf(model).map(
    (table, n) => new Map([...table].map(([label, own]) => [label, own.map((p, k) => p * answered[n][k])])),
  ),
})

/** The model with labels that are new at their frequency in every class. */
const begun = (model: Model, rows: readonly Seen[]) => {
  const tables = profilesOf(model).map((table, n) => {
    const counts = new Map<string, number>()
    for (const row of rows)
      if (row[modes[n]] !== null)
        counts.set(String(row[modes[n]]), (counts.get(String(row[modes[n]])) ?? 0) + Number(row.n))
    const all = [...counts.values()].reduce((a, b) => a + b, 0)
    const fresh = [...counts].filter(([label]) => !table.has(label))
    const left = 1 - fresh.reduce((sum, [, count]) => sum + count / all, 0)
    return new Map([
      ...[...table].map(([label, own]) => [label, own.map(p => p * left)] as const),
      ...fresh.map(([label, count]) => [label, model.shares.map(() => count / all)] as const),
    ])
  })
  return { shares: model.shares, tables }
}

const expectSame = (
  model: Model,
  { shares, tables }: { shares: readonly number[]; tables: Tables },
  digits: number,
) => {
  shares.forEach((share, k) => void expect(model.shares[k]).toBeCloseTo(share, digits))
  const own = profilesOf(model)
  tables.forEach((table, n) => {
    expect([...own[n].keys()].sort()).toEqual([...table.keys()].sort())
    for (const [label, values] of table)
      values.forEach((p, k) => void expect(own[n].get(label)?.[k], `${modes[n]} ${label}`).toBeCloseTo(p, digits))
  })
}

const before = (await fit(tensorOf(yesterday), { rank: 2, seed: 3, threads: 1, tolerance: 0, minGain: 0 })).model
const threads = 1

describe('a model brought up to date', () => {
  it.each([1, 3])('has the sums of EM with discounted counts: %i passes', async passes => {
    const {
      model,
      changes,
      added: today_,
    } = await updateModel(before, tensorOf(today), {
      decay: 0.8,
      passes,
      dropBelow: 0,
      threads,
    })
    const old = sumsOf(before)
    let expected = begun(before, today)
    let sums = old
    for (let i = 0; i < passes; i++) {
      sums = added(old, expectedSums(today, expected.shares, expected.tables), 0.8)
      expected = maximized(sums) as never
    }
    expectSame(model, expected, 10)
    expect(model.total).toBeCloseTo(0.8 * before.total + today_, 9)
    model.sizes.forEach((size, k) => void expect(size).toBeCloseTo(sums.sizes[k], 9))
    expect(changes).toEqual([
      { mode: 'city', onlyA: ['a'], onlyB: ['e'] },
      { mode: 'item', onlyA: ['z'], onlyB: ['w'] },
    ])
  })

  it('is EM on both days, with what the old rows were found to be held fixed', async () => {
    // Posteriors of yesterday's rows under the fitted model: at an optimum their sums are those that the model stands for, if it is
    // known how much of every class had an answer.
    const rows = { shares: before.shares, tables: profilesOf(before) }
    const old = expectedSums(yesterday, rows.shares, rows.tables)
    const answered = old.sums.map(table =>
      old.sizes.map((_, k) => [...table.values()].reduce((sum, own) => sum + own[k], 0)),
    )
    const start = begun(before, today)
    const both = added(old, expectedSums(today, start.shares, start.tables), 1)
    const { model } = await updateModel(before, tensorOf(today), { passes: 1, answered, dropBelow: 0, threads })
    expectSame(model, maximized(both), 6)
  })

  it('keeps what it needs for the next time, also of answers that were missing', async () => {
    const [second, third] = [drawn(5, 'bcde', 'xywz'), drawn(23, 'bcde', 'xywz')]
    const once = await updateModel(before, tensorOf(second), { decay: 0.9, passes: 1, threads })
    const twice = await updateModel(once.model, tensorOf(third), {
      decay: 0.9,
      passes: 1,
      answered: once.answered,
      threads,
      dropBelow: 0,
    })
    const start = begun(before, second)
    const first = added(sumsOf(before), expectedSums(second, start.shares, start.tables), 0.9)
    const { shares, tables } = maximized(first)
    expectSame(twice.model, maximized(added(first, expectedSums(third, shares, tables), 0.9)), 10)
    const totals = [second, third].map(rows => rows.reduce((sum, row) => sum + Number(row.n), 0))
    expect(twice.model.total).toBeCloseTo(0.9 * (0.9 * before.total + totals[0]) + totals[1], 9)
  })

  it('comes closer with every pass to what it stands for', async () => {
    const old = sumsOf(before)
    const objective = (model: Model, logLikelihood: number) =>
      logLikelihood +
      0.7 *
        (old.sizes.reduce((sum, size, k) => sum + size * Math.log(model.shares[k]), 0) +
          old.sums.reduce((sum, table, n) => {
            const own = profilesOf(model)[n]
            for (const [label, sizes] of table)
              sizes.forEach((size, k) => {
                if (size > 0) sum += size * Math.log((own.get(label) as number[])[k])
              })
            return sum
          }, 0))
    const reached: number[] = []
    for (const passes of [1, 2, 3, 5, 10, 40]) {
      const { model, logLikelihood } = await updateModel(before, tensorOf(today), {
        decay: 0.7,
        passes,
        dropBelow: 0,
        threads,
      })
      reached.push(objective(model, logLikelihood.after))
    }
    expect([...reached].sort((a, b) => a - b)).toEqual(reached)
    expect(reached[5] - reached[0]).toBeGreaterThan(0)
  })

  it('drops labels that hardly anybody has any more: who had them has no answer from then on', async () => {
    const sizes = Float64Array.of(6, 4)
    const two = (...p: number[]) => Float64Array.from(p.flatMap(each => [each, each]))
    const model = new Model(tensorOf([...yesterday, ...today]).modes, {
      rank: 2,
      sizes,
      // a to e, of which a has 0.5 of 10.
      factors: [two(0.05, 0.25, 0.3, 0.2, 0.2), Float64Array.of(0.9, 0.2, 0.1, 0.8), two(0.1, 0.2, 0.3, 0.4)],
    })
    const half = await updateModel(model, tensorOf(today), { decay: 0.9, threads })
    expect(half.dropped).toEqual([{ mode: 'city', labels: ['a'] }])
    expect(half.model.modes[2].labels).toEqual(['w', 'x', 'y', 'z'])
    expect(half.model.modes[0].labels).toEqual(['b', 'c', 'd', 'e'])
    expect(half.model.profile('city', 0).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
    const answers = today.reduce((sum, row) => sum + (row.city === null ? 0 : Number(row.n)), 0)
    expect(half.answered[0][0] + half.answered[0][1]).toBeCloseTo(0.9 * 10 * 0.95 + answers, 9)
    expect(half.model.total).toBeCloseTo(9 + half.added, 9)
    const kept = await updateModel(model, tensorOf(today), { decay: 1, dropBelow: 0.4, threads })
    expect(kept.dropped).toEqual([])
    const some = await updateModel(model, tensorOf(today), { decay: 0.9, dropBelow: { city: 0 }, threads })
    expect(some.dropped).toEqual([])
    await expect(updateModel(model, tensorOf(today), { dropBelow: { town: 1 } })).rejects.toThrow('dropBelow')
    expect(kept.changes).toEqual([
      { mode: 'city', onlyA: ['a'], onlyB: [] },
      { mode: 'item', onlyA: ['z'], onlyB: [] },
    ])
  })

  it('takes pseudo-counts off before it adds counts, and adds them once', async () => {
    const prior = (await fit(tensorOf(yesterday), { rank: 2, seed: 3, threads, pseudoCounts: 0.5 })).model
    const sums = sumsOf(prior)
    const old: SumsOf = {
      sizes: sums.sizes,
      sums: profilesOf(prior).map(
        table =>
          new Map(
            [...table].map(([label, own]) => [
              label,
              own.map((p, k) => Math.max(0, (prior.sizes[k] + table.size * 0.5) * p - 0.5)),
            ]),
          ),
      ),
    }
    const start = begun(prior, today)
    const both = added(old, expectedSums(today, start.shares, start.tables), 0.9)
    const { model } = await updateModel(prior, tensorOf(today), {
      decay: 0.9,
      passes: 1,
      pseudoCounts: 0.5,
      dropBelow: 0,
      threads,
    })
    expectSame(model, maximized(both, 0.5), 10)
  })

  it('takes in what was impossible before', async () => {
    const certain = new Model(tensorOf(today).modes, {
      rank: 2,
      sizes: Float64Array.of(50, 50),
      factors: tensorOf(today).shape.map(size =>
        Float64Array.from({ length: size * 2 }, (_, i) => Number(Math.floor(i / 2) === i % 2)),
      ),
    })
    const { model, mixed, logLikelihood } = await updateModel(certain, tensorOf(today), { threads })
    expect(mixed).toBe(true)
    expect(logLikelihood.before).toBe(Number.NEGATIVE_INFINITY)
    expect(logLikelihood.after).toBeGreaterThan(-1000)
    expect(model.total).toBeCloseTo(100 + tensorOf(today).total, 9)
  })

  it('is the same on a session, and stops when asked', async () => {
    const session = await referenceEngine.open(tensorOf(today))
    const [a, b] = [
      await updateModel(before, session, { decay: 0.5 }),
      await updateModel(before, tensorOf(today), { decay: 0.5, threads }),
    ]
    expectSame(a.model, { shares: b.model.shares, tables: profilesOf(b.model) }, 12)
    await session.close()
    const controller = new AbortController()
    controller.abort()
    await expect(updateModel(before, tensorOf(today), { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  it('refuses what cannot be', async () => {
    const data = tensorOf(today)
    await expect(updateModel(before, data, { decay: 0 })).rejects.toThrow('decay must be a number above 0 and up to 1')
    await expect(updateModel(before, data, { answered: [[1]] })).rejects.toThrow('answered must have 2 numbers')
    const { total } = before
    const limits = 'answered must have 2 numbers for each of 3 modes, none above the total of the model'
    const fine = [
      [0, total],
      [1, 1],
      [total * (1 + 1e-10), 0],
    ]
    await expect(updateModel(before, data, { answered: fine, threads })).resolves.toBeDefined()
    for (const [n, list] of [
      [0, [1]],
      [2, [1, 1, 1]],
      [1, [-1, 0]],
      [1, [Number.NaN, 0]],
      [2, [0, total * (1 + 1e-8)]],
    ] as const)
      await expect(
        updateModel(before, data, { answered: fine.map((own, at) => (at === n ? list : own)) }),
      ).rejects.toThrow(limits)
    await expect(updateModel(before, data, { answered: fine.slice(1) })).rejects.toThrow(limits)
    await expect(updateModel(before, data, { dropBelow: { city: -1 } })).rejects.toThrow('dropBelow["city"] must be')
    await expect(updateModel({} as Model, data)).rejects.toThrow(/^model must be/)
    await expect(updateModel(before, data, { passes: 0 })).rejects.toThrow('passes')
    const other = tensorFromRows([
      { city: 'a', sex: 'f' },
      { city: 'b', sex: 'm' },
    ])
    await expect(updateModel(before, other)).rejects.toThrow('must have the same modes')
  })
})

describe('the labels of an updated model', () => {
  const two = (mode: Mode) =>
    Float64Array.from({ length: 2 * mode.size }, (_, i) =>
      i % 2 === 0 ? 1 / mode.size : (2 * (1 + Math.floor(i / 2))) / (mode.size * (mode.size + 1)),
    )
  const modelOf = (...modes: Mode[]) =>
    new Model(modes, { rank: 2, sizes: Float64Array.of(6, 4), factors: modes.map(two) })
  const second = { name: 'a', labels: ['p', 'q'] }
  const own = new Mode(second.name, second.labels)
  const updatedWith = async (mode: Mode, labels: Label[], indices: number[], options: UpdateOptions = {}) => {
    const data = tensorFromColumns([indices, indices.map((_, i) => i % 2)], undefined, {
      modes: [{ name: mode.name, labels, ordered: mode.ordered }, second],
      shape: [labels.length, 2],
    })
    return updateModel(modelOf(mode, own), data, { threads, passes: 1, dropBelow: 0, ...options })
  }

  it('are those of the data if it has all of them, else new ones come last, or in order if they are ordered numbers', async () => {
    const labelsOf = async (...given: Parameters<typeof updatedWith>) =>
      (await updatedWith(...given)).model.modes[0].labels
    const plain = new Mode('x', ['r', 's'])
    expect(await labelsOf(plain, ['t', 's', 'r'], [0, 1, 2])).toEqual(['t', 's', 'r'])
    expect(await labelsOf(plain, ['t', 's'], [0, 1])).toEqual(['r', 's', 't'])
    expect(await labelsOf(plain, ['s', 'r'], [0, 1])).toEqual(['r', 's'])
    const numbers = new Mode('x', [1, 5], true)
    expect(await labelsOf(numbers, [3, 5], [0, 1])).toEqual([1, 3, 5])
    expect(await labelsOf(new Mode('x', [1, 5], false), [3, 5], [0, 1])).toEqual([1, 5, 3])
    expect(await labelsOf(new Mode('x', [1, 'many'], true), ['many', 0], [0, 1])).toEqual([1, 'many', 0])
    const { model } = await updatedWith(numbers, [3, 5], [0, 1])
    expect(model.modes[0].ordered).toBe(true)
  })

  it('are called changed if the data does not have them, also if it has a place for them', async () => {
    const { changes } = await updatedWith(new Mode('x', ['r', 's']), ['r', 's', 't', 'u'], [0, 2, 0, 2])
    expect(changes).toEqual([{ mode: 'x', onlyA: ['s'], onlyB: ['t'] }])
    expect((await updatedWith(new Mode('x', ['r', 's']), ['r', 's'], [0, 1])).changes).toEqual([])
  })

  it('that are dropped leave the others their proportions', async () => {
    const mode = new Mode('x', ['r', 's', 't'])
    const { model, dropped, answered } = await updatedWith(mode, ['r', 's'], [0, 1, 0, 1], { dropBelow: { x: 100 } })
    const { model: whole } = await updatedWith(mode, ['r', 's'], [0, 1, 0, 1])
    expect(dropped).toEqual([{ mode: 'x', labels: ['t'] }])
    expect(model.modes[0].labels).toEqual(['r', 's'])
    for (const k of [0, 1]) {
      const [r, s] = whole.profile('x', k)
      expect(model.profile('x', k)[0]).toBeCloseTo(r / (r + s), 12)
    }
    // Two of ten said t in the first class, and half of four in the second.
    expect(answered[0][0] + answered[0][1]).toBeCloseTo(10 - 2 - 2 + 4, 9)
    expect(answered[1][0] + answered[1][1]).toBeCloseTo(14, 9)
    const gone = await updatedWith(mode, ['u'], [0, 0], { dropBelow: 100 })
    expect(gone.model.modes[0].labels).toEqual(['u'])
    expect(gone.dropped).toEqual([{ mode: 'x', labels: ['r', 's', 't'] }])
  })

  it('keep their probabilities in a class that nobody answers in', async () => {
    const mode = new Mode('x', ['r', 's'])
    const data = tensorFromColumns(
      [
        [-1, -1],
        [0, 1],
      ],
      undefined,
      { modes: [{ name: 'x', labels: ['r', 's'] }, second], shape: [2, 2] },
    )
    const { model } = await updateModel(modelOf(mode, own), data, {
      threads,
      dropBelow: 0,
      answered: [
        [0, 0],
        [6, 4],
      ],
    })
    expect(model.profile('x', 0)[0]).toBeCloseTo(1 / 2, 12)
    expect(model.profile('x', 1)[0]).toBeCloseTo(1 / 3, 12)
  })
})

describe('an update that is stopped', () => {
  /** A session that is stopped before its nth pass, and whether it was closed. */
  const stoppedBefore = async (pass: number) => {
    const controller = new AbortController()
    const session = await referenceEngine.open(tensorOf(today))
    let [passes, closed] = [0, 0]
    const watched: typeof session = {
      ...session,
      pass: async (...given: Parameters<typeof session.pass>) => {
        if (++passes === pass) controller.abort()
        throwIfStopped(controller.signal)
        return session.pass(...given)
      },
      close: async () => void closed++,
    }
    const engine = { name: 'watched', open: async () => watched }
    const { signal } = controller
    return {
      onSession: () => updateModel(before, watched, { passes: 4, signal }),
      onData: () => updateModel(before, tensorOf(today), { passes: 4, engine, signal }),
      closed: () => closed,
    }
  }

  it('says so, and has the model of the passes that were made', async () => {
    const first = await stoppedBefore(3)
    expect(await first.onSession()).toMatchObject({ passes: 2, stopped: true, logLikelihood: { after: Number.NaN } })
    expect(first.closed()).toBe(0)
    const last = await stoppedBefore(5)
    expect(await last.onData()).toMatchObject({ passes: 4, stopped: true, logLikelihood: { after: Number.NaN } })
    expect(last.closed()).toBe(1)
    const never = await stoppedBefore(99)
    expect(await never.onData()).toMatchObject({ passes: 4, stopped: false, mixed: false })
    // An engine that does not look at the signal makes its pass, and the last one; after that nothing is left to be stopped.
    const deaf = await referenceEngine.open(tensorOf(today))
    for (const [number, ended] of [
      [2, { passes: 2, stopped: true }],
      [4, { passes: 4, stopped: false }],
    ] as const) {
      // biome-ignore format: a table
      const controller = new AbortController()
      let passes = 0
      const pass: typeof deaf.pass = (parameters, into) => {
        if (++passes === number) controller.abort()
        return deaf.pass(parameters, into)
      }
      const { logLikelihood, ...found } = await updateModel(
        before,
        { ...deaf, pass },
        { passes: 4, signal: controller.signal },
      )
      expect(found).toMatchObject(ended)
      expect([passes, Number.isFinite(logLikelihood.after)]).toEqual([number + 1, true])
    }
    const failing = await stoppedBefore(1)
    await expect(failing.onData()).rejects.toMatchObject({ name: 'AbortError' })
    expect(failing.closed()).toBe(1)
  })
})

describe('answeredBy', () => {
  it('is the part of each class that has an answer, by its posteriors', async () => {
    const tensor = randomTensor({ shape: [3, 2, 2], cells: 12, missing: 0.3, seed: 2 })
    const { model } = await fit(tensor, { rank: 2, seed: 1, starts: 2 })
    const found = await answeredBy(tensor, model, { threads: 1 })
    const expected = model.modes.map((_, n) => {
      const sums = [0, 0]
      for (let cell = 0; cell < tensor.cells; cell++) {
        const row = tensor.indices.map(column => (column[cell] < 0 ? null : column[cell]))
        if (row[n] === null) continue
        model.posterior(row).probabilities.forEach((p, k) => {
          sums[k] += tensor.values[cell] * p
        })
      }
      return sums
    })
    found.forEach((masses, n) => {
      masses.forEach((mass, k) => {
        expect(mass).toBeCloseTo(expected[n][k], 9)
      })
    })
    // A session that is open stays open.
    const session = await referenceEngine.open(tensor)
    expect((await answeredBy(session, model))[0][0]).toBeCloseTo(expected[0][0], 9)
    expect((await session.pass(model.parameters)).logLikelihood).toBeLessThan(0)
  })
})
