import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fitStructured } from '../structure/structured.ts'

const { uniform } = random(11, 'data')
const answer = (k: number, p: number) => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no')
const people = Array.from({ length: 120 }, (_, id) => {
  let k = uniform() < 0.6 ? 0 : 1
  const waves = [1, 2, 3].map(t => {
    if (t > 1 && uniform() < 0.2) k = 1 - k
    return { a: answer(k, 0.9), b: answer(k, 0.8), c: t === 3 ? null : answer(k, 0.75) }
  })
  // Some lack a wave.
  return waves.map((row, t) => (id % 9 === t ? { a: null, b: null, c: null } : row))
})
const wide = tensorFromRows(
  people.map(waves =>
    Object.fromEntries(
      waves.flatMap(({ a, b, c }, t) => [
        [`a_t${t + 1}`, a],
        [`b_t${t + 1}`, b],
        ...(t < 2 ? [[`c_t${t + 1}`, c]] : []),
      ]),
    ),
  ),
)
const long = tensorFromRows(people.flatMap((waves, id) => waves.map((row, t) => ({ ...row, id, wave: t + 1 }))))
const patterns = ['*_t1', '*_t2', '*_t3']

describe('a table with a row for each person', () => {
  it('has the fit of the long table, in which persons are not merged', async () => {
    const found = await fitStructured(wide, { rank: 2, waves: patterns, starts: 2 })
    const same = await fitStructured(long, { rank: 2, person: 'id', time: 'wave', starts: 2 })
    expect(found.result.logLikelihood).toBeCloseTo(same.result.logLikelihood, 6)
    const [own, other] = [found, same].map(({ linked }) => linked!)
    expect(own.evaluation.bic).toBeCloseTo(other.evaluation.bic, 6)
    expect(own.data.observations).toBe(120)
    expect(own.data.labels.length).toBeLessThan(120)
    const errors = (linked: typeof own) => linked.standardErrors!.chain!.transitions[1][0].map(({ error }) => error!)
    errors(own).forEach((error, i) => void expect(error).toBeCloseTo(errors(other)[i], 5))
    expect(found.result.model.structure).toMatchObject({ kind: 'chain', wide: patterns, waves: ['t1', 't2', 't3'] })
    expect(found.result.notes).toContain('c has no column in *_t3; in these waves it is treated as missing')
  })

  it.each([
    [['*_t1'], 'waves needs a pattern for each of two waves or more'],
    [['*_t1', '*_t1'], 'waves has "*_t1" twice: name every wave once'],
    [['*_t1', '*_t4'], 'waves has "*_t4", which matches no column; the columns are a_t1, b_t1'],
    [['*_t1', '*1'], 'waves has two patterns for column "a_t1": "*_t1" and "*1"'],
    [['a_t1', '*_t2'], '"a_t1" must have one star'],
  ])('is rejected with the reason if its columns do not match the waves: %j', async (waves, reason) => {
    await expect(fitStructured(wide, { rank: 2, waves, starts: 1 })).rejects.toThrow(reason)
  })

  it('is not a long table too', async () => {
    const both = fitStructured(wide, { rank: 2, waves: patterns, person: 'id', time: 'wave' })
    await expect(both).rejects.toThrow('waves cannot be combined with person')
  })
})
