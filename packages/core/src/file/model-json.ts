import { DataError, show } from '../errors.ts'
import { Model } from '../model/model.ts'
import { type Label, Mode } from '../tensor/mode.ts'

export const FORMAT = 'polyad-model'
export const VERSION = 1

/**
 * What the JSON of a model holds. Numbers are written so that reading them gives the same bits, since JSON in
 * JavaScript writes the shortest text that does.
 */
export interface ModelJson {
  readonly format: string
  readonly version: number
  readonly rank: number
  readonly weights: readonly number[]
  readonly classNames?: readonly string[]
  readonly modes: readonly {
    readonly name: string
    readonly size: number
    readonly ordered: boolean
    readonly labels?: readonly Label[]
    /** One row per label, one entry per class. */
    readonly factor: readonly (readonly number[])[]
  }[]
}

/** Everything of a model but its numbers. */
export type ModelHeader = Omit<ModelJson, 'weights' | 'modes'> & {
  readonly modes: readonly Omit<ModelJson['modes'][number], 'factor'>[]
}

export const modelHeader = (model: Model): ModelHeader => ({
  format: FORMAT,
  version: VERSION,
  rank: model.rank,
  ...(model.classNames === undefined ? {} : { classNames: model.classNames }),
  modes: model.modes.map(({ name, size, ordered, labels }) => ({
    name,
    size,
    ordered,
    ...(labels === undefined ? {} : { labels }),
  })),
})

/**
 * A model as an object for JSON.
 * @example
 * const text = JSON.stringify(modelToJson(model))
 */
export const modelToJson = (model: Model): ModelJson => {
  const { format, version, rank, modes, ...names } = modelHeader(model)
  const rows = (factor: Float64Array) =>
    Array.from({ length: factor.length / rank }, (_, j) => [...factor.subarray(j * rank, (j + 1) * rank)])
  return {
    format,
    version,
    rank,
    weights: model.sizes,
    ...names,
    modes: modes.map((mode, n) => ({ ...mode, factor: rows(model.parameters.factors[n]) })),
  }
}

/**
 * Reads what `modelToJson` made, as an object or as text; anything else is refused with the reason.
 * @example
 * const copy = modelFromJson(JSON.stringify(modelToJson(model))) // the same model, bit for bit
 */
export const modelFromJson = (json: unknown): Model =>
  modelFrom(typeof json === 'string' ? parse(json) : json, {
    weights: (root, rank) => numbers(root.weights, 'weights', rank),
    factor: ({ factor }, n, size, rank) => {
      const where = `modes[${n}].factor`
      const rows = list(factor, where)
      if (size !== rows.length) refuse(`modes[${n}].size is ${size} but its factor has ${rows.length} rows`)
      // Before the table is allocated: rows without entries would let a small file ask for a large one.
      const short = rows.findIndex(row => list(row, where).length !== rank)
      if (short >= 0) refuse(`${where}[${short}] must have ${rank} entries (got ${(rows[short] as unknown[]).length})`)
      const values = new Float64Array(size * rank)
      rows.forEach((row, j) => void values.set(numbers(row, `${where}[${j}]`, rank), j * rank))
      return values
    },
  })

/** Where the numbers of a model are: in the object itself, or in arrays beside it. */
export interface ModelNumbers {
  readonly weights: (root: Record<string, unknown>, rank: number) => Float64Array
  readonly factor: (mode: Record<string, unknown>, n: number, size: number, rank: number) => Float64Array
}

/** Builds a model from its checked header and its numbers. */
export const modelFrom = (json: unknown, from: ModelNumbers): Model => {
  const root = record(json, 'a model file')
  if (root.format !== FORMAT) refuse(`its format must be ${show(FORMAT)} (${got(root.format)})`)
  if (root.version !== VERSION) {
    const newer = typeof root.version === 'number' && root.version > VERSION
    refuse(`its version must be ${VERSION} (${got(root.version)})${newer ? ': it needs a newer Polyad' : ''}`)
  }
  const rank = size(root.rank, 'rank')
  const sizes = from.weights(root, rank)
  const names = root.classNames === undefined ? undefined : strings(root.classNames, 'classNames')
  const entries = list(root.modes, 'modes').map((entry, n) => record(entry, `modes[${n}]`))
  if (entries.length === 0) refuse('modes must not be empty')
  const factors = entries.map((entry, n) => from.factor(entry, n, size(entry.size, `modes[${n}].size`), rank))
  const modes = entries.map((entry, n) => readMode(entry, `modes[${n}]`))
  return guarded(() => new Model(modes, { rank, sizes, factors }, names))
}

const readMode = ({ name, size, ordered, labels }: Record<string, unknown>, where: string): Mode => {
  if (typeof name !== 'string') refuse(`${where}.name must be a string (${got(name)})`)
  if (typeof ordered !== 'boolean') refuse(`${where}.ordered must be true or false (${got(ordered)})`)
  const known = labels === undefined ? undefined : list(labels, `${where}.labels`)
  if (known !== undefined && known.length !== size) refuse(`${where} has ${known.length} labels for ${size} rows`)
  known?.forEach((label, j) => {
    if (typeof label !== 'string' && typeof label !== 'number') {
      refuse(`${where}.labels[${j}] must be a string or a number (got ${show(label)})`)
    }
  })
  return guarded(() => {
    const mode = new Mode(name as string, (known as Label[] | undefined) ?? (size as number), ordered as boolean)
    mode.indexOf(mode.label(0))
    return mode
  })
}

/** What is there instead. */
const got = (value: unknown): string => (value === undefined ? 'it is missing' : `got ${show(value)}`)

const refuse = (reason: string): never => {
  throw new DataError(`this is not a usable model file: ${reason}`)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuse(`it is not JSON (${(error as Error).message})`)
  }
}

/** What a constructor finds wrong with a file's content is a fault of the file. */
const guarded = <T>(make: () => T): T => {
  try {
    return make()
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const record = (value: unknown, where: string): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(`${where} must be an object (${got(value)})`)

const list = (value: unknown, where: string): unknown[] =>
  Array.isArray(value) ? value : refuse(`${where} must be a list (${got(value)})`)

const numbers = (value: unknown, where: string, length: number): Float64Array => {
  const entries = list(value, where)
  if (entries.length !== length) refuse(`${where} must have ${length} entries (got ${entries.length})`)
  return Float64Array.from(entries, entry =>
    typeof entry === 'number' && entry >= 0 ? entry : refuse(`${where} must hold numbers ≥ 0 (${got(entry)})`),
  )
}

const strings = (value: unknown, where: string): string[] =>
  list(value, where).map(entry =>
    typeof entry === 'string' ? entry : refuse(`${where} must hold strings (${got(entry)})`),
  )

const size = (value: unknown, where: string): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
    ? value
    : refuse(`${where} must be a whole number ≥ 1 (${got(value)})`)
