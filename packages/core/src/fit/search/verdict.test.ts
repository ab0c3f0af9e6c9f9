import { describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../../test/tables.ts'
import { principalParameters } from '../closed-form/principal-component.ts'
import type { Run } from '../descent/run.ts'
import { Optima } from './optima.ts'
import { type Verdict, verdictOf } from './verdict.ts'

const parameters = principalParameters(carcinoma)

const endAt = (loss: number): Run => {
  const run = { parameters, loss, objective: loss, trace: [loss], passes: 30, stationarity: 1e-8, estimatedGain: 0 }
  return { ...run, reason: 'stationary' }
}

/** The verdict on a search whose starts and broods ended at these losses. */
const verdictOn = (starts: readonly number[], broods: readonly number[], exhausted = false): Verdict => {
  const optima = new Optima(1, 1e-15)
  for (const loss of starts) optima.add(endAt(loss), true)
  for (const loss of broods) optima.add(endAt(loss), false)
  return verdictOf({ best: optima.best as Run, optima, broods: true, closed: false, exhausted, stopped: false })
}

const times = (loss: number, count: number): number[] => new Array<number>(count).fill(loss)
/** Ends of starts that have nothing in common. */
const apart = (count: number): number[] => Array.from({ length: count }, (_, i) => 200 + i)

describe('the verdict after broods', () => {
  it('trusts an optimum that most starts and two broods reach', () => {
    const { chanceOfBetter: better, advice, text } = verdictOn([...times(100, 20), ...apart(4)], [100, 100])
    expect(better).toBeLessThanOrEqual(0.001)
    expect(advice).toEqual([])
    expect(text).toMatch(
      /^20 of 24 starts and 2 of 2 recombinations reached the best solution; estimated chance that a better one exists: 0.1 %/,
    )
  })

  it('asks for five broods if a quarter of the starts reach it, however little the starts have left unseen', () => {
    // 10 of 24 starts and no end that is only one start's: of such a problem the best was reached by no start, by two broods in three.
    const starts = [...times(100, 10), ...times(101, 7), ...times(102, 7)]
    for (let broods = 1; broods < 5; broods++) {
      const { chanceOfBetter: better, unseen, advice } = verdictOn(starts, times(100, broods), true)
      expect(unseen).toBe(0)
      expect(better).toBeGreaterThan(0.01)
      expect(advice).toEqual(['a better solution may exist: raise maxPasses'])
    }
    expect(verdictOn(starts, times(100, 5))).toMatchObject({ chanceOfBetter: 0.001, advice: [] })
    expect(verdictOn(starts, [...times(100, 5), 101, 103, 103, 104, 101]).chanceOfBetter).toBeCloseTo(0.002, 12)
  })

  it('says less of one that few starts reach', () => {
    // Of such a problem 2 or 3 of 24 starts and three broods in four ended at an optimum that is not the best.
    const starts = [...times(100, 3), ...apart(21)]
    expect(verdictOn(starts, times(100, 8))).toMatchObject({ chanceOfBetter: 0.005, advice: [] })
    const { chanceOfBetter: better, advice } = verdictOn(starts, [...times(100, 8), ...apart(16)])
    expect(better).toBeCloseTo(0.015, 12)
    expect(advice).toHaveLength(1)
  })

  it('does not trust one that no start reaches, however many broods agree', () => {
    for (const broods of [times(99, 6), times(99, 30)]) {
      const { chanceOfBetter: better, advice } = verdictOn(apart(24), broods)
      expect(better).toBeCloseTo(0.1, 12)
      expect(advice).toEqual(['a better solution may exist: fit again with seed 2, 3, … and keep the best'])
    }
    expect(verdictOn(apart(24), [...times(99, 6), ...apart(6)]).chanceOfBetter).toBeCloseTo(0.2, 12)
    expect(verdictOn(apart(24), [...times(99, 6), ...apart(60)]).chanceOfBetter).toBe(0.3)
  })

  it('falls with every brood that ends at the best, from a half', () => {
    const starts = [...times(100, 3), ...apart(21)]
    const chances = [0, 1, 2, 3, 4, 5].map(broods => verdictOn(starts, times(100, broods)).chanceOfBetter)
    expect(chances[0]).toBe(0.5)
    chances.slice(1).forEach((chance, i) => {
      expect(chance).toBeLessThan(chances[i])
    })
  })
})
