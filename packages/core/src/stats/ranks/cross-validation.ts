import { defined } from '../../defined.ts'
import { type NaiveBayesOptions, naiveBayes } from '../../fit/closed-form/naive-bayes.ts'
import { statedItems } from '../../model/items/choices.ts'
import { modePosition, mostProbable, posteriorInto } from '../../model/posterior.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { splitFolds } from '../../tensor/folds.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'

export interface CrossValidationOptions {
  /** How many parts the observations are dealt to. Default 10. */
  readonly folds?: number
  /** The same seed deals in the same way. Default 1. */
  readonly seed?: number
}

/** The options of `crossValidate`. */
export const CROSS_VALIDATION_OPTIONS = {
  folds: { check: is.whole(2, 1000), default: 10 },
  seed: { check: is.whole(0), default: 1 },
} as const satisfies OptionTable<CrossValidationOptions>

export interface CrossValidation {
  /** The share of held-out observations that were given their true class; NaN where none could be tried. */
  readonly accuracy: number
  /** By true class, how often each class was given. */
  readonly table: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/**
 * Cross-validates naive Bayes: trains on all folds but one and classifies the other, for every fold.
 * @example
 * crossValidate(answers, { class: 'vote' }, { folds: 5 }).accuracy // 0.7
 */
export const crossValidate = (
  tensor: Tensor,
  options: NaiveBayesOptions,
  dealing: CrossValidationOptions = {},
): CrossValidation => {
  const { folds, seed } = checkedOptions('crossValidate', CROSS_VALIDATION_OPTIONS, dealing)
  const position = modePosition(tensor.modes, options.class)
  const settings = { ...options, ...defined({ items: options.items && statedItems(tensor, options.items) }) }
  const table = new Map<string, Map<string, number>>()
  let [right, all] = [0, 0]
  for (const { training, test } of splitFolds(tensor, folds, seed)) {
    // A fold may hold every observation that has a class: then there is nothing to learn from the rest.
    if (!training.indices[position].some(label => label !== MISSING)) continue
    const { model } = naiveBayes(training, settings)
    const others = test.indices.filter((_, n) => n !== position)
    const posterior = new Float64Array(model.rank)
    for (let cell = 0; cell < test.cells; cell++) {
      const label = test.indices[position][cell]
      if (label === MISSING) continue
      posteriorInto(model.parameters, others, cell, posterior)
      const given = model.classNames?.[mostProbable(posterior)] as string
      const truth = String(test.modes[position].label(label))
      const row = table.get(truth) ?? new Map<string, number>()
      table.set(truth, row.set(given, (row.get(given) ?? 0) + test.values[cell]))
      all += test.values[cell]
      if (given === truth) right += test.values[cell]
    }
  }
  return { accuracy: right / all, table: new Map([...table].sort(([a], [b]) => (a < b ? -1 : 1))) }
}
