import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { log } from '../../numeric/log.ts'
import { Mode } from '../../tensor/mode.ts'
import { classMarks } from './class-marks.ts'

const model = new Model(
  [new Mode('vote', ['yes', 'no', 'none']), new Mode('age', [20, 30, 40, 50, 60, 70, 80], true)],
  {
    rank: 2,
    sizes: Float64Array.of(50, 50),
    factors: [
      Float64Array.of(0.8, 0.1, 0.1, 0.8, 0.1, 0.1),
      Float64Array.of(0.3, 0, 0.3, 0, 0.3, 0, 0.1, 0.1, 0, 0.3, 0, 0.3, 0, 0.3),
    ],
  },
)

describe('the marks of a class', () => {
  it('are what is more frequent in it than overall, the strongest first', () => {
    const [age, vote, ...rest] = classMarks(model, 0)
    expect(age).toMatchObject({ mode: 'age', label: '20 … 50', probability: expect.closeTo(1, 12) })
    expect(age.lift).toBeCloseTo(1 / 0.55, 12)
    expect(vote).toMatchObject({ mode: 'vote', label: 'yes', probability: 0.8 })
    expect(vote.overall).toBeCloseTo(0.45, 12)
    expect(rest).toEqual([])
  })

  it('are as many as asked for', () => {
    expect(classMarks(model, 1, 1)).toHaveLength(1)
    expect(classMarks(model, 1, 0)).toEqual([])
    expect(() => classMarks(model, 2)).toThrow('k must be')
  })

  it('are the first of all labels sorted by strength, ties in the order of the modes and labels', () => {
    // Probabilities are of few kinds, so that many labels are equally strong; a class without observations has labels of infinite lift.
    const factor = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 90,
    })
    const sizes = fc.constantFrom([50, 50], [90, 10], [10, 0])
    fc.assert(
      fc.property(fc.array(factor, { minLength: 1, maxLength: 3 }), sizes, fc.nat(40), (drawn, sizes, limit) => {
        const factors = drawn.map(pairs => {
          const sums = [0, 1].map(k => pairs.reduce((sum, pair) => sum + pair[k], 0))
          return Float64Array.from(pairs.flatMap(pair => pair.map((x, k) => (sums[k] > 0 ? x / sums[k] : 1 / pairs.length)))) // biome-ignore format: one list
        })
        const modes = factors.map(({ length }, n) => new Mode(`v${n}`, length / 2))
        const model = new Model(modes, { rank: 2, sizes: Float64Array.from(sizes), factors })
        for (const k of [0, 1]) {
          const all = factors.flatMap((values, n) =>
            Array.from({ length: modes[n].size }, (_, j) => {
              const overall = model.shares[0] * values[2 * j] + model.shares[1] * values[2 * j + 1]
              const probability = values[2 * j + k]
              return { mode: `v${n}`, label: `${j}`, probability, overall, lift: probability / overall }
            }),
          )
          const strength = ({ probability, lift }: { probability: number; lift: number }) => probability * log(lift)
          const sorted = all
            .filter(({ lift }) => lift >= 1.15)
            .sort((a, b) => (strength(a) === strength(b) ? 0 : strength(b) - strength(a)))
          expect(classMarks(model, k, limit)).toEqual(sorted.slice(0, limit))
        }
      }),
      { numRuns: 200 },
    )
  })
})
