import { describe, expect, it } from 'vitest'
import { changed, expectRefused } from '../../../../../test/refused-changes.ts'
import { keptDescentOf } from './kept-descent.ts'

const reals = (...numbers: readonly number[]): Float64Array => Float64Array.from(numbers)
const [nan, endless] = [Number.NaN, Number.POSITIVE_INFINITY]

/** A descent of points of three numbers and two masses, with room for two pairs of which one is used, and of two coefficients. */
const block = { at: reals(1, 2), gradient: reals(3, 4), metric: reals(1, 0, 0, 1), age: 3 }
const steps = { at: reals(1, 2), gradient: reals(3, 4), steps: [reals(1, 1)], changes: [reals(2, 2)] }
const learned = {
  used: [1],
  curvatures: reals(1, 2),
  scales: reals(1, 2),
  slopes: reals(1, 2, 3),
  products: reals(1, 2, 3, 4),
  known: true,
  reach: endless,
  untaught: 0,
  patience: 1,
  blocks: [steps],
}
const point = {
  values: reals(1, 2, 3),
  update: reals(1, 2, 3),
  mass: reals(1, nan),
  objective: 4,
  loss: 5,
  count: 6,
  arrays: Array.from({ length: 4 }, () => reals(1, 2, nan)),
  blocks: [block],
}
const kept = { point, learned, trace: reals(9, 8), path: reals(1), liftsLeft: 2 }

const read = keptDescentOf(3, 2, 2, [2])
describe('a descent of a checkpoint', () => {
  it('is taken as it was kept', () => {
    expect(read(kept)).toEqual(kept)
    // Without acceleration, and without a metric so far.
    const plain = { ...kept, point: { ...point, arrays: [] }, learned: undefined }
    const free = { ...plain, point: { ...plain.point, blocks: [] } }
    expect(keptDescentOf(3, 2, 0)(free)).toEqual(free)
    expect(keptDescentOf(3, 2, 0, [2])(plain)).toEqual(plain)
    expect(() => read(changed(kept, ['point', 'blocks', '0', 'metric'], undefined))).not.toThrow()
    const untaught = changed(
      changed(kept, ['learned', 'used'], []),
      ['point', 'arrays'],
      [reals(1, 2, 3), reals(1, 2, 3)],
    )
    expect(() =>
      keptDescentOf(
        3,
        2,
        2,
        [2],
      )({ ...(untaught as object), learned: { ...learned, used: [], blocks: [{ ...steps, steps: [], changes: [] }] } }),
    ).not.toThrow()
  })

  it('is refused with the place if any part of it is of another kind, size or range', () => {
    const numbers = (length: number) => ['must be binary numbers', `must have ${length} entries`]
    const list = (length: number) => ['must be a list', `must have ${length} entries`]
    const [object, number, one] = ['must be an object', 'must be a number', 'must be a finite number']
    const some = 'must be binary numbers, at least one'
    expectRefused(read, 'descent', kept, [
      [object, [], undefined, [kept]],
      [object, ['point'], undefined],
      [
        [...numbers(3), one],
        ['point', 'values'],
        undefined,
        [1, 2, 3],
        reals(1, 2),
        reals(1, 2, nan),
        reals(1, 2, endless),
      ],
      [[...numbers(3), one], ['point', 'update'], undefined, reals(1, 2, 3, 4), reals(1, 2, nan)],
      [numbers(2), ['point', 'mass'], undefined, [1, 2], reals(1), reals(1, 2, 3)],
      [one, ['point', 'objective'], undefined, '4', nan],
      [one, ['point', 'loss'], undefined, endless],
      [one, ['point', 'count'], undefined, nan],
      [
        [...list(4), 'must have 3 entries'],
        ['point', 'arrays'],
        undefined,
        {},
        [],
        point.arrays.slice(1),
        [...point.arrays.slice(1), reals(1)],
      ],
      [one, ['liftsLeft'], undefined, nan],
      [some, ['trace'], undefined, [9, 8], reals()],
      [some, ['path'], undefined, [1], reals()],
      [object, ['learned'], undefined, null, 'much'],
      [
        ['must be a list', 'must be a whole number from 0 to 1'],
        ['learned', 'used'],
        undefined,
        1,
        [2],
        [-1],
        [0.5],
        ['1'],
      ],
      [numbers(2), ['learned', 'curvatures'], undefined, reals(1), [1, 2]],
      [numbers(2), ['learned', 'scales'], undefined, reals(1)],
      [numbers(3), ['learned', 'slopes'], undefined, reals(1, 2)],
      [numbers(4), ['learned', 'products'], undefined, reals(1, 2)],
      ['must be true or false', ['learned', 'known'], undefined, 1],
      [number, ['learned', 'reach'], undefined, '1'],
      [number, ['learned', 'untaught'], undefined],
      [number, ['learned', 'patience'], undefined],
      [object, ['point', 'blocks', 0], undefined],
      [object, ['learned', 'blocks', 0], undefined],
      [list(1), ['point', 'blocks'], undefined, block, [], [block, block]],
      [list(1), ['learned', 'blocks'], undefined, steps, [], [steps, steps]],
      [[...numbers(2), one], ['point', 'blocks', 0, 'at'], undefined, [1, 2], reals(1), reals(1, nan)],
      [[...numbers(2), one], ['point', 'blocks', 0, 'gradient'], undefined, reals(1), reals(1, endless)],
      [numbers(4), ['point', 'blocks', 0, 'metric'], null, reals(1, 2), [1, 0, 0, 1]],
      [one, ['point', 'blocks', 0, 'age'], undefined, nan],
      [numbers(2), ['learned', 'blocks', 0, 'at'], undefined, reals(1)],
      [numbers(2), ['learned', 'blocks', 0, 'gradient'], undefined, reals(1)],
      [[...list(1), ...numbers(2)], ['learned', 'blocks', 0, 'steps'], undefined, [], [reals(1)], [[1, 1]]],
      [[...list(1), ...numbers(2)], ['learned', 'blocks', 0, 'changes'], undefined, [], [reals(1, 2, 3)], [[1, 1]]],
    ])
  })

  it('is refused if it has learned something without acceleration, or nothing with it', () => {
    expect(() => read({ ...kept, learned: undefined })).toThrow('descent.learned must be an object (it is missing)')
    const empty = { ...learned, used: [], curvatures: reals(), scales: reals(), slopes: reals(0), products: reals() }
    expect(() =>
      keptDescentOf(
        3,
        2,
        0,
        [2],
      )({
        ...kept,
        point: { ...point, arrays: [] },
        learned: { ...empty, blocks: [{ ...steps, steps: [], changes: [] }] },
      }),
    ).toThrow('descent.learned must be absent without acceleration (got an object)')
  })
})
