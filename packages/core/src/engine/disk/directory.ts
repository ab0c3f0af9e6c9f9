import { DataError } from '../../errors.ts'
import { type Label, Mode, type ModeOptions } from '../../tensor/mode.ts'
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

const refuse = (what: string): never => {
  throw new DataError(`its directory is not as Polyad writes it: ${what}`)
}

const list = (value: unknown, what: string, length?: number): readonly unknown[] =>
  Array.isArray(value) && (length === undefined || value.length === length) ? value : refuse(what)

const object = (value: unknown, what: string): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(what)

const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

/** The directory of a file, as far as it can be used. A checksum says only that it is what somebody has written. */
export const checkDirectory = (text: string): CheckedDirectory => {
  const given = object(parsed(text), 'it is not an object')
  const known = list(given.modes, 'the variables').map(modeOf)
  if (known.length === 0) refuse('the variables')
  if (!isWhole(given.cells, 1)) refuse('the number of cells')
  if (!(Number.isFinite(given.total) && (given.total as number) > 0)) refuse('the total')
  const missing = list(given.missing, 'what is missing', known.length)
  if (!missing.every(each => typeof each === 'boolean')) refuse('what is missing')
  const { yLogY, logFactorials } = object(given.constants, 'the constants')
  if (![yLogY, logFactorials].every(Number.isFinite)) refuse('the constants')
  list(given.marginals, 'the marginals', known.length).forEach((each, n) => {
    if (section(each, 'the marginals')[1] !== 8 * known[n].size) refuse('the marginals')
  })
  const rows = known.map(({ size }, n) => size + (missing[n] ? 1 : 0))
  const compacted = checkPlan(object(given.plan, 'the plan'), rows, list(given.lanes, 'the lanes').length)
  list(given.lanes, 'the lanes').forEach(lane => void checkLane(object(lane, 'a lane'), compacted))
  return { ...(given as unknown as Directory), known }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('it is not JSON')
  }
}

const modeOf = (value: unknown): Mode => {
  const { name, size, ordered, labels } = object(value, 'a variable')
  const isLabel = (label: unknown): label is Label => typeof label === 'string' || Number.isFinite(label)
  const named = labels === undefined ? undefined : (list(labels, 'labels', Number(size)) as Label[])
  if (typeof name !== 'string' || typeof ordered !== 'boolean' || named?.every(isLabel) === false)
    return refuse('a variable')
  try {
    return new Mode(name, named ?? (isWhole(size, 1) ? size : refuse('a variable')), ordered)
  } catch {
    return refuse('a variable')
  }
}

const section = (value: unknown, what: string): Section => {
  const parts = list(value, what, 3)
  return parts.every(part => isWhole(part, 0)) ? (parts as unknown as Section) : refuse(what)
}

/** Checks the plan of the lanes; whether each mode is compacted. @param rows of the tables of the modes */
const checkPlan = (plan: Readonly<Record<string, unknown>>, rows: readonly number[], lanes: number): boolean[] => {
  const what = 'the plan'
  const tables = [...rows]
  /** The modes that each table stands for. */
  const modes: number[][] = rows.map((_, n) => [n])
  for (const pair of list(plan.pairs, what)) {
    const { left, right, rows: own } = object(pair, what)
    if (!isWhole(left, 0, tables.length - 1) || !isWhole(right, 0, tables.length - 1)) return refuse(what)
    const sides = [tables[left], tables[right]]
    const entries = list(own, what)
    if (entries.length % 2 !== 0 || !entries.every((row, i) => isWhole(row, 0, sides[i % 2] - 1))) refuse(what)
    tables.push(entries.length / 2)
    modes.push([...modes[left], ...modes[right]])
  }
  const tableRows = list(plan.tableRows, what, tables.length)
  if (!tableRows.every((size, table) => size === tables[table] && tables[table] > 0)) refuse(what)
  const columns = list(plan.columns, what)
  const known = columns.every((table, i) => isWhole(table, i === 0 ? NO_TABLE : 0, tables.length - 1))
  if (!known || !isWhole(plan.depth, 1, columns.length - 1) || plan.lanes !== lanes || lanes === 0) refuse(what)
  const covered = (columns as number[]).flatMap(table => (table === NO_TABLE ? [] : modes[table]))
  if (covered.length !== rows.length || new Set(covered).size !== rows.length) refuse(what)
  const compacted = list(plan.compacted, what, rows.length)
  // A mode within a pair is not compacted: its rows are those of the pair.
  const usable = compacted.every((each, n) => typeof each === 'boolean' && (!each || columns.includes(n)))
  return usable ? (compacted as boolean[]) : refuse(what)
}

const checkLane = ({ labels, chunks }: Readonly<Record<string, unknown>>, compacted: readonly boolean[]): void => {
  list(labels, 'the labels of a lane', compacted.length).forEach((each, n) => {
    if ((each !== null) !== compacted[n]) refuse('the labels of a lane')
    if (each !== null && section(each, 'the labels of a lane')[1] % 4 !== 0) refuse('the labels of a lane')
  })
  for (const chunk of list(chunks, 'the chunks of a lane')) {
    const [at, cells, words, sum] = list(chunk, 'a chunk', 4)
    if (!isWhole(at, 0) || at % 8 !== 0 || !isWhole(cells, 1) || !isWhole(words, 1) || !isWhole(sum, 0))
      refuse('a chunk')
  }
}
