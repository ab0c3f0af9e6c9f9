import { expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { bootstrap } from '../resampling/bootstrap.ts'
import { fitStructured } from '../structure/structured.ts'
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
  expect(two.fits.map(({ model }) => model.rank)).toEqual([2, 3])
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
