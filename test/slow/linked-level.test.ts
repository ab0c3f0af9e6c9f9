import { fitStructured, tensorFromRows, testRanks } from '@polyad/core'
import { type Random, random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/**
 * Intervals and tests of models of persons over time and of groups keep their level, roughly: `bench/linked/coverage.mjs` and `bench/linked/level.mjs` measure
 * more designs, with more samples.
 */

const YES = [
  [0.9, 0.87, 0.84, 0.81],
  [0.15, 0.18, 0.21, 0.24],
]
const INITIAL = 0.6
const STAYS = [
  [0.85, 0.8],
  [0.75, 0.9],
]
const MIXES = [0.8, 0.3]
const FIRST_GROUPS = 0.6

const answersOf = ({ uniform }: Random, k: number, items: number) =>
  Object.fromEntries(YES[k].slice(0, items).map((p, n) => [`q${n + 1}`, uniform() < p ? 'yes' : 'no'] as const))

const panel = (source: Random, persons: number, items: number) =>
  tensorFromRows(
    Array.from({ length: persons }, (_, id) => {
      let k = source.uniform() < INITIAL ? 0 : 1
      return [0, 1, 2].map(wave => {
        if (wave > 0 && source.uniform() > STAYS[wave - 1][k]) k = 1 - k
        return { id, wave, ...answersOf(source, k, items) }
      })
    }).flat(),
  )

const groups = (source: Random, count: number, members: number, items: number) =>
  tensorFromRows(
    Array.from({ length: count }, (_, group) => {
      const mix = MIXES[source.uniform() < FIRST_GROUPS ? 0 : 1]
      return Array.from({ length: members }, () => ({
        group,
        ...answersOf(source, source.uniform() < mix ? 0 : 1, items),
      }))
    }).flat(),
  )

/** How often intervals hold what is true, by name. */
class Coverage {
  readonly #held = new Map<string, [inside: number, all: number]>()

  count(name: string, { interval }: { interval: readonly [number, number] | undefined }, truth: number): void {
    const [inside, all] = this.#held.get(name) ?? [0, 0]
    const holds = interval !== undefined && interval[0] <= truth && truth <= interval[1]
    this.#held.set(name, [inside + (holds ? 1 : 0), all + 1])
  }

  check(): void {
    for (const [name, [inside, all]] of this.#held) {
      expect(inside / all, name).toBeGreaterThan(0.92)
      expect(inside / all, name).toBeLessThan(0.985)
    }
  }
}

describe('95% intervals hold what is true', () => {
  it('of initial sizes and transitions', { timeout: 600_000 }, async () => {
    const coverage = new Coverage()
    for (let sample = 1; sample <= 300; sample++) {
      const data = panel(random(sample, 'data', 1), 300, 4)
      const { linked, result } = await fitStructured(data, {
        rank: 2,
        person: 'id',
        time: 'wave',
        starts: 2,
        threads: 1,
      })
      const { chain } = linked!.standardErrors!
      const places = result.model.profile('q1', 0)[1] > 0.5 ? [0, 1] : [1, 0]
      coverage.count('initial', chain!.initial[places[0]], INITIAL)
      STAYS.forEach((stays, t) => {
        places.forEach((k, i) => void coverage.count('stays', chain!.transitions[t][k][k], stays[i]))
      })
    }
    coverage.check()
  })

  it('of the sizes of group classes, and of class sizes within them', { timeout: 600_000 }, async () => {
    const coverage = new Coverage()
    for (let sample = 1; sample <= 300; sample++) {
      const data = groups(random(sample, 'data', 2), 60, 20, 4)
      const options = { rank: 2, within: 'group', groupClasses: 2, starts: 3, threads: 1 } as const
      const { linked, result } = await fitStructured(data, options)
      const { groupSizes, mixes } = linked!.standardErrors!.nested!
      const first = result.model.profile('q1', 0)[1] > 0.5 ? 0 : 1
      const order = mixes[0][first].value > mixes[1][first].value ? [0, 1] : [1, 0]
      coverage.count('groups', groupSizes[order[0]], FIRST_GROUPS)
      order.forEach((g, i) => void coverage.count('mixes', mixes[g][first], MIXES[i]))
    }
    coverage.check()
  })
})

describe('tests of a true number of classes', () => {
  it.each([
    ['groups', (source: Random) => groups(source, 16, 12, 3), { within: 'group', groupClasses: 2 }],
    ['persons', (source: Random) => panel(source, 60, 3), { person: 'id', time: 'wave', transitions: 'same' }],
  ] as const)('do not reject it much too often: %s', { timeout: 600_000 }, async (_, draw, links) => {
    const pValues: number[] = []
    for (let sample = 1; sample <= 80; sample++) {
      const options = { ...links, rank: 2, replicates: 19, replicateStarts: 8, starts: 8, seed: sample, all: true, threads: 1 } // biome-ignore format: one list
      pValues.push((await testRanks(draw(random(sample, 'data', 3)), options)).pValue)
    }
    const below = (level: number) => pValues.filter(p => p <= level + 1e-12).length / pValues.length
    // Of 80 samples: by chance more than 11% in one of 100 cases, and more than 36% in one of 100.
    expect(below(0.05)).toBeLessThanOrEqual(0.113)
    expect(below(0.25)).toBeLessThanOrEqual(0.375)
    expect(below(0.5)).toBeGreaterThan(0.3)
  })
})
