import { DataError, OptionError, show } from '../errors.ts'
import { knownOptions } from '../options.ts'
import { advise, mention, words } from '../wording.ts'
import { buildTensor } from './build.ts'
import { declaredMode, type Label, labelOf, MISSING, Mode, type ModeOptions, sortLabels } from './mode.ts'
import type { Tensor } from './tensor.ts'
import { checkNames, checkValue } from './values.ts'

/** One observation: an object with labels by the name of their mode (an interface of your own will do), or an array in the order of the modes. */
export type Row = object

/** What a row has for a mode. What every object inherits, such as a `constructor`, is not the row's. */
export const entryOf = (row: Row, name: string, position: number): unknown => {
  if (Array.isArray(row)) return row[position]
  return name in Object.prototype && !Object.hasOwn(row, name)
    ? undefined
    : (row as Readonly<Record<string, unknown>>)[name]
}

export interface RowOptions {
  /** The modes to use. Default: for objects, every key of the rows but `count`; for arrays, mode1, mode2, … */
  readonly modes?: readonly (string | ModeOptions)[]
  /** For objects: the key that holds how often the row was seen. */
  readonly count?: string
  /** How often each row was seen, one number per row; not together with `count`. */
  readonly weights?: ArrayLike<number>
  /** Labels that mean that nothing was observed (such as 'NA'), besides null, undefined, NaN and the empty string. */
  readonly missing?: readonly Label[]
}

/** Collects one mode's labels and turns them into indices. */
interface Collector {
  readonly options: ModeOptions
  readonly mode: Mode | undefined
  readonly seen: Map<string, number>
  readonly labels: Label[]
  readonly column: number[]
}

/**
 * Makes a tensor from rows of labels. Equal rows are counted together; rows may have missing values. The order of the rows does not matter.
 * @example
 * const answers = tensorFromRows(rows, { modes: ['age', 'vote', 'trust'], count: 'n' })
 * answers.shape // [2, 2, 3]
 */
export const tensorFromRows = (rows: Iterable<Row>, options: RowOptions = {}): Tensor => {
  knownOptions('tensorFromRows', options, ['modes', 'count', 'weights', 'missing'])
  const { count, weights } = options
  if (count !== undefined && weights !== undefined)
    throw new OptionError('weights', words`cannot be combined with ${mention('count')}: give one, not both`)
  const absent = new Set((options.missing ?? []).map(String))
  let collectors = options.modes === undefined ? undefined : options.modes.map(collector)
  const values: number[] = []
  const known = new Set<string>()
  let number = 0
  let columns: readonly string[] = []
  for (const row of rows) {
    number++
    if (typeof row !== 'object' || row === null) {
      throw new DataError(`row ${number} must be an object or an array (got ${show(row)})`, { row: number })
    }
    if (options.modes === undefined) collectors = discover(row, number, count, collectors ?? [], known)
    if (number === 1) columns = Array.isArray(row) ? [] : Object.keys(row)
    values.push(rowValue(row, number, count, weights))
    addRow(row, number, collectors as Collector[], absent)
  }
  if (collectors === undefined || number === 0) throw new DataError('there is no data: not a single row')
  checkNames(collectors.map(({ options }) => options))
  if (weights !== undefined && weights.length !== number) {
    throw new OptionError('weights', `must have one entry per row: ${number}`, weights.length)
  }
  const finished = collectors.map(each => finish(each, columns))
  return buildTensor(
    finished.map(({ mode }) => mode),
    finished.map(({ indices }) => indices),
    Float64Array.from(values),
  )
}

const collector = (given: string | ModeOptions): Collector => {
  const options = typeof given === 'string' ? { name: given } : given
  const mode = options.labels === undefined ? undefined : declaredMode({ ...options, labels: options.labels })
  return { options, mode, seen: new Map(), labels: [], column: [] }
}

/** The collectors so far and one for every key not met before; the rows that lacked it are missing there. */
const discover = (
  row: Row,
  number: number,
  count: string | undefined,
  collectors: Collector[],
  known: Set<string>,
): Collector[] => {
  if (Array.isArray(row)) return number === 1 ? row.map((_, n) => collector(`mode${n + 1}`)) : collectors
  for (const key of Object.keys(row)) {
    if (key === count || known.has(key)) continue
    known.add(key)
    const added = collector(key)
    for (let earlier = 1; earlier < number; earlier++) added.column.push(MISSING)
    collectors.push(added)
  }
  return collectors
}

const rowValue = (row: Row, number: number, count: string | undefined, weights: RowOptions['weights']): number => {
  if (weights !== undefined) return checkValue(weights[number - 1], `row ${number}`, { row: number })
  if (count === undefined) return 1
  if (Array.isArray(row))
    throw new OptionError('count', words`names a key, but the rows are arrays: ${advise('use', 'weights')}`)
  const value = entryOf(row, count, 0)
  return checkValue(value, `row ${number}, column ${show(count)}`, { row: number, column: count })
}

const addRow = (row: Row, number: number, collectors: readonly Collector[], absent: ReadonlySet<string>): void => {
  if (Array.isArray(row) && row.length !== collectors.length) {
    throw new DataError(
      `row ${number} has ${row.length} entries where ${collectors.length} are expected: it is ragged`,
      {
        row: number,
      },
    )
  }
  collectors.forEach(({ options: { name }, mode, seen, labels, column }, n) => {
    const value = entryOf(row, name, n)
    const label = labelAt(value, number, name)
    const text = String(label)
    if (label === undefined || absent.has(text)) {
      column.push(MISSING)
      return
    }
    let index = mode === undefined ? seen.get(text) : mode.indexOf(label)
    if (index === undefined) {
      if (mode !== undefined) {
        throw new DataError(`row ${number}, column ${show(name)}: ${show(label)} is not one of the labels given`, {
          row: number,
          column: name,
        })
      }
      index = labels.length
      seen.set(text, index)
      labels.push(label)
    } else if (mode === undefined && typeof label === 'string') labels[index] = label
    column.push(index)
  })
}

const labelAt = (value: unknown, row: number, column: string): Label | undefined => {
  try {
    return labelOf(value)
  } catch (error) {
    throw new DataError(`row ${row}, column ${show(column)}: ${(error as Error).message}`, { row, column })
  }
}

/** The mode with its labels sorted, and the column of indices into them. */
const finish = ({ options, mode, labels, column }: Collector, columns: readonly string[]) => {
  if (mode !== undefined) return { mode, indices: Int32Array.from(column) }
  if (labels.length === 0) {
    const known = columns.length === 0 || columns.includes(options.name) ? '' : `; the rows have ${columns.join(', ')}`
    throw new DataError(`mode ${show(options.name)}: no row has a label in it${known}`, { column: options.name })
  }
  const sorted = new Mode(options.name, sortLabels(labels), options.ordered)
  const position = labels.map(label => sorted.indexOf(label) as number)
  return { mode: sorted, indices: Int32Array.from(column, index => (index === MISSING ? MISSING : position[index])) }
}
