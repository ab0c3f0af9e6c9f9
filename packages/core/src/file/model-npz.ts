import { DataError, show } from '../errors.ts'
import type { Model } from '../model/model.ts'
import { FORMAT, modelFromJson, modelToJson, VERSION } from './model-json.ts'
import { type NpyArray, readNpy, writeNpy } from './npy.ts'
import { type Inflate, readZip, writeZip } from './zip.ts'

/** A model with what a program wrote along with it: how it came about, and how to read new data for it. */
export interface ModelFile {
  readonly model: Model
  /** Whatever the writer wanted to keep, as JSON holds it; empty where there was nothing. */
  readonly run: Readonly<Record<string, unknown>>
}

/** Labels as a NumPy array are padded to the longest; beyond this many characters in total they are in model.json only. */
const LABEL_CHARACTERS = 4_000_000

/**
 * A model as the bytes of a `.npz` file, which `numpy.load` opens: `weights` (K), `factor_1`, `factor_2`, … (labels ×
 * classes), `labels_1`, … where a mode has labels, and the text `model.json` with everything that is not numbers.
 * @example
 * const bytes = modelToNpz(model, { seed: 1 })
 */
export const modelToNpz = (model: Model, run: Readonly<Record<string, unknown>> = {}): Uint8Array => {
  const { modes, weights: _, ...head } = modelToJson(model)
  const described = modes.map(({ factor: _, ...mode }) => mode)
  const members = new Map<string, Uint8Array>()
  members.set('model.json', new TextEncoder().encode(JSON.stringify({ ...head, modes: described, run }, null, 1)))
  members.set('weights.npy', writeNpy({ shape: [model.rank], data: Float64Array.from(model.weights) }))
  model.modes.forEach((mode, n) => {
    members.set(`factor_${n + 1}.npy`, writeNpy({ shape: [mode.size, model.rank], data: model.parameters.factors[n] }))
    const labels = labelArray(mode.labels)
    if (labels !== undefined) members.set(`labels_${n + 1}.npy`, writeNpy(labels))
  })
  return writeZip(members)
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
 * Reads what `modelToNpz` made. Anything else is refused with the reason: a newer format, a file cut short or altered,
 * sizes that do not agree, numbers that cannot be. Pass `inflate` to open files that were packed again with compression.
 * @example
 * const { model: copy, run } = modelFromNpz(modelToNpz(model, { seed: 1 }))
 * run.seed // 1
 */
export const modelFromNpz = (bytes: Uint8Array, inflate?: Inflate): ModelFile => {
  const members = readZip(bytes, inflate)
  const text = members.get('model.json')
  if (text === undefined) return refuse('it has no model.json: it is some other .npz file')
  const json = parse(new TextDecoder().decode(text))
  const array = (name: string, shape: readonly number[]): Float64Array => {
    const member = members.get(`${name}.npy`)
    if (member === undefined) return refuse(`it has no ${name}.npy`)
    const read = readNpy(member, `${name}.npy`)
    if (read.shape.join() !== shape.join()) {
      return refuse(`${name} must be of shape ${shape.join('×')} (got ${read.shape.join('×')})`)
    }
    return read.data instanceof Float64Array ? read.data : refuse(`${name} must hold numbers`)
  }
  const { rank } = json
  // What is not of this format and version is refused there, with the reason, before its arrays are looked at.
  if (json.format !== FORMAT || json.version !== VERSION || typeof rank !== 'number' || !Array.isArray(json.modes)) {
    return modelFileFromJson(json)
  }
  const modes = json.modes.map((mode: unknown, n) => {
    const size = typeof mode === 'object' && mode !== null && 'size' in mode ? mode.size : undefined
    if (typeof size !== 'number') return refuse(`modes[${n}].size must be a number (got ${show(size)})`)
    const factor = array(`factor_${n + 1}`, [size, rank])
    const rows = Array.from({ length: size }, (_, j) => [...factor.subarray(j * rank, (j + 1) * rank)])
    return { ...(mode as object), factor: rows }
  })
  return modelFileFromJson({ ...json, weights: [...array('weights', [rank])], modes })
}

/**
 * Reads a model and its `run` from the text or the object of a `.json` model file.
 * @example
 * const { model: copy, run } = modelFileFromJson({ ...modelToJson(model), run: { seed: 1 } })
 * run.seed // 1
 */
export const modelFileFromJson = (json: unknown): ModelFile => {
  const parsed = typeof json === 'string' ? parse(json) : json
  const model = modelFromJson(parsed)
  const { run } = parsed as { run?: unknown }
  if (run !== undefined && (typeof run !== 'object' || run === null || Array.isArray(run))) {
    return refuse(`run must be an object (got ${show(run)})`)
  }
  return { model, run: (run ?? {}) as Record<string, unknown> }
}

const parse = (text: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse(`it is not JSON (${(error as Error).message})`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('it is not an object')
  return value as Record<string, unknown>
}

const refuse = (reason: string): never => {
  throw new DataError(`this is not a usable model file: ${reason}`)
}
