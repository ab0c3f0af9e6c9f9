import { expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { panelData } from './panel-data.ts'
import { linkedPosteriors } from './row-posteriors.ts'

it('are those of all paths of a person, also over a wave without a row', () => {
  const rows = [
    { id: 'Ann', wave: 1, a: 'no', b: 'yes' },
    { id: 'Ann', wave: 3, a: 'yes', b: 'yes' },
    { id: 'Bob', wave: 1, a: 'yes', b: 'no' },
    { id: 'Bob', wave: 2, a: 'no', b: null },
  ]
  const data = panelData(tensorFromRows(rows), { person: 'id', time: 'wave' })
  const [initial, says] = [[0.6, 0.4], { a: [0.9, 0.2], b: [0.7, 0.1] }]
  const step = [
    [0.8, 0.2],
    [0.3, 0.7],
  ]
  const structure = new ChainStructure({
    person: 'id',
    time: 'wave',
    waves: [1, 2, 3],
    initial,
    transitions: [step, step],
  })
  const factors = data.items.modes.map(({ name, labels }) =>
    Float64Array.from(labels!.flatMap(label => says[name as 'a'].map(p => (label === 'yes' ? p : 1 - p)))),
  )
  const model = new Model(data.items.modes, { rank: 2, sizes: Float64Array.of(2, 2), factors }, undefined, structure)
  const emission = (row: (typeof rows)[number] | undefined, k: number) =>
    (['a', 'b'] as const).reduce((product, name) => {
      const answer = row?.[name] ?? null
      return answer === null ? product : product * (answer === 'yes' ? says[name][k] : 1 - says[name][k])
    }, 1)
  // Of all eight paths of a person, those that are in the second class at a wave.
  const expected = rows.map(({ id, wave }) => {
    const sums = [0, 0]
    for (let path = 0; path < 8; path++) {
      const classes = [0, 1, 2].map(t => (path >> t) & 1)
      const p = classes.reduce(
        (product, k, t) =>
          product *
          (t === 0 ? initial[k] : step[classes[t - 1]][k]) *
          emission(
            rows.find(row => row.id === id && row.wave === t + 1),
            k,
          ),
        1,
      )
      sums[classes[wave - 1]] += p
    }
    return sums[1] / (sums[0] + sums[1])
  })
  const found = linkedPosteriors(model, data)
  expect(found.map(({ count }) => count)).toEqual([1, 1, 1, 1])
  found.forEach(({ probabilities }, i) => {
    expect(probabilities[1]).toBeCloseTo(expected[i], 12)
    expect(probabilities[0] + probabilities[1]).toBeCloseTo(1, 12)
  })
})
