import { expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { bootstrap } from '../resampling/bootstrap.ts'
import { fitStructured } from '../structure/structured.ts'
import { chooseNested } from './choose-nested.ts'
import { chooseRank } from './choose-rank.ts'
import { testRanks } from './test-ranks.ts'

const { uniform } = random(4, 'data')
const answer = (k: number, p: number) => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no')
const answers = (k: number) => ({ a: answer(k, 0.9), b: answer(k, 0.85), c: answer(k, 0.8) })
const panel = tensorFromRows(
  Array.from({ length: 60 }, (_, id) => {
    let k = uniform() < 0.6 ? 0 : 1
    return [1, 2, 3].map(wave => {
      if (wave > 1 && uniform() < 0.15) k = 1 - k
      return { id, wave, ...answers(k) }
    })
  }).flat(),
)
const schools = tensorFromRows(
  Array.from({ length: 16 }, (_, school) =>
    Array.from({ length: 12 }, () => ({ school, ...answers(uniform() < (school % 2 === 0 ? 0.8 : 0.2) ? 0 : 1) })),
  ).flat(),
)
const few = { replicates: 9, replicateStarts: 3, starts: 2, all: true, threads: 1 } as const

it.each([
  ['persons over time', panel, { person: 'id', time: 'wave' }],
  ['groups', schools, { within: 'school', groupClasses: 2 }],
] as const)('a true number of classes is kept, and a smaller one rejected: %s', async (_, data, links) => {
  const one = await testRanks(data, { ...links, ...few, rank: 1 })
  expect(one.pValue).toBe(0.1)
  const two = await testRanks(data, { ...links, ...few, rank: 2 })
  expect(two.pValue).toBeGreaterThan(0.1)
  expect(two.replicates).toBe(9)
  // Persons are observations, and members of groups: 60 persons with 3 × 3 probabilities, 2 initial sizes and 2 × 6 transitions.
  expect(two.observationsPerParameter).toBeCloseTo('person' in links ? 60 / 23 : 192 / 14, 10)
  expect(two.fits.map(({ model }) => model.rank)).toEqual([2, 3])
})

it('rows with sampling weights cannot be drawn anew, and count once for each person where models are compared', async () => {
  // Persons with two waves or three, whose weights average 1 over rows.
  const { uniform } = random(8, 'data')
  const rows = Array.from({ length: 40 }, (_, id) => {
    const weight = id % 2 === 0 ? 0.8 : 1.3
    return Array.from({ length: 2 + (id % 2) }, (_, wave) => ({
      id,
      wave,
      ...answers(uniform() < 0.5 ? 0 : 1),
      weight,
    }))
  }).flat()
  const data = tensorFromRows(rows, { count: 'weight' })
  const cells = Int32Array.from({ length: data.cells }, (_, cell) => cell)
  const rowWeights = { cells, weights: data.values, counts: new Float64Array(data.cells).fill(1) }
  const asked = { person: 'id', time: 'wave', starts: 1, threads: 1, rowWeights } as const
  const reason = 'weights cannot be combined with a bootstrap test and person: replicates draw whole persons or groups'
  await expect(testRanks(data, { ...asked, rank: 1 })).rejects.toThrow(reason)
  await expect(chooseRank(data, { ...asked, folds: 0, replicates: 9 })).rejects.toThrow(reason)
  const nested = { within: 'id', groupClasses: [1, 2], from: 1, to: 1, threads: 1, rowWeights, replicates: 9 } as const
  await expect(chooseNested(data, nested)).rejects.toThrow('and within: replicates draw whole')
  const { fits } = await chooseRank(data, { ...asked, folds: 0, to: 1 })
  // One class: the log-likelihood of answers that are independent, with weights that average 1 over persons.
  const mean = rows.filter(({ wave }) => wave === 0).reduce((sum, { weight }) => sum + weight, 0) / 40
  const expected = (['a', 'b', 'c'] as const).reduce((all, name) => {
    const weightOf = (label: string) =>
      rows.reduce((sum, row) => sum + (row[name] === label ? row.weight / mean : 0), 0)
    const [yes, no] = [weightOf('yes'), weightOf('no')]
    return all + yes * Math.log(yes / (yes + no)) + no * Math.log(no / (yes + no))
  }, 0)
  expect(fits[0].logLikelihood).toBeCloseTo(expected, 8)
})

it('replicates of persons and groups say how tables vary, about as standard errors do', async () => {
  for (const [data, links] of [
    [panel, { person: 'id', time: 'wave', transitions: 'same' }],
    [schools, { within: 'school', groupClasses: 2 }],
  ] as const) {
    const { linked } = await fitStructured(data, { ...links, rank: 2, starts: 2, threads: 1 })
    const { model, data: rows, standardErrors } = linked!
    const errorOf = standardErrors!.chain?.initial[0].error ?? standardErrors!.nested!.mixes[0][0].error!
    for (const kind of ['parametric', 'nonparametric'] as const) {
      const found = await bootstrap(rows, model, { kind, replicates: 12, starts: 0, threads: 1, confidence: 0.5 })
      const spreads = found.linked!
      const own = spreads.kind === 'chain' ? spreads.initial[0] : spreads.mixes[0][0]
      expect(own.standardError / errorOf, `${spreads.kind} ${kind}`).toBeGreaterThan(0.5)
      expect(own.standardError / errorOf, `${spreads.kind} ${kind}`).toBeLessThan(2)
      expect(own.interval![0]).toBeLessThan(own.interval![1])
      expect(found.gSquared).toBeUndefined()
      expect(found.pairs).toHaveLength(kind === 'parametric' ? 3 : 0)
    }
  }
})
