import { OptionError, show } from '../../errors.ts'

/** How far a distribution may be from a sum of 1: rounding, not a mistake. */
const TOLERANCE = 1e-6

/** Refuses numbers that are no probabilities of so many classes, or do not sum to 1. */
export const checkDistribution = (name: string, numbers: readonly number[], length: number): void => {
  if (numbers.length !== length)
    throw new OptionError(`${name} must have ${length} probabilities, one per class (got ${numbers.length})`)
  const wrong = numbers.find(each => !(each >= 0 && each <= 1 + TOLERANCE))
  if (wrong !== undefined) throw new OptionError(`${name} must have probabilities from 0 to 1 (got ${show(wrong)})`)
  const sum = numbers.reduce((total, each) => total + each, 0)
  if (Math.abs(sum - 1) > TOLERANCE) throw new OptionError(`${name} must sum to 1 (got ${sum})`)
}
