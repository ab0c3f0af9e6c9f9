import { DataError, OptionError, show } from '../errors.ts'
import { drawer } from '../numeric/drawer.ts'
import { random } from '../numeric/philox.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../options.ts'
import { type Label, labelOf, type Mode } from '../tensor/mode.ts'
import type { Row } from '../tensor/rows.ts'
import { isNumber } from './items/item.ts'
import { givenValue, type RowModel } from './posterior.ts'
import { labelDrawers } from './row-drawer.ts'
import { unitDrawer, usable } from './sample-units.ts'
import { isLinked, linkCovariates } from './structures/linked.ts'
import type { HiddenStructure } from './structures/structure.ts'

export interface SampleOptions {
  readonly seed?: number
  /**
   * For a model with covariates, rows with their values: each sampled row takes those of one of these, drawn at random. For a model of persons over time or of groups,
   * rows with their person and wave, or their group: each sampled person or group takes those of one of these.
   */
  readonly rows?: readonly Row[]
  /** How often each of `rows` counts, one number per row; a person or group counts as its first row. Default: once. */
  readonly weights?: ArrayLike<number>
  /** For a model of groups: the members of each. Default 30; with `rows` as many as the group has there. */
  readonly members?: number
}

const isWeights = (value: ArrayLike<number>): boolean =>
  typeof value === 'object' && Array.prototype.every.call(value, is.nonNegative.allows)

const SAMPLE_OPTIONS = {
  seed: { check: is.whole(0), default: 1 },
  rows: { check: is.thing('a list of at least one row', value => Array.isArray(value) && (value as Row[]).length > 0) },
  weights: { check: is.thing('a list of numbers ≥ 0', isWeights) },
  members: { check: is.whole(1) },
} as const satisfies OptionTable<SampleOptions>

export interface Sample {
  /** The covariates of the model, if it has some, the person and the wave, or the group; and then its variables. */
  readonly columns: readonly string[]
  /** The rows drawn, labels in the order of the columns. */
  readonly rows: readonly (readonly Label[])[]
  /** The class each row was drawn from. */
  readonly classes: readonly number[]
  /** For a model of groups, the class of the group of each row. */
  readonly groupClasses?: readonly number[]
}

/** Draws rows with their labels. */
export const sampleRows = (model: RowModel, count: number, options: SampleOptions): Sample => {
  const { modes, structure } = model
  const { seed, rows: given, weights, members } = checkedOptions('sample', SAMPLE_OPTIONS, options)
  wholeNumber('count', count, 0)
  if (members !== undefined && structure.kind !== 'nested')
    throw new OptionError('members', 'is only for models of groups, and this model has none', members)
  const variables = variablesOf(modes, structure)
  const { uniform } = random(seed, 'sample')
  const drawAnswers = answerDrawer(model, uniform)
  if (isLinked(structure)) {
    if ((given !== undefined || weights !== undefined) && linkCovariates(structure).length === 0)
      throw new OptionError('rows and weights are only for models with covariates, and this model has none')
    /** The modes of a row's wave, whose part a variable may have. */
    const placesOf = (labels: readonly Label[]) =>
      variables.map(
        ({ modes: own }) =>
          own.find(n => {
            const part = structure.parts?.find(({ name }) => name === modes[n].name)
            return part === undefined || String(part.where[0].label) === String(labels[1])
          }) ?? own[0],
      )
    const { columns, draw } = unitDrawer(structure, members, { rows: given, weights })
    const rows: Label[][] = []
    const classes: number[] = []
    const groupClasses: number[] = []
    for (let number = 1; number <= count; number++) {
      for (const row of draw(number, uniform)) {
        rows.push([...row.labels, ...drawAnswers(row.class, placesOf(row.labels))])
        classes.push(row.class)
        if (row.groupClass !== undefined) groupClasses.push(row.groupClass)
      }
    }
    return {
      columns: [...columns, ...variables.map(({ name }) => name)],
      rows,
      classes,
      ...(structure.kind === 'nested' && { groupClasses }),
    }
  }
  const drawPattern = patternDrawer(model, variables, given, weights)
  const classes: number[] = []
  const rows: Label[][] = []
  for (let i = 0; i < count; i++) {
    const { values, places, drawClass } = drawPattern(uniform)
    const of = drawClass(uniform())
    classes.push(of)
    rows.push([...values, ...drawAnswers(of, places)])
  }
  return { columns: [...structure.given, ...variables].map(({ name }) => name), rows, classes }
}

/** A function that draws the labels of some modes for a class. */
const answerDrawer = (model: RowModel, uniform: () => number) => {
  const { modes, parameters, items } = model
  const labels = labelDrawers(parameters)
  return (of: number, places: readonly number[]): Label[] => {
    const row = labels.map(each => each[of](uniform()))
    return places.map(n => {
      const item = items[n]
      return item !== undefined && isNumber(item.spec)
        ? model.itemModel(n)!.draw(item.theta, of, uniform)
        : modes[n].label(row[n])
    })
  }
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
    const own = usable(column, value(column.name))
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
