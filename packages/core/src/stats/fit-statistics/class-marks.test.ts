import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fittedItem } from '../../model/items/fitted-item.ts'
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
    expect(() => classMarks(model, 2)).toThrow('k must be a whole number from 0 to 1 (got 2)')
    expect(() => classMarks(model, 0, -1)).toThrow('limit must be a whole number ≥ 0 (got -1)')
  })

  /** Two classes of the same size and one mode, of which the second class has what the first lacks of twice the overall frequencies. */
  const single = (mode: Mode, inClass: readonly number[], other: readonly number[]) =>
    new Model([mode], {
      rank: 2,
      sizes: Float64Array.of(1, 1),
      factors: [Float64Array.from(inClass.flatMap((p, j) => [p, other[j]]))],
    })

  it('begin at a lift of 1.15', () => {
    const [mark] = classMarks(single(new Mode('a', ['x', 'y']), [0.575, 0.425], [0.425, 0.575]), 0)
    expect(mark).toEqual({ mode: 'a', label: 'x', probability: 0.575, overall: 0.5, lift: 1.15 })
    expect(classMarks(single(new Mode('a', ['x', 'y']), [0.574, 0.426], [0.426, 0.574]), 0)).toEqual([])
  })

  it('are ranges of ordered labels, if these are more than six and no more than a thousand', () => {
    const half = (count: number) => Array.from({ length: count }, (_, j) => (j < count / 2 ? 2 / count : 0))
    const marksOf = (size: number, ordered: boolean) =>
      classMarks(
        single(
          new Mode(
            'a',
            Array.from({ length: size }, (_, j) => j),
            ordered,
          ),
          half(size),
          half(size).reverse(),
        ),
        0,
        2,
      ).map(({ label }) => label)
    expect([marksOf(6, true), marksOf(8, true), marksOf(8, false)]).toEqual([['0', '1'], ['0 … 3'], ['0', '1']])
    expect([marksOf(1000, true), marksOf(1002, true)]).toEqual([['0 … 499'], ['0', '1']])
  })

  it('merge the labels of intervals', () => {
    const merged = (first: string, last: string) => {
      const labels = [first, ...'bcdef', last]
      const wide = [0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1]
      return classMarks(single(new Mode('a', [...labels, 'z'], true), [...wide, 0], [0, 0, 0, 0, 0, 0, 0, 1]), 0)[0]
        .label
    }
    expect(merged('[1,1.1)', '[1.8,1.9)')).toBe('[1,1.9)')
    expect(merged('[-5,0)', '[10,∞)')).toBe('[-5,∞)')
    expect(merged('[1,1.1)', 'more')).toBe('[1,1.1) … more')
    expect(merged('none', '[1.8,1.9)')).toBe('none … [1.8,1.9)')
    // Only at the beginning of the first and the end of the last.
    expect(merged('x [1,2)', '[3,4)')).toBe('x [1,2) … [3,4)')
    expect(merged('[1,2)', '[3,4) x')).toBe('[1,2) … [3,4) x')
  })

  it('are the range whose being in it or not tells most (property)', () => {
    const weights = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 7, maxLength: 9 })
    fc.assert(
      fc.property(weights, drawn => {
        const sums = [0, 1].map(k => drawn.reduce((sum, pair) => sum + pair[k], 0))
        fc.pre(sums[0] > 0 && sums[1] > 0)
        const [own, other] = [0, 1].map(k => drawn.map(pair => pair[k] / sums[k]))
        const marks = classMarks(
          single(
            new Mode(
              'a',
              own.map((_, j) => j),
              true,
            ),
            own,
            other,
          ),
          0,
        )
        const ranges = own.flatMap((_, from) => own.flatMap((_, to) => (to < from ? [] : [[from, to] as const])))
        const judged = ranges.flatMap(([from, to]) => {
          const within = (list: readonly number[]) => list.slice(from, to + 1).reduce((a, b) => a + b, 0)
          const [p, q] = [within(own), (within(own) + within(other)) / 2]
          if (p <= q + 1e-9 || own[from] === 0 || own[to] === 0) return []
          const outside = p < 1 - 1e-9 ? (1 - p) * Math.log((1 - p) / (1 - q)) : 0
          return [{ label: from === to ? `${from}` : `${from} … ${to}`, p, q, strength: p * Math.log(p / q) + outside }]
        })
        const most = Math.max(...judged.map(({ strength }) => strength))
        const best = judged.find(({ strength }) => strength > most - 1e-12)
        expect(marks.map(({ label }) => label)).toEqual(
          best !== undefined && best.p / best.q >= 1.15 ? [best.label] : [],
        )
      }),
      { numRuns: 200 },
    )
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
          return Float64Array.from(
            pairs.flatMap(pair => pair.map((x, k) => (sums[k] > 0 ? x / sums[k] : 1 / pairs.length))),
          )
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

describe('marks of numbers', () => {
  const item = fittedItem({ kind: 'normal', step: 0.1, variances: 'free' }, Float64Array.of(4, 6.4, 5, 1, 1, 0.2))
  const model = (size: number) => {
    const labels = Array.from({ length: size }, (_, j) => Math.round(10 * (1 + (8 * j) / size)) / 10 + j * 1e-7)
    const table = new Float64Array(size * 3)
    item.over(labels, 3).table(item.theta, table)
    const sizes = Float64Array.of(40, 40, 20)
    return new Model([new Mode('score', labels)], { rank: 3, sizes, factors: [table] }, undefined, undefined, [item])
  }

  it('say whether the mean is high or low, unless it is near that of all', () => {
    const [low, high, middle] = [0, 1, 2].map(k => classMarks(model(80), k)[0])
    // Overall 0.4·4 + 0.4·6.4 + 0.2·5, and the deviation about 1.4.
    expect(low.number).toEqual({ side: 'low', mean: 4, overall: expect.closeTo(5.16, 10) })
    expect(high.number).toEqual({ side: 'high', mean: 6.4, overall: expect.closeTo(5.16, 10) })
    expect(middle.number).toBeUndefined()
    expect(middle.probability).toBeGreaterThan(0.9)
  })

  it('are there of very many values, too: a range of a deviation around the mean', () => {
    const [mark] = classMarks(model(2000), 1)
    expect(mark.number?.side).toBe('high')
    const [from, to] = mark.label.split(' … ').map(Number)
    expect(from).toBeCloseTo(5.4, 0)
    expect(to).toBeCloseTo(7.4, 0)
    expect(mark.probability).toBeCloseTo(0.68, 1)
  })
})
