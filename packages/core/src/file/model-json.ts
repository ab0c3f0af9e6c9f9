import { DataError, show } from '../errors.ts'
import { Model } from '../model/model.ts'
import { type Label, Mode } from '../tensor/mode.ts'

export const FORMAT = 'polyad-model'
export const VERSION = 1

/**
 * A model as an object for JSON. Numbers are written so that reading them gives the same bits, since JSON in
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

/**
 * A model as an object that JSON can hold: to the last bit.
 * @example
 * const text = JSON.stringify(modelToJson(model))
 */
export const modelToJson = (model: Model): ModelJson => ({
  format: FORMAT,
  version: VERSION,
  rank: model.rank,
  weights: model.weights,
  ...(model.classNames === undefined ? {} : { classNames: model.classNames }),
  modes: model.modes.map(({ name, size, ordered, labels }, n) => ({
    name,
    size,
    ordered,
    ...(labels === undefined ? {} : { labels }),
    factor: Array.from({ length: size }, (_, j) => [
      ...model.parameters.factors[n].subarray(j * model.rank, (j + 1) * model.rank),
    ]),
  })),
})

/**
 * Reads what `modelToJson` made, as an object or as text; anything else is refused with the reason.
 * @example
 * const copy = modelFromJson(JSON.stringify(modelToJson(model)))
 * copy.rank // 2
 */
export const modelFromJson = (json: unknown): Model => {
  const root = record(typeof json === 'string' ? parse(json) : json, 'a model file')
  if (root.format !== FORMAT) refuse(`its format must be ${show(FORMAT)} (got ${show(root.format)})`)
  if (root.version !== VERSION) {
    const newer = typeof root.version === 'number' && root.version > VERSION
    refuse(`its version must be ${VERSION} (got ${show(root.version)})${newer ? ': it needs a newer Polyad' : ''}`)
  }
  const rank = root.rank
  if (typeof rank !== 'number' || !Number.isInteger(rank) || rank < 1) refuse(`rank must be ≥ 1 (got ${show(rank)})`)
  const weights = numbers(root.weights, 'weights', rank as number)
  const names = root.classNames === undefined ? undefined : texts(root.classNames, 'classNames')
  const modes: Mode[] = []
  const factors = list(root.modes, 'modes').map((entry, n) => {
    const { mode, factor } = readMode(record(entry, `modes[${n}]`), `modes[${n}]`, rank as number)
    modes.push(mode)
    return factor
  })
  if (modes.length === 0) refuse('modes must not be empty')
  return guarded(() => new Model(modes, { rank: rank as number, weights, factors }, names))
}

const readMode = ({ name, size, ordered, labels, factor }: Record<string, unknown>, where: string, rank: number) => {
  if (typeof name !== 'string') refuse(`${where}.name must be a string (got ${show(name)})`)
  if (typeof ordered !== 'boolean') refuse(`${where}.ordered must be true or false (got ${show(ordered)})`)
  const rows = list(factor, `${where}.factor`)
  if (size !== rows.length) refuse(`${where}.size is ${show(size)} but its factor has ${rows.length} rows`)
  const known = labels === undefined ? undefined : list(labels, `${where}.labels`)
  if (known !== undefined && known.length !== rows.length)
    refuse(`${where} has ${known.length} labels for ${rows.length} rows`)
  known?.forEach((label, j) => {
    if (typeof label !== 'string' && typeof label !== 'number') {
      refuse(`${where}.labels[${j}] must be a string or a number (got ${show(label)})`)
    }
  })
  const mode = guarded(() => {
    const made = new Mode(name as string, (known as Label[] | undefined) ?? rows.length, ordered as boolean)
    made.indexOf(made.label(0))
    return made
  })
  const values = new Float64Array(rows.length * rank)
  rows.forEach((row, j) => {
    values.set(numbers(row, `${where}.factor[${j}]`, rank), j * rank)
  })
  return { mode, factor: values }
}

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
    : refuse(`${where} must be an object (got ${show(value)})`)

const list = (value: unknown, where: string): unknown[] =>
  Array.isArray(value) ? value : refuse(`${where} must be a list (got ${show(value)})`)

const numbers = (value: unknown, where: string, length: number): Float64Array => {
  const entries = list(value, where)
  if (entries.length !== length) refuse(`${where} must have ${length} entries (got ${entries.length})`)
  return Float64Array.from(entries, entry =>
    typeof entry === 'number' && entry >= 0 ? entry : refuse(`${where} must hold numbers ≥ 0 (got ${show(entry)})`),
  )
}

const texts = (value: unknown, where: string): string[] =>
  list(value, where).map(entry =>
    typeof entry === 'string' ? entry : refuse(`${where} must hold strings (got ${show(entry)})`),
  )
