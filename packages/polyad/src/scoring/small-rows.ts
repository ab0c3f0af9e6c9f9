import type { StoredModel } from '../output/model-store.ts'
import { writeLines } from '../output/write-rows.ts'
import { findColumn } from '../table/columns/columns.ts'
import { scoreColumns } from '../table/columns/new-columns.ts'
import { doubleText } from '../table/memory/numbers.ts'
import { compareTexts } from '../table/memory/read-texts.ts'
import { rowExplainer, scoreRows, summarizeRows } from '../table/memory/row-scores.ts'
import type { TextColumn } from '../table/memory/text-dictionary.ts'
import { surprisingRow } from './explain-table.ts'
import { isWanted, smallLinkedScores } from './linked-rows.ts'
import { anomalyColumns } from './score-table.ts'
import type { ScoredRows } from './scored-rows.ts'
import { type ShareRow, sharesOf } from './share-errors.ts'
import { readSmallRows } from './small-model-rows.ts'
import { type SmallModelTable, sampleSmallTable, writtenColumn } from './small-model-table.ts'
import type { SampleRequest } from './table-sample.ts'

/** Rows of a small table, which is in memory. Whatever is added up is added in the order in which DuckDB does it. */
export const scoredSmallTable = async (
  table: SmallModelTable,
  stored: StoredModel,
  request: SampleRequest,
): Promise<ScoredRows> => {
  const { model } = stored
  const { view, seen, codes, predictors, counts, used } = table
  const sample = await sampleSmallTable(table, stored, request)
  const { raw, mean } = sample.weights
  const weigh = (row: number) => raw[row] / mean
  const weight = (row: number) => counts[row] * weigh(row)
  const linked = smallLinkedScores(table, stored)
  const scores = linked ?? scoreRows(table, model)
  const { classes, probabilities, logLikelihoods, posteriors } = scores
  const names = model.shares.map((_, k) => model.classNames?.[k] ?? `${k + 1}`)
  const written = (name: string): TextColumn => writtenColumn(table, findColumn(seen.columns, name)!)
  const columns = anomalyColumns(table, stored)
  const shown = (row: number) => ({
    row: (view.places?.[row] ?? row) + 1,
    count: counts[row],
    class: names[classes[row]],
    probability: probabilities[row],
    values: columns.map(name => textOf(written(name), row)),
  })
  const explainRow = rowExplainer(model.parameters, model.total)
  /** Of the rows that were seen at all those that come first. */
  const first = (limit: number, keys: Float64Array, sign: 1 | -1): number[] =>
    Array.from(used.filter(row => counts[row] > 0))
      .sort((a, b) => sign * compareNumbers(keys[a], keys[b]) || a - b)
      .slice(0, limit)
  return {
    seen,
    count: table.count,
    absent: table.absent,
    left: table.left,
    sample,
    ...(linked !== undefined && { units: linked.units }),
    summary: async () => ({
      ...summarizeRows(scores, codes, model.rank, used, weight),
      ...(linked !== undefined && { logLikelihood: linked.logLikelihood }),
    }),
    shareErrors: async () => {
      const { weights, cluster, stratum } = sample
      if (weights.column === undefined && cluster === undefined) return undefined
      const rows = new Map<string, [...ShareRow]>()
      const drawn = (row: number) =>
        [cluster, stratum].map(each => (each === undefined ? '' : each.texts[each.codes[row]]))
      for (const row of used) {
        const [c, h] = drawn(row)
        const key = JSON.stringify([c, h, classes[row]])
        const sums = rows.get(key) ?? [c, h, classes[row], 0, 0, 0]
        sums[3] += weight(row)
        sums[4] += weight(row) * weigh(row)
        sums[5] += counts[row]
        rows.set(key, sums)
      }
      // Clusters whose rows were left out are part of the sample all the same.
      const others = new Map<string, ShareRow>()
      if (cluster !== undefined && used.length < view.rows)
        for (let row = 0; row < view.rows; row++) {
          const [c, h] = drawn(row)
          others.set(JSON.stringify([c, h]), [c, h, 0, 0, 0, 0])
        }
      const inOrder = (all: Iterable<ShareRow>) =>
        [...all].sort((a, b) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]) || a[2] - b[2])
      return sharesOf([...inOrder(rows.values()), ...inOrder(others.values())], model.rank, sample)
    },
    anomalies: async limit =>
      first(limit, logLikelihoods, 1).map(row => ({ ...shown(row), logLikelihood: logLikelihoods[row] })),
    surprises: async limit => {
      const rowScore = new Float64Array(view.rows)
      for (const row of used) rowScore[row] = explainRow(codes, predictors, row)[1]
      return first(limit, rowScore, -1).map(row =>
        surprisingRow(stored, columns, {
          ...shown(row),
          why: explainRow(codes, predictors, row),
          codes: codes.map(each => each[row]),
        }),
      )
    },
    read: wanted => readSmallRows(table, stored, sample, scores, wanted),
    crossTable: async column => {
      const values = written(column)
      const cross = new Map<string, Map<string, number>>()
      for (const row of used) {
        const value = textOf(values, row)
        if (value === null) continue
        const own = cross.get(value) ?? new Map<string, number>()
        own.set(names[classes[row]], (own.get(names[classes[row]]) ?? 0) + weight(row))
        cross.set(value, own)
      }
      return sorted(new Map([...cross].map(([value, own]) => [value, sorted(own)])))
    },
    write: (output, { posterior, explain, path = false }) => {
      const ofUnits = (linked?.columns ?? []).filter(column => isWanted(column, { posterior, path }))
      const known = seen.columns.map(column => writtenColumn(table, column))
      const more = explain ? ['surprise', 'surprise_score', 'surprise_by'] : ofUnits.map(({ name }) => name)
      const added = scoreColumns(seen.columns, posterior ? names : [], more)
      function* rows(): Generator<readonly (string | null)[]> {
        yield [...view.columns.map(({ key }) => key), ...added]
        for (const row of used) {
          const own = posterior ? posteriors.subarray(row * model.rank, (row + 1) * model.rank) : []
          const figures = [probabilities[row], logLikelihoods[row], ...own].map(doubleText)
          const [surprise, score, , most] = explain ? explainRow(codes, predictors, row) : []
          const why = explain
            ? [doubleText(surprise), doubleText(score), model.modes[most - 1]?.name ?? null]
            : ofUnits.map(({ values, isClass, isNumber }) => {
                if (Number.isNaN(values[row])) return null
                return isClass ? names[values[row]] : isNumber ? doubleText(values[row]) : `${values[row]}`
              })
          yield [...known.map(column => textOf(column, row)), names[classes[row]], ...figures, ...why]
        }
      }
      return writeLines(rows(), output)
    },
  }
}

const textOf = ({ texts, codes }: TextColumn, row: number): string | null => texts[codes[row]] ?? null

/** Numbers in their order; what is no number comes last, as in SQL. */
const compareNumbers = (a: number, b: number): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}

const sorted = <T>(map: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...map].sort(([a], [b]) => compareTexts(a, b)))
