import { DataError, OptionError, show } from '../errors.ts'
import { type Random, random } from '../numeric/philox.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../options.ts'
import { type Label, labelOf, MISSING, type Mode } from '../tensor/mode.ts'
import type { Row } from '../tensor/rows.ts'
import { isNumber } from './items/item.ts'
import type { Parameters } from './parameters.ts'
import { givenValue, type RowModel } from './posterior.ts'
import type { GivenColumn, HiddenStructure } from './structures/structure.ts'
import { checkSingleRows } from './structures/structures.ts'

export interface SampleOptions {
  readonly seed?: number
  /** For a model with covariates, rows with their values: each sampled row takes those of one of these, drawn at random. */
  readonly rows?: readonly Row[]
  /** How often each of `rows` counts, one number per row. Default: once. */
  readonly weights?: ArrayLike<number>
}

const isWeights = (value: ArrayLike<number>): boolean =>
  typeof value === 'object' && Array.prototype.every.call(value, is.nonNegative.allows)

const SAMPLE_OPTIONS = {
  seed: { check: is.whole(0), default: 1 },
  rows: { check: is.thing('a list of at least one row', value => Array.isArray(value) && (value as Row[]).length > 0) },
  weights: { check: is.thing('a list of numbers ≥ 0', isWeights) },
} as const satisfies OptionTable<SampleOptions>

export interface Sample {
  /** The covariates of the model, if it has some, and then its variables. */
  readonly columns: readonly string[]
  /** The rows drawn, labels in the order of the columns. */
  readonly rows: readonly (readonly Label[])[]
  /** The class each row was drawn from. */
  readonly classes: readonly number[]
}

/** Draws rows with their labels. */
export const sampleRows = (model: RowModel, count: number, options: SampleOptions): Sample => {
  checkSingleRows(model, 'sample')
  const { modes, parameters, items, structure } = model
  const { seed, rows: given, weights } = checkedOptions('sample', SAMPLE_OPTIONS, options)
  wholeNumber('count', count, 0)
  const variables = variablesOf(modes, structure)
  const { uniform } = random(seed, 'sample')
  const drawPattern = patternDrawer(model, variables, given, weights)
  const labels = labelDrawers(parameters)
  const classes: number[] = []
  const rows: Label[][] = []
  for (let i = 0; i < count; i++) {
    const { values, places, drawClass } = drawPattern(uniform)
    const of = drawClass(uniform())
    const row = labels.map(each => each[of](uniform()))
    classes.push(of)
    const labelAt = (n: number): Label => {
      const item = items[n]
      return item !== undefined && isNumber(item.spec)
        ? model.itemModel(n)!.draw(item.theta, of, uniform)
        : modes[n].label(row[n])
    }
    rows.push([...values, ...places.map(labelAt)])
  }
  return { columns: [...structure.given, ...variables].map(({ name }) => name), rows, classes }
}

/** A variable as it is in data: a mode, or several that are its parts, each for rows with some labels. */
interface Variable {
  readonly name: string
  readonly modes: readonly number[]
}

const variablesOf = (modes: readonly Mode[], { parts = [] }: HiddenStructure): Variable[] => {
  const variables = new Map<string, number[]>()
  modes.forEach(({ name }, n) => {
    const variable = parts.find(part => part.name === name)?.mode ?? name
    variables.set(variable, [...(variables.get(variable) ?? []), n])
  })
  return [...variables].map(([name, own]) => ({ name, modes: own }))
}

/** What rows with the same covariates share: their values, the mode of each variable, and their class sizes. */
interface Pattern {
  readonly values: readonly Label[]
  readonly places: readonly number[]
  readonly drawClass: (uniform: number) => number
}

/** A function that draws the covariates of a row, from those of the rows that were given. */
const patternDrawer = (
  model: RowModel,
  variables: readonly Variable[],
  rows: readonly Row[] | undefined,
  weights: ArrayLike<number> | undefined,
): ((uniform: () => number) => Pattern) => {
  const { structure, parameters } = model
  const names = structure.given.map(({ name }) => name).join(', ')
  if (names === '') {
    if (rows !== undefined || weights !== undefined)
      throw new OptionError('rows and weights are only for models with covariates, and this model has none')
    const places = variables.map(({ modes }) => modes[0])
    const pattern = { values: [], places, drawClass: drawer(parameters.shares) }
    return () => pattern
  }
  if (rows === undefined)
    throw new OptionError(`rows must be given: the model's classes depend on ${names}, and rows say their values`)
  if (weights !== undefined && weights.length !== rows.length)
    throw new OptionError('weights', `must have one entry per row: ${rows.length}`, weights.length)
  const sizes = Float64Array.from(weights ?? { length: rows.length }, weight => weight ?? 1)
  if (!sizes.some(size => size > 0)) throw new OptionError('weights must not all be zero')
  const patterns = rows.map((row, i) => patternOf(model, variables, row, i + 1))
  const draw = drawer(sizes)
  return uniform => patterns[draw(uniform())]
}

const patternOf = (model: RowModel, variables: readonly Variable[], row: Row, number: number): Pattern => {
  const { structure, parameters, modes } = model
  const value = givenValue(row)
  const { probabilities, lacking } = structure.prior(value, parameters.shares)
  const values = structure.given.map(column => {
    const own = givenLabel(column, value(column.name))
    if (own !== undefined && !lacking.includes(column.name)) return own
    const rule = column.numeric ? 'a number' : `one of ${column.labels.map(show).join(', ')}`
    const got = labelOf(value(column.name))
    throw new DataError(
      `row ${number}: ${show(column.name)} must be ${rule} (got ${got === undefined ? 'nothing' : show(got)})`,
      { row: number, column: column.name },
    )
  })
  const places = variables.map(variable => {
    const place = variable.modes.find(n => {
      const part = structure.parts?.find(({ name }) => name === modes[n].name)
      return (part?.where ?? []).every(({ column, label }) => String(labelOf(value(column))) === String(label))
    })
    if (place !== undefined) return place
    throw new DataError(`row ${number}: the model has no probabilities of ${show(variable.name)} for its covariates`, {
      row: number,
    })
  })
  return { values, places, drawClass: drawer(probabilities) }
}

/** A value of a covariate as the model has it; undefined if it has none such. */
const givenLabel = ({ numeric, labels }: GivenColumn, value: unknown): Label | undefined => {
  const own = labelOf(value)
  if (own === undefined) return undefined
  return numeric ? Number(own) : labels.find(label => String(label) === String(own))
}

/**
 * A function that draws a row, a class by its share and then a label in every mode by the class's column, and gives the class. Modes that are
 * given stay as they are in the row, and say how likely each class is.
 */
export const rowDrawer = (
  { rank, shares, factors }: Parameters,
  { uniform }: Random,
  given: readonly number[] = [],
): ((row: Int32Array) => number) => {
  const drawClass = drawer(shares)
  const drawGiven = (row: Int32Array): number => {
    const weights = shares.slice()
    for (const n of given) {
      if (row[n] !== MISSING) for (let k = 0; k < rank; k++) weights[k] *= factors[n][row[n] * rank + k]
    }
    return drawer(weights)(uniform())
  }
  const modes = factors.flatMap((_, n) => (given.includes(n) ? [] : [n]))
  const drawn = labelDrawers({ rank, factors: modes.map(n => factors[n]) }).map((labels, i) => ({
    n: modes[i],
    labels,
  }))
  return row => {
    const k = given.length === 0 ? drawClass(uniform()) : drawGiven(row)
    for (const { n, labels } of drawn) row[n] = labels[k](uniform())
    return k
  }
}

/** For every mode and class, what draws a label. */
export const labelDrawers = ({ rank, factors }: Pick<Parameters, 'rank' | 'factors'>) =>
  factors.map(factor =>
    Array.from({ length: rank }, (_, k) => drawer(factor.filter((_, position) => position % rank === k))),
  )

/** A function from a uniform number to a position, drawn in proportion to the given numbers. */
export const drawer = (sizes: Float64Array): ((uniform: number) => number) => {
  const sums = new Float64Array(sizes.length)
  let sum = 0
  let last = 0
  sizes.forEach((size, i) => {
    sum += size
    sums[i] = sum
    if (size > 0) last = i
  })
  return uniform => {
    const target = uniform * sum
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
