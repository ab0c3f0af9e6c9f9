import { DataError, show } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { locate, mostProbable, posteriorInto } from '../../model/posterior.ts'
import { log } from '../../numeric/log.ts'
import { random } from '../../numeric/philox.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Row } from '../../tensor/rows.ts'

export interface ImputationScoreOptions {
  /** The part of the observed values that is hidden, each with this probability. Default 0.1. */
  readonly part?: number
  readonly seed?: number
}

export interface Score {
  /** The mean of log P[what was hidden], in nats: higher is better, and 0 is certainty. */
  readonly logScore: number
  /** How often the most probable label was the one that was hidden. */
  readonly accuracy: number
}

/** How well a model predicts hidden values, beside how well it does without the rest of their rows. */
export interface HiddenScore extends Score {
  /** How many values were hidden, by how often their rows were seen. */
  readonly hidden: number
  /**
   * By the marginal probabilities of the model, Σ_k π_k·P[label | k]: what it says of a row of which nothing is known. They are the
   * frequencies of the labels in the data of the model, if nothing was missing there and no prior or constraint was used.
   */
  readonly baseline: Score
}

export interface ImputationScore extends HiddenScore {
  readonly part: number
  readonly seed: number
  readonly modes: readonly (HiddenScore & { readonly mode: string })[]
}

/** The options of `scoreImputation`. */
export const IMPUTATION_SCORE_OPTIONS = {
  part: { check: is.proportion, default: 0.1 },
  seed: { check: is.whole(0), default: 1 },
} as const satisfies OptionTable<ImputationScoreOptions>

/** A row that was seen more often than this is hidden from this many times, each for a part of its count: the rest changes little. */
const MOST_TIMES = 100

/** Scores imputation by hiding observed values. */
export interface ImputationScorer {
  /** Takes more rows: for every mode the positions of their labels; and how often each was seen, where that is not once. */
  add(indices: readonly Int32Array[], counts?: ArrayLike<number>): void
  result(): ImputationScore
}

/**
 * Scores imputation by hiding observed values and predicting them from the rest of their row. Use data that the model was not fitted to; on its own data
 * the score is too optimistic.
 * @example
 * const { hidden, logScore, baseline } = scoreImputation(model, rows, { part: 0.5 })
 * hidden > 0 && Number.isFinite(logScore) && baseline.accuracy <= 1 // true
 */
export const scoreImputation = (
  model: Model,
  rows: readonly Row[],
  options: ImputationScoreOptions = {},
): ImputationScore => {
  const scorer = imputationScorer(model, options)
  for (const row of rows) scorer.add(locate(model.modes, row, model.structure).indices)
  return scorer.result()
}

/**
 * The same for rows that come in pieces.
 * @example
 * const scorer = imputationScorer(model, { seed: 2 })
 * scorer.add(answers.indices, answers.values)
 * scorer.result().modes.map(({ mode }) => mode) // ['age', 'vote', 'trust']
 */
export const imputationScorer = (model: Model, options: ImputationScoreOptions = {}): ImputationScorer => {
  const { part, seed } = checkedOptions('scoreImputation', IMPUTATION_SCORE_OPTIONS, options)
  const { modes, parameters } = model
  const { rank, factors, shares } = parameters
  const posterior = new Float64Array(rank)
  const chances = modes.map(({ size }) => new Float64Array(size))
  const told = (classes: Float64Array, n: number): Float64Array => {
    chances[n].fill(0)
    factors[n].forEach((p, at) => {
      chances[n][Math.floor(at / rank)] += classes[at % rank] * p
    })
    return chances[n]
  }
  const marginals = modes.map((_, n) => told(shares, n).slice())
  const guesses = marginals.map(mostProbable)
  const sums = modes.map(() => ({ hidden: 0, log: 0, right: 0, baseLog: 0, baseRight: 0 }))
  const blocks = Math.ceil(modes.length / 2)
  const shown = modes.map(() => new Int32Array(1))
  let seen = 0
  /** Hides some values of a row that was seen once, and adds how well they are told, weighed. */
  const hideOnce = (indices: readonly Int32Array[], i: number, weight: number) => {
    const { uniform } = random(seed, 'hide', 0, seen++ * blocks)
    const hidden = modes.flatMap((_, n) => {
      const isHidden = indices[n][i] !== MISSING && uniform() < part
      shown[n][0] = isHidden ? MISSING : indices[n][i]
      return isHidden ? [n] : []
    })
    if (hidden.length === 0) return
    posteriorInto(parameters, shown, 0, posterior)
    for (const n of hidden) {
      const [truth, own, into] = [indices[n][i], told(posterior, n), sums[n]]
      into.hidden += weight
      into.log += weight * log(own[truth])
      into.right += mostProbable(own) === truth ? weight : 0
      into.baseLog += weight * log(marginals[n][truth])
      into.baseRight += guesses[n] === truth ? weight : 0
    }
  }
  let row = 0
  const add: ImputationScorer['add'] = (indices, counts) => {
    for (let i = 0; i < indices[0].length; i++) {
      const count = counts?.[i] ?? 1
      row++
      if (!(count >= 0 && count < Number.POSITIVE_INFINITY))
        throw new DataError(`row ${row}: a count must be a number ≥ 0 (got ${show(count)})`, { row })
      const times = Math.min(Math.ceil(count), MOST_TIMES)
      for (let time = 0; time < times; time++) hideOnce(indices, i, count / times)
    }
  }
  const scoreOf = (list: typeof sums): HiddenScore => {
    const sum = (key: keyof (typeof sums)[number]) => list.reduce((total, each) => total + each[key], 0)
    const hidden = sum('hidden')
    return {
      hidden,
      logScore: sum('log') / hidden,
      accuracy: sum('right') / hidden,
      baseline: { logScore: sum('baseLog') / hidden, accuracy: sum('baseRight') / hidden },
    }
  }
  return {
    add,
    result: () =>
      Object.freeze({
        part,
        seed,
        ...scoreOf(sums),
        modes: modes.map(({ name }, n) => ({ mode: name, ...scoreOf([sums[n]]) })),
      }),
  }
}
