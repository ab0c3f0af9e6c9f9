import type { ImputationScore, ImputationScoreOptions } from '@polyad/core'
import { filledNumbers, posteriorInto } from '@polyad/core/model'
import { imputationScorer } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN, NOT_OBSERVED } from '../duckdb/messages.ts'
import { labelProbabilities } from '../duckdb/posterior-labels.ts'
import { identifier, literal } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { writeTable } from '../output/write-table.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { numberedRows } from '../source/relation/relation.ts'
import { valueSql } from '../source/relation/values.ts'
import { columnNamed, styled } from '../table/columns/columns.ts'
import { freeNames } from '../table/columns/new-columns.ts'
import { recodeOf, spellingOf } from '../table/view/reading.ts'
import { filledLinkedRows, readLinkedRows } from './linked-rows.ts'
import { type ModelTable, sqlName } from './model-table.ts'

/** Rows whose missing values can be filled: DuckDB answers for them in SQL (below), a small file from memory (small-impute.ts). */
export interface FillableRows {
  /** The column that says how often a row was seen; undefined where every row counts once. */
  readonly count: string | undefined
  /** For each mode, how many rows lack it, and how many have a label that the model has never seen. */
  countMissing(): Promise<{ rows: number; missing: readonly number[]; unseen: readonly number[] }>
  /**
   * Writes the table with every missing value filled, by its most probable label or, with `draws`, by draws; what is there stays as it is.
   * Draws stand one below the other, as R's mice has them: `.imp` is the draw, `.id` the row, and `.imputed` the columns that were filled.
   */
  write(output: string, drawing?: { readonly draws: number; readonly seed: number }): Promise<void>
  /** For every missing value the probability of every label. */
  distributions(): Promise<readonly Distribution[]>
  /** Hides some of the observed values, by how often their rows were seen, and says how well the model tells them. */
  scoreHidden(options: ImputationScoreOptions): Promise<ImputationScore>
}

/** Rows that DuckDB answers for. */
export const fillableTable = (tables: Tables, table: ModelTable, stored: StoredModel): FillableRows => ({
  count: table.count,
  countMissing: () => countMissing(tables, table),
  write: async (output, drawing) => {
    const { parameters } = stored.model
    const model = { parameters, numbers: filledNumbers(stored.model) }
    const linked = await filledLinkedRows(tables, table, stored, drawing)
    if (linked === undefined)
      await tables.ask(
        drawing === undefined ? { kind: 'fill', ...model } : { kind: 'draw', ...model, seed: drawing.seed },
      )
    await writeFilled(tables, table, stored, output, drawing?.draws, linked)
  },
  distributions: () => distributions(tables, table, stored),
  scoreHidden: options => scoreHidden(tables, table, stored, options),
})

/** For each mode of the model, how many rows lack it, and how many have a label it has never seen. */
const countMissing = async (
  tables: Tables,
  { relation, codes }: ModelTable,
): Promise<{ rows: number; missing: readonly number[]; unseen: readonly number[] }> => {
  const sums = [NOT_OBSERVED, NEVER_SEEN].flatMap(wanted =>
    codes.map(code => `CAST(count(*) FILTER (${code} = ${wanted}) AS DOUBLE)`),
  )
  const [[rows, ...counts]] = (await rewordErrors(relation, () =>
    tables.rows(`SELECT CAST(count(*) AS DOUBLE), ${sums.join(', ')} FROM ${relation.from}`),
  )) as number[][]
  return { rows, missing: counts.slice(0, codes.length), unseen: counts.slice(codes.length) }
}

const writeFilled = async (
  tables: Tables,
  table: ModelTable,
  { model, recipe }: StoredModel,
  output: string,
  draws: number | undefined,
  /** SQL of the rows with what they are filled with, if that is known. */
  linked: string | undefined,
): Promise<void> => {
  const { relation, codes, absent } = table
  const numbers = filledNumbers(model)
  // A number is filled in as it is, 5 and never 5.0; a category by its position.
  const filledText = (n: number) =>
    numbers[n] === undefined
      ? `[${labelTexts(model.modes[n]).map(literal).join(', ')}][CAST(polyad_filled[${n + 1}] AS INTEGER) + 1]`
      : `regexp_replace(CAST(polyad_filled[${n + 1}] AS VARCHAR), '[.]0$', '')`
  const replaced = recipe.modes.flatMap(({ column }, n) => {
    if (absent.includes(column)) return []
    const name = sqlName(table.seen, column)
    const filled = filledText(n)
    // A column that was recoded has its new categories throughout: old and new ones would be mixed otherwise.
    const own = columnNamed(table.seen, column, '', relation)
    const known =
      recodeOf(recipe, own.name).length > 0
        ? valueSql(styled(own, recipe.modes[n]), relation, spellingOf(recipe))
        : `CAST(${name} AS VARCHAR)`
    return [`CASE WHEN polyad_codes[${n + 1}] = ${NOT_OBSERVED} THEN ${filled} ELSE ${known} END AS ${name}`]
  })
  const added = recipe.modes.flatMap(({ column }, n) =>
    absent.includes(column) ? [`${filledText(n)} AS ${identifier(column)}`] : [],
  )
  const replace = replaced.length === 0 ? '' : ` REPLACE (${replaced.join(', ')})`
  const filled = (more: readonly string[]) =>
    `* EXCLUDE (${['polyad_codes', 'polyad_filled', ...more].join(', ')})${replace}${added.map(column => `, ${column}`).join('')}`
  const rows = (how: string, from: string) =>
    `(SELECT *, [${codes.join(', ')}] AS polyad_codes, ${how}${codes.join(', ')}) AS polyad_filled FROM ${from})`
  if (draws === undefined) {
    const places = linked === undefined ? [] : ['polyad_row', 'polyad_times']
    const from = linked ?? rows('polyad_fill(', relation.from)
    await writeTable(tables, relation, `SELECT ${filled(places)} FROM ${from}`, output)
    return
  }
  const [imp, id, imputed] = freeNames(table.seen.columns, ['.imp', '.id', '.imputed']).map(identifier)
  const numbered = `(SELECT row_number() OVER () AS polyad_row, * FROM ${relation.from}), (SELECT unnest(range(1, ${draws} + 1)) AS polyad_times)`
  const flags = recipe.modes.map(
    ({ column }, n) => `CASE WHEN polyad_codes[${n + 1}] = ${NOT_OBSERVED} THEN ${literal(column)} END`,
  )
  const drawn = linked ?? rows('polyad_draw(CAST(polyad_row - 1 AS DOUBLE), CAST(polyad_times AS DOUBLE), ', numbered)
  await writeTable(
    tables,
    relation,
    `SELECT polyad_times AS ${imp}, polyad_row AS ${id}, ${filled(['polyad_row', 'polyad_times'])}, nullif(concat_ws(';', ${flags.join(', ')}), '') AS ${imputed} ` +
      `FROM ${drawn} ORDER BY polyad_times, polyad_row`,
    output,
  )
}

const scoreHidden = async (
  tables: Tables,
  { relation, codes, weight }: ModelTable,
  { model }: StoredModel,
  options: ImputationScoreOptions,
): Promise<ImputationScore> => {
  const scorer = imputationScorer(model, options)
  const sql = `SELECT ${weight}, ${codes.map(code => `CAST(${code} AS INTEGER)`).join(', ')} FROM ${relation.from}`
  await rewordErrors(relation, () =>
    tables.columns(sql, ([counts, ...columns]) =>
      scorer.add(
        columns.map(column => Int32Array.from(column, code => Math.max(code, NOT_OBSERVED))),
        counts,
      ),
    ),
  )
  return scorer.result()
}

export const labelTexts = (mode: StoredModel['model']['modes'][number]): string[] =>
  Array.from({ length: mode.size }, (_, j) => String(mode.label(j)))

export type Distribution = readonly [row: number, mode: string, label: string, probability: number]

/** For every missing value the probability of every label: row (from 1), mode, label, probability. */
const distributions = async (tables: Tables, table: ModelTable, stored: StoredModel): Promise<Distribution[]> => {
  const { relation, codes } = table
  const { model } = stored
  const { parameters, rank } = model
  const linked = await readLinkedRows(tables, table, stored)
  let place = 0
  const posterior = new Float64Array(model.rank)
  const result: Distribution[] = []
  const numbered = `(SELECT polyad_row, ${codes.map((code, n) => `${code} AS c${n}`).join(', ')} FROM ${numberedRows(relation)})`
  const anyMissing = codes.map((_, n) => `c${n} = ${NOT_OBSERVED}`).join(' OR ')
  const sql = `SELECT CAST(polyad_row AS DOUBLE), ${codes.map((_, n) => `CAST(c${n} AS INTEGER)`).join(', ')} FROM ${numbered}${linked === undefined ? ` WHERE ${anyMissing}` : ''} ORDER BY 1`
  await rewordErrors(relation, () =>
    tables.columns(sql, ([rows, ...columns]) => {
      const indices = columns.map(column => Int32Array.from(column, code => (code < 0 ? NOT_OBSERVED : code)))
      rows.forEach((row, i) => {
        if (linked === undefined) posteriorInto(parameters, indices, i, posterior)
        else posterior.set(linked.scores.posteriors.subarray(place * rank, (place + 1) * rank))
        place++
        columns.forEach((column, n) => {
          if (column[i] !== NOT_OBSERVED) return
          labelProbabilities(parameters.factors[n], posterior).forEach((probability, j) => {
            result.push([row, model.modes[n].name, String(model.modes[n].label(j)), probability])
          })
        })
      })
    }),
  )
  return result
}
