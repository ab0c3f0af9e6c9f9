import { OptionError } from '@polyad/core'
import type { Tables } from '../../duckdb/client.ts'
import type { StoredModel } from '../../output/model-store.ts'
import { modelCodes } from '../../scoring/model-codes.ts'
import { duckView } from '../../source/duck-view.ts'
import { numberSql } from '../../source/relation/bin-sql.ts'
import { rewordErrors } from '../../source/relation/faults.ts'
import type { Relation } from '../../source/relation/relation.ts'
import { valueSql } from '../../source/relation/values.ts'
import { columnNamed, findColumn, inspect } from '../../table/columns/columns.ts'
import { scoreColumns } from '../../table/columns/new-columns.ts'
import { missingOf } from '../../table/view/reading.ts'
import type { SentTable } from './connection.ts'
import { databaseView } from './database-view.ts'
import type { KeyedMode } from './dialect.ts'
import type { Database } from './session.ts'

/** The rows of a table as a model sees them. */
export interface ModelView {
  readonly modes: readonly KeyedMode[]
  /** The dictionaries of the modes, to be sent along. */
  readonly dictionaries: readonly SentTable[]
  /** Columns of the model that the table lacks. */
  readonly absent: readonly string[]
  /** SQL of a column by which rows are to be counted. */
  weight(count: string | undefined): string | undefined
  /** The columns that are appended to classified rows, with those of some posteriors. */
  scoreColumns(posteriors: readonly (string | number)[]): string[]
}

/** Refuses models whose rows a statement cannot tell the classes of. */
export const checkPlain = ({ model }: Pick<StoredModel, 'model'>): void => {
  if (model.structure.kind !== 'shares')
    throw new OptionError(
      'only models without covariates, waves of persons and classes of groups can be applied inside a database: read the rows from files, and write them to one',
    )
}

/** In DuckDB rows are understood as those of files are: numbers by value, bins, joined columns and all. */
export const viewDuckdb = (tables: Tables, relation: Relation, stored: StoredModel): Promise<ModelView> => {
  checkPlain(stored)
  return rewordErrors(relation, async () => {
    const seen = await inspect(await duckView(tables, relation), { missing: stored.recipe.missing })
    const { codes, absent } = await modelCodes(tables, relation, seen, stored)
    return {
      // Codes of scoring are positions from 0, −1 where missing and −2 where never seen.
      modes: codes.map((code, n) => ({ key: `nullif(${code}, -1)`, dictionary: `d${n}`, missing: 0, unseen: 0 })),
      dictionaries: stored.model.modes.map(({ size }, n) =>
        dictionary(
          n,
          Int32Array.from({ length: size }, (_, position) => position),
        ),
      ),
      absent,
      weight: count => {
        if (count === undefined) return undefined
        return numberSql(valueSql(columnNamed(seen, count, ' to count by', relation), relation, { missing: [] }))
      },
      scoreColumns: posteriors => scoreColumns(seen.columns, posteriors),
    }
  })
}

/** In any other database: labels by their text, or by their value where all of a mode's are numbers. */
export const viewTable = async (
  database: Database,
  from: string,
  name: string,
  stored: StoredModel,
): Promise<ModelView> => {
  checkPlain(stored)
  const { dialect } = database
  const { recipe, model } = stored
  const unlike = recipe.modes.find(({ binning, parts }) => binning !== undefined || parts !== undefined)
  if (unlike !== undefined || recipe.recode !== undefined || recipe.trim === true || recipe.ignoreCase === true)
    throw new OptionError(
      `${unlike?.column ?? 'this model'} was cut, joined, recoded or cleaned by DuckDB's rules, which ${dialect.name} does not have: make a view with its categories, and fit that`,
    )
  const view = await databaseView(database, from, name)
  const seen = await inspect(view, { missing: recipe.missing })
  const columns = recipe.modes.map(({ column }) => findColumn(seen.columns, column))
  if (columns.every(column => column === undefined))
    columnNamed(seen, recipe.modes[0].column, ', nor any other that the model knows', { name })
  const dictionaries: SentTable[] = []
  const modes = recipe.modes.map(({ missingAs, other }, n): KeyedMode => {
    const mode = model.modes[n]
    const labels = Array.from({ length: mode.size }, (_, position) => mode.label(position))
    const isNumber = labels.every(label => typeof label === 'number')
    dictionaries.push(dictionary(n, isNumber ? Float64Array.from(labels as number[]) : labels.map(String)))
    const codeOf = (label: string | undefined) => (label === undefined ? 0 : (mode.indexOf(label) ?? -1) + 1)
    const column = columns[n]
    const text = column === undefined ? "nullif('', '')" : view.text(column, missingOf(recipe, column.name))
    return {
      key: isNumber ? dialect.number(text) : text,
      dictionary: `d${n}`,
      missing: codeOf(missingAs),
      unseen: codeOf(other),
    }
  })
  return {
    modes,
    dictionaries,
    absent: recipe.modes.flatMap(({ column }, n) => (columns[n] === undefined ? [column] : [])),
    weight: count =>
      count === undefined
        ? undefined
        : dialect.number(view.text(columnNamed(seen, count, ' to count by', { name }), [])),
    scoreColumns: posteriors => scoreColumns(seen.columns, posteriors),
  }
}

const dictionary = (n: number, labels: Int32Array | Float64Array | readonly string[]): SentTable => ({
  name: `d${n}`,
  rows: labels.length,
  columns: [
    { name: 'label', values: labels },
    { name: 'code', values: Int32Array.from({ length: labels.length }, (_, position) => position + 1) },
  ],
})
