import { OptionError, show } from '../errors.ts'
import { random } from '../numeric/philox.ts'
import { labelsOf } from '../tensor/mode.ts'
import { advise, term, words } from '../wording.ts'
import { isNumber, type ParametricSpec } from './items/item.ts'
import { itemModel } from './items/items.ts'
import { onGrid } from './items/specs.ts'
import type { Model } from './model.ts'

/** A variable that is a number, as far as its missing values need it: plain data, for messages between threads. */
export interface FilledNumber {
  readonly spec: ParametricSpec
  readonly theta: Float64Array
  /** A value on the grid. */
  readonly origin: number
}

/** For every mode of a model the number that it is; undefined for categories and scales. */
export type FilledNumbers = readonly (FilledNumber | undefined)[]

/**
 * The variables of a model that are numbers: a missing value of these need not be one that was seen.
 * @example
 * filledNumbers(model) // [undefined, undefined, undefined]: all are categories
 */
export const filledNumbers = ({ items, modes }: Pick<Model, 'items' | 'modes'>): FilledNumbers =>
  items.map((item, n) => {
    if (item?.spec.kind === 'multivariate-normal')
      throw new OptionError(
        words`missing values cannot be filled in by a model with joined ${term('modes')} (${show(modes[n].name)}): ${advise('fit them without', 'join')}`,
      )
    return item === undefined || !isNumber(item.spec)
      ? undefined
      : { spec: item.spec, theta: item.theta, origin: Number(labelsOf(modes[n])[0]) }
  })

/** What is filled in for missing numbers; undefined for a mode that is none. */
export interface NumberFiller {
  /** Whether a mode is a number. */
  isNumber(n: number): boolean
  /** A value of a class, for a draw (from 1) and a row (from 0): a place on the grid. */
  draw(n: number, of: number, seed: number, draw: number, row: number): number
  /** The mean over the classes, at the nearest place of the grid. */
  expected(n: number, posterior: Float64Array): number
}

/** Blocks of random numbers for one value: more than any distribution needs. */
const BLOCKS = 64

/**
 * What fills in missing numbers of a model of so many classes.
 * @example
 * numberFiller(filledNumbers(model), model.rank).isNumber(0) // false
 */
export const numberFiller = (numbers: FilledNumbers, rank: number): NumberFiller => {
  const models = numbers.map(own => own && itemModel(own.spec, [own.origin], rank))
  return {
    isNumber: n => models[n] !== undefined,
    draw: (n, of, seed, draw, row) =>
      Number(
        models[n]!.draw(
          numbers[n]!.theta,
          of,
          random(seed, 'numbers', draw, (row * numbers.length + n) * BLOCKS).uniform,
        ),
      ),
    expected: (n, posterior) => {
      const { spec, theta, origin } = numbers[n]!
      const mean = posterior.reduce((sum, p, k) => sum + p * models[n]!.moments(theta, k).mean, 0)
      return spec.kind === 'normal' ? onGrid(mean, origin, spec.step) : Math.round(mean)
    },
  }
}
