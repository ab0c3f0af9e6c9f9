import { DataError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { identifier } from '../duckdb/sql-text.ts'
import { type Format, formatOfName } from '../table/formats/formats.ts'
import { grouped } from '../table/values/note.ts'
import type { ColumnMeaning } from '../table/view/view.ts'
import { writeBytes } from './atomic-file.ts'
import { type WrittenColumn, writtenColumn } from './survey/written-columns.ts'

type Writer = (file: string, columns: readonly WrittenColumn[], rows: number) => Uint8Array | Promise<Uint8Array>

/** What is made in memory, and not by DuckDB. Each writer is loaded when it is needed. */
const WRITERS: Partial<Record<Format, Writer>> = {
  sav: async (...given) => (await import('./survey/sav-file.ts')).savFile(...given),
  dta: async (...given) => (await import('./survey/dta-file.ts')).dtaFile(...given),
  xlsx: async (...given) => (await import('./survey/xlsx-file.ts')).xlsxFile(...given),
}

/** Values that are held at most. */
const MOST_VALUES = 50_000_000

const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/

/** Whether rows are written here, as whole files. */
export const isWrittenHere = (output: string): boolean => WRITERS[formatOfName(output) as Format] !== undefined

/** The result of a query as a file of SPSS or Stata with labels, or as a spreadsheet. */
export const writeSurvey = async (
  tables: Tables,
  select: string,
  output: string,
  meanings: ReadonlyMap<string, ColumnMeaning> = new Map(),
): Promise<void> => {
  const described = (await tables.rows(`DESCRIBE ${select}`)).map(([name, type]) => [String(name), String(type)])
  const read = described.map(
    ([name, type]) => `CAST(${identifier(name)} AS ${NUMERIC.test(type) ? 'DOUBLE' : 'VARCHAR'})`,
  )
  const most = Math.floor(MOST_VALUES / described.length)
  const rows = (await tables.rows(
    `SELECT ${read.join(', ')} FROM (${select}) LIMIT ${most + 1}`,
  )) as readonly (readonly (string | number | null)[])[]
  if (rows.length > most)
    throw new DataError(
      `${output}: files of this kind are made in memory, with at most ${grouped(most)} rows of ${described.length} columns: write .parquet or .csv`,
    )
  const columns = described.map(([name], i) =>
    writtenColumn(
      name,
      rows.map(row => row[i]),
      meanings.get(name),
    ),
  )
  const write = WRITERS[formatOfName(output) as Format] as Writer
  await writeBytes(output, await write(output, columns, rows.length))
}
