import { defined } from '@polyad/core/options'
import type { Tables } from '../duckdb/client.ts'
import { type Reading, type ReadingOptions, readingOf, spellingOf } from '../table/view/reading.ts'
import type {
  CountFigures,
  CountPlan,
  FilteredRows,
  ModePlan,
  TableView,
  ValueTest,
  ViewColumn,
} from '../table/view/view.ts'
import { countCells } from './cells/count-cells.ts'
import type { CountSource, ModeSource } from './cells/keyed-rows.ts'
import { firstBadValue } from './relation/bad-value.ts'
import { binSql, numberSql, timeSql } from './relation/bin-sql.ts'
import { conditionSql } from './relation/condition-sql.ts'
import { rewordErrors } from './relation/faults.ts'
import { codesOfSample, frequentValues, measureColumns, repetitionOf } from './relation/measure-sql.ts'
import { filteredRelation, openRelation, type Relation, type RelationOptions } from './relation/relation.ts'
import { sampleOf } from './relation/sample-sql.ts'
import { valueSql } from './relation/values.ts'

/** Files, or a query over them, as a table that DuckDB answers for. What means missing in CSV is settled with it. */
export const openView = async (
  tables: Tables,
  paths: readonly string[],
  options: ReadingOptions & Omit<RelationOptions, 'missing'> = {},
): Promise<TableView> => {
  const relation = await openRelation(tables, paths, { ...options, missing: readingOf(options).missing })
  // DuckDB has done its part when all was asked; its memory is better used for the tensor.
  return { ...(await duckView(tables, relation, options.sql)), release: () => tables.close() }
}

/** A table that DuckDB answers for, and what it selects from. */
export interface DuckView extends TableView {
  readonly relation: Relation
}

/** A relation that is open already, as a table that can be asked. */
export const duckView = async (tables: Tables, relation: Relation, sql?: string): Promise<DuckView> => {
  const ask = <T>(work: () => Promise<T>): Promise<T> => rewordErrors(relation, work)
  const columns = await ask(async () =>
    (await tables.rows(`DESCRIBE SELECT * FROM ${relation.from}`)).map(
      ([key, type]): ViewColumn => ({
        name: relation.shown.get(String(key)) ?? String(key),
        key: String(key),
        type: String(type),
        ...relation.meanings?.get(String(key)),
      }),
    ),
  )
  /** One row of aggregates over the first rows, or over all. */
  const aggregates = async (expressions: readonly string[], from = sampleOf(relation)) =>
    (await tables.rows(`SELECT ${expressions.join(', ')} FROM ${from}`))[0]
  return {
    relation,
    name: relation.name,
    files: relation.parts.map(({ path }) => path),
    ...defined({ sql }),
    notes: relation.notes,
    weight: relation.weight,
    delimiter: relation.parts[0]?.dialect?.delimiter,
    columns,
    filtered: (condition, reading) =>
      ask(async (): Promise<FilteredRows> => {
        const where = conditionSql(condition, relation, reading)
        const figures = await aggregates(
          ['CAST(count(*) AS DOUBLE)', `CAST(count(*) FILTER (${where}) AS DOUBLE)`],
          relation.from,
        )
        const [rows, kept] = figures as number[]
        return { view: await duckView(tables, filteredRelation(relation, where), sql), rows, kept }
      }),
    measure: reading => ask(() => measureColumns(tables, relation, columns, reading)),
    readAsDates: (asked, reading) =>
      ask(async () => {
        const holds = asked.map(({ column, format }) => {
          const value = valueSql(column, relation, reading)
          return `bool_and(${value} IS NULL OR ${timeSql(value, format)} IS NOT NULL)`
        })
        return (await aggregates(holds)).map(each => each === true)
      }),
    firstValues: (asked, reading) =>
      ask(async () => {
        const values = asked.map(column => valueSql(column, relation, reading))
        const lists = values.map(value => `list(DISTINCT ${value}) FILTER (${value} IS NOT NULL)`)
        return (await aggregates(lists)).map(each => (each ?? []) as readonly string[])
      }),
    firstCodes: (asked, reading, most) => ask(() => codesOfSample(tables, relation, asked, reading, most)),
    frequent: (asked, reading, most) => ask(() => frequentValues(tables, relation, asked, reading, most)),
    repetition: (asked, reading, all) => ask(() => repetitionOf(tables, relation, asked, reading, all)),
    countFigures: (column, reading) =>
      ask(async () => {
        const value = valueSql(column, relation, reading)
        const fraction = faultSql({ column, is: 'a fraction' }, value)
        const conditions = [
          faultSql({ column, is: 'no count' }, value),
          fraction,
          `${fraction} AND regexp_full_match(${value}, '[0-9]{1,3}([.][0-9]{3})+')`,
          `${numberSql(value)} = 0`,
        ]
        const counts = conditions.map(condition => `CAST(count(*) FILTER (${condition}) AS DOUBLE)`)
        const figures = await aggregates(['CAST(count(*) AS DOUBLE)', ...counts], relation.from)
        const [rows, bad, fractions, grouping, zeros] = figures as number[]
        return { rows, bad, fractions, grouping, zeros } satisfies CountFigures
      }),
    codesFound: (codes, asked, reading, all) =>
      ask(async () => {
        const found = codes.map(code => {
          const any = asked.map(column => {
            const [before, after] = [[], [code]].map(missing => valueSql(column, relation, { ...reading, missing }))
            return `(${before} IS NOT NULL AND ${after} IS NULL)`
          })
          return `coalesce(bool_or(${any.join(' OR ')}), false)`
        })
        return (await aggregates(found, all ? relation.from : sampleOf(relation))).map(each => each === true)
      }),
    quantiles: (asked, reading) =>
      ask(async () => {
        const quantiles = asked.map(({ column, steps }) => {
          const x = numberSql(valueSql(column, relation, reading))
          return `quantile_disc(${x}, [${steps.join(', ')}])`
        })
        return (await aggregates(quantiles, relation.from)).map(each => (each ?? []) as readonly number[])
      }),
    firstFault: (tests, reading) =>
      ask(() => {
        const bad = tests.map(test => ({
          column: test.column.name,
          sql: test.column.key,
          condition: faultSql(test, valueSql(test.column, relation, reading)),
        }))
        return firstBadValue(tables, relation, bad)
      }),
    countCells: (modes, count, reading) =>
      ask(() =>
        countCells(tables, relation, modeSources(relation, modes, reading), countSource(relation, count, reading)),
      ),
  }
}

/** Modes with the SQL of their values. */
export const modeSources = (relation: Relation, modes: readonly ModePlan[], reading: Reading): ModeSource[] =>
  modes.map(mode => ({
    ...mode,
    value: valueSql(mode.column, relation, reading),
    spelling: reading.ignoreCase ? valueSql(mode.column, relation, spellingOf(reading)) : undefined,
  }))

/** How rows are counted, with the SQL of it. */
export const countSource = (relation: Relation, count: CountPlan, reading: Reading): CountSource => ({
  ...count,
  weight: count.column === undefined ? '1' : numberSql(valueSql(count.column, relation, reading)),
})

/** SQL that is true for a row that a test finds. */
const faultSql = (test: ValueTest, value: string): string => {
  const x = numberSql(value)
  switch (test.is) {
    case 'missing':
      return `(${value} IS NULL)`
    case 'no number':
      return `(${value} IS NOT NULL AND (${x} IS NULL OR NOT isfinite(${x})))`
    case 'no count':
      return `(${x} IS NULL OR NOT isfinite(${x}) OR ${x} < 0)`
    case 'a fraction':
      return `(${x} <> floor(${x}))`
    case 'outside bins':
      return `(${value} IS NOT NULL AND ${binSql(value, test.binning)} IS NULL)`
  }
}
