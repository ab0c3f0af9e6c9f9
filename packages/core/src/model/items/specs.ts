import { DataError, OptionError, show } from '../../errors.ts'
import type { Label } from '../../tensor/mode.ts'
import type { ItemSpec, MultivariateNormalSpec } from './item.ts'
import { numberOf } from './number-labels.ts'

/** The finest grid that is looked for, in parts of the range. */
const FINEST = 1e9
/** How far from its place on the grid a value may be, in steps. */
const OFF = 1e-6
/** What values are that were rounded when they were computed: twice the precision of a double. */
const ROUNDING = 2 ** -51

/** A power of ten, the nearest number to it. */
const tenTo = (power: number): number => Number(`1e${power}`)

/**
 * The step of the grid on which values lie: the largest number of which all their differences are multiples. Undefined if there is none
 * above a billionth of the range, or fewer than two different values.
 * @example
 * gridStep([4.9, 5.1, 5.7]) // 0.2
 */
export const gridStep = (values: readonly number[]): number | undefined => {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const range = most - least
  if (!(range > 0 && range < Number.POSITIVE_INFINITY)) return undefined
  const rounding = Math.max(Math.abs(least), Math.abs(most)) * ROUNDING
  const offsets = Array.from(values, value => value - least).sort((a, b) => a - b)
  // From the power of ten below the range to finer ones.
  for (let power = Number(range.toExponential().split('e')[1]); tenTo(power) * FINEST >= range; power--) {
    // A power of ten below 1 is not exact, and a quotient by one above 1 is the nearest.
    const inUnits = (value: number) => (power < 0 ? value * tenTo(-power) : value / tenTo(power))
    const off = Math.max(OFF, inUnits(rounding))
    if (off > 0.1) return undefined
    const units = offsets.map(offset => Math.round(inUnits(offset)))
    // Values that differ by more than rounding are never at one place.
    const fits = offsets.every(
      (offset, i) =>
        Math.abs(inUnits(offset) - units[i]) <= off &&
        (i === 0 || units[i] > units[i - 1] || offset - offsets[i - 1] <= rounding),
    )
    const common = fits ? units.reduce(divisor, 0) : 0
    if (common > 0) return power < 0 ? common / tenTo(-power) : common * tenTo(power)
  }
  return undefined
}

/** The greatest common divisor of whole numbers. */
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** How many digits a number has after the point, as it is written. */
const digitsOf = (value: number): number => {
  const [digits, power = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(power))
}

/** So many digits after the point are those of a decimal; more are of a number such as 1/3, which has no end. */
const DECIMALS = 12

/**
 * The nearest place of a grid, as it is written: 5.1 and never 5.1000000000000005.
 * @example
 * onGrid(5.08, 4, 0.1) // 5.1
 */
export const onGrid = (value: number, origin: number, step: number): number => {
  const place = origin + Math.floor((value - origin) / step + 0.5) * step
  const digits = Math.max(digitsOf(origin), digitsOf(step))
  const written = digits <= DECIMALS ? Number(place.toFixed(digits)) : place
  return written === 0 ? 0 : written
}

/**
 * The labels of a variable as the numbers that its kind needs.
 * @param name of the variable, for messages
 * @example
 * itemValues({ kind: 'count', distribution: 'poisson' }, [0, 1, '2'], 'children') // [0, 1, 2]
 */
export const itemValues = (spec: ItemSpec, labels: readonly Label[], name: string): number[] => {
  const place = { column: name }
  const values = labels.map(label => {
    const number = numberOf(label)
    if (number === undefined) throw new DataError(notNumber(spec, label, name), place)
    return number
  })
  if (spec.kind === 'count') {
    const wrong = values.find(value => !(Number.isInteger(value) && value >= 0))
    if (wrong !== undefined)
      throw new DataError(
        `${show(name)} is a count, but has the value ${wrong}: counts are whole numbers ≥ 0. Use it as continuous or categorical.`,
        place,
      )
  }
  return values
}

const KINDS = {
  normal: 'continuous',
  'multivariate-normal': 'continuous',
  count: 'a count',
  ordinal: 'ordinal',
  categorical: 'categorical',
} as const

const notNumber = ({ kind }: ItemSpec, label: Label, name: string): string => {
  const number = typeof label === 'number' ? label : Number(label)
  // Number reads the words Infinity and -Infinity, and what is too large.
  if (Math.abs(number) === Number.POSITIVE_INFINITY)
    return `${show(name)} is ${KINDS[kind]}, but has the value ${show(label)}, which is not finite: correct it, or declare it missing`
  return `${show(name)} is ${KINDS[kind]}, but has the value ${show(label)}, which is not a number: declare it missing, or use the variable as categorical`
}

/**
 * Checks what a variable is taken for against its labels.
 * @param name of the variable, for messages
 * @example
 * checkItem({ kind: 'normal', step: 0.1, variances: 'free' }, [4.9, 5.1], 'length') // throws nothing
 */
export const checkItem = (
  spec: Exclude<ItemSpec, MultivariateNormalSpec>,
  labels: readonly Label[],
  name: string,
): void => {
  if (spec.kind === 'categorical') return
  const place = { column: name }
  if (labels.length < 2)
    throw new DataError(`${show(name)} has one value only, ${show(labels[0])}: exclude it from the analysis`, place)
  if (spec.kind === 'ordinal') {
    checkScores(spec.scores, labels.length, name)
    return
  }
  const values = itemValues(spec, labels, name)
  if (spec.kind === 'normal') checkStep(spec.step, values, name)
}

/** Checks a step against the values that are measured to it. */
export const checkStep = (step: number, values: readonly number[], name: string): void => {
  if (!(step > 0 && step < Number.POSITIVE_INFINITY))
    throw new OptionError(`the step of ${show(name)} must be a finite number > 0 (got ${show(step)})`)
  const range = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b))
  if (step > range * (1 + OFF))
    throw new OptionError(
      `the step of ${show(name)} must not be larger than the range of its values, ${range} (got ${step}): use a smaller step`,
    )
}

const checkScores = (scores: readonly number[], labels: number, name: string): void => {
  if (scores.length !== labels)
    throw new OptionError(
      `${show(name)} must have a score for each of its ${labels} categories (got ${scores.length} scores)`,
    )
  const wrong = scores.find(score => !Number.isFinite(score))
  if (wrong !== undefined)
    throw new OptionError(`the scores of ${show(name)} must be finite numbers (got ${show(wrong)})`)
  if (scores.every(score => score === scores[0]))
    throw new OptionError(`the scores of ${show(name)} must not all be the same (got ${show(scores[0])} for each)`)
}
