import { type Counts, carryModel, type Model, OptionError } from '@polyad/core'
import { checkAvailable } from '@polyad/core/options'
import { loadModel } from '../../output/model-store.ts'
import { counted } from '../../report/numbers.ts'
import { changesText } from '../../report/text/update-text.ts'
import type { StructureOptions } from '../options/structure-options.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The model to start from, checked before any data is read. */
export const startingModel = (path: string, rank: number, options: StructureOptions): Model => {
  checkAvailable('init', 'init', options)
  const { model } = loadModel(path)
  if (model.rank !== rank)
    throw new OptionError(`${path} has ${counted(model.rank, 'class', 'classes')}: with --init, use -k ${model.rank}`)
  return model
}

/** A model as a start for this data, and a note of the categories that differ. */
export const carriedOver = (model: Model, data: Counts, { note }: Terminal): Model => {
  const { model: carried, changes } = carryModel(model, data)
  for (const change of changes) note(changesText(change))
  return carried
}
