import { type Counts, carryModel, type Model, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import { loadModel } from '../../output/model-store.ts'
import { counted } from '../../report/numbers.ts'
import { changesText } from '../../report/update-text.ts'
import type { StructureOptions } from '../options/structure-options.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Structures whose fits have starts of their own. */
const WITHOUT_INIT = ['covariates', 'groups', 'join', 'known', 'free', 'direct'] as const

/** The model to start from, checked before any data is read. */
export const startingModel = (path: string, rank: number, options: StructureOptions): Model => {
  const other = WITHOUT_INIT.find(name => options[name] !== undefined)
  if (other !== undefined)
    throw new OptionError(words`${mention('init')} cannot be combined with ${mention(other)}: leave one of them out`)
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
