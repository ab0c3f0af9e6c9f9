import type { ChainStructure } from '@polyad/core/model'
import { waveColumns } from '@polyad/core/stats'
import { identifier, literal } from '../../duckdb/sql-text.ts'
import { choice } from '../../table/values/note.ts'
import type { ViewColumn } from '../../table/view/view.ts'
import type { Relation } from './relation.ts'

/**
 * A table with a row for each person, as one with a row for each person and wave, for a model that was fitted to waves in columns. A table that has a column of
 * persons is one already.
 * @param columns of the table
 */
export const longRelation = (
  relation: Relation,
  columns: readonly ViewColumn[],
  { person, time, wide, given }: ChainStructure,
): Relation => {
  if (wide === undefined || columns.some(({ name }) => name === person)) return relation
  const names = columns.map(({ name }) => name)
  const covariates = given.map(({ name }) => name)
  const others = names.filter(name => covariates.includes(name))
  const found = waveColumns(names, wide, others)
  const stems = [...new Set(found.columns.flatMap(column => column?.stem ?? []))]
  const keyOf = (stem: string, wave: number) => {
    const n = found.columns.findIndex(column => column?.stem === stem && column.wave === wave)
    return n < 0 ? 'NULL' : identifier(columns[n].key)
  }
  const each = (values: readonly string[], name: string) => `unnest([${values.join(', ')}]) AS ${identifier(name)}`
  const select = [
    `CAST(polyad_person AS VARCHAR) AS ${identifier(person)}`,
    each(found.labels.map(literal), time),
    ...stems.map(stem =>
      each(
        wide.map((_, wave) => keyOf(stem, wave)),
        stem,
      ),
    ),
    ...columns.filter((_, n) => found.columns[n] === undefined).map(({ key }) => identifier(key)),
  ]
  const { where: _, chosen: __, ...rest } = relation
  return {
    ...rest,
    from: `(SELECT ${select.join(', ')} FROM (SELECT *, row_number() OVER () AS polyad_person FROM ${relation.from}))`,
    notes: [
      ...relation.notes,
      choice(
        `the table has a row for each person; it is read as one with a row for each person and wave, with the columns ${person} (the number of the row) and ${time} (${found.labels.join(', ')})`,
      ),
    ],
  }
}
