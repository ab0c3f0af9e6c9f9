import { MISSING } from '@polyad/core'
import { drawMissing, filledNumbers, numberFiller, posteriorInto } from '@polyad/core/model'
import { imputationScorer } from '@polyad/core/stats'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import { labelProbabilities, likeliestValue } from '../duckdb/posterior-labels.ts'
import type { StoredModel } from '../output/model-store.ts'
import { writeLines } from '../output/write-rows.ts'
import { findColumn, styled } from '../table/columns/columns.ts'
import { freeNames } from '../table/columns/new-columns.ts'
import { recodeOf, spellingOf } from '../table/view/reading.ts'
import { type Distribution, type FillableRows, labelTexts } from './impute-table.ts'
import { smallLinkedScores } from './linked-rows.ts'
import { type SmallModelTable, writtenColumn } from './small-model-table.ts'

/** Rows of a small table, which is in memory. */
export const fillableSmallTable = (table: SmallModelTable, stored: StoredModel): FillableRows => {
  const { model, recipe } = stored
  const { view, seen, codes, counts, used, absent } = table
  const { parameters, modes } = model
  const { factors } = parameters
  // To the model, what it has never seen is missing.
  const indices = codes.map(own => own.map(code => Math.max(code, MISSING)))
  const posterior = new Float64Array(model.rank)
  const linked = smallLinkedScores(table, stored)
  /** What is known of a row's class, given all rows of its person or group if there is one. */
  const readPosterior = (row: number) => {
    if (linked === undefined) posteriorInto(parameters, indices, row, posterior)
    else posterior.set(linked.posteriors.subarray(row * model.rank, (row + 1) * model.rank))
  }
  const labels = modes.map(labelTexts)
  const numbers = numberFiller(filledNumbers(model), model.rank)
  const most = (row: number): ArrayLike<number> => {
    readPosterior(row)
    return factors.map((_, n) =>
      indices[n][row] === MISSING ? likeliestValue(parameters, numbers, n, posterior) : indices[n][row],
    )
  }
  const textOf = (n: number, filled: number) => (numbers.isNumber(n) ? String(filled) : labels[n][filled])
  /** For each column of the table, which mode it is, and its values as they stay; and then the modes that the table lacks. */
  const columns = [
    ...view.columns.map(({ key }) => {
      const column = seen.columns.find(own => own.key === key)!
      const n = recipe.modes.findIndex(own => findColumn(seen.columns, own.column)?.key === key)
      // A column that was recoded has its new categories throughout: old and new ones would be mixed otherwise.
      const isRecoded = n >= 0 && recodeOf(recipe, column.name).length > 0
      const values = isRecoded
        ? view.values(styled(column, recipe.modes[n]), spellingOf(recipe))
        : writtenColumn(table, column)
      return { name: key, n, values }
    }),
    ...recipe.modes.flatMap(({ column: name }, n) => (absent.includes(name) ? [{ name, n, values: undefined }] : [])),
  ]
  const header = columns.map(({ name }) => name)
  const filledRow = (row: number, filled: ArrayLike<number>): (string | null)[] =>
    columns.map(({ n, values }) =>
      n >= 0 && codes[n][row] === MISSING ? textOf(n, filled[n]) : (values?.texts[values.codes[row]] ?? null),
    )
  const rowsWith = (code: number) => codes.map(own => used.reduce((sum, row) => (own[row] === code ? sum + 1 : sum), 0))
  return {
    count: table.count,
    countMissing: async () => ({ rows: used.length, missing: rowsWith(MISSING), unseen: rowsWith(NEVER_SEEN) }),
    write: (output, drawing) => {
      function* rows(): Generator<readonly (string | null)[]> {
        if (drawing === undefined) {
          yield header
          for (const row of used) yield filledRow(row, most(row))
          return
        }
        const [imp, id, imputed] = freeNames(seen.columns, ['.imp', '.id', '.imputed'])
        const drawn = new Float64Array(modes.length)
        yield [imp, id, ...header, imputed]
        for (let draw = 1; draw <= drawing.draws; draw++) {
          const classes = linked?.draw(drawing.seed, draw)
          for (const [place, row] of used.entries()) {
            const at = { seed: drawing.seed, draw, row: place }
            drawMissing(parameters, indices, row, at, drawn, numbers, classes?.[row])
            const filled = recipe.modes.flatMap(({ column }, n) => (codes[n][row] === MISSING ? [column] : []))
            yield [`${draw}`, `${place + 1}`, ...filledRow(row, drawn), filled.length === 0 ? null : filled.join(';')]
          }
        }
      }
      return writeLines(rows(), output)
    },
    distributions: async () => {
      const result: Distribution[] = []
      for (const row of used) {
        if (codes.every(own => own[row] !== MISSING)) continue
        readPosterior(row)
        codes.forEach((own, n) => {
          if (own[row] !== MISSING) return
          labelProbabilities(factors[n], posterior).forEach((probability, j) => {
            result.push([(view.places?.[row] ?? row) + 1, modes[n].name, labels[n][j], probability])
          })
        })
      }
      return result
    },
    scoreHidden: async options => {
      const scorer = imputationScorer(model, options)
      scorer.add(
        indices.map(own => Int32Array.from(used, row => own[row])),
        Float64Array.from(used, row => counts[row]),
      )
      return scorer.result()
    },
  }
}
