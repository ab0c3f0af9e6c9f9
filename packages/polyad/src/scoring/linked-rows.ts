import { MISSING, type Model } from '@polyad/core'
import { drawMissing, filledNumbers, isLinked, type LinkedStructure, numberFiller } from '@polyad/core/model'
import { omit } from '@polyad/core/options'
import type { LinkableRows } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import { likeliestValue } from '../duckdb/posterior-labels.ts'
import { literal } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { numberedRows } from '../source/relation/relation.ts'
import { valueSql } from '../source/relation/values.ts'
import { columnNamed, type Inspection } from '../table/columns/columns.ts'
import { type LinkedScores, linkableRows, linkedScores, type UnitColumn } from '../table/memory/linked-scores.ts'
import type { ModelTable } from './model-table.ts'
import type { SmallModelTable } from './small-model-table.ts'

/** The column that says which rows belong together. */
export const unitColumn = (structure: LinkedStructure, seen: Inspection, name: string) =>
  structure.kind === 'chain'
    ? columnNamed(seen, structure.person, ', the persons of the model', { name })
    : columnNamed(seen, structure.within, ', the groups of the model', { name })

/** The structure of a model whose rows belong together; undefined for others. */
const linkedIn = ({ structure }: Model): LinkedStructure | undefined => (isLinked(structure) ? structure : undefined)

/** The same of columns: the codes of all modes, persons or groups, counts, and what is given. */
const linkable = (columns: readonly ArrayLike<number>[], structure: LinkedStructure, modes: number): LinkableRows => {
  const codes = columns.slice(0, modes).map(column => Int32Array.from(column))
  const [units, counts, ...given] = columns.slice(modes)
  return linkableRows(structure, { codes, units: Int32Array.from(units), counts, given })
}

/** What a model says of the used rows of a small table, spread over all of its rows; undefined if nothing links them. */
export const smallLinkedScores = (table: SmallModelTable, { model, recipe }: StoredModel): LinkedScores | undefined => {
  const structure = linkedIn(model)
  if (structure === undefined) return undefined
  const { view, seen, codes, given, counts, used } = table
  const { texts, codes: units } = view.values(unitColumn(structure, seen, view.name), recipe)
  const columns = [...codes, units, counts, ...given]
  const found = linkedScores(
    model,
    linkable(
      columns.map(column => Float64Array.from(used, row => column[row])),
      structure,
      codes.length,
    ),
    unit => texts[unit],
  )
  if (used.length === view.rows) return found
  const { rank } = model
  const posteriors = new Float64Array(view.rows * rank)
  used.forEach((row, i) => void posteriors.set(found.posteriors.subarray(i * rank, (i + 1) * rank), row * rank))
  const spread = <T extends Int32Array | Float64Array>(values: T, into: T): T => {
    used.forEach((row, i) => {
      into[row] = values[i]
    })
    return into
  }
  return {
    ...found,
    posteriors,
    classes: spread(found.classes, new Int32Array(view.rows)),
    probabilities: spread(found.probabilities, new Float64Array(view.rows)),
    logLikelihoods: spread(found.logLikelihoods, new Float64Array(view.rows)),
    draw: (seed, draw) => spread(found.draw(seed, draw), new Int32Array(view.rows)),
    columns: found.columns.map(column => ({ ...column, values: spread(column.values, new Float64Array(view.rows)) })),
  }
}

/** Numbers of the rows of a table in DuckDB, in their order, and the names of persons or groups. */
export const readUnitRows = async (
  tables: Tables,
  { relation, seen, given, weight }: Pick<ModelTable, 'relation' | 'seen' | 'given' | 'weight'>,
  { recipe }: StoredModel,
  structure: LinkedStructure,
  codes: readonly string[],
): Promise<{ readonly columns: readonly (readonly number[])[]; readonly names: readonly string[] }> => {
  const unit = valueSql(unitColumn(structure, seen, relation.name), relation, recipe)
  const number = `CASE WHEN ${unit} IS NULL THEN -1 ELSE dense_rank() OVER (ORDER BY ${unit}) END`
  const wanted = [...codes, number, weight, ...given.map(sql => `coalesce(${sql}, 'NaN'::DOUBLE)`)]
  const columns = wanted.map((): number[] => [])
  const select = wanted.map(sql => `CAST(${sql} AS DOUBLE)`).join(', ')
  await rewordErrors(relation, () =>
    tables.columns(`SELECT ${select} FROM ${numberedRows(relation)} ORDER BY polyad_row`, piece =>
      piece.forEach((column, i) => {
        for (const value of column) columns[i].push(value)
      }),
    ),
  )
  const names = (await tables.rows(
    `SELECT DISTINCT CAST(${unit} AS VARCHAR) FROM ${relation.from} WHERE ${unit} IS NOT NULL ORDER BY ${unit}`,
  )) as string[][]
  return { columns, names: names.map(([name]) => name) }
}

/** What a model says of the rows of a table in DuckDB, which are read together, and their codes; undefined if nothing links them. */
export const readLinkedRows = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
): Promise<{ readonly scores: LinkedScores; readonly codes: readonly Int32Array[] } | undefined> => {
  const structure = linkedIn(stored.model)
  if (structure === undefined) return undefined
  const { codes } = table
  const { columns, names } = await readUnitRows(tables, table, stored, structure, codes)
  const rows = linkable(columns, structure, codes.length)
  return { scores: linkedScores(stored.model, rows, at => names[at - 1]), codes: rows.codes }
}

/** The table that the rows and what was computed for them are in. */
const LINKED_TABLE = 'polyad_linked'

/**
 * Makes a table of the rows with numbers that were computed for them as `polyad_result`, their places (from 1) as `polyad_row`, and `polyad_times` from 1.
 * @param columns of numbers: for all rows, and again for all rows if there are several times
 */
const joinResults = async (
  tables: Tables,
  relation: ModelTable['relation'],
  columns: readonly Float64Array[],
  times = 1,
): Promise<void> => {
  const names = columns.map((_, i) => `s${i}`)
  const rows = columns[0].length
  const each = rows / times
  const numbered = `SELECT *, row_number() OVER (ORDER BY polyad_row) AS polyad_at FROM ${numberedRows(relation)}`
  const sent = 'SELECT *, row_number() OVER () - 1 AS polyad_place FROM polyad_scores'
  await rewordErrors(relation, () =>
    tables.run(
      `CREATE OR REPLACE TEMP TABLE ${LINKED_TABLE} AS SELECT found.* EXCLUDE (polyad_at, polyad_row), polyad_at AS polyad_row, ` +
        `polyad_place // ${each} + 1 AS polyad_times, [${names.join(', ')}] AS polyad_result ` +
        `FROM (${sent}) AS scores JOIN (${numbered}) AS found ON polyad_at = polyad_place % ${each} + 1 ORDER BY polyad_place`,
      [{ name: 'polyad_scores', rows, columns: columns.map((values, i) => ({ name: names[i], values })) }],
    ),
  )
}

/**
 * What a model says of the rows of a table in DuckDB, which are read together, and the table with it as `polyad_result`: [class from 0, its probability, log-likelihood of
 * the person or group, every posterior, the columns of persons or groups …]. Undefined if nothing links them.
 */
export const linkedTable = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
): Promise<{ readonly table: ModelTable; readonly scores: LinkedScores } | undefined> => {
  const { relation } = table
  const scores = (await readLinkedRows(tables, table, stored))?.scores
  if (scores === undefined) return undefined
  const { rank } = stored.model
  const { posteriors, classes } = scores
  await joinResults(tables, relation, [
    Float64Array.from(classes),
    scores.probabilities,
    scores.logLikelihoods,
    ...Array.from({ length: rank }, (_, k) => Float64Array.from(classes, (_, row) => posteriors[row * rank + k])),
    ...scores.columns.map(({ values }) => values),
  ])
  const from = `(SELECT * EXCLUDE (polyad_result, polyad_row, polyad_times) FROM ${LINKED_TABLE})`
  const linked = `(SELECT * EXCLUDE (polyad_row, polyad_times) FROM ${LINKED_TABLE})`
  return { table: { ...table, relation: { ...omit(relation, 'chosen'), from }, linked }, scores }
}

/**
 * SQL of the rows of a table in DuckDB with the code of every mode as `polyad_filled`, the missing ones filled or drawn, given all rows of each person or group; their
 * places as `polyad_row`, and draws as `polyad_times`. Undefined if nothing links them.
 */
export const filledLinkedRows = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  drawing: { readonly draws: number; readonly seed: number } | undefined,
): Promise<string | undefined> => {
  const found = await readLinkedRows(tables, table, stored)
  if (found === undefined) return undefined
  const { model } = stored
  const { rank, parameters } = model
  const indices = found.codes.map(own => own.map(code => Math.max(code, MISSING)))
  const rows = indices[0].length
  const numbers = numberFiller(filledNumbers(model), rank)
  const times = drawing?.draws ?? 1
  const filled = indices.map(() => new Float64Array(rows * times))
  const own = new Float64Array(indices.length)
  for (let time = 0; time < times; time++) {
    const classes = drawing && found.scores.draw(drawing.seed, time + 1)
    for (let row = 0; row < rows; row++) {
      if (drawing !== undefined) {
        const at = { seed: drawing.seed, draw: time + 1, row }
        drawMissing(parameters, indices, row, at, own, numbers, classes![row])
      }
      const posterior = found.scores.posteriors.subarray(row * rank, (row + 1) * rank)
      indices.forEach((column, n) => {
        const known = column[row] !== MISSING
        const most = () => (known ? column[row] : likeliestValue(parameters, numbers, n, posterior))
        filled[n][time * rows + row] = drawing === undefined ? most() : own[n]
      })
    }
  }
  await joinResults(tables, table.relation, filled, times)
  return `(SELECT * EXCLUDE (polyad_result), [${table.codes.join(', ')}] AS polyad_codes, polyad_result AS polyad_filled FROM ${LINKED_TABLE})`
}

/** What is asked for of the columns of persons and groups. */
export interface WantedColumns {
  readonly posterior: boolean
  readonly path: boolean
}

/** Whether a column of persons or groups is appended. */
export const isWanted = ({ option }: UnitColumn, wanted: WantedColumns): boolean =>
  option === undefined || wanted[option]

/** The columns of persons or groups that are appended, with SQL of their values. */
export const linkedColumns = (
  { columns }: LinkedScores,
  { model: { rank, classNames } }: StoredModel,
  wanted: WantedColumns,
): (readonly [name: string, sql: string])[] =>
  columns.flatMap((column, i) => {
    if (!isWanted(column, wanted)) return []
    const value = `polyad_result[${4 + rank + i}]`
    const number = `CAST(nullif(${value}, 'NaN'::DOUBLE) AS INTEGER)`
    const named = classNames === undefined ? `${number} + 1` : `[${classNames.map(literal).join(', ')}][${number} + 1]`
    return [[column.name, column.isClass ? named : column.isNumber ? value : number] as const]
  })
