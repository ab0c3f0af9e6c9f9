import { DataError, OptionError, show } from '../../errors.ts'
import { type Items, itemSettings } from '../../model/items/choices.ts'
import { convergedItem } from '../../model/items/converged.ts'
import { fittedItem } from '../../model/items/fitted-item.ts'
import type { ItemModel } from '../../model/items/item.ts'
import { ITEMS } from '../../model/items/item.ts'
import { itemModel } from '../../model/items/items.ts'
import { Model } from '../../model/model.ts'
import { modePosition } from '../../model/posterior.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { labelsOf, MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { words } from '../../wording.ts'

export interface NaiveBayesOptions {
  /** The mode that holds the class. */
  readonly class: string
  /** Added to every count of a label within a class, so that nothing seen elsewhere is impossible. Default 0: Theorem 2. */
  readonly pseudoCounts?: number
  /** What variables are taken for that are no categories, as in `fit`. `pseudoCounts` are for categories alone. */
  readonly items?: Items
}

/** The options of `naiveBayes`. */
export const NAIVE_BAYES_OPTIONS = {
  class: { check: is.text, required: true },
  pseudoCounts: { check: is.nonNegative, default: 0 },
  items: { check: ITEMS },
} as const satisfies OptionTable<NaiveBayesOptions>

export interface NaiveBayesResult {
  /** Its classes are the labels of the class's mode that were seen, in their order, and carry their names. */
  readonly model: Model
  /** How much of the data had no class and was left out. */
  readonly unlabelled: number
}

/**
 * Naive Bayes: a model of known classes, in closed form. The model of each class is the principal component of its cells (Theorem 2); the weights are the
 * counts of the classes. A mode without values in a class takes its distribution over all classes. Numbers, scales and counts get maximum-likelihood
 * parameters; a number with a single value in a class takes the standard deviation of the other classes.
 * @example
 * const { model } = naiveBayes(answers, { class: 'vote' })
 * model.classify({ age: '18–29', trust: 'low' }) // 'none'
 */
export const naiveBayes = (tensor: Tensor, options: NaiveBayesOptions): NaiveBayesResult => {
  const { pseudoCounts: added, items: asked = {} } = checkedOptions('naiveBayes', NAIVE_BAYES_OPTIONS, options)
  const position = modePosition(tensor.modes, options.class)
  const others = tensor.modes.map((_, n) => n).filter(n => n !== position)
  if (others.length === 0) throw new DataError('there must be a mode besides the class')
  const classMode = tensor.modes[position]
  if (Object.hasOwn(asked, classMode.name))
    throw new OptionError('items', words`has ${show(classMode.name)}, which is the class`)
  const settings = itemSettings(tensor, asked) ?? []
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
  const items = others.map((n, i) => {
    const setting = settings[n]
    if (setting === undefined) return undefined
    const columns = classes.map(label => tables[i][label])
    return fittedItem(
      setting.spec,
      knownClasses(itemModel(setting.spec, setting.labels, rank, tensor.modes[n].name), columns),
    )
  })
  const factors = tables.map((columns, i) => {
    const item = items[i]
    if (item !== undefined) {
      const table = new Float64Array(tensor.shape[others[i]] * rank)
      item.over(labelsOf(tensor.modes[others[i]]), rank).table(item.theta, table)
      return table
    }
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
      undefined,
      items,
    ),
    unlabelled,
  }
}

/** The parameters of an item by counts of its labels, class by class. */
const knownClasses = (item: ItemModel, columns: readonly Float64Array[]): Float64Array => {
  const { rank } = item
  const all = columns.reduce((sum, column) => sum.map((value, j) => value + column[j]))
  const own = columns.map(column => (column.some(count => count > 0) ? column : all))
  const expected = Float64Array.from({ length: all.length * rank }, (_, at) => own[at % rank][Math.floor(at / rank)])
  const theta = convergedItem(item, expected, item.project(expected))
  if (item.kind !== 'normal' || item.size < 2 * rank) return theta
  const isFlat = own.map(column => column.filter(count => count > 0).length < 2)
  if (!isFlat.includes(true) || !isFlat.includes(false)) return theta
  const [squares, weight] = [0, 1].map(power =>
    own.reduce((sum, column, k) => {
      const total = isFlat[k] ? 0 : column.reduce((rest, count) => rest + count, 0)
      return sum + total * (power === 0 ? theta[rank + k] ** 2 : 1)
    }, 0),
  )
  isFlat.forEach((flat, k) => {
    if (flat) theta[rank + k] = Math.sqrt(squares / weight)
  })
  return theta
}

const normalized = (counts: Float64Array, added: number, otherwise?: Float64Array): Float64Array => {
  const sum = counts.reduce((total, value) => total + value + added, 0)
  if (sum > 0) return counts.map(value => (value + added) / sum)
  return otherwise ?? counts.map(() => 1 / counts.length)
}
