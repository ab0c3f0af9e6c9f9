import { describe, expect, it } from 'vitest'
import { mutate, randomNumbers } from '../../../../../test/mutations.ts'
import { carcinoma, gss82, hairEyeColor, values } from '../../../../../test/tables.ts'
import type { Engine } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { DataError } from '../../errors.ts'
import { exactBytes, exactValue } from '../../file/exact-values.ts'
import { digestOf } from '../../numeric/digest.ts'
import { random } from '../../numeric/philox.ts'
import { chooseRank } from '../../stats/ranks/choose-rank.ts'
import { testRanks } from '../../stats/ranks/test-ranks.ts'
import { bootstrap } from '../../stats/resampling/bootstrap.ts'
import { explainedBootstrap } from '../../stats/structure/deprecated.ts'
import { fitStructured, type StructuredFitOptions } from '../../stats/structure/structured.ts'
import { tensorFromCoordinates } from '../../tensor/coordinates.ts'
import { tensorFromArray } from '../../tensor/dense.ts'
import { fit } from '../fit.ts'
import type { FitOptions } from '../fit-options.ts'
import { type Checkpoint, type CheckpointOptions, openCheckpoint } from './checkpoint.ts'
import { Journal } from './journal.ts'

type Given = { readonly checkpoint?: CheckpointOptions | Checkpoint }

/** What a result says, to the last bit. */
const bitsOf = (result: unknown): string =>
  JSON.stringify(result, (_, value: unknown) => {
    if (typeof value === 'number' || value instanceof Float64Array) return [...exactBytes(value)].join('.')
    return value
  })

type Work = (given: Given & Pick<FitOptions, 'onProgress'>) => Promise<unknown>

const fitted =
  (options: Omit<FitOptions, 'rank'>): Work =>
  async given => {
    const { model, ...record } = await fit(gss82, { rank: 3, threads: 1, ...options, ...given })
    return { ...record, parameters: model.parameters }
  }

const small = { rank: 2, threads: 1, starts: 4 }

const WORK: Record<string, Work> = {
  'a search': fitted({ seed: 2 }),
  'a search of few passes': fitted({ maxPasses: 900 }),
  'random starts': fitted({ starts: 20, maxPasses: 2000 }),
  'a prior': fitted({ pseudoCounts: 0.5, starts: 5 }),
  'a width of smoothing': async given => {
    const ordered = tensorFromCoordinates(
      Array.from({ length: 16 }, (_, i) => [Math.floor(i / 4), i % 4]),
      Array.from({ length: 16 }, (_, i) => 1 + ((i * i) % 7)),
      {
        modes: [
          { name: 'a', ordered: true },
          { name: 'b', ordered: true },
        ],
        shape: [4, 4],
      },
    )
    const { model, smoothing } = await fit(ordered, { rank: 2, threads: 1, smoothing: 'auto', ...given })
    return { smoothing, parameters: model.parameters }
  },
  constraints: fitted({ starts: 6, constraints: { zero: [{ mode: gss82.modes[0].name, label: 0, class: 1 }] } }),
  'a choice of rank': async given => {
    const options = { to: 2, folds: 2, starts: 2, replicates: 16, threads: 1 }
    const { fits, recommended } = await chooseRank(values, { ...options, ...given })
    const plain = fits.map(({ result: { model, ...result }, ...each }) => ({
      ...each,
      result,
      model: model.parameters,
    }))
    return { recommended, plain }
  },
  'a test': async ({ onProgress: _, ...given }) => {
    const { fits, ...test } = await testRanks(values, {
      ...small,
      rank: 1,
      replicates: 16,
      replicateStarts: 3,
      ...given,
    })
    return { ...test, parameters: fits.map(({ model }) => model.parameters) }
  },
  'a bootstrap': async ({ onProgress: _, ...given }) => {
    const { model } = await fit(values, small)
    return bootstrap(values, model, { replicates: 8, threads: 1, ...given })
  },
  'covariates, and their bootstrap': async ({ onProgress, ...given }) => {
    const searching = { ...given, ...(onProgress && { onProgress }) }
    const { explained, result } = await fitStructured(hairEyeColor, { ...small, covariates: ['sex'], ...searching })
    const drawn = await explainedBootstrap(explained!, { replicates: 4, threads: 1, ...given })
    return { covariates: explained!.covariates, parameters: result.model.parameters, drawn }
  },
  groups: async given => {
    const { groups, result } = await fitStructured(hairEyeColor, { ...small, groups: 'sex', ...given })
    return { groups, parameters: result.model.parameters }
  },
}

/** The work with a checkpoint that is stored after every unit, or now and then if there are many; and what was stored. */
const stored = async (work: Work, many: boolean, resume?: Uint8Array) => {
  const stores: Uint8Array[] = []
  const checkpoint = openCheckpoint({
    every: many ? 1e6 : 0,
    store: bytes => void stores.push(bytes.slice()),
    ...(resume !== undefined && { resume }),
  })
  let calls = 0
  const onProgress = () => {
    if (++calls % 61 === 0) void checkpoint.save()
  }
  const result = await work({ checkpoint, ...(many && { onProgress }) })
  await checkpoint.close()
  return { bits: bitsOf(result), stores, units: checkpoint.units }
}

describe('work that goes on from a checkpoint', () => {
  it.each(Object.entries(WORK))('ends with the same bits: %s', async (name, work) => {
    const undisturbed = bitsOf(await work({}))
    const many = name === 'a search'
    const whole = await stored(work, many)
    expect(whole.bits).toBe(undisturbed)
    expect(whole.stores.length).toBeGreaterThan(1)
    const draws = random(1, 'start', 0)
    for (let n = 0; n < 2; n++) {
      const resumed = await stored(work, many, whole.stores[draws.below(whole.stores.length)])
      expect(resumed.bits).toBe(undisturbed)
      // What was done is not done again.
      expect(resumed.units.done).toBeLessThan(whole.units.done)
      expect(resumed.units.found).toBeGreaterThan(0)
    }
  })
})

/** The engine, as if its passes took long: how far a descent has come is then kept too. */
const slow = (precision: 'double' | 'single'): Engine => ({
  name: 'slow',
  async open(tensor) {
    const { parallelRuns: _, ...session } = await wasmEngine({ threads: 1 }).open(tensor)
    const traits = { ...session.traits, nanosPerPass: () => 1e8 }
    const { single: __, ...double } = session
    return { ...(precision === 'single' ? session : double), traits }
  },
})

describe('a descent that goes on from the middle', () => {
  it.each<[string, Partial<FitOptions>]>([
    ['accelerated', { starts: 1, seed: 3 }],
    ['plain EM', { starts: 1, algorithm: 'em', maxPasses: 60 }],
    ['a prior', { starts: 1, pseudoCounts: 0.3 }],
    ['wide starts and crosses', { maxPasses: 400 }],
    ['single precision first', { starts: 1, precision: 'single' }],
    ['constraints', { starts: 1, constraints: { zero: [{ mode: gss82.modes[0].name, label: 0, class: 1 }] } }],
  ])('ends with the same bits: %s', async (_, options) => {
    const engine = slow(options.precision === 'single' ? 'single' : 'double')
    const work: Work = async given => {
      const { model, ...record } = await fit(gss82, { rank: 3, engine, ...options, ...given })
      return { ...record, parameters: model.parameters }
    }
    const undisturbed = bitsOf(await work({}))
    const whole = await stored(work, false)
    expect(whole.bits).toBe(undisturbed)
    expect(whole.stores.length).toBeGreaterThan(10)
    const draws = random(2, 'start', 0)
    for (let n = 0; n < 6; n++) {
      const resumed = await stored(work, false, whole.stores[draws.below(whole.stores.length)])
      expect(resumed.bits).toBe(undisturbed)
      expect(resumed.units.done).toBeLessThan(whole.units.done)
    }
  })
})

describe('a structured descent that goes on from the middle', () => {
  it.each<[string, Partial<StructuredFitOptions>]>([
    ['covariates', { covariates: ['sex'] }],
    ['covariates, with a prior', { covariates: ['sex'], pseudoCounts: 0.4 }],
    ['groups', { groups: 'sex' }],
    ['groups, some of whose probabilities differ', { groups: 'sex', free: [{ mode: hairEyeColor.modes[0].name }] }],
  ])('ends with the same bits: %s', async (_, options) => {
    const engine = slow('double')
    const work: Work = async given => {
      const { explained, groups, result } = await fitStructured(hairEyeColor, {
        rank: 2,
        starts: 2,
        engine,
        ...options,
        ...given,
      } as StructuredFitOptions)
      const { model, ...record } = result
      return { covariates: explained?.covariates, groups, record, parameters: model.parameters }
    }
    const undisturbed = bitsOf(await work({}))
    const whole = await stored(work, false)
    expect(whole.bits).toBe(undisturbed)
    // In the middle of the last descent too, which is the structured one.
    const parts = whole.stores.filter(
      bytes => openCheckpoint({ store: () => {}, resume: bytes, facts: factsIn(bytes) }).resumed.part > 0,
    )
    expect(parts.length).toBeGreaterThan(10)
    expect(whole.stores.indexOf(parts.at(-1)!)).toBeGreaterThan(whole.stores.length - 5)
    const draws = random(3, 'start', 0)
    for (const resume of [parts.at(-1)!, ...Array.from({ length: 4 }, () => parts[draws.below(parts.length)])]) {
      const resumed = await stored(work, false, resume)
      expect(resumed.bits).toBe(undisturbed)
      expect(resumed.units.done).toBeLessThan(whole.units.done)
    }
  })
})

describe('a checkpoint', () => {
  const options = { rank: 2, starts: 3, threads: 1 }
  const ending = async (given: object, data = values) => {
    let last = new Uint8Array()
    const store = (bytes: Uint8Array) => {
      last = bytes.slice()
    }
    const result = await fit(data, { ...options, checkpoint: { store, ...given } })
    return { last, result }
  }

  it('keeps of a fit that has ended what was found, and not how', async () => {
    const { last, result } = await ending({ every: 0 })
    const { resumed } = openCheckpoint({ store: () => {}, resume: last, facts: factsIn(last) })
    expect(resumed).toEqual({ part: 0, run: 0, fit: 1, fold: 0, replicate: 0, test: 0 })
    const again = await ending({ resume: last })
    expect(bitsOf(again.result)).toBe(bitsOf(result))
  })

  it('is refused with the difference', async () => {
    const { last: resume } = await ending({})
    const refusal = (given: object, data = values) =>
      fit(data, { ...options, checkpoint: { store: () => {}, resume }, ...given }).catch(
        (error: Error) => error.message,
      )
    expect(await refusal({ seed: 2 })).toBe(
      'the checkpoint belongs to a run with seed 1, and this run has seed 2: use another file, or remove it',
    )
    expect(await refusal({ rank: 3 })).toContain('belongs to a run with rank 2, and this run has rank 3')
    expect(await refusal({}, carcinoma)).toContain('belongs to other data')
    // The table with the same margins and values in other cells.
    const [a, b] = [
      [5, 2, 2, 5],
      [2, 5, 5, 2],
    ].map(counts => tensorFromArray([counts.slice(0, 2), counts.slice(2)]))
    const { last: other } = await ending({}, a)
    await expect(fit(b, { ...options, checkpoint: { store: () => {}, resume: other } })).rejects.toThrow(
      'to other data',
    )
    // The number of threads and the time limit may be others.
    await fit(values, { ...options, threads: 2, maxSeconds: 100, checkpoint: { store: () => {}, resume } })
  })

  it('that is damaged, cut short or something else is refused, whatever was done to it', async () => {
    const { last } = await ending({})
    const opened = (resume: Uint8Array) => openCheckpoint({ store: () => {}, resume, facts: factsIn(last) })
    expect(() => opened(last.subarray(0, last.length - 1))).toThrow('is damaged or cut short: remove it')
    expect(() => opened(new Uint8Array())).toThrow('is damaged or cut short')
    expect(() => opened(new TextEncoder().encode('a,b\n1,2\n'))).toThrow('is not a checkpoint of Polyad')
    const draw = randomNumbers(1)
    for (let n = 0; n < 2000; n++) {
      const bytes = mutate(last, draw)
      if (Buffer.compare(bytes, last) !== 0) expect(() => opened(bytes)).toThrow(DataError)
    }
  })

  it('whose bytes are of other values is refused too, and reaches no prototype', () => {
    const draw = randomNumbers(2)
    const body = exactBytes({ units: [{ key: 'a', bytes: new Uint8Array(3) }], list: [1, 'two', Float64Array.of(3)] })
    for (let n = 0; n < 2000; n++) {
      try {
        exactValue(mutate(body, draw))
      } catch (error) {
        expect(error).toBeInstanceOf(DataError)
      }
    }
    const evil = exactValue(exactBytes(JSON.parse('{"__proto__":{"polluted":1},"constructor":2}'))) as object
    expect(Object.keys(evil)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(evil)).toBe(Object.prototype)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('takes facts that can be written and compared, and refuses others', () => {
    const facts = (value: unknown) => openCheckpoint({ store: () => {}, facts: value as Record<string, unknown> })
    facts({ rank: 2, columns: ['a', 'b'], weighted: false })
    for (const value of [null, 'rank 2', { rank: null }, { rank: () => 2 }])
      expect(() => facts(value)).toThrow('facts must be an object of texts, numbers, booleans and lists of them')
  })

  it('that was changed and sealed again is refused where it cannot be used', async () => {
    const data = gss82
    const options = { rank: 2, starts: 2, threads: 1, maxPasses: 40 }
    const stores: Uint8Array[] = []
    const facts = { rank: 2 }
    await fit(data, { ...options, checkpoint: { every: 0, facts, store: bytes => void stores.push(bytes.slice()) } })
    const [stored] = stores.slice(-1)
    /** With another content in every unit, or with another fact. */
    const changed = (change: (unit: Record<string, unknown>) => void, more: object = {}) => {
      const { units, facts: known } = exactValue(stored.subarray(44)) as {
        readonly units: readonly { readonly bytes: Uint8Array }[]
        readonly facts: object
      }
      const own = units.map(unit => {
        const value = exactValue(unit.bytes) as Record<string, unknown>
        change(value)
        return { ...unit, bytes: exactBytes(value) }
      })
      const body = exactBytes({ facts: { ...known, ...more }, units: own })
      return new Uint8Array([...stored.subarray(0, 12), ...new TextEncoder().encode(digestOf(body)), ...body])
    }
    const resumed = (resume: Uint8Array) => fit(data, { ...options, checkpoint: { store: () => {}, facts, resume } })
    type Kept = { readonly parameters: { shares: Float64Array; factors: Float64Array[]; rank: number }; loss: number }
    const best = (unit: Record<string, unknown>) => (unit.best ?? unit.run) as Kept
    await expect(resumed(changed(() => {}))).resolves.toBeDefined()
    for (const [change, message] of [
      [kept => void kept.parameters.shares.fill(Number.NaN), 'parameters.shares[0] must be a number ≥ 0 (got NaN)'],
      [kept => void kept.parameters.factors.pop(), 'parameters.factors must have 4 entries (got 3)'],
      [kept => void kept.parameters.factors[0].fill(-1), 'parameters.factors[0][0] must be a number ≥ 0 (got -1)'],
      [
        kept => void Object.assign(kept.parameters, { shares: new Float64Array(3) }),
        'parameters.shares must have 2 entries (got 3)',
      ],
      [kept => void Object.assign(kept.parameters, { rank: 1 }), 'parameters.rank must be 2 (got 1)'],
      [
        kept => void Object.assign(kept, { loss: Number.NEGATIVE_INFINITY }),
        'loss must be a finite number (got -Infinity)',
      ],
    ] as readonly (readonly [(kept: Kept) => void, string])[])
      await expect(resumed(changed(unit => change(best(unit))))).rejects.toThrow(
        `the checkpoint is damaged (search.best.${message}): remove it`,
      )
    // A name that every object has is a fact like any other.
    await expect(resumed(changed(() => {}, { constructor: 'x' }))).rejects.toThrow(
      'the checkpoint belongs to a run with constructor x, and this run has no constructor',
    )
  })

  it('that cannot be stored is a note, and the work goes on', async () => {
    let calls = 0
    const store = () => {
      calls++
      throw new Error('no space')
    }
    const { notes, model } = await fit(values, { ...options, checkpoint: { store, every: 0 } })
    expect(calls).toBeGreaterThan(1)
    expect(notes).toEqual(['the checkpoint could not be stored (no space): the work went on without it'])
    expect(bitsOf(model.parameters)).toBe(bitsOf((await fit(values, options)).model.parameters))
  })

  it('does not hold more than its limit: the cheapest runs are left out', () => {
    const journal = new Journal({}, 1000)
    for (let n = 0; n < 10; n++) journal.add(`${n}`, 'run', 'fit', 10 - n, new Float64Array(30))
    const read = Journal.read(journal.bytes(), 'it')
    expect(Array.from({ length: 10 }, (_, n) => read.find(`${n}`) !== undefined)).toEqual([
      ...[true, true, true, true, false, false, false, false, false, false],
    ])
    journal.add('fit', 'fit', undefined, 0, 1)
    expect(journal.size).toBe(1)
  })

  it('is stored when the work is stopped', async () => {
    const controller = new AbortController()
    let [last, results] = [new Uint8Array(), 0]
    const checkpoint = {
      store: (bytes: Uint8Array) => {
        last = bytes.slice()
      },
    }
    const onProgress = () => {
      if (++results === 8) controller.abort()
    }
    const asked = { ...options, starts: 40 }
    const { stopped } = await fit(values, { ...asked, signal: controller.signal, onProgress, checkpoint })
    expect(stopped).toBe(true)
    const resumed = openCheckpoint({ store: () => {}, resume: last, facts: factsIn(last) })
    expect(resumed.resumed.run).toBeGreaterThan(3)
    const result = await fit(values, { ...asked, checkpoint: resumed })
    expect(bitsOf(result)).toBe(bitsOf(await fit(values, asked)))
  })
})

/** What the run of a checkpoint was asked for. */
const factsIn = (bytes: Uint8Array) => {
  const { data: _, ...facts } = Journal.read(bytes, 'it').facts
  return facts
}
