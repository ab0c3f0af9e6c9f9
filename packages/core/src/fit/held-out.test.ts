import { describe, expect, it } from 'vitest'
import { values } from '../../../../test/tables.ts'
import type { Session } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { exactValue } from '../file/exact-values.ts'
import { chooseRank } from '../stats/ranks/choose-rank.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { splitFolds } from '../tensor/folds.ts'
import { MISSING } from '../tensor/mode.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint/checkpoint.ts'
import { Journal, type UnitKind } from './checkpoint/journal.ts'
import { heldOutLogLikelihood } from './held-out.ts'
import { TaskRunner } from './running/task-runner.ts'

describe('the held-out log-likelihood', () => {
  // A label that was seen once, a missing entry, and a cell above the counts that are dealt one by one.
  const columns = [
    [0, 0, 1, 1, 2, 0, 1],
    [0, 1, 0, 1, 1, MISSING, 2],
  ]
  const tensor = tensorFromColumns(columns, [40_017, 12, 9, 31, 1, 8, 3])

  it('is that of a model with one observation more, here of one class', async () => {
    // The model of one class has the marginals of the training data, so all of it is written out.
    let [sum, weight] = [0, 0]
    for (const { training, test } of splitFolds(tensor, 4, 5)) {
      const { marginals, total } = training
      const sums = marginals.map(each => each.reduce((a, b) => a + b))
      for (let cell = 0; cell < test.cells; cell++) {
        let [own, more] = [1, 1]
        test.indices.forEach((column, n) => {
          if (column[cell] === MISSING) return
          own *= marginals[n][column[cell]] / sums[n]
          more *= (marginals[n][column[cell]] + 1 / 3) / (sums[n] + 1)
        })
        sum += test.values[cell] * Math.log((total * own + more) / (total + 1))
        weight += test.values[cell]
      }
    }
    const { fits } = await chooseRank(tensor, { to: 1, folds: 4, seed: 5, threads: 1 })
    expect(fits[0].heldOut).toBeCloseTo(sum / weight, 12)
  })
})

/** For all tests: none of them ends it. */
const inner: Session = { ...(await referenceEngine.open(values)), close: async () => {} }

describe('the held-out log-likelihood, step by step', () => {
  const options = { rank: 2, starts: 2, seed: 4 }

  /** A session that knows what was opened from it and is open still. */
  const watched = (happens: (opened: number) => void = () => {}) => {
    const seen = { opened: 0, open: 0 }
    const session: Session = {
      ...inner,
      reweight: async own => {
        const reweighted = await inner.reweight!(own)
        seen.open++
        happens(++seen.opened)
        return { ...reweighted, close: async () => void seen.open-- }
      },
    }
    return { session, seen }
  }
  const heldOut = async (session: Session, folds = 3, more: object = {}, checkpoint?: Checkpoint) =>
    heldOutLogLikelihood(await TaskRunner.of(session, checkpoint), { ...options, ...more }, folds)

  it('opens a session for what is left and one for the fold, and closes both', async () => {
    const { session, seen } = watched()
    expect(await heldOut(session)).toBeLessThan(0)
    expect(seen).toEqual({ opened: 6, open: 0 })
    const failing = watched(opened => {
      if (opened === 4) throw new Error('no room')
    })
    await expect(heldOut(failing.session)).rejects.toThrow('no room')
    // The one that could not be opened is none, the other is closed.
    expect(failing.seen).toEqual({ opened: 4, open: 1 })
  })

  it('is none without cells, for an engine that cannot change values, or for a single observation', async () => {
    const { indices: _, values: __, ...counts } = values
    expect(await heldOut({ ...inner, data: counts as never })).toBeUndefined()
    expect(await heldOut({ ...inner, can: ['cells'] })).toBeUndefined()
    const one = await referenceEngine.open(tensorFromColumns([[0], [0]], [1], { shape: [2, 2] }))
    expect(await heldOut(one, 3, { rank: 1 })).toBeUndefined()
  })

  it('is none if it was stopped, and no fold is begun after that', async () => {
    const controller = new AbortController()
    const { session, seen } = watched(opened => void (opened === 2 && controller.abort()))
    expect(await heldOut(session, 3, { signal: controller.signal })).toBeUndefined()
    expect(seen).toEqual({ opened: 2, open: 0 })
  })

  it('says nothing of the progress of its fits', async () => {
    let calls = 0
    await heldOut(inner, 2, { onProgress: () => calls++ })
    expect(calls).toBe(0)
  })

  /** What is stored after two of three folds. */
  const stored = async (): Promise<Uint8Array> => {
    let bytes = new Uint8Array()
    const store = (each: Uint8Array) => {
      bytes = each.slice()
    }
    const checkpoint = openCheckpoint({ store, every: 0 })
    const controller = new AbortController()
    const { session } = watched(opened => void (opened === 5 && controller.abort()))
    await heldOut(session, 3, { signal: controller.signal }, checkpoint)
    await checkpoint.close()
    return bytes
  }

  /** The same with something done to what is kept of the folds. */
  const opened = (bytes: Uint8Array, change: (fold: { sum: unknown; weight: unknown }) => unknown): Checkpoint => {
    const journal = Journal.read(bytes, 'it')
    const { units } = exactValue(bytes.subarray(44)) as { units: { key: string; kind: UnitKind }[] }
    const folds = units.filter(({ kind }) => kind === 'fold')
    expect(folds).toHaveLength(2)
    const changed = new Journal(journal.facts)
    for (const { key } of folds) changed.add(key, 'fold', undefined, 0, change(journal.find(key) as never))
    return openCheckpoint({ store: () => {}, resume: changed.bytes() })
  }

  it('goes on with the folds that a checkpoint does not know', async () => {
    const whole = await heldOut(inner)
    const { session, seen } = watched()
    const bytes = await stored()
    const checkpoint = opened(bytes, fold => fold)
    expect(checkpoint.resumed.fold).toBe(2)
    expect(await heldOut(session, 3, {}, checkpoint)).toBe(whole)
    expect(seen.opened).toBe(2)
    // Other options are other folds.
    for (const more of [{ rank: 1 }, { seed: 5 }, { tolerance: 1e-3 }, { stationarity: 1e-2 }, { minGain: 0.5 }]) {
      const other = watched()
      await heldOut(
        other.session,
        3,
        more,
        opened(bytes, fold => fold),
      )
      expect([more, other.seen.opened]).toEqual([more, 6])
    }
    // What is kept counts as it is: the mean of all.
    const doubled = opened(bytes, ({ sum, weight }) => ({ sum: 2 * (sum as number), weight }))
    expect(await heldOut(inner, 3, {}, doubled)).toBeLessThan(whole!)
  })

  it('refuses folds that are damaged', async () => {
    const bytes = await stored()
    const message = (why: string) =>
      `the checkpoint is damaged (fold.${why}): remove it, and the run starts from the beginning`
    for (const [damage, why] of [
      [{ sum: Number.NaN }, 'sum must be a finite number (got NaN)'],
      [{ sum: '1' }, 'sum must be a finite number (got "1")'],
      [{ weight: Number.POSITIVE_INFINITY }, 'weight must be a finite number (got Infinity)'],
      [{ weight: undefined }, 'weight must be a finite number (it is missing)'],
    ] as const)
      await expect(
        heldOut(
          inner,
          3,
          {},
          opened(bytes, fold => ({ ...fold, ...damage })),
        ),
      ).rejects.toThrow(message(why))
    await expect(
      heldOut(
        inner,
        3,
        {},
        opened(bytes, () => [1]),
      ),
    ).rejects.toThrow('(fold must be an object (got an array of 1))')
  })
})
