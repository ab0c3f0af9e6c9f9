import { DataError } from '../../errors.ts'
import { is } from '../../options.ts'
import { type Read, reader } from '../../reader.ts'
import { Mode, type ModeOptions } from '../../tensor/mode.ts'
import type { Counts } from '../../tensor/tensor.ts'
import { NO_TABLE, type Plan } from '../wasm/layout.ts'

/** Some bytes of the file. */
export type Section = readonly [at: number, bytes: number, checksum: number]

/** What is written as JSON at the end of the file. */
export interface Directory {
  readonly modes: readonly (ModeOptions & { readonly size: number; readonly ordered: boolean })[]
  readonly cells: number
  readonly total: number
  readonly missing: readonly boolean[]
  readonly constants: Counts['constants']
  readonly marginals: readonly Section[]
  readonly plan: Omit<Plan, 'pairs' | 'shape'> & {
    readonly pairs: readonly { readonly left: number; readonly right: number; readonly rows: readonly number[] }[]
  }
  readonly lanes: readonly {
    readonly labels: readonly (Section | null)[]
    readonly chunks: readonly (readonly [at: number, cells: number, words: number, checksum: number])[]
  }[]
  readonly record: unknown
}

/** A directory with the modes that it names. */
export interface CheckedDirectory extends Directory {
  readonly known: readonly Mode[]
}

const { fields, flag, list, numbers, object, optional, tuple, vector } = reader
const some = reader.by<number>(is.whole(1))

/** The directory of a file, as far as it can be used. A checksum says only that it is what somebody has written. */
export const checkDirectory = (text: string): CheckedDirectory =>
  reader.usable('its directory is not as Polyad writes it:', () => {
    const given = object(reader.json(text), '')
    const known = list(mode)(given.modes, 'modes')
    if (known.length === 0) throw new DataError('modes must not be empty')
    const { missing } = fields({
      cells: some,
      total: reader.by<number>(is.positive),
      missing: vector(known.length, flag),
      constants: fields({ yLogY: reader.finite, logFactorials: reader.finite }),
      marginals: tuple(known.map(({ size }) => section(8 * size))),
    })(given, '')
    const rows = known.map(({ size }, n) => size + (missing[n] ? 1 : 0))
    const compacted = checkPlan(given.plan, rows, list(object)(given.lanes, 'lanes').length)
    const labels = tuple(compacted.map(each => (each ? section(undefined, 4) : nothing)))
    list(fields({ labels, chunks: list(chunk) }))(given.lanes, 'lanes')
    return { ...(given as unknown as Directory), known }
  })

const written = fields({ name: reader.text(), size: some, ordered: flag, labels: optional(reader.labels()) })

const mode: Read<Mode> = (value, where) => {
  const { name, size, ordered, labels } = written(value, where)
  if (labels !== undefined && labels.length !== size)
    throw new DataError(`${where} has ${labels.length} labels for ${size} rows`)
  return new Mode(name, labels ?? size, ordered)
}

/** @param bytes how many it has @param each what they must be a multiple of */
const section =
  (bytes?: number, each = 1): Read<unknown> =>
  (value, where) => {
    const [, own] = numbers(3, is.whole(0))(value, where)
    if ((bytes !== undefined && own !== bytes) || own % each !== 0) throw new DataError(`${where} has ${own} bytes`)
    return value
  }

const nothing: Read<unknown> = reader.by({ rule: 'null', allows: value => value === null })

const chunk: Read<unknown> = (value, where) => {
  const [at, cells, words] = numbers(4, is.whole(0))(value, where)
  if (at % 8 !== 0 || cells === 0 || words === 0)
    throw new DataError(`${where} must lie at whole numbers and have cells`)
  return value
}

/** Checks the plan of the lanes; whether each mode is compacted. @param rows of the tables of the modes */
const checkPlan = (plan: unknown, rows: readonly number[], lanes: number): boolean[] => {
  const tables = [...rows]
  /** The modes that each table stands for. */
  const modes: number[][] = rows.map((_, n) => [n])
  const pair: Read<unknown> = (value, where) => {
    const table = reader.by<number>(is.whole(0, tables.length - 1))
    const { left, right, rows: own } = fields({ left: table, right: table, rows: numbers() })(value, where)
    const sides = [left, right].map(side => is.whole(0, tables[side] - 1))
    if (own.length === 0 || own.length % 2 !== 0 || !own.every((row, i) => sides[i % 2].allows(row)))
      throw new DataError(`${where}.rows must be pairs of rows of its tables`)
    tables.push(own.length / 2)
    modes.push([...modes[left], ...modes[right]])
    return value
  }
  fields({ pairs: list(pair) })(plan, 'plan')
  const sizes = tables.map(size => reader.by({ rule: `${size}`, allows: value => value === size }))
  const { columns, depth, compacted } = fields({
    tableRows: tuple(sizes),
    columns: numbers(undefined, is.whole(NO_TABLE, tables.length - 1)),
    depth: some,
    lanes: reader.by({ rule: `${lanes}, and at least 1`, allows: value => value === lanes && lanes > 0 }),
    compacted: vector(rows.length, flag),
  })(plan, 'plan')
  const covered = columns.flatMap(table => (table === NO_TABLE ? [] : modes[table]))
  const once = covered.length === rows.length && new Set(covered).size === rows.length
  if (!once || columns.lastIndexOf(NO_TABLE) > 0 || depth > columns.length - 1)
    throw new DataError('plan.columns must have every variable once')
  // A mode within a pair is not compacted: its rows are those of the pair.
  if (compacted.some((each, n) => each && !columns.includes(n)))
    throw new DataError('plan.compacted must be of variables that are in no pair')
  return compacted
}
