import { DataError, OptionError, show } from '../../errors.ts'
import { type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import type { Model } from '../../model/model.ts'
import { mostProbable } from '../../model/posterior.ts'
import { knownOptions, optionsObject, wholeNumber } from '../../options.ts'
import { type Label, MISSING } from '../../tensor/mode.ts'
import { type RowClusters, rowClusters } from '../errors/row-clusters.ts'
import {
  type ClassifiedRows,
  classificationOf,
  classify,
  type MeasurementStep,
  measurementStep,
} from './measurement-step.ts'
import type { SumVariance } from './three-steps.ts'

/**
 * Rows with an outcome that the model was fitted without. With a model and the rows' answers, standard errors allow for the uncertainty of the model. With
 * posteriors and the number of classes alone, the model is taken as known.
 */
export interface DistalData {
  /** P[class | answers] of every row, row by row. */
  readonly posteriors?: ArrayLike<number>
  /** How many classes there are. */
  readonly classes?: number
  /** In place of posteriors: the model of the classes. */
  readonly model?: Model
  /** With a model, for each of its modes the position of every row's label, −1 where it is missing. */
  readonly answers?: readonly ArrayLike<number>[]
  /** With a model, the constraints under which it was fitted. */
  readonly constraints?: Constraints
  /** With a model, how many observations it was fitted to, if they are not these. Default: the total of the model. */
  readonly fittedTo?: number
  /** A number per row, NaN where it is missing; with `labels` the position of its category, −1 where it is missing. */
  readonly outcome: ArrayLike<number>
  /** What the categories are called, where the outcome is one. */
  readonly labels?: readonly Label[]
  /** How often each row was seen. Default: once. */
  readonly counts?: ArrayLike<number>
  /** How many of the population each observation stands for. Default: all for as many. */
  readonly weights?: ArrayLike<number>
  /** Which cluster each row was drawn in, if rows were not drawn one by one; rows that weigh nothing still say which clusters there are. */
  readonly clusters?: ArrayLike<number | string>
  /** Which stratum the cluster of each row was drawn from. */
  readonly strata?: ArrayLike<number | string>
}

/**
 * The third step of three: the outcome given the class, when all that is known of the class is which one was assigned, and how
 * often a member of each class is assigned to each. Estimates have one order, `class * width + j`: the width is 1 for numbers, whose
 * means they are, and the number of categories else.
 */
export interface AssignedRows {
  readonly classes: number
  readonly width: number
  /** For every row the class it was assigned to. */
  readonly assigned: Int32Array
  /** A number, or the position of a category. */
  readonly outcome: Float64Array
  /** Σ w and Σ w² of the observations that the row stands for. */
  readonly weights: Float64Array
  readonly squares: Float64Array
  /** How many observations all rows stand for, whatever their weights. */
  readonly observations: number
  /** P[assigned to s | class t], at `t * classes + s`. */
  readonly classification: Float64Array
  /** All rows, also those without an outcome, as the first two steps have them. */
  readonly all: ClassifiedRows
  /** For each of all rows its position among those with an outcome and an answer; −1 for the others. */
  readonly position: Int32Array
  /** How exactly all rows determine the model, or why that is not known; undefined where there is no model. */
  readonly measured: MeasurementStep | string | undefined
  /** Of rows that were drawn in clusters: how many there are, and the variance of a sum of scores times weights over all rows. */
  readonly drawn?: Pick<RowClusters, 'clusters' | 'strata' | 'degreesOfFreedom'> & { readonly variance: SumVariance }
}

/** How far from 1 the posteriors of a row may sum. */
const ROUNDING = 1e-6

/** The first two steps: classes assigned, and how often wrongly, by all rows; and what the third needs of those with an outcome. */
export const assignedRows = (
  data: DistalData,
  measurement: 'estimated' | 'known',
): { rows: AssignedRows; kept: number; missing: number } => {
  const { labels, outcome: given } = data
  const { classes, n } = checkRows(data)
  // A row that answers nothing tells nothing of its class.
  const answered = (i: number) => data.answers?.some(column => column[i] !== MISSING) ?? true
  const missing = Array.from({ length: n }, (_, i) => isMissing(given[i], labels, i) || !answered(i))
  const inClusters = data.clusters && rowClusters(n, data.clusters, data.strata)
  const distinct = distinctRows(data, n, classes)
  const isCounted = ({ count, weight, first }: DistinctRow) => count * weight > 0 && !missing[first]
  const counted = distinct.filter(isCounted)
  const observations = counted.reduce((sum, { count }) => sum + count, 0)
  const values = new Set(counted.map(({ first }) => given[first]))
  if (values.size === 1 && observations > 1) {
    const [value] = values
    throw new DataError(
      `the outcome is ${show(labels === undefined ? value : labels[value])} in every row that has one: the classes cannot differ in it`,
    )
  }
  const { all, measured } = firstSteps(data, distinct, classes, measurement, answered)
  for (let t = 0; t < classes; t++) {
    if (!distinct.some((row, i) => all.assigned[i] === t && isCounted(row))) {
      throw new DataError(
        `class ${t + 1} is not the most probable class of any row with an outcome: its outcome cannot be estimated; use fewer classes`,
      )
    }
  }
  let place = 0
  const position = Int32Array.from(distinct, row => (isCounted(row) ? place++ : -1))
  const ofCounted = (values: Float64Array) => values.filter((_, i) => position[i] >= 0)
  const firsts = distinct.map(({ first }) => first)
  return {
    rows: {
      classes,
      width: labels?.length ?? 1,
      observations,
      classification: all.classification,
      all,
      position,
      measured,
      assigned: all.assigned.filter((_, i) => position[i] >= 0),
      outcome: Float64Array.from(counted, ({ first }) => given[first]),
      weights: ofCounted(all.weights),
      squares: ofCounted(all.squares),
      ...(inClusters && {
        drawn: { ...inClusters, variance: (size, add) => inClusters.variance(firsts, size, add) },
      }),
    },
    kept: observations,
    missing: missing.reduce(
      (sum, each, i) => sum + (each && (data.weights?.[i] ?? 1) > 0 ? (data.counts?.[i] ?? 1) : 0),
      0,
    ),
  }
}

const firstSteps = (
  { posteriors, model, answers, constraints, fittedTo }: DistalData,
  distinct: readonly DistinctRow[],
  classes: number,
  measurement: 'estimated' | 'known',
  answered: (row: number) => boolean,
): Pick<AssignedRows, 'all' | 'measured'> => {
  const columns = answers?.map(column => Int32Array.from(distinct, ({ first }) => column[first]))
  const given =
    model === undefined
      ? assigned(
          Float64Array.from(
            { length: distinct.length * classes },
            (_, at) => posteriors![distinct[Math.floor(at / classes)].first * classes + (at % classes)],
          ),
          classes,
        )
      : classify(model.parameters, columns!, distinct.length)
  const weights = Float64Array.from(distinct, ({ count, weight, first }) => (answered(first) ? count * weight : 0))
  const squares = Float64Array.from(distinct, ({ weight }, i) => weights[i] * weight)
  const all = { classes, ...given, weights, squares, ...classificationOf(classes, { ...given, weights }) }
  if (model === undefined || measurement === 'known') return { all, measured: undefined }
  const setting = constraints && constraintSetting(model.modes, model.rank, constraints)
  return { all, measured: measurementStep(model, columns!, all, setting, fittedTo) }
}

const assigned = (posteriors: Float64Array, classes: number): Pick<ClassifiedRows, 'posteriors' | 'assigned'> => ({
  posteriors,
  assigned: Int32Array.from({ length: posteriors.length / classes }, (_, i) =>
    mostProbable(posteriors.subarray(i * classes, (i + 1) * classes)),
  ),
})

/** Refuses what is not a table of rows, and says how many there are. */
const checkRows = (data: DistalData): { classes: number; n: number } => {
  optionsObject('distalOutcome', data)
  knownOptions('distalOutcome', data, [
    ...['posteriors', 'classes', 'model', 'answers', 'constraints', 'fittedTo'],
    ...['outcome', 'labels', 'counts', 'weights', 'clusters', 'strata'],
  ])
  if (data.strata !== undefined && data.clusters === undefined)
    throw new OptionError('strata need clusters: if rows were drawn one by one, number them')
  const { posteriors, outcome, counts, weights, model, answers } = data
  if ((model === undefined) === (posteriors === undefined) || (model === undefined) !== (answers === undefined))
    throw new OptionError('give either posteriors and classes, or a model and the answers of every row')
  const classes = model?.rank ?? wholeNumber('classes', data.classes, 1)
  const n = outcome.length
  const lengths = { posteriors: [posteriors, n * classes], counts: [counts, n], weights: [weights, n] } as const
  for (const [name, [list, length]] of Object.entries(lengths)) {
    if (list !== undefined && list.length !== length)
      throw new OptionError(`${name} must have ${length} numbers for ${n} rows (got ${list.length})`)
  }
  if (model !== undefined) checkAnswers(model, answers!, n)
  for (let i = 0; i < n; i++) {
    if (posteriors !== undefined) checkPosteriors(posteriors, i, classes)
    for (const [name, value] of [
      ['count', counts?.[i] ?? 1],
      ['weight', weights?.[i] ?? 1],
    ] as const)
      if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
        throw new DataError(`row ${i + 1}: a ${name} must be a number ≥ 0 (got ${show(value)})`, { row: i + 1 })
  }
  return { classes, n }
}

const checkPosteriors = (posteriors: ArrayLike<number>, i: number, classes: number): void => {
  let [sum, least] = [0, 0]
  for (let t = 0; t < classes; t++) {
    sum += posteriors[i * classes + t]
    least = Math.min(least, posteriors[i * classes + t])
  }
  if (!(Math.abs(sum - 1) <= ROUNDING) || least < 0)
    throw new DataError(`row ${i + 1}: the posteriors must be ≥ 0 and sum to 1 (they sum to ${sum})`, { row: i + 1 })
}

const checkAnswers = ({ modes }: Model, answers: readonly ArrayLike<number>[], n: number): void => {
  if (answers.length !== modes.length)
    throw new OptionError(`answers must have a column for each of the ${modes.length} modes (got ${answers.length})`)
  modes.forEach(({ name, size }, m) => {
    if (answers[m].length !== n)
      throw new OptionError(
        `answers must have ${n} positions for ${n} rows in ${show(name)} (got ${answers[m].length})`,
      )
    for (let i = 0; i < n; i++)
      if (!(Number.isInteger(answers[m][i]) && answers[m][i] >= MISSING && answers[m][i] < size))
        throw new DataError(
          `row ${i + 1}: an answer must be the position of one of the ${size} labels of ${show(name)}, or −1 (got ${show(answers[m][i])})`,
          { row: i + 1 },
        )
  })
}

/** Rows with the same posteriors or answers, outcome and weight, and of the same cluster. */
interface DistinctRow {
  readonly weight: number
  /** The first of them. */
  readonly first: number
  readonly count: number
}

/**
 * Equal rows as one that is counted, in an order of their own: results then depend neither on the order of the rows nor on
 * whether equal ones are counted or repeated, to the last bit.
 */
const distinctRows = (data: DistalData, n: number, classes: number): DistinctRow[] => {
  const { posteriors, answers, outcome, counts, weights, clusters, strata } = data
  const columns: ((i: number) => number | string)[] = [
    ...(answers?.map(column => (i: number) => column[i]) ??
      Array.from({ length: classes }, (_, t) => (i: number) => posteriors![i * classes + t])),
    // A missing number is NaN, which has no place in an order.
    (i: number) => (Number.isNaN(outcome[i]) ? Number.NEGATIVE_INFINITY : outcome[i]),
    (i: number) => weights?.[i] ?? 1,
    ...(clusters === undefined ? [] : [(i: number) => clusters[i]]),
    ...(strata === undefined ? [] : [(i: number) => strata[i]]),
  ]
  const compare = (a: number, b: number): number => {
    for (const column of columns) if (column(a) !== column(b)) return column(a) < column(b) ? -1 : 1
    return 0
  }
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort(compare)
  const distinct: DistinctRow[] = []
  for (let from = 0, to = 0; from < n; from = to) {
    let count = 0
    for (; to < n && compare(order[from], order[to]) === 0; to++) count += counts?.[order[to]] ?? 1
    const first = order[from]
    distinct.push({ weight: weights?.[first] ?? 1, first, count })
  }
  return distinct
}

/** Whether a row has no outcome; what is neither that nor one is refused. */
const isMissing = (value: number, labels: readonly Label[] | undefined, i: number): boolean => {
  if (labels === undefined ? Number.isNaN(value) : value === -1) return true
  const usable =
    labels === undefined ? Number.isFinite(value) : Number.isInteger(value) && value >= 0 && value < labels.length
  if (usable) return false
  const rule =
    labels === undefined
      ? 'a finite number, or NaN where it is missing'
      : `the position of one of ${labels.length} labels, or −1 where it is missing`
  throw new DataError(`row ${i + 1}: the outcome must be ${rule} (got ${show(value)})`, { row: i + 1 })
}
