import { OptionError, show } from '../errors.ts'
import { type Label, labelsOf, Mode } from '../tensor/mode.ts'
import { term, words } from '../wording.ts'
import { checkModel } from './check-model.ts'
import { type FittedItem, isNumber } from './items/item.ts'
import { Model } from './model.ts'

/** Models and data are matched by the names of their modes and by their labels, never by position. */

/** The labels of a mode that only one of two models has. */
export interface LabelDifference {
  readonly mode: string
  readonly onlyA: readonly Label[]
  readonly onlyB: readonly Label[]
}

/**
 * Whether the modes have the same names and the same labels, in the same order.
 * @example
 * sameModes(model.modes, answers.modes) // true
 */
export const sameModes = (a: readonly Mode[], b: readonly Mode[]): boolean =>
  a.length === b.length && a.every((mode, n) => mode.name === b[n].name && sameLabels(mode, b[n]))

const sameLabels = (a: Mode, b: Mode): boolean => {
  if (a.size !== b.size) return false
  if (a.labels === b.labels) return true
  for (let j = 0; j < a.size; j++) if (String(a.label(j)) !== String(b.label(j))) return false
  return true
}

/**
 * For every mode, the position of the one of its name among others. If the names are not the same, it throws, and says whose they are.
 * @example
 * modePositions(model.modes, answers.modes, ['the model', 'the data']) // [0, 1, 2]
 */
export const modePositions = (
  modes: readonly Mode[],
  others: readonly Mode[],
  whose: readonly [string, string],
): number[] => {
  const only = (some: readonly Mode[], rest: readonly Mode[]) =>
    some.filter(({ name }) => !rest.some(other => other.name === name)).map(({ name }) => name)
  const [first, second] = [only(modes, others), only(others, modes)]
  if (first.length + second.length > 0)
    throw new OptionError(
      words`${whose[0]} and ${whose[1]} must have the same ${term('modes')}: ${onlyText(whose[0], first, whose[1], second)}`,
    )
  return modes.map(({ name }) => others.findIndex(other => other.name === name))
}

/** The labels that only one has, of every mode where there are such; the second modes are in the order of the first. */
export const labelDifferences = (a: readonly Mode[], b: readonly Mode[]): LabelDifference[] =>
  a.flatMap((mode, n) => {
    if (sameLabels(mode, b[n])) return []
    const onlyA = labelsOf(mode).filter(label => b[n].indexOf(label) === undefined)
    const onlyB = labelsOf(b[n]).filter(label => mode.indexOf(label) === undefined)
    return onlyA.length + onlyB.length === 0 ? [] : [Object.freeze({ mode: mode.name, onlyA, onlyB })]
  })

/** Labels that a message names; of more it says how many. */
const NAMED = 5

const listed = (labels: readonly Label[]): string => {
  const named = labels.slice(0, NAMED).map(label => show(String(label)))
  const rest = labels.length - named.length
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`
}

/** Only the model has "a", "b"; only the data has "c". */
const onlyText = (a: string, onlyA: readonly Label[], b: string, onlyB: readonly Label[]): string =>
  [
    ...(onlyA.length === 0 ? [] : [`only ${a} has ${listed(onlyA)}`]),
    ...(onlyB.length === 0 ? [] : [`only ${b} has ${listed(onlyB)}`]),
  ].join('; ')

/**
 * A model over the modes of data: they must have the same names and labels, which may be in another order.
 * @example
 * alignModel(model, answers.modes) === model // true: nothing was out of order
 */
export const alignModel = (model: Model, modes: readonly Mode[], name = 'model', of = 'the data'): Model => {
  checkModel(name, model)
  if (sameModes(model.modes, modes)) return model
  const whose = [name === 'model' ? 'the model' : name, of] as const
  const positions = modePositions(modes, model.modes, [whose[1], whose[0]])
  // A number has a probability for every value.
  const tables = positions.flatMap((n, at) => (hasAllValues(model, n) ? [] : [{ n, at }]))
  const [difference] = labelDifferences(
    tables.map(({ n }) => model.modes[n]),
    tables.map(({ at }) => modes[at]),
  )
  if (difference !== undefined) {
    const { mode, onlyA, onlyB } = difference
    throw new OptionError(
      `${whose[0]} must have the labels of ${whose[1]}: in mode ${show(mode)}, ${onlyText(whose[0], onlyA, whose[1], onlyB)}. ` +
        'Read the data with the labels of the model, or fit a model to this data',
    )
  }
  return modelOver(modes, model)
}

/**
 * Throws an `OptionError` unless model and data have the same modes and labels in the same order, for results by position.
 * @example
 * checkAligned(model, answers.modes)
 */
export const checkAligned = (model: Model, modes: readonly Mode[], of = 'the data'): void => {
  if (alignModel(model, modes, 'model', of) !== model)
    throw new OptionError('the model has the labels of the data in another order: use alignModel(model, data.modes)')
}

/** Two models over the labels of both, and the labels that only one has: in the other their probability is zero. */
export const alignModels = (
  a: Model,
  b: Model,
): { readonly models: [Model, Model]; readonly unshared: LabelDifference[] } => {
  if (sameModes(a.modes, b.modes)) return { models: [a, b], unshared: [] }
  const positions = modePositions(a.modes, b.modes, ['the first model', 'the second'])
  const others = positions.map(n => b.modes[n])
  const unshared = labelDifferences(a.modes, others)
  const modes = a.modes.map((mode, n) => {
    const added = unshared.find(each => each.mode === mode.name)?.onlyB ?? []
    if (added.length === others[n].size)
      throw new OptionError(
        `the models have no label of mode ${show(mode.name)} in common: ${onlyText('the first', labelsOf(mode), 'the second', added)}`,
      )
    return added.length === 0 ? mode : new Mode(mode.name, [...labelsOf(mode), ...added], mode.ordered)
  })
  return { models: [modelOver(modes, a), modelOver(modes, b)], unshared }
}

/** Whether a mode of a model is a number, which may have any value. */
const hasAllValues = ({ items }: Model, n: number): boolean => {
  const item = items[n]
  return item !== undefined && isNumber(item.spec)
}

/** The item of a mode over the same labels in another order; a scale that has got other labels is categories. */
const itemOver = (model: Model, mode: Mode): FittedItem | undefined => {
  const n = model.modes.findIndex(({ name }) => name === mode.name)
  const item = model.items[n]
  if (item === undefined || item.spec.kind !== 'ordinal') return item
  const places = labelsOf(mode).map(label => model.modes[n].indexOf(label))
  const known = places.flatMap(place => place ?? [])
  if (known.length < places.length || known.length !== item.spec.scores.length) return undefined
  const threshold = (j: number) => (j === 0 ? 0 : item.theta[j - 1])
  const theta = item.theta.map((value, at) =>
    at < known.length - 1 ? threshold(known[at + 1]) - threshold(known[0]) : value,
  )
  const { scores } = item.spec
  return { ...item, spec: { kind: 'ordinal', scores: known.map(j => scores[j]) }, theta, over: item.over }
}

/**
 * A model over modes of the same names, which have all of its labels: those that it lacks have probability zero, unless the variable is a number, which
 * has a probability for every value.
 * @example
 * modelOver(model.modes, model).shares // [0.60, 0.40]
 */
export const modelOver = (modes: readonly Mode[], model: Model): Model => {
  const { rank, parameters } = model
  const factors = modes.map(mode => {
    const n = model.modes.findIndex(({ name }) => name === mode.name)
    const factor = new Float64Array(mode.size * rank)
    const item = model.items[n]
    if (item !== undefined && hasAllValues(model, n)) {
      item.over(labelsOf(mode), rank).table(item.theta, factor)
      return factor
    }
    for (let j = 0; j < mode.size; j++) {
      const from = model.modes[n].indexOf(mode.label(j))
      if (from !== undefined) factor.set(parameters.factors[n].subarray(from * rank, (from + 1) * rank), j * rank)
    }
    return factor
  })
  const sizes = Float64Array.from(model.sizes)
  const items = modes.map(mode => itemOver(model, mode))
  return new Model(modes, { rank, sizes, factors }, model.classNames, model.structure, items)
}
