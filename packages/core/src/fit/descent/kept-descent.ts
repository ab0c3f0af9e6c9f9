import { DataError } from '../../errors.ts'
import { objectOf } from '../checkpoint/journal.ts'
import type { KeptPoint } from './ground.ts'
import type { Learned } from './quasi-newton.ts'

/** How far a descent has come, between two steps: all that its further course depends on. */
export interface KeptDescent {
  readonly point: KeptPoint
  readonly learned?: Learned | undefined
  readonly trace: Float64Array
  readonly path: Float64Array
  readonly liftsLeft: number
}

/**
 * The same from a checkpoint.
 * @param size of a point @param masses how many it has @param pairs how many there is room for
 * @param terms coefficients, where membership is explained
 */
export const keptDescentOf =
  (size: number, masses: number, pairs: number, terms?: number) =>
  (value: unknown): KeptDescent => {
    const { point, learned, trace, path, liftsLeft } = objectOf(value)
    const { values, update, mass, objective, loss, count, arrays, membership } = objectOf(point)
    const whole =
      [values, update].every(each => isReals(each, size) && each.every(Number.isFinite)) && isReals(mass, masses)
    const known = [objective, loss, count, liftsLeft].every(Number.isFinite)
    const traced = [trace, path].every(each => each instanceof Float64Array && each.length > 0)
    const used = learned === undefined ? [] : usedOf(learned, pairs)
    const kept = Array.isArray(arrays) && arrays.every(each => isReals(each, size))
    const many = pairs === 0 ? 0 : 2 + 2 * used.length
    if (terms !== undefined) checkExplained(membership, learned, terms, used.length)
    if (!(whole && known && traced && kept && arrays.length === many && (learned !== undefined) === pairs > 0))
      throw new DataError('a descent is not as Polyad writes it')
    return value as KeptDescent
  }

/** Checks the coefficients' part of a point, and of what a descent has learned. */
const checkExplained = (membership: unknown, learned: unknown, terms: number, used: number): void => {
  const { at, gradient, metric, age } = objectOf(membership)
  const known =
    [at, gradient].every(each => isReals(each, terms) && each.every(Number.isFinite)) &&
    (metric === undefined || isReals(metric, terms * terms)) &&
    Number.isFinite(age)
  const side = learned === undefined ? undefined : objectOf(objectOf(learned).side)
  const pairs = (list: unknown) =>
    Array.isArray(list) && list.length === used && list.every(each => isReals(each, terms))
  const whole =
    side === undefined ||
    ([side.at, side.gradient].every(each => isReals(each, terms)) && pairs(side.steps) && pairs(side.changes))
  if (!(known && whole)) throw new DataError('the coefficients of a descent are not as Polyad writes them')
}

const isReals = (value: unknown, length: number): value is Float64Array =>
  value instanceof Float64Array && value.length === length

const usedOf = (value: unknown, pairs: number): readonly unknown[] => {
  const { used, curvatures, scales, slopes, products, known, reach, untaught, patience } = objectOf(value)
  const numbers = [reach, untaught, patience].every(each => typeof each === 'number') && typeof known === 'boolean'
  const lists = [
    [curvatures, pairs],
    [scales, pairs],
    [slopes, pairs + 1],
    [products, pairs * pairs],
  ] as const
  const slots = Array.isArray(used) && used.every(each => Number.isInteger(each) && each >= 0 && each < pairs)
  if (!(numbers && slots && lists.every(([list, length]) => isReals(list, length))))
    throw new DataError('what a descent has learned is not as Polyad writes it')
  return used
}
