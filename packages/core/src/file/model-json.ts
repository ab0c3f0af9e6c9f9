import { defined } from '../defined.ts'
import { DataError, show } from '../errors.ts'
import { type ItemJson, itemFromJson, itemToJson } from '../model/items/item-file.ts'
import { Model } from '../model/model.ts'
import { checkClasses } from '../model/structures/logit.ts'
import { type Structure, structureFrom, structureOfRecipe } from '../model/structures/structures.ts'
import { is } from '../options.ts'
import { type Read, reader } from '../reader.ts'
import { type Label, labelsOf, Mode } from '../tensor/mode.ts'
import { modeWithLabels, packedIfMany } from '../tensor/packed-labels.ts'

export const FORMAT = 'polyad-model'
export const VERSION = 2

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
  /** What decides the classes of a row before its items are seen. */
  readonly structure: Structure
  readonly modes: readonly {
    readonly name: string
    readonly size: number
    readonly ordered: boolean
    readonly labels?: readonly Label[]
    /** Of a variable whose probabilities follow from parameters of its own. */
    readonly item?: ItemJson
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
  ...defined({ classNames: model.classNames }),
  structure: model.structure,
  modes: model.modes.map(({ name, size, ordered, labels }, n) => ({
    name,
    size,
    ordered,
    ...defined({ labels, item: model.items[n] && itemToJson(model.items[n]) }),
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
 * Reads the output of `modelToJson`, as an object or as text. Throws a `DataError` with the reason for anything else.
 * @example
 * const copy = modelFromJson(JSON.stringify(modelToJson(model))) // the same model, bit for bit
 */
export const modelFromJson = (json: unknown): Model =>
  modelFrom(typeof json === 'string' ? parsed(json) : json, {
    weights: ({ weights }, rank) => Float64Array.from(entries(rank)(weights, 'weights')),
    factor: ({ factor, size }, rank, where) => {
      // Before the table is allocated: rows without entries would let a small file ask for a large one.
      const rows = reader.list(entries(rank))(factor, `${where}.factor`)
      if (size !== rows.length) throw new DataError(`${where}.size is ${size} but its factor has ${rows.length} rows`)
      const values = new Float64Array(size * rank)
      rows.forEach((row, j) => void values.set(row, j * rank))
      return values
    },
  })

const entries = (rank: number) => reader.numbers(rank, is.nonNegative)

/** What is found wrong with a file's content, by a constructor too, is a fault of the file. */
export const usableModel = <T>(make: () => T): T => reader.usable('this is not a usable model file:', make)

/** The value of the JSON of a model file. */
export const parsed = (text: string): unknown => usableModel(() => reader.json(text))

const version: Read<number> = (value, where) => {
  if (typeof value === 'number' && value > VERSION)
    throw new DataError(`${where} must be 1 or ${VERSION} (got ${value}): it needs a newer Polyad`)
  return reader.by<number>({ rule: `1 or ${VERSION}`, allows: each => each === 1 || each === VERSION })(value, where)
}

const whole = reader.by<number>(is.whole(1))
const anything: Read<unknown> = value => value

const described = reader.fields({
  format: reader.by<string>({ rule: show(FORMAT), allows: value => value === FORMAT }),
  version,
  rank: whole,
  weights: anything,
  classNames: reader.optional(reader.list(reader.text())),
  modes: reader.list(
    reader.fields({
      name: reader.text(),
      size: whole,
      ordered: reader.flag,
      labels: reader.optional(reader.labels()),
      item: reader.optional(itemFromJson),
      factor: anything,
    }),
  ),
  structure: anything,
  run: anything,
})

type Described = ReturnType<typeof described>

/** Where the numbers of a model are: in the object itself, or in arrays beside it. */
export interface ModelNumbers {
  readonly weights: (root: Described, rank: number) => Float64Array
  readonly factor: (mode: Described['modes'][number], rank: number, where: string, n: number) => Float64Array
}

/** Builds a model from its header and its numbers, all of which are checked. */
export const modelFrom = (json: unknown, from: ModelNumbers): Model =>
  usableModel(() => {
    const root = described(json, '')
    const { rank, classNames, run } = root
    if (root.modes.length === 0) throw new DataError('modes must not be empty')
    const sizes = from.weights(root, rank)
    const factors = root.modes.map((mode, n) => from.factor(mode, rank, `modes[${n}]`, n))
    const modes = root.modes.map(({ name, size, ordered, labels }, n) => {
      if (labels !== undefined && labels.length !== size)
        throw new DataError(`modes[${n}] has ${labels.length} labels for ${size} rows`)
      const mode =
        labels === undefined ? new Mode(name, size, ordered) : modeWithLabels(name, packedIfMany(labels), ordered)
      mode.indexOf(mode.label(0))
      return mode
    })
    const structure =
      root.version === VERSION ? structureFrom(root.structure) : structureOfRecipe(reader.fieldsOf(run).recipe)
    if (structure.kind === 'logit') checkClasses(structure, rank)
    const items = root.modes.map(({ item }, n) => {
      const size = item?.over(labelsOf(modes[n]), rank).size
      if (item !== undefined && item.theta.length !== size)
        throw new DataError(`modes[${n}].item.theta must have ${size} numbers (got ${item.theta.length})`)
      return item
    })
    return new Model(modes, { rank, sizes, factors }, classNames, structure, items)
  })
