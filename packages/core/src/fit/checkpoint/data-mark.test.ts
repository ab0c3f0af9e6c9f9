import { describe, expect, it } from 'vitest'
import { hairEyeColor } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { randomStart } from '../../model/random.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { openCheckpoint } from './checkpoint.ts'
import { markOf } from './data-mark.ts'
import { SessionUnits } from './session-units.ts'

const { indices, values, shape } = hairEyeColor
const names = [
  { name: 'hair', labels: ['Black', 'Brown', 'Red', 'Blond'] },
  { name: 'eye', labels: ['Brown', 'Blue', 'Hazel', 'Green'] },
  { name: 'sex', labels: ['male', 'female'] },
]
const table = (modes: object[] = names, own: ArrayLike<number> = values): Tensor =>
  tensorFromColumns(indices, Array.from(own), { shape, modes: modes as never })

/** The session of a database: no cells. */
const remote = async (tensor: Tensor, reproducible: boolean): Promise<Session> => {
  const session = await referenceEngine.open(tensor)
  const {
    indices: _,
    values: __,
    ...data
  } = {
    ...tensor,
    modes: tensor.modes,
    shape: tensor.shape,
    cells: tensor.cells,
    total: tensor.total,
    marginals: tensor.marginals,
  }
  return { ...session, data, traits: { ...session.traits, reproducible } } as Session
}

const swapped = (): number[] => {
  const other = [...values]
  ;[other[0], other[5]] = [other[5], other[0]]
  return other
}

describe('what data is known by', () => {
  it('is the cells, the labels and the precision', async () => {
    const of = async (tensor: Tensor, more: Partial<Session> = {}) =>
      (await markOf({ ...(await referenceEngine.open(tensor)), ...more })).digest
    const digest = await of(hairEyeColor)
    expect(await of(table())).toBe(digest)
    const { traits } = await referenceEngine.open(hairEyeColor)
    const single = await referenceEngine.open(hairEyeColor)
    const others = [
      await of(table(names, swapped())),
      await of(table([{ ...names[0], name: 'Hair' }, names[1], names[2]])),
      await of(table([{ ...names[0], ordered: true }, names[1], names[2]])),
      await of(table([names[0], names[1], { name: 'sex', labels: ['m', 'f'] }])),
      await of(table(), { traits: { ...traits, precision: 1e-7 } }),
      await of(table(), { single }),
    ]
    expect(new Set([digest, ...others]).size).toBe(7)
    // No pass is needed for that.
    const pass = () => Promise.reject(new Error('it makes a pass'))
    expect(await markOf({ ...(await referenceEngine.open(hairEyeColor)), pass })).toEqual({ digest })
  })

  it('is a pass if the cells are elsewhere', async () => {
    const [mark, again, other] = await Promise.all(
      [table(), table(), table(names, swapped())].map(async each => markOf(await remote(each, true))),
    )
    expect(again).toEqual(mark)
    expect(other.digest).not.toBe(mark.digest)
    expect(Object.keys(mark)).toEqual(['digest'])
  })

  it('is a number besides if passes do not repeat to the last bit', async () => {
    const session = await remote(table(), false)
    const other = await markOf(await remote(table(names, swapped()), false))
    const { digest, probe } = await markOf(session)
    expect(probe).toBe((await session.pass(randomStart(shape, 2, 1, 0))).logLikelihood)
    expect(other.digest).toBe(digest)
    expect(other.probe).not.toBe(probe)
    expect(digest).not.toBe(
      (await markOf(await remote(table([{ ...names[0], name: 'Hair' }, names[1], names[2]]), false))).digest,
    )
  })
})

describe('the units of work on data', () => {
  it('see the data once, when the first key is asked for', async () => {
    let passes = 0
    const session = await remote(table(), true)
    const counting: Session = {
      ...session,
      pass: (...given) => {
        passes++
        return session.pass(...given)
      },
    }
    const checkpoint = openCheckpoint({ store: () => {} })
    const units = new SessionUnits(checkpoint, counting)
    expect(passes).toBe(0)
    const key = await units.key('fit', 1, 'x')
    expect(await units.key('fit', 1, 'x')).toBe(key)
    const more = units.reweighted(values)
    const keys = [
      await units.key('fit', 1, 'y'),
      await units.key('run', 1, 'x'),
      await more.key('fit', 1, 'x'),
      await units.reweighted(Float64Array.from(swapped())).key('fit', 1, 'x'),
    ]
    expect(new Set([key, ...keys]).size).toBe(5)
    expect(passes).toBe(1)
    // A part of a larger array is its own values only.
    const part = new Float64Array([7, ...values, 7]).subarray(1, values.length + 1)
    expect(await units.reweighted(part).key('fit', 1, 'x')).toBe(keys[2])
  })
})
