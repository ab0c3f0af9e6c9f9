import { constants } from 'node:buffer'
import { existsSync } from 'node:fs'
import { DataError, type Model, OptionError } from '@polyad/core'
import { type ModelFile, modelFileFromJson, modelFromNpz, modelToJson, modelToNpz } from '@polyad/core/file'
import { pick } from '@polyad/core/options'
import { inflate } from '../source/formats/numpy.ts'
import { readKtensor, toolboxKind } from '../source/formats/toolbox.ts'
import { checkReadable, readBytes, readHead } from '../source/relation/files.ts'
import { checkRecipe, type Recipe } from '../table/view/recipe.ts'
import { recordedFit } from '../table/view/recorded-fit.ts'
import { writeBytes } from './atomic-file.ts'

/** A model from disk, with how it came about and how new data is to be read for it. */
export interface StoredModel extends ModelFile {
  readonly path: string
  readonly recipe: Recipe
  /** The column of counts in the data it was fitted to; undefined where every row counted once, or nothing is known. */
  readonly count: string | undefined
  /** The column of sampling weights in it, where there was one. */
  readonly weights: string | undefined
  /** The columns of clusters and strata that it was drawn by. */
  readonly cluster?: string | undefined
  readonly stratum?: string | undefined
  /** Whether rows were left out in which anything was missing. */
  readonly complete?: boolean
  /** What the rows of its data had to meet. New data is not filtered by it. */
  readonly where?: string | undefined
}

const kindOf = (path: string): 'npz' | 'json' => {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  if (extension === 'npz' || extension === 'json') return extension
  throw new OptionError(`the name of a model must end in .npz or .json (got ${JSON.stringify(path)})`)
}

/** Refuses a name no model can have: asked before a long fit, not after. */
export const checkModelPath = (path: string): void => void kindOf(path)

/**
 * Saves a model as .npz or .json, by its name. `run` is the record needed to repeat the fit.
 * @example
 * await saveModel('model.npz', model, { seed: 1 })
 */
export const saveModel = (path: string, model: Model, run: Readonly<Record<string, unknown>>): Promise<void> =>
  writeBytes(
    path,
    kindOf(path) === 'npz' ? modelToNpz(model, run) : `${JSON.stringify({ ...modelToJson(model), run }, null, 1)}\n`,
  )

/** Whether a file is a model, by what is in it. */
export const isModelFile = (path: string): boolean => {
  if (!existsSync(path)) return false
  if (/\.tns$/i.test(path)) return toolboxKind(path) === 'ktensor'
  if (!/\.(npz|json)$/i.test(path)) return false
  const head = readHead(path, 1 << 16).toString('latin1')
  return path.toLowerCase().endsWith('.json')
    ? /^\s*\{\s*"format":\s*"polyad-model"/.test(head)
    : head.includes('model.json')
}

/**
 * Reads a model file (.npz or .json). Throws a `DataError` with the reason if it is not one.
 * @example
 * await saveModel('model.npz', model, { seed: 1 })
 * const { model: copy, run } = loadModel('model.npz')
 * run.seed // 1
 */
export const loadModel = (path: string): StoredModel => {
  checkReadable(path)
  if (/\.tns$/i.test(path) && toolboxKind(path) === 'ktensor') {
    const model = readKtensor(path)
    const recipe = checkRecipe(
      undefined,
      model.modes.map(({ name }) => name),
    )
    return { model, run: {}, path, recipe, count: undefined, weights: undefined }
  }
  const bytes = readBytes(path)
  try {
    const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b
    const file = zipped || kindOf(path) === 'npz' ? modelFromNpz(bytes, inflate) : modelFileFromJson(textOf(bytes))
    const names = file.model.modes.map(({ name }) => name)
    return {
      ...file,
      path,
      recipe: checkRecipe(file.run.recipe, names, file.model.structure.given),
      ...pick(recordedFit(file.run), 'count', 'weights', 'cluster', 'stratum', 'complete', 'where'),
    }
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    throw new DataError(`${path}: ${error.message}`, error.place, { cause: error })
  }
}

/** JSON is read as one string, and strings have a limit. */
const textOf = (bytes: Buffer): string =>
  bytes.length <= constants.MAX_STRING_LENGTH ? bytes.toString('utf8') : tooLong(bytes.length)

const tooLong = (bytes: number): never => {
  throw new DataError(`${bytes} bytes are too many for JSON; save large models as .npz`)
}
