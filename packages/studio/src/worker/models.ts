import { DataError, OptionError } from '@polyad/core'
import { type ModelFile, modelFromNpz } from '@polyad/core/file'
import { type Codebook, withLabels } from 'polyad/table'
import type { JobHandler, ModelHandle } from './protocol.ts'

/** A model as it was handed over. */
interface Held {
  readonly file: Uint8Array
  /** Labels besides those of the file. */
  readonly labels: Codebook | undefined
}

/** The models that the page asks about, by their handles: a file until the first question, then the model in it. */
const models = new Map<ModelHandle, Held | ModelFile>()

/** Members of a model's file are stored, not packed. */
const stored = (): never => {
  throw new DataError('this model file was packed by another program: open it with the command line')
}

export const openModel = (handle: ModelHandle): ModelFile => {
  const found = models.get(handle)
  if (found === undefined) throw new OptionError('this model is no longer open')
  if ('model' in found) return found
  const file = modelFromNpz(found.file, stored)
  const opened = { ...file, run: withLabels(file.run, found.labels) }
  models.set(handle, opened)
  return opened
}

export const modelJobs: { readonly [J in 'hold' | 'release']: JobHandler<J> } = {
  hold: (_, handle, file, labels) => void models.set(handle, { file, labels }),
  release: (_, handle) => void models.delete(handle),
}
