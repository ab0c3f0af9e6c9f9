import { constants } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import {
  DataError,
  type Model,
  type ModelFile,
  modelFileFromJson,
  modelFromNpz,
  modelToJson,
  modelToNpz,
  OptionError,
} from '@polyad/core'
import { DATE_PARTS } from '../source/bins.ts'
import { checkReadable, readHead } from '../source/files.ts'
import { inflate } from '../source/numpy.ts'
import type { ModeRecipe, Recipe } from '../source/read-table.ts'
import { writeBytes } from './atomic-file.ts'

/** A model from disk, with how it came about and how new data is to be read for it. */
export interface StoredModel extends ModelFile {
  readonly path: string
  readonly recipe: Recipe
  /** The column of counts in the data it was fitted to; undefined where every row counted once, or nothing is known. */
  readonly count: string | undefined
}

const kindOf = (path: string): 'npz' | 'json' => {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  if (extension === 'npz' || extension === 'json') return extension
  throw new OptionError(`a model's file must end in .npz or .json (got ${JSON.stringify(path)})`)
}

/** Refuses a name no model can have: asked before a long fit, not after. */
export const checkModelPath = (path: string): void => void kindOf(path)

/** Saves a model by the kind its name asks for. `run` is whatever is needed to do it again. */
export const saveModel = (path: string, model: Model, run: Readonly<Record<string, unknown>>): Promise<void> =>
  writeBytes(
    path,
    kindOf(path) === 'npz' ? modelToNpz(model, run) : `${JSON.stringify({ ...modelToJson(model), run }, null, 1)}\n`,
  )

/** Whether a file is a model, by what is in it. */
export const isModelFile = (path: string): boolean => {
  if (!existsSync(path) || !/\.(npz|json)$/i.test(path)) return false
  const head = readHead(path, 1 << 16).toString('latin1')
  return path.toLowerCase().endsWith('.json')
    ? /^\s*\{\s*"format":\s*"polyad-model"/.test(head)
    : head.includes('model.json')
}

export const loadModel = (path: string): StoredModel => {
  checkReadable(path)
  const bytes = bytesOf(path)
  try {
    const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b
    const file = zipped || kindOf(path) === 'npz' ? modelFromNpz(bytes, inflate) : modelFileFromJson(textOf(bytes))
    return { ...file, path, recipe: recipeOf(file), count: countOf(file) }
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    throw new DataError(`${path}: ${error.message}`, error.place, { cause: error })
  }
}

const bytesOf = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new DataError(`${path} cannot be read: ${(error as Error).message}`, {}, { cause: error })
  }
}

/** JSON is read as one string, and strings have a limit. */
const textOf = (bytes: Buffer): string =>
  bytes.length <= constants.MAX_STRING_LENGTH
    ? bytes.toString('utf8')
    : refuse(`it has ${bytes.length} bytes, more than JSON can be read from; keep large models as .npz`)

const countOf = ({ run }: ModelFile): string | undefined => {
  const { source } = run as { source?: { count?: unknown } }
  return typeof source?.count === 'string' ? source.count : undefined
}

/** The recipe in a model's record; where there is none, every mode is a column of its name. */
const recipeOf = ({ model, run }: ModelFile): Recipe => {
  const plain: Recipe = { modes: model.modes.map(({ name }) => ({ column: name })), missing: ['', 'NA', 'NULL', 'NaN'] }
  const { recipe } = run as { recipe?: Partial<Recipe> }
  if (recipe === undefined) return plain
  const { modes, missing } = recipe
  const texts = Array.isArray(missing) && missing.every(text => typeof text === 'string')
  if (!Array.isArray(modes) || modes.length !== model.modes.length || !texts)
    refuse('its recipe does not fit its modes')
  return { modes: (modes as unknown[]).map(modeRecipe), missing: missing as string[] }
}

/** What goes into SQL later is checked here to be what it says: a model file may come from anyone. */
const modeRecipe = (entry: unknown): ModeRecipe => {
  const { column, binning, missingAs, other } = (entry ?? {}) as Record<string, unknown>
  if (typeof column !== 'string') return refuse('a mode of its recipe has no column')
  for (const text of [missingAs, other])
    if (text !== undefined && typeof text !== 'string') refuse('its recipe is broken')
  return {
    column,
    ...(binning === undefined ? {} : { binning: binningOf(binning) }),
    ...(missingAs === undefined ? {} : { missingAs: missingAs as string }),
    ...(other === undefined ? {} : { other: other as string }),
  }
}

const binningOf = (value: unknown): NonNullable<ModeRecipe['binning']> => {
  const { kind, width, edges, part } = (value ?? {}) as Record<string, unknown>
  const finite = (number: unknown): number =>
    typeof number === 'number' && Number.isFinite(number) ? number : refuse('a bin of its recipe is no number')
  if (kind === 'int') return { kind }
  if (kind === 'width' && finite(width) > 0) return { kind, width: finite(width) }
  if (kind === 'quantiles' && Array.isArray(edges)) return { kind, edges: edges.map(finite) }
  const known = DATE_PARTS.find(name => name === part)
  if (kind === 'date' && known !== undefined) return { kind, part: known }
  return refuse('a binning of its recipe is not known')
}

const refuse = (reason: string): never => {
  throw new DataError(`this is not a usable model file: ${reason}`)
}
