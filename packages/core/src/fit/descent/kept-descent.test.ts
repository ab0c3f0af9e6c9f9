import { describe, expect, it } from 'vitest'
import { DataError } from '../../errors.ts'
import { keptDescentOf } from './kept-descent.ts'

const reals = (...numbers: readonly number[]): Float64Array => Float64Array.from(numbers)
const [nan, endless] = [Number.NaN, Number.POSITIVE_INFINITY]

/** A descent of points of three numbers and two masses, with room for two pairs of which one is used, and of two coefficients. */
const membership = { at: reals(1, 2), gradient: reals(3, 4), metric: reals(1, 0, 0, 1), age: 3 }
const side = { at: reals(1, 2), gradient: reals(3, 4), steps: [reals(1, 1)], changes: [reals(2, 2)] }
const learned = {
  ...{ used: [1], curvatures: reals(1, 2), scales: reals(1, 2), slopes: reals(1, 2, 3), products: reals(1, 2, 3, 4) },
  ...{ known: true, reach: endless, untaught: 0, patience: 1, side },
}
const point = {
  ...{ values: reals(1, 2, 3), update: reals(1, 2, 3), mass: reals(1, nan), objective: 4, loss: 5, count: 6 },
  ...{ arrays: Array.from({ length: 4 }, () => reals(1, 2, nan)), membership },
}
const kept = { point, learned, trace: reals(9, 8), path: reals(1), liftsLeft: 2 }

/** The same with another value at a place. */
const changed = (value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown =>
  name === undefined
    ? other
    : { ...(value as object), [name]: changed((value as Record<string, unknown>)[name], rest, other) }

const read = keptDescentOf(3, 2, 2, 2)
const DESCENT = 'a descent is not as Polyad writes it'
const LEARNED = 'what a descent has learned is not as Polyad writes it'
const COEFFICIENTS = 'the coefficients of a descent are not as Polyad writes them'
const OBJECT = 'an object is missing'

describe('a descent of a checkpoint', () => {
  it('is taken as it was kept', () => {
    expect(read(kept)).toBe(kept)
    // Without acceleration, and without a metric so far.
    const plain = { ...kept, point: { ...point, arrays: [] }, learned: undefined }
    expect(keptDescentOf(3, 2, 0)(plain)).toBe(plain)
    expect(keptDescentOf(3, 2, 0, 2)(plain)).toBe(plain)
    expect(() => read(changed(kept, ['point', 'membership', 'metric'], undefined))).not.toThrow()
    const untaught = changed(
      changed(kept, ['learned', 'used'], []),
      ['point', 'arrays'],
      [reals(1, 2, 3), reals(1, 2, 3)],
    )
    expect(() => keptDescentOf(3, 2, 2)(untaught)).not.toThrow()
  })

  it.each([
    [OBJECT, [], undefined, [kept]],
    [OBJECT, ['point'], undefined],
    [DESCENT, ['point', 'values'], undefined, [1, 2, 3], reals(1, 2), reals(1, 2, nan), reals(1, 2, endless)],
    [DESCENT, ['point', 'update'], undefined, reals(1, 2, 3, 4), reals(1, 2, nan)],
    [DESCENT, ['point', 'mass'], undefined, [1, 2], reals(1), reals(1, 2, 3)],
    [DESCENT, ['point', 'objective'], undefined, '4', nan],
    [DESCENT, ['point', 'loss'], undefined, endless],
    [DESCENT, ['point', 'count'], undefined, nan],
    [DESCENT, ['point', 'arrays'], undefined, {}, [], point.arrays.slice(1), [...point.arrays.slice(1), reals(1)]],
    [DESCENT, ['liftsLeft'], undefined, nan],
    [DESCENT, ['trace'], undefined, [9, 8], reals()],
    [DESCENT, ['path'], undefined, [1], reals()],
    [OBJECT, ['learned'], null, 'much'],
    [LEARNED, ['learned', 'used'], undefined, 1, [2], [-1], [0.5], ['1']],
    [LEARNED, ['learned', 'curvatures'], undefined, reals(1), [1, 2]],
    [LEARNED, ['learned', 'scales'], undefined, reals(1)],
    [LEARNED, ['learned', 'slopes'], undefined, reals(1, 2)],
    [LEARNED, ['learned', 'products'], undefined, reals(1, 2)],
    [LEARNED, ['learned', 'known'], undefined, 1],
    [LEARNED, ['learned', 'reach'], undefined, '1'],
    [LEARNED, ['learned', 'untaught'], undefined],
    [LEARNED, ['learned', 'patience'], undefined],
    [OBJECT, ['point', 'membership'], undefined],
    [OBJECT, ['learned', 'side'], undefined],
    [COEFFICIENTS, ['point', 'membership', 'at'], undefined, [1, 2], reals(1), reals(1, nan)],
    [COEFFICIENTS, ['point', 'membership', 'gradient'], undefined, reals(1), reals(1, endless)],
    [COEFFICIENTS, ['point', 'membership', 'metric'], null, reals(1, 2), [1, 0, 0, 1]],
    [COEFFICIENTS, ['point', 'membership', 'age'], undefined, nan],
    [COEFFICIENTS, ['learned', 'side', 'at'], undefined, reals(1)],
    [COEFFICIENTS, ['learned', 'side', 'gradient'], undefined, reals(1)],
    [COEFFICIENTS, ['learned', 'side', 'steps'], undefined, [], [reals(1)], [[1, 1]]],
    [COEFFICIENTS, ['learned', 'side', 'changes'], undefined, [], [reals(1, 2, 3)]],
  ] as const)('is refused: %s, at %j', (message, path, ...others: readonly unknown[]) => {
    for (const other of others) expect(() => read(changed(kept, path, other))).toThrow(new DataError(message))
  })

  it('is refused if it has learned something without acceleration, or nothing with it', () => {
    expect(() => keptDescentOf(3, 2, 2)({ ...kept, learned: undefined })).toThrow(DESCENT)
    const empty = { ...learned, used: [], curvatures: reals(), scales: reals(), slopes: reals(0), products: reals() }
    expect(() => keptDescentOf(3, 2, 0)({ ...kept, point: { ...point, arrays: [] }, learned: empty })).toThrow(DESCENT)
  })
})
