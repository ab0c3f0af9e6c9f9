import { describe, expect, it } from 'vitest'
import { Mode } from '../tensor/mode.ts'
import { Model } from './model.ts'
import { ChainStructure } from './structures/chain.ts'
import { NestedStructure } from './structures/nested.ts'

const modes = [new Mode('a', ['no', 'yes'])]
const components = { rank: 2, sizes: Float64Array.of(6, 4), factors: [Float64Array.of(0.9, 0.2, 0.1, 0.8)] }

/** How often something is so, in standard errors from a probability. */
const distance = (flags: readonly boolean[], p: number) => {
  const share = flags.filter(Boolean).length / flags.length
  return Math.abs(share - p) / Math.sqrt((p * (1 - p)) / flags.length)
}

describe('rows drawn from a model', () => {
  it('are persons with all their waves, whose classes follow the transitions', () => {
    const transitions = [
      [
        [0.9, 0.1],
        [0.3, 0.7],
      ],
      [
        [0.5, 0.5],
        [0, 1],
      ],
    ]
    const waves = ['2001', '2002', '2003']
    const structure = new ChainStructure({ person: 'id', time: 'year', waves, initial: [0.6, 0.4], transitions })
    const model = new Model(modes, components, undefined, structure)
    const { columns, rows, classes, groupClasses } = model.sample(4000, { seed: 3 })
    expect(columns).toEqual(['id', 'year', 'a'])
    expect(rows).toHaveLength(12_000)
    expect(rows.slice(2, 4).map(row => row.slice(0, 2))).toEqual([
      [1, '2003'],
      [2, '2001'],
    ])
    expect(groupClasses).toBeUndefined()
    const first = rows.map((_, i) => i).filter(i => i % 3 === 0)
    expect(
      distance(
        first.map(i => classes[i] === 0),
        0.6,
      ),
    ).toBeLessThan(4)
    for (const [t, step] of transitions.entries())
      for (const k of [0, 1]) {
        const from = first.map(i => i + t).filter(i => classes[i] === k)
        if (step[k][0] === 0) expect(from.every(i => classes[i + 1] === 1)).toBe(true)
        else
          expect(
            distance(
              from.map(i => classes[i + 1] === 0),
              step[k][0],
            ),
          ).toBeLessThan(4)
      }
    for (const [k, p] of [0.1, 0.8].entries()) {
      const own = rows.filter((_, i) => classes[i] === k)
      expect(
        distance(
          own.map(row => row[2] === 'yes'),
          p,
        ),
      ).toBeLessThan(4)
    }
    expect(model.sample(2, { seed: 3 }).rows).toEqual(rows.slice(0, 6))
    expect(() => model.sample(2, { members: 3 })).toThrow('members is only for models of groups')
    expect(() => model.sample(2, { rows: [{}] })).toThrow('rows and weights are only for models with covariates')
  })

  it('are groups with their members, whose classes follow the class of the group', () => {
    const structure = new NestedStructure({
      within: 'school',
      groupSizes: [0.7, 0.3],
      mixes: [
        [0.8, 0.2],
        [0.1, 0.9],
      ],
    })
    const model = new Model(modes, components, undefined, structure)
    const { columns, rows, classes, groupClasses } = model.sample(1000, { members: 8 })
    expect(columns).toEqual(['school', 'a'])
    expect(rows).toHaveLength(8000)
    expect(rows[8][0]).toBe(2)
    const schools = rows.map((_, i) => i).filter(i => i % 8 === 0)
    expect(schools.every(i => new Set(groupClasses!.slice(i, i + 8)).size === 1)).toBe(true)
    expect(
      distance(
        schools.map(i => groupClasses![i] === 0),
        0.7,
      ),
    ).toBeLessThan(4)
    for (const [g, mix] of structure.mixes.entries()) {
      const own = rows.map((_, i) => i).filter(i => groupClasses![i] === g)
      expect(
        distance(
          own.map(i => classes[i] === 0),
          mix[0],
        ),
      ).toBeLessThan(4)
    }
    expect(model.sample(2).rows).toHaveLength(60)
  })
})
