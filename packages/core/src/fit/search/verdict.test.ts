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
      /^20 of 24 starts and 2 of 2 recombinations reached the best solution; estimated chance that a better one exists: 0.1%/,
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

describe('what a verdict says', () => {
  type Given = Partial<Omit<Parameters<typeof verdictOf>[0], 'best' | 'optima'>> & { readonly run?: Partial<Run> }
  /** The verdict on starts that ended at these losses. */
  const told = (
    starts: readonly number[],
    { run = {}, ...given }: Given = {},
    broods: readonly number[] = [],
  ): Verdict => {
    const optima = new Optima(1, 1e-15)
    for (const loss of starts) optima.add(endAt(loss), true)
    for (const loss of broods) optima.add(endAt(loss), false)
    const evidence = { broods: false, closed: false, exhausted: false, stopped: false, ...given }
    return verdictOf({ best: { ...(optima.best as Run), ...run }, optima, ...evidence })
  }

  it('is that of a closed form, with nothing to doubt', () => {
    expect(told([100], { closed: true })).toEqual({
      text: 'closed form: the global optimum; stationary to 1e-8',
      reached: 1,
      attempts: 1,
      startsReached: 1,
      starts: 1,
      unseen: 0,
      chanceOfBetter: 0,
      ambiguous: false,
      advice: [],
      wording: [],
    })
  })

  it('is of one start, or from a model that was given', () => {
    expect(told([100])).toMatchObject({
      text: 'one start; stationary to 1e-8',
      chanceOfBetter: 0.6,
      advice: ['one start says nothing about other optima: raise starts'],
    })
    expect(told([100], { given: true })).toMatchObject({
      text: 'one start, from the model that was given; stationary to 1e-8',
      advice: ['one start says nothing about other optima: to search for them, leave out init'],
    })
  })

  it('is of how many starts reached the best, and of what that is worth', () => {
    expect(told([100, 101, 102]).text).toBe(
      '1 of 3 starts reached the best solution: treat it as provisional; estimated chance that a better one exists: 60%; stationary to 1e-8',
    )
    expect(told([100, 101]).advice).toEqual(['the best solution was reached once: raise starts'])
    expect(told([100, 101], { exhausted: true }).advice).toEqual([
      'the best solution was reached once: raise maxPasses',
    ])
    expect(told([100, 100, 102]).text).toMatch(/^2 of 3 starts reached the best solution; .* exists: 30%;/)
    expect([3, 4, 5].map(count => told(times(100, count)).chanceOfBetter)).toEqual([0.12, 0.07, 0.05])
    expect(told(times(100, 4)).text).toMatch(/exists: 7%;/)
    expect(told(times(100, 3)).advice).toEqual(['a better solution may exist: raise starts'])
    // From six on it depends on how many of the starts ended alone, and on how many there were.
    expect(told(times(100, 6)).chanceOfBetter).toBe(0.05 / 6)
    expect(told(times(100, 6))).toMatchObject({ advice: [] })
    expect(told([...times(100, 6), ...apart(2)]).chanceOfBetter).toBeCloseTo(0.3 / 4 + 0.05 / 8, 15)
    expect(told([...times(100, 6), ...apart(6)]).chanceOfBetter).toBeCloseTo(0.1 + 0.05 / 12, 15)
    expect(told([...times(100, 6), ...apart(15)]).chanceOfBetter).toBe(0.04)
    expect(told([...times(100, 6), ...apart(14)]).chanceOfBetter).toBeCloseTo(0.1 + 0.05 / 20, 15)
    expect(told(times(100, 100)).text).toMatch(/exists: under 0.1%;/)
  })

  it('is of recombinations, by their number', () => {
    const text = (broods: readonly number[]) => told(times(100, 6), { broods: true }, broods).text
    expect(text([100])).toMatch(/^6 of 6 starts and 1 of 1 recombination reached the best solution; .*: 0.1%;/)
    expect(text([100, 101])).toMatch(/^6 of 6 starts and 1 of 2 recombinations reached the best solution; .*: 0.2%;/)
    expect(text([101])).toMatch(/^6 of 6 starts and 0 of 1 recombination reached .*: 50%;/)
  })

  it('counts recombinations apart from starts, even if they were not raised in broods', () => {
    const verdict = told([100, 100, 101, 102], {}, [100, 100, 103])
    expect(verdict).toMatchObject({ reached: 4, attempts: 7, startsReached: 2, starts: 4 })
    expect(verdict.text).toMatch(/^2 of 4 starts and 2 of 3 recombinations reached the best solution;/)
    expect(told([101, 102], { broods: true }, [100, 100])).toMatchObject({ startsReached: 0, starts: 2, reached: 2 })
  })

  it('is of how the best run ended, and what to do about it', () => {
    const ended = (run: Partial<Run>) => told(times(100, 6), { run })
    expect(ended({ reason: 'settled', estimatedGain: 1.234 }).text).toMatch(
      /; stopped early: about 1.2 more log-likelihood units expected \(extrapolated, not a bound\)$/,
    )
    expect(ended({ reason: 'settled', estimatedGain: 12_345 }).text).toContain('about 1.2e+4 more')
    expect(ended({ reason: 'settled', estimatedGain: 99 }).text).toContain('about 99 more')
    expect(ended({ reason: 'settled', estimatedGain: undefined }).text).toContain('about 0.0 more')
    for (const [reason, advice] of [
      ['passes', 'the limit of passes was reached before it converged: raise maxPasses'],
      ['stopped', 'it was stopped before it converged: run it again for longer'],
      ['failed', 'the engine failed before it converged: go on from it with init'],
      ['stalled', 'rounding keeps it from converging: scale the values, or lower the precision asked for'],
    ] as const) {
      const verdict = ended({ reason, stationarity: 2e-3 })
      expect(verdict.text).toMatch(/; not converged \(residual 2e-3\)$/)
      expect(verdict.advice).toEqual([advice])
    }
  })

  it('is that a search ended because it hardly gained any more', () => {
    const text = (gain: number) => told([100, 101], { exhausted: true, standstill: { passes: 900, gain } }).text
    expect(text(0.43)).toMatch(/; the search stopped early: its last 900 passes gained 0.43 log-likelihood units$/)
    expect(text(0)).toMatch(/gained less than 0.01 log-likelihood units$/)
  })

  it('is that a search was cut short, if that leaves a doubt', () => {
    expect(told([100, 100, 101], { stopped: true }).advice).toEqual(['the search was cut short: give it more time'])
    expect(told(times(100, 6), { stopped: true }).advice).toEqual([])
    expect(told([100, 100], { exhausted: true }).advice).toEqual(['a better solution may exist: raise maxPasses'])
  })

  it('is that the classes are not identified', () => {
    const optima = new Optima(1, 1e-15)
    for (let i = 0; i < 6; i++) optima.add(endAt(100), true)
    optima.ambiguous = true
    const evidence = { broods: false, closed: false, exhausted: false, stopped: false }
    const verdict = verdictOf({ best: optima.best as Run, optima, ...evidence })
    expect(verdict.text).toMatch(/; solutions of this loss have different classes: the classes are not identified$/)
    expect(verdict).toMatchObject({
      ambiguous: true,
      advice: ['the data does not determine this many classes: try fewer'],
    })
    expect(Object.isFrozen(verdict) && Object.isFrozen(verdict.advice) && Object.isFrozen(verdict.wording)).toBe(true)
  })
})
