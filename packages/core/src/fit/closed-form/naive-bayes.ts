import { DataError } from '../../errors.ts'
import { Model } from '../../model/model.ts'
import { modePosition } from '../../model/posterior.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'

export interface NaiveBayesOptions {
  /** The mode that holds the class. */
  readonly class: string
  /** Added to every count of a label within a class, so that nothing seen elsewhere is impossible. Default 0: Theorem 2. */
  readonly pseudoCounts?: number
}

/** The options of `naiveBayes`. */
export const NAIVE_BAYES_OPTIONS = {
  class: { check: is.text, required: true },
  pseudoCounts: { check: is.nonNegative, default: 0 },
} as const satisfies OptionTable<NaiveBayesOptions>

export interface NaiveBayesResult {
  /** Its classes are the labels of the class's mode that were seen, in their order, and carry their names. */
  readonly model: Model
  /** How much of the data had no class and was left out. */
  readonly unlabelled: number
}

/**
 * Naive Bayes: with the class known, the cells of each class are a tensor of their own, and its principal component
 * (Theorem 2) is the class's model. The weights are the counts of the classes. A mode that is never present in a class
 * takes the distribution it has over all classes together.
 * @example
 * const { model } = naiveBayes(answers, { class: 'vote' })
 * model.classify({ age: '18–29', trust: 'low' }) // 'none'
 */
export const naiveBayes = (tensor: Tensor, options: NaiveBayesOptions): NaiveBayesResult => {
  const { pseudoCounts: added } = checkedOptions('naiveBayes', NAIVE_BAYES_OPTIONS, options)
  const position = modePosition(tensor.modes, options.class)
  const others = tensor.modes.map((_, n) => n).filter(n => n !== position)
  if (others.length === 0) throw new DataError('there must be a mode besides the class')
  const classMode = tensor.modes[position]
  const counts = new Float64Array(classMode.size)
  const tables = others.map(n => Array.from(counts, () => new Float64Array(tensor.shape[n])))
  let unlabelled = 0
  for (let cell = 0; cell < tensor.cells; cell++) {
    const label = tensor.indices[position][cell]
    const value = tensor.values[cell]
    if (label === MISSING) {
      unlabelled += value
      continue
    }
    counts[label] += value
    others.forEach((n, i) => {
      const index = tensor.indices[n][cell]
      if (index !== MISSING) tables[i][label][index] += value
    })
  }
  const classes = [...counts.keys()].filter(label => counts[label] > 0)
  if (classes.length === 0) throw new DataError(`no row has a class in ${JSON.stringify(options.class)}`)
  const rank = classes.length
  const factors = tables.map(columns => {
    const overall = normalized(
      columns.reduce((sum, column) => sum.map((value, j) => value + column[j])),
      added,
    )
    const factor = new Float64Array(overall.length * rank)
    classes.forEach((label, k) => {
      normalized(columns[label], added, overall).forEach((value, j) => {
        factor[j * rank + k] = value
      })
    })
    return factor
  })
  const sizes = Float64Array.from(classes, label => counts[label])
  const names = classes.map(label => String(classMode.label(label)))
  return {
    model: new Model(
      others.map(n => tensor.modes[n]),
      { rank, sizes, factors },
      names,
    ),
    unlabelled,
  }
}

const normalized = (counts: Float64Array, added: number, otherwise?: Float64Array): Float64Array => {
  const sum = counts.reduce((total, value) => total + value + added, 0)
  if (sum > 0) return counts.map(value => (value + added) / sum)
  return otherwise ?? counts.map(() => 1 / counts.length)
}
