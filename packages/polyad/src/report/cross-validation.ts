import {
  mostProbable,
  type NaiveBayesOptions,
  naiveBayes,
  posteriorInto,
  random,
  type Tensor,
  tensorFromColumns,
} from '@polyad/core'

export interface Validation {
  /** The share of held-out observations that were given their true class. */
  readonly accuracy: number
  /** By true class, how often each class was given. */
  readonly table: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** Trains on all folds but one and classifies that one, for every fold. Observations are dealt to folds by the seed. */
export const crossValidate = (tensor: Tensor, options: NaiveBayesOptions, folds: number, seed: number): Validation => {
  const position = tensor.modes.findIndex(({ name }) => name === options.class)
  const truth = tensor.modes[position]
  const held = deal(tensor, folds, seed)
  const table = new Map<string, Map<string, number>>()
  let [right, all] = [0, 0]
  const others = tensor.indices.filter((_, n) => n !== position)
  for (const part of held) {
    const rest = tensor.values.map((value, cell) => value - part[cell])
    if (!rest.some(value => value > 0) || !part.some(value => value > 0)) continue
    const training = tensorFromColumns(tensor.indices, rest, {
      shape: tensor.shape,
      modes: tensor.modes.map(({ name, labels, ordered }) => ({
        name,
        ordered,
        ...(labels === undefined ? {} : { labels }),
      })),
    })
    const { model } = naiveBayes(training, options)
    const posterior = new Float64Array(model.rank)
    for (let cell = 0; cell < tensor.cells; cell++) {
      const label = tensor.indices[position][cell]
      if (part[cell] === 0 || label < 0) continue
      posteriorInto(model.parameters, others, cell, posterior)
      const given = model.classNames?.[mostProbable(posterior)] as string
      const name = String(truth.label(label))
      const row = table.get(name) ?? new Map<string, number>()
      table.set(name, row.set(given, (row.get(given) ?? 0) + part[cell]))
      all += part[cell]
      if (given === name) right += part[cell]
    }
  }
  return { accuracy: right / all, table: new Map([...table].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** For each fold, how much of every cell is in it: whole counts are dealt one by one, fractions stay together. */
const deal = ({ cells, values }: Tensor, folds: number, seed: number): Float64Array[] => {
  const held = Array.from({ length: folds }, () => new Float64Array(cells))
  const { below } = random(seed, 'fold')
  for (let cell = 0; cell < cells; cell++) {
    const value = values[cell]
    if (!Number.isInteger(value)) held[below(folds)][cell] += value
    else for (let i = 0; i < value; i++) held[below(folds)][cell]++
  }
  return held
}
