import { describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import { newStatistics, type Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import type { StopSignal } from '../../errors.ts'
import { randomStart } from '../../model/random.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { shareScans } from './shared-scans.ts'

const inner = await referenceEngine.open(values)
const models = [0, 1, 2].map(start => randomStart(values.shape, 2, 1, start))

/** A session that makes passes in scans, and what each scan was of. */
const scanning = (fault?: Error) => {
  const scans: { readonly models: number[]; readonly signal: StopSignal | undefined }[] = []
  const session: Session = {
    ...inner,
    can: ['several'],
    pass: () => Promise.reject(new Error('it is not asked for one by one')),
    passes: async (several, signal) => {
      scans.push({ models: several.map(each => models.indexOf(each)), signal })
      if (fault !== undefined) throw fault
      return Promise.all(several.map(each => inner.pass(each)))
    },
  }
  return { session, scans }
}

describe('runs that share their scans', () => {
  it('wait at their passes until all others have come to theirs, and each gets its own', async () => {
    const { session, scans } = scanning()
    const { signal } = new AbortController()
    const group = shareScans(session, 3, signal)
    const first = [group[1].session.pass(models[1]), group[0].session.pass(models[0])]
    await eventLoopTurn()
    expect(scans).toEqual([])
    const into = newStatistics(values.shape, 2)
    const third = group[2].session.pass(models[2], into)
    const found = await Promise.all([...first, third])
    expect(scans).toEqual([{ models: [1, 0, 2], signal }])
    expect(found).toEqual(await Promise.all([1, 0, 2].map(i => inner.pass(models[i]))))
    // What is written into is what was given; what another run gets is not.
    expect(found[2]).toBe(into)
    // The next scan waits for all of them again.
    const next = group.map(({ session: own }, i) => own.pass(models[i]))
    await Promise.all(next)
    expect(scans[1].models).toEqual([0, 1, 2])
  })

  it('no longer wait for one that has ended', async () => {
    const { session, scans } = scanning()
    const group = shareScans(session, 3)
    const waiting = group[0].session.pass(models[0])
    group[1].leave()
    await eventLoopTurn()
    expect(scans).toEqual([])
    group[2].leave()
    await waiting
    expect(scans).toEqual([{ models: [0], signal: undefined }])
    group[0].leave()
    await eventLoopTurn()
    // Where nobody waits there is no scan.
    expect(scans).toHaveLength(1)
  })

  it('fail together', async () => {
    const { session } = scanning(new Error('the line is cut'))
    const group = shareScans(session, 2)
    const ends = await Promise.allSettled(group.map(({ session: own }, i) => own.pass(models[i])))
    for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { message: 'the line is cut' } })
  })

  it('know the data, and can measure; what they share is not theirs to close', async () => {
    let closed = 0
    const { session } = scanning()
    const [{ session: own }] = shareScans({ ...session, close: async () => void closed++ }, 1)
    expect([own.data, own.traits, own.can]).toEqual([session.data, session.traits, []])
    expect(await own.measure(models[0])).toEqual(await inner.measure(models[0]))
    await own.close()
    expect(closed).toBe(0)
  })
})
