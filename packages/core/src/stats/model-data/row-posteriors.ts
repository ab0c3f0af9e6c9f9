import { emit, newEmission } from '../../model/links/emission.ts'
import type { Model } from '../../model/model.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { LinkedData } from './linked-data.ts'
import { placeLinks } from './placed-links.ts'

/** The probabilities of the classes of a row, and how much of the data it is. */
export interface RowPosterior {
  readonly probabilities: readonly number[]
  readonly count: number
}

/**
 * P[class | all rows of the person or group] of every row with an answer.
 * @example
 * const { linked } = await fitStructured(answers, { rank: 2, within: 'age', groupClasses: 1, starts: 2 })
 * linkedPosteriors(linked!.model, linked!.data).length > 0 // true
 */
export const linkedPosteriors = (model: Model, data: LinkedData): RowPosterior[] => {
  const { links, factors, tables, rank } = placeLinks(model, data)
  const { starts, cells, weights, counts } = data.links.rows
  const emission = newEmission(data.items.cells, rank)
  emit({ rank, factors }, data.items.indices, emission)
  const rows = new Float64Array(cells.length * rank)
  const sums = { cells: new Float64Array(data.items.cells * rank), tables: new Float64Array(links.size), rows }
  links.expect(emission, tables, sums)
  const found: RowPosterior[] = []
  weights.forEach((weight, unit) => {
    for (let row = starts[unit]; row < starts[unit + 1]; row++)
      if (cells[row] !== MISSING)
        found.push({
          probabilities: [...rows.subarray(row * rank, (row + 1) * rank)],
          count: weight * (counts?.[row] ?? 1),
        })
  })
  return found
}
