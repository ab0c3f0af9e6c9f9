import { readFileSync, statSync } from 'node:fs'
import { DataError } from '@polyad/core'
import type { Tables } from '../../duckdb/client.ts'
import type { Codes, SentColumn } from '../../duckdb/sent-table.ts'
import { identifier, list, literal } from '../../duckdb/sql-text.ts'
import { nameColumns } from '../../table/files/column-names.ts'
import type { DialectOptions } from '../../table/files/csv-dialect.ts'
import { unpacked } from '../../table/files/unpack.ts'
import { readSurvey, type SurveyFormat } from '../../table/formats/formats.ts'
import { MOST_BYTES, type SurveyFile } from '../../table/survey/survey-file.ts'
import { type SurveyColumn, type SurveyTable, surveyTable } from '../../table/survey/survey-table.ts'
import { grouped } from '../../table/values/note.ts'
import type { ColumnMeaning } from '../../table/view/view.ts'

/** Files of SPSS or Stata and spreadsheets as tables of DuckDB: they are read here, and their values sent as codes. */
export const surveyParts = async (
  tables: Tables,
  files: readonly string[],
  format: SurveyFormat,
  { labelled: known, ...options }: DialectOptions & { readonly labelled?: ReadonlyMap<string, boolean> },
) => {
  const surveys: SurveyTable[] = []
  const labelled = new Map(known)
  for (const path of files) {
    const survey = surveyTable(await readSurveyFile(path, format, options), labelled)
    for (const column of survey.columns) if (column.labelled !== undefined) labelled.set(column.name, column.labelled)
    surveys.push(survey)
  }
  const names = nameColumns(files.map((path, i) => ({ path, columns: surveys[i].columns.map(({ name }) => name) })))
  const meanings = new Map<string, ColumnMeaning>()
  for (const [i, { columns, rows }] of surveys.entries()) {
    const keys = names.sql[i]
    columns.forEach(({ meaning }, n) => void meanings.set(keys[n], joined(meanings.get(keys[n]), meaning)))
    await createTable(tables, `survey_${i}`, rows, columns, keys)
  }
  return {
    parts: files.map((path, i) => ({ path, from: `survey_${i}`, dialect: undefined })),
    shown: names.shown,
    notes: [...names.notes, ...surveys.flatMap(({ notes }) => notes)],
    meanings,
    weight: surveys[0].weight,
  }
}

const readSurveyFile = async (path: string, format: SurveyFormat, options: DialectOptions): Promise<SurveyFile> => {
  const { size } = statSync(path)
  if (size > MOST_BYTES)
    throw new DataError(
      `${path} has ${grouped(size)} bytes, and .${format} files are read into memory up to ${grouped(MOST_BYTES)}: save it as Parquet`,
    )
  return readSurvey(path, await unpacked(path, readFileSync(path)), format, options)
}

/** What several files say of a column: the order of the first, and then what others add. */
const joined = (known: ColumnMeaning | undefined, own: ColumnMeaning): ColumnMeaning => {
  if (known === undefined) return own
  const order = [...new Set([...(known.order ?? []), ...(own.order ?? [])])]
  return { ...own, ...known, ...(order.length === 0 ? {} : { order }) }
}

/** With more different texts than this they are sent row by row: a statement should not be longer than a file. */
const MANY_TEXTS = 5000

/** What stands for nothing in a column that is sent: such columns have no NULL. */
const NOTHING = '\u0002'

const createTable = async (
  tables: Tables,
  name: string,
  rows: number,
  columns: readonly SurveyColumn[],
  keys: readonly string[],
): Promise<void> => {
  const sent = columns.map(({ texts, codes }, n): SentColumn => {
    const own = `c${n}`
    if (texts.length > MANY_TEXTS) return { name: own, values: Array.from(codes, code => texts[code] ?? NOTHING) }
    return { name: own, values: narrow(codes, texts.length) }
  })
  const values = columns.map(({ texts }, n) => {
    const value = texts.length > MANY_TEXTS ? `nullif(c${n}, ${literal(NOTHING)})` : `${textList(texts)}[c${n}]`
    return `${value} AS ${identifier(keys[n])}`
  })
  await tables.run(`CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${values.join(', ')} FROM sent_${name}`, [
    { name: `sent_${name}`, rows, columns: sent },
  ])
}

/** Positions are counted from 1 in SQL, and nothing stands at 0. */
const narrow = (codes: Int32Array, texts: number): Codes => {
  const positions = codes.map(code => code + 1)
  return texts < 256 ? new Uint8Array(positions) : texts < 65_536 ? new Uint16Array(positions) : positions
}

const textList = (texts: readonly string[]): string => `(${texts.length === 0 ? '[]' : list(texts)}::VARCHAR[])`
