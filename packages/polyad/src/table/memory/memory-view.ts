import { isNested } from '../columns/columns.ts'
import type { Dialect } from '../files/csv-dialect.ts'
import { isLineOfJson, lineFinder } from '../files/text-faults.ts'
import type { Condition } from '../values/condition.ts'
import type { Note } from '../values/note.ts'
import { type Reading, writtenMissing } from '../view/reading.ts'
import { firstFaultError, noBinRule } from '../view/value-fault.ts'
import {
  type Fault,
  type FilteredRows,
  type ReadColumn,
  SAMPLE,
  type TableView,
  type ValueTest,
  type ViewColumn,
} from '../view/view.ts'
import { binOf } from './bin-texts.ts'
import { countRows, groupRows } from './count-rows.ts'
import { filterRows, someRows } from './filter-rows.ts'
import { measureTexts, NOT_MEASURED, quantileOf } from './measure-texts.ts'
import { numberOf } from './numbers.ts'
import { type Absent, compareTexts, countTexts, reader, readTexts } from './read-texts.ts'
import type { TextColumn } from './text-dictionary.ts'
import { timeOf } from './times.ts'

/** A table as it was parsed. */
export interface ParsedTable {
  readonly name: string
  readonly columns: readonly ViewColumn[]
  readonly texts: readonly TextColumn[]
  readonly rows: number
  readonly notes: readonly Note[]
  readonly weight?: string | undefined
  /** The file, and how it is written, where it is separated text: to find the line of a row. */
  readonly source?: { readonly bytes: Uint8Array; readonly dialect: Dialect }
  /** For each row its place in the file, if these are not all of its rows. */
  readonly places?: Int32Array
}

/** Answers from texts in memory. */
export class MemoryView implements TableView {
  readonly name: string
  readonly files: readonly string[]
  readonly notes: readonly Note[]
  readonly columns: readonly ViewColumn[]
  readonly rows: number
  readonly weight: string | undefined
  readonly delimiter: string | undefined
  readonly #parsed: ParsedTable
  readonly #asWritten: boolean
  /** What was read last: the same columns are asked for again and again. */
  readonly #read = new Map<string, TextColumn>()

  /** With `asWritten`, only empty fields are missing in separated text before a reading says more: so rows are scored. */
  constructor(parsed: ParsedTable, asWritten = false) {
    this.#parsed = parsed
    this.#asWritten = asWritten
    this.name = parsed.name
    this.files = [parsed.name]
    this.notes = parsed.notes
    this.columns = parsed.columns
    this.rows = parsed.rows
    this.weight = parsed.weight
    this.delimiter = parsed.source?.dialect.delimiter
  }

  /** For each row its place in the file, if these are not all of its rows. */
  get places(): Int32Array | undefined {
    return this.#parsed.places
  }

  /** A column as it is written. */
  written(column: ViewColumn): TextColumn {
    return this.#parsed.texts[this.columns.findIndex(({ key }) => key === column.key)]
  }

  /** A column's values under a reading. */
  values(column: ReadColumn, reading: Reading): TextColumn {
    const key = JSON.stringify([column.key, column.style, reading])
    const known = this.#read.get(key)
    if (known !== undefined) return known
    // Enough for every column under one reading, and with its own case.
    if (this.#read.size > 2 * this.columns.length + 8) this.#read.clear()
    const values = readTexts(this.written(column), reader(column, this.#absent(reading), reading))
    this.#read.set(key, values)
    return values
  }

  async filtered(condition: Condition<ReadColumn>, reading: Reading): Promise<FilteredRows> {
    const found = filterRows(condition, this.rows, column => this.values(column, reading), reading)
    const { places } = this.#parsed
    const parsed: ParsedTable = {
      ...this.#parsed,
      rows: found.length,
      texts: this.#parsed.texts.map(column => someRows(column, found)),
      places: places === undefined ? found : found.map(row => places[row]),
    }
    return { view: new MemoryView(parsed, this.#asWritten), rows: this.rows, kept: found.length }
  }

  #absent({ missing }: Reading): Absent {
    if (this.#parsed.source === undefined) return { texts: [] }
    return { texts: this.#asWritten || missing.length === 0 ? [''] : writtenMissing(missing) }
  }

  async measure(reading: Reading) {
    const rows = Math.min(this.rows, SAMPLE)
    const columns = this.columns.map(column =>
      isNested(column.type) ? NOT_MEASURED : measureTexts(this.values(column, reading), rows),
    )
    return { rows, columns }
  }

  async readAsDates(asked: Parameters<TableView['readAsDates']>[0], reading: Reading) {
    return asked.map(({ column, format }) =>
      this.#first(column, reading).every(text => timeOf(text, format) !== undefined),
    )
  }

  async firstValues(columns: readonly ReadColumn[], reading: Reading) {
    return columns.map(column => this.#first(column, reading))
  }

  /** The different values of a column among the first rows. */
  #first(column: ReadColumn, reading: Reading): readonly string[] {
    const values = this.values(column, reading)
    const counts = countTexts(values, SAMPLE)
    return values.texts.filter((_, code) => counts[code] > 0)
  }

  async firstCodes(columns: readonly ReadColumn[], reading: Reading, most: number) {
    const rows = Math.min(this.rows, SAMPLE, most)
    return columns.map(column => this.values(column, reading).codes.subarray(0, rows))
  }

  async frequent(columns: readonly ReadColumn[], reading: Reading, most: number) {
    return columns.map(column => {
      const values = this.values(column, reading)
      return [...countTexts(values, SAMPLE)]
        .map((count, code) => ({ text: values.texts[code], count }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || compareTexts(a.text, b.text))
        .slice(0, most)
    })
  }

  async repetition(columns: readonly ReadColumn[], reading: Reading, all: boolean) {
    const rows = all ? this.rows : Math.min(this.rows, SAMPLE)
    const values = columns.map(column => this.values(column, reading))
    const counts = values.map(column => {
      const present = countTexts(column, rows)
      return [...present, rows - present.reduce((sum, count) => sum + count, 0)].filter(count => count > 0)
    })
    const { first } = groupRows(
      values.map(({ codes }) => codes),
      values.map(({ texts }) => texts.length),
      rows,
    )
    const pairs = (own: readonly number[]) => own.reduce((sum, count) => sum + count * (count - 1), 0)
    return {
      rows,
      distinct: first.length,
      // There is one file.
      apart: first.length,
      sizes: [...counts.map(({ length }) => length), 1],
      pairs: [...counts.map(pairs), pairs([rows])],
    }
  }

  async countFigures(column: ReadColumn, reading: Reading) {
    const values = this.values(column, reading)
    const counts = countTexts(values)
    const sumWhere = (test: (x: number | undefined, text: string) => boolean) =>
      values.texts.reduce((sum, text, code) => (test(numberOf(text), text) ? sum + counts[code] : sum), 0)
    const missing = this.rows - counts.reduce((sum, count) => sum + count, 0)
    return {
      rows: this.rows,
      bad: missing + sumWhere(isNoCount),
      fractions: sumWhere(isFraction),
      grouping: sumWhere((x, text) => isFraction(x) && /^[0-9]{1,3}([.][0-9]{3})+$/.test(text)),
      zeros: sumWhere(x => x === 0),
    }
  }

  async codesFound(codes: readonly string[], columns: readonly ReadColumn[], reading: Reading, all: boolean) {
    const absent = new Set(this.#absent(reading).texts)
    const written = columns.map(column => {
      const own = this.written(column)
      const counts = countTexts(own, all ? this.rows : SAMPLE)
      return own.texts.filter((text, code) => counts[code] > 0 && !absent.has(text))
    })
    return codes.map(code =>
      columns.some((column, i) => {
        const [before, after] = [[], [code]].map(missing => reader(column, { texts: [] }, { ...reading, missing }))
        return written[i].some(text => before(text) !== null && after(text) === null)
      }),
    )
  }

  async quantiles(asked: Parameters<TableView['quantiles']>[0], reading: Reading) {
    return asked.map(({ column, steps }) => {
      const { texts, codes } = this.values(column, reading)
      const numbers = texts.map(numberOf)
      const known = Float64Array.from(
        codes.filter(code => numbers[code] !== undefined),
        code => numbers[code] as number,
      )
      known.sort()
      return known.length === 0 ? [] : steps.map(step => quantileOf(known, step))
    })
  }

  async firstFault(tests: readonly ValueTest[], reading: Reading): Promise<Fault | undefined> {
    let [row, test] = [Number.POSITIVE_INFINITY, -1]
    tests.forEach((each, i) => {
      const { texts, codes } = this.values(each.column, reading)
      const bad = texts.map(text => isFault(each, text))
      const found = codes.findIndex(code => (code < 0 ? each.is === 'no count' || each.is === 'missing' : bad[code]))
      if (found >= 0 && found < row) [row, test] = [found, i]
    })
    if (test < 0) return undefined
    const place = (this.#parsed.places?.[row] ?? row) + 1
    const line = this.#lineOf(place)
    const where = `${this.name}, ${line === undefined ? `row ${place}` : `line ${line}`}`
    const { texts, codes } = this.written(tests[test].column)
    const value = texts[codes[row]] ?? null
    // What means missing in separated text is nothing, as it is written.
    const absent = value !== null && this.#absent(reading).texts.includes(value)
    return { test, where, line, row: place, value: absent ? null : value }
  }

  #lineOf(row: number): number | undefined {
    const { source } = this.#parsed
    if (source === undefined) return isLineOfJson(this.name) ? row : undefined
    return lineFinder(source.dialect, row)(source.bytes)
  }

  async countCells(...[modes, count, reading]: Parameters<TableView['countCells']>) {
    const tests = modes.flatMap(({ column, binning }) =>
      binning === undefined ? [] : [{ column, is: 'outside bins' as const, binning, rule: noBinRule(binning) }],
    )
    if (tests.some(test => this.values(test.column, reading).texts.some(text => isFault(test, text))))
      throw await firstFaultError(this, tests, reading)
    return countRows(this.name, this.rows, (column, own) => this.values(column, own), modes, count, reading)
  }
}

const isNoCount = (x: number | undefined): boolean => x === undefined || !Number.isFinite(x) || x < 0

const isFraction = (x: number | undefined): boolean => x !== undefined && Number.isFinite(x) && x !== Math.floor(x)

const isFault = (test: ValueTest, text: string): boolean => {
  if (test.is === 'outside bins') return binOf(text, test.binning) === undefined
  if (test.is === 'missing') return false
  if (test.is === 'no number') return !Number.isFinite(numberOf(text) ?? Number.NaN)
  return test.is === 'no count' ? isNoCount(numberOf(text)) : isFraction(numberOf(text))
}
