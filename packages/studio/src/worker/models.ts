import { DataError, OptionError } from '@polyad/core'
import { type ModelFile, modelFromNpz } from '@polyad/core/file'
import type { JobHandler, ModelHandle } from './protocol.ts'

/** The models that the page asks about, by their handles: a file until the first question, then the model in it. */
const models = new Map<ModelHandle, Uint8Array | ModelFile>()

/** Members of a model's file are stored, not packed. */
const stored = (): never => {
  throw new DataError('this model file was packed by another program: open it with the command line')
}

export const openModel = (handle: ModelHandle): ModelFile => {
  const found = models.get(handle)
  if (found === undefined) throw new OptionError('this model is no longer open')
  if (!(found instanceof Uint8Array)) return found
  const opened = modelFromNpz(found, stored)
  models.set(handle, opened)
  return opened
}

export const modelJobs: { readonly [J in 'hold' | 'release']: JobHandler<J> } = {
  hold: (_, handle, file) => void models.set(handle, file),
  release: (_, handle) => void models.delete(handle),
}
