import { type Counts, carryModel, type Model, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import { loadModel } from '../../output/model-store.ts'
import { changesText } from '../../report/update-text.ts'
import type { StructureOptions } from '../options/structure-options.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Structures whose fits have starts of their own. */
const WITHOUT_INIT = ['covariates', 'groups', 'join', 'known', 'free', 'direct'] as const

/** A model as a start for this data, and a note of the categories that differ. */
export const carriedOver = async (
  path: string,
  data: Counts,
  options: StructureOptions,
  { note }: Terminal,
): Promise<Model> => {
  const other = WITHOUT_INIT.find(name => options[name] !== undefined)
  if (other !== undefined)
    throw new OptionError(words`${mention('init')} cannot be combined with ${mention(other)}: leave one of them out`)
  const { model: carried, changes } = carryModel((await loadModel(path)).model, data)
  for (const change of changes) note(changesText(change))
  return carried
}
