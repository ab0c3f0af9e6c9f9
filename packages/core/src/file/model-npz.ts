import { DataError } from '../errors.ts'
import type { Model } from '../model/model.ts'
import { reader } from '../reader.ts'
import { modelFrom, modelFromJson, modelHeader, parsed, usableModel } from './model-json.ts'
import { type NpyArray, readNpy } from './npy.ts'
import { writeNpz } from './npz.ts'
import { type Inflate, readZip } from './zip.ts'

/** A model with its record: how it was fitted, and how to read new data for it. */
export interface ModelFile {
  readonly model: Model
  /** Whatever the writer wanted to keep, as JSON holds it; empty where there was nothing. */
  readonly run: Readonly<Record<string, unknown>>
}

/** Labels as a NumPy array are padded to the longest; beyond this many characters in total they are in model.json only. */
const LABEL_CHARACTERS = 4_000_000

/**
 * A model as the bytes of a `.npz` file, which `numpy.load` opens: `weights` (K), `factor_1`, `factor_2`, … (labels ×
 * classes), `labels_1`, … where a mode has labels, and `model.json`, a string with everything that is not numbers.
 * @example
 * const bytes = modelToNpz(model, { seed: 1 })
 */
export const modelToNpz = (model: Model, run: Readonly<Record<string, unknown>> = {}): Uint8Array => {
  const arrays = new Map<string, NpyArray>()
  arrays.set('model.json', { shape: [], data: [JSON.stringify({ ...modelHeader(model), run }, null, 1)] })
  arrays.set('weights', { shape: [model.rank], data: Float64Array.from(model.sizes) })
  model.modes.forEach((mode, n) => {
    arrays.set(`factor_${n + 1}`, { shape: [mode.size, model.rank], data: model.parameters.factors[n] })
    const labels = labelArray(mode.labels)
    if (labels !== undefined) arrays.set(`labels_${n + 1}`, labels)
  })
  return writeNpz(arrays)
}

const labelArray = (labels: readonly (string | number)[] | undefined): NpyArray | undefined => {
  if (labels === undefined) return undefined
  const shape = [labels.length]
  if (labels.every(label => typeof label === 'number')) return { shape, data: Float64Array.from(labels as number[]) }
  const texts = labels.map(String)
  const width = texts.reduce((most, text) => Math.max(most, text.length), 1)
  return width * texts.length > LABEL_CHARACTERS ? undefined : { shape, data: texts }
}

/**
 * Reads the output of `modelToNpz`. Throws a `DataError` with the reason for a newer format, a damaged file, or impossible sizes and numbers. Pass
 * `inflate` to open files that were packed again with compression. Every array is checked against the header before it is read, and every header against the
 * file.
 * @example
 * const { model: copy, run } = modelFromNpz(modelToNpz(model, { seed: 1 }))
 * run.seed // 1
 */
export const modelFromNpz = (bytes: Uint8Array, inflate?: Inflate): ModelFile => {
  const members = readZip(bytes, inflate)
  const json = parsed(usableModel(() => descriptionOf(members)))
  const array = (name: string, shape: readonly number[]): Float64Array => {
    const member = members.get(`${name}.npy`)
    if (member === undefined) throw new DataError(`it has no ${name}.npy`)
    const read = readNpy(member, `${name}.npy`)
    if (read.shape.join() !== shape.join())
      throw new DataError(`${name} must be of shape ${shape.join('×')} (got ${read.shape.join('×')})`)
    return reader.reals()(read.data, name)
  }
  const model = modelFrom(json, {
    weights: (_, rank) => array('weights', [rank]),
    factor: ({ size }, rank, _, n) => array(`factor_${n + 1}`, [size, rank]),
  })
  return { model, run: runOf(json) }
}

/** The string `model.json`: an array of NumPy's, or as earlier versions wrote it, the text itself. */
const descriptionOf = (members: ReadonlyMap<string, Uint8Array>): string => {
  const member = members.get('model.json.npy')
  if (member !== undefined) {
    const { data } = readNpy(member, 'model.json.npy')
    if (!Array.isArray(data) || data.length !== 1) throw new DataError('its model.json must be one string')
    return data[0]
  }
  const text = members.get('model.json')
  if (text === undefined) throw new DataError('it has no model.json, so it is another kind of .npz file')
  return new TextDecoder().decode(text)
}

/**
 * Reads a model and its `run` from the text or the object of a `.json` model file.
 * @example
 * const { model: copy, run } = modelFileFromJson({ ...modelToJson(model), run: { seed: 1 } })
 * run.seed // 1
 */
export const modelFileFromJson = (json: unknown): ModelFile => {
  const value = typeof json === 'string' ? parsed(json) : json
  return { model: modelFromJson(value), run: runOf(value) }
}

const runOf = (json: unknown): Readonly<Record<string, unknown>> => {
  const { run = {} } = reader.fieldsOf(json)
  return usableModel(() => reader.object(run, 'run'))
}
