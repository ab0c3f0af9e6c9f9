import { OptionError } from '@polyad/core'
import type { RelationOptions } from '../../source/relation/relation.ts'
import { chooseModes } from '../../table/columns/choose-modes.ts'
import { type Column, columnNamed, type Inspection } from '../../table/columns/columns.ts'
import { NO_COUNT } from '../../table/columns/count-column.ts'
import { givenCodes, unusedNote } from '../../table/columns/missing-codes.ts'
import type { TableOptions } from '../../table/reading/read-view.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import type { OrderedLabels } from '../../table/values/labels.ts'
import type { Note } from '../../table/values/note.ts'
import { readingOf } from '../../table/view/reading.ts'
import type { Recipe } from '../../table/view/recipe.ts'
import { retried } from './retry.ts'
import type { Database } from './session.ts'

/** A mode as it is to be made from rows. */
export interface PlannedMode {
  readonly name: string
  /** SQL of what tells its labels apart, NULL where missing. */
  readonly key: string
  /** The labels in their order, from all texts that were found. */
  order(texts: readonly string[]): OrderedLabels | Promise<OrderedLabels>
  /** Whether neighbouring labels are alike; where it is not said, numbers are. */
  readonly ordered?: boolean
  /** Keep this many of the most frequent labels, and merge the rest. */
  readonly top: number | undefined
}

/** How a table in a database is read. */
export interface TablePlan {
  /** The rows, as SQL after FROM, and what to call them in messages. */
  readonly from: string
  readonly name: string
  readonly modes: readonly PlannedMode[]
  /** SQL of how often a row was seen, and the name of its column; undefined where every row counts once. */
  readonly weight: string | undefined
  readonly count: string | undefined
  readonly notes: readonly Note[]
  /** The recipe for new data, given for each mode how many labels were merged. */
  recipe(merged: readonly number[]): Recipe
}

/** Rows that are looked at for the choice of modes. */
const SAMPLE = 20_000

/**
 * The plan of a table in any database: the modes that are named, else the columns that look categorical by a summary of the first rows. What is
 * done by DuckDB's own functions elsewhere (bins, counts found by evidence) is not: such options are refused.
 */
export const planTable = async (
  database: Database,
  from: string,
  name: string,
  options: TableOptions & Pick<RelationOptions, 'sql'>,
): Promise<TablePlan> => {
  for (const option of ['bins', 'weights', 'design', 'trim', 'ignoreCase', 'timeZone', 'sql'] as const)
    if (options[option] !== undefined && options[option] !== false)
      throw new OptionError(
        `${option} cannot be used with tables of ${database.dialect.name}: make a view of the table`,
      )
  const { dialect } = database
  const reading = readingOf(options)
  const seen = await inspectTable(database, from, reading.missing)
  const count =
    options.count === undefined || options.count === 'none'
      ? undefined
      : columnNamed(seen, options.count, ' for count', { name })
  const { columns, notes } = chooseModes(seen, { name }, options, { ...NO_COUNT, column: count }, new Map())
  const text = ({ key, type }: Column, missing = reading.missing) =>
    dialect.text(dialect.identifier(key), type, missing)
  const codes = givenCodes(reading)
  const [matches = []] =
    codes.length === 0
      ? []
      : await retried(database.connection, {}, () => {
          const matched = (column: Column, code: string) =>
            `count(${text(column, [])}) - count(${text(column, [code])})`
          const sums = codes.map(code => `1e0 * (${columns.map(column => matched(column, code)).join(' + ')})`)
          return database.connection.rows(`SELECT ${sums.join(', ')} FROM ${from}`)
        })
  const unused = codes.filter((_, i) => Number(matches[i]) === 0)
  const modes = columns.map((column): PlannedMode => {
    const key = text(column)
    return {
      name: column.name,
      key: options.missingAs === undefined ? key : `coalesce(${key}, ${dialect.literal(options.missingAs)})`,
      order: texts => dictionaryOf({ column: column.name, binning: undefined }, texts),
      top: options.include?.includes(column.name) ? undefined : options.top,
    }
  })
  return {
    from,
    name,
    modes,
    weight: count === undefined ? undefined : dialect.number(text(count)),
    count: count?.name,
    notes: [...notes, ...unusedNote(unused, seen.columns)],
    recipe: merged => ({
      modes: columns.map((column, n) => ({
        column: column.name,
        ...(options.missingAs === undefined ? {} : { missingAs: options.missingAs }),
        ...(merged[n] > 0 ? { other: '(other)' } : {}),
      })),
      ...reading,
    }),
  }
}

/** What the columns of a table look like, from its first rows. */
export const inspectTable = async (
  { dialect, connection }: Database,
  from: string,
  missing: readonly string[],
): Promise<Inspection> => {
  const described = (await retried(connection, {}, () => connection.rows(dialect.describe(from)))).map(row =>
    row.map(String),
  )
  const sample = `(SELECT * FROM ${from} LIMIT ${SAMPLE}) polyad_sample`
  const texts = described.map(([name, type]) => dialect.text(dialect.identifier(name), type, missing))
  const known = described.map(([, type]) => dialect.kindOf(type) !== 'other')
  const measures = texts.flatMap((text, i) =>
    known[i] ? [`count(${text})`, `count(DISTINCT ${text})`, `count(${dialect.number(text)})`] : [],
  )
  const [figures] = await retried(connection, {}, () =>
    connection.rows(`SELECT ${['count(*)', ...measures].map(count => `1e0 * ${count}`).join(', ')} FROM ${sample}`),
  )
  const [rows, ...own] = figures.map(Number)
  const columns = described.map(([name, type], i): Column => {
    const first = 3 * known.slice(0, i).filter(Boolean).length
    const [present, distinct, numbers] = known[i] ? own.slice(first) : [0, 0, 0]
    const kind = dialect.kindOf(type)
    const isNumber = kind === 'whole' || kind === 'number' || (kind === 'text' && numbers === present)
    return {
      name,
      key: name,
      type,
      distinct,
      numeric: present === 0 ? 0 : numbers / present,
      missing: rows - present,
      // Nothing here asks for it, and another scan would be needed.
      range: [0, 0],
      word: undefined,
      kind:
        kind === 'other' ? 'nested' : present === 0 ? 'empty' : kind === 'date' ? 'date' : isNumber ? 'number' : 'text',
    }
  })
  return { columns, rows, all: rows < SAMPLE }
}
