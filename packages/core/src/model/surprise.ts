import { checkedOptions, is, type OptionTable } from '../options.ts'
import { type Label, labelOf, labelsOf, MISSING, Mode } from '../tensor/mode.ts'
import { entryOf, type Row } from '../tensor/rows.ts'
import { modelOver } from './align.ts'
import { isNumber } from './items/item.ts'
import { withTuples } from './joined-row.ts'
import type { Model } from './model.ts'
import { columnSums, type Parameters } from './parameters.ts'
import { givenValue, locate, mostProbable, posteriorInto } from './posterior.ts'

/** The code of a label that a model has never seen, beside `MISSING`. */
export const UNSEEN = -2

/** An answer of a row, and its surprise. */
export interface Contribution {
  readonly mode: string
  readonly label: Label
  /** −log₂ of the probability of the answer, given the other answers of the row. */
  readonly bits: number
  /** Whether the model has never seen the label. */
  readonly unseen: boolean
}

/** How surprising a row is under a model. */
export interface Surprise {
  /** −log₂ of the probability of the row's answers, in bits. */
  readonly surprise: number
  /** The mean of rows with answers to the same variables, for the row's own certainty of its class. */
  readonly expected: number
  /** How many standard deviations the surprise is above what is expected: comparable between rows that lack different answers. */
  readonly score: number
  /** The most probable class, counted from 0, and its probability. */
  readonly class: number
  readonly probability: number
  /** One for every answer, the most surprising first. */
  readonly contributions: readonly Contribution[]
}

/** A row of a ranking. */
export interface RankedSurprise extends Surprise {
  /** Its position in the list, from 0. */
  readonly row: number
}

export interface SurpriseOptions {
  /** How many rows are returned, the most surprising first. Default 10. */
  readonly limit?: number
}

/** The options of `surprisingRows`. */
export const SURPRISE_OPTIONS = {
  limit: { check: is.whole(1), default: 10 },
} as const satisfies OptionTable<SurpriseOptions>

/**
 * Computes the surprise of a row (−log₂ of its probability) and the contribution of each answer. Missing answers contribute nothing. An unseen label, or
 * one with probability 0, counts as one in 1 + the total of the model.
 * @example
 * const { score, contributions } = explainRow(model, { age: '30+', vote: 'none', trust: 'high' })
 * contributions[0].mode // 'vote': it is what does not go with the rest
 */
export const explainRow = (model: Model, row: Row): Surprise => explainer(model)(row)

const explainer = (model: Model): ((row: Row) => Surprise) => {
  const { modes, parameters } = model
  const figuresOf = surpriseFigures(surpriseTables(parameters, model.total))
  const posterior = new Float64Array(model.rank)
  return given => {
    const row = withTuples(given, model.items)
    const { indices, unseen } = locate(modes, row, model.structure)
    const widened = withValues(model, row, unseen)
    if (widened !== model) return explainer(widened)(row)
    const { probabilities: shares } = model.structure.prior(givenValue(row), parameters.shares)
    posteriorInto({ ...parameters, shares }, indices, 0, posterior)
    const best = mostProbable(posterior)
    modes.forEach(({ name }, n) => {
      if (unseen.includes(name)) indices[n][0] = UNSEEN
    })
    const figures = figuresOf(indices, 0, shares)
    const answered = modes.flatMap(({ name }, n) => {
      if (indices[n][0] === MISSING) return []
      const label = labelOf(entryOf(row, name, n)) as Label
      return [{ mode: name, label, bits: figures[FIGURES + n], unseen: indices[n][0] === UNSEEN }]
    })
    return Object.freeze({
      surprise: figures[0],
      score: figures[1],
      expected: figures[2],
      class: best,
      probability: posterior[best],
      contributions: Object.freeze(answered.sort((a, b) => b.bits - a.bits)),
    })
  }
}

/** A model that has the numbers of a row among its labels. */
const withValues = (model: Model, row: Row, unseen: readonly string[]): Model => {
  const modes = model.modes.map((mode, n) => {
    const item = model.items[n]
    if (item === undefined || !isNumber(item.spec) || !unseen.includes(mode.name)) return mode
    const label = labelOf(entryOf(row, mode.name, n))!
    const isValue = model.itemModel(n)!.probability(label, item.theta, new Float64Array(model.rank))
    const value = item.spec.kind === 'multivariate-normal' ? label : Number(label)
    return isValue ? new Mode(mode.name, [...labelsOf(mode), value], mode.ordered) : mode
  })
  return modes.every((mode, n) => mode === model.modes[n]) ? model : modelOver(modes, model)
}

/**
 * Lists the most surprising rows, with the contribution of each answer.
 * @example
 * const [first] = surprisingRows(model, [{ vote: 'yes', trust: 'high' }, { vote: 'none', trust: 'high' }], { limit: 1 })
 * first.row // 1
 */
export const surprisingRows = (model: Model, rows: readonly Row[], options: SurpriseOptions = {}): RankedSurprise[] => {
  const { limit } = checkedOptions('surprisingRows', SURPRISE_OPTIONS, options)
  const explain = explainer(model)
  return rows
    .map((row, i) => ({ row: i, ...explain(row) }))
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, limit)
}

/** What surprises are made of, for all rows. Logarithms are to base 2. */
export interface SurpriseTables {
  readonly parameters: Parameters
  /** Of every mode −log₂ of its probabilities, none above `rare`. */
  readonly bits: readonly Float64Array[]
  /** −log₂ of the probability that a label counts as which the model does not know. */
  readonly rare: number
  /** Of every mode and class, the mean and the variance of the bits of an answer. */
  readonly mean: readonly Float64Array[]
  readonly variance: readonly Float64Array[]
}

/** Labels that are all values of a mode sum to 1 within this. */
const ROUNDING = 1e-6

/**
 * The tables of a model, whose data had a total: an answer is never more surprising than one in 1 + this total.
 * @example
 * surpriseTables(model.parameters, 1023).rare // 10
 */
export const surpriseTables = (parameters: Parameters, total: number): SurpriseTables => {
  const { rank, factors } = parameters
  const rare = Math.log2(1 + total)
  const bits = factors.map(factor => factor.map(p => Math.min(rare, -Math.log2(p))))
  const moment = (n: number, of: (bits: number, k: number) => number): Float64Array => {
    const sums = new Float64Array(rank)
    factors[n].forEach((p, i) => {
      if (p > 0) sums[i % rank] += p * of(bits[n][i], i % rank)
    })
    // Of a number the labels are some of its values: the moments are over these.
    const masses = columnSums(factors[n], rank)
    return sums.map((each, k) => (masses[k] > 0 && Math.abs(masses[k] - 1) > ROUNDING ? each / masses[k] : each))
  }
  const mean = factors.map((_, n) => moment(n, each => each))
  const variance = factors.map((_, n) => moment(n, (each, k) => (each - mean[n][k]) ** 2))
  return { parameters, bits, rare, mean, variance }
}

/** Figures of a row before those of its answers. */
export const FIGURES = 3

/** Rows are not told apart by less than this: in bits, the least standard deviation. */
const LEAST = 1

/**
 * For a row of codes (`MISSING`, `UNSEEN` or the position of a label): its surprise, its score, what is expected, and the bits of every
 * answer, not a number where it is missing. The array is the same every time.
 * @example
 * const [surprise, score] = surpriseFigures(surpriseTables(model.parameters, model.total))(answers.indices, 0)
 */
export const surpriseFigures = ({ parameters, bits, rare, mean, variance }: SurpriseTables) => {
  const { rank, shares } = parameters
  const modes = bits.length
  const out = new Float64Array(FIGURES + modes)
  /** −log₂ of class and answers together. */
  const joint = new Float64Array(rank)
  const rest = new Float64Array(rank)
  const means = new Float64Array(rank)
  const spreads = new Float64Array(rank)
  return (codes: readonly ArrayLike<number>[], row: number, prior: Float64Array = shares): Float64Array => {
    let unseen = 0
    for (let k = 0; k < rank; k++) {
      joint[k] = means[k] = -Math.log2(prior[k])
      spreads[k] = 0
    }
    for (let n = 0; n < modes; n++) {
      const code = codes[n][row]
      if (code === UNSEEN) unseen++
      if (code < 0) continue
      for (let k = 0; k < rank; k++) {
        joint[k] += bits[n][code * rank + k]
        means[k] += mean[n][k]
        spreads[k] += variance[n][k]
      }
    }
    const known = bitsOfSum(joint)
    let [certain, expected, spread] = [0, 0, 0]
    for (let k = 0; k < rank; k++) {
      const posterior = 2 ** (known - joint[k])
      if (posterior > 0) certain += posterior * (joint[k] - known)
      if (prior[k] > 0) expected += prior[k] * means[k]
    }
    for (let k = 0; k < rank; k++) if (prior[k] > 0) spread += prior[k] * (spreads[k] + (means[k] - expected) ** 2)
    out[0] = known + unseen * rare
    out[2] = expected - certain
    out[1] = (out[0] - out[2]) / Math.max(LEAST, Math.sqrt(spread))
    for (let n = 0; n < modes; n++) {
      const code = codes[n][row]
      if (code < 0) {
        out[FIGURES + n] = code === UNSEEN ? rare : Number.NaN
        continue
      }
      for (let k = 0; k < rank; k++) rest[k] = joint[k] - bits[n][code * rank + k]
      out[FIGURES + n] = known - bitsOfSum(rest)
    }
    return out
  }
}

/** −log₂ Σ 2^(−bits). */
const bitsOfSum = (bits: Float64Array): number => {
  let least = Number.POSITIVE_INFINITY
  for (const each of bits) if (each < least) least = each
  let sum = 0
  for (const each of bits) sum += 2 ** (least - each)
  return least - Math.log2(sum)
}
