import { DataError } from '@polyad/core'
import { brokenJson, brokenJsonLine } from '../files/text-faults.ts'
import { doubleText } from './numbers.ts'
import { clockText, timeOf, timeText } from './times.ts'

/** Columns of typed values, as texts. */
export interface TypedColumns {
  readonly columns: readonly string[]
  readonly types: readonly string[]
  readonly values: readonly (readonly (string | null)[])[]
}

type Row = Readonly<Record<string, unknown>>

/** The records of JSON: of an array, of lines, or a single one. What is no record is one with the column `json`. */
export const jsonRows = (path: string, text: string): Row[] => {
  const records = jsonValues(path, text.replace(/^\ufeff/, ''))
  const plain = records.every(record => record === null || (typeof record === 'object' && !Array.isArray(record)))
  return records.map(record => (plain ? ((record ?? {}) as Row) : { json: record }))
}

const jsonValues = (path: string, text: string): unknown[] => {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch (error) {
    const lines = text.split('\n')
    const at = brokenJsonLine(text)
    if (at === undefined && lines.length > 1 && !lines[0].trim().startsWith('['))
      return lines.filter(line => line.trim() !== '').map(line => JSON.parse(line))
    throw brokenJson(path, at, reasonOf(at === undefined ? text : lines[at - 1]), error)
  }
}

const reasonOf = (broken: string): string => {
  try {
    return String(JSON.parse(broken))
  } catch (error) {
    return /end of/i.test((error as Error).message) ? 'unexpected end of data' : 'unexpected character'
  }
}

/** Records as columns, with types as DuckDB finds them. */
export const typedColumns = (path: string, rows: readonly Row[]): TypedColumns => {
  const keys = [...new Set(rows.flatMap(Object.keys))]
  if (keys.length === 0) throw new DataError(`${path} has no rows`)
  const typed = keys.map(key => typedColumn(rows.map(row => (Object.hasOwn(row, key) ? row[key] : null) ?? null)))
  return {
    columns: distinctNames(keys),
    types: typed.map(({ type }) => type),
    values: typed.map(({ values }) => values),
  }
}

/** Names that differ by more than case. */
const distinctNames = (names: readonly string[]): string[] => {
  const taken = new Set<string>()
  return names.map(name => {
    let free = name
    for (let n = 1; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`
    taken.add(free.toLowerCase())
    return free
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DATE = /^\d{4}-\d{1,2}-\d{1,2}$/
const TIME = /^\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/

/** The type of values and the text of each. Texts that are all dates or times of day are those; values of several kinds are JSON. */
const typedColumn = (given: readonly unknown[]): { type: string; values: (string | null)[] } => {
  const values = given.map(value => (value instanceof Date ? value.toISOString() : value))
  const present = values.filter(value => value !== null)
  const all = (test: (value: unknown) => boolean) => present.every(test)
  const as = (type: string, text: (value: unknown) => string) => ({
    type,
    values: values.map(value => (value === null ? null : text(value))),
  })
  const isText = (test: (text: string) => boolean) => all(value => typeof value === 'string' && test(value))
  if (present.length === 0) return as('JSON', String)
  if (all(Number.isInteger)) return as('BIGINT', value => BigInt(value as number).toString())
  if (all(value => typeof value === 'number')) return as('DOUBLE', value => doubleText(value as number))
  if (all(value => typeof value === 'bigint')) return as('BIGINT', String)
  if (all(value => typeof value === 'boolean')) return as('BOOLEAN', String)
  if (isText(text => DATE.test(text) && timeOf(text) !== undefined))
    return as('DATE', value => timeText(timeOf(String(value)) as number).slice(0, 10))
  if (isText(text => TIME.test(text) && clockText(text) !== undefined))
    return as('TIME', value => clockText(String(value)) as string)
  if (isText(text => UUID.test(text))) return as('UUID', value => String(value).toLowerCase())
  if (isText(() => true)) return as('VARCHAR', String)
  if (all(Array.isArray)) return as('JSON[]', value => JSON.stringify(value))
  if (all(value => typeof value === 'object')) return as('STRUCT()', value => JSON.stringify(value))
  return as('JSON', value => JSON.stringify(value))
}
