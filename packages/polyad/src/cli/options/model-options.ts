import { COUNT, type DataOptions, TABLE_READING } from './data-options.ts'
import type { CommandArgument, OptionGroup } from './definition.ts'

/** Options of the commands that read new data for a model: how to read it; what to read, the model knows. */
export type ModelDataOptions = Pick<
  DataOptions,
  'where' | 'count' | 'sql' | 'format' | 'delimiter' | 'encoding' | 'header' | 'skipRows' | 'memory'
>

export const MODEL_ARGUMENT: CommandArgument = { name: '<model>', text: 'a model, .npz or .json' }

/** How to read it, and how to count it: by default as the model's own data was. */
export const MODEL_COUNTS: OptionGroup = {
  title: 'Data',
  options: [
    {
      ...COUNT,
      text: 'column of frequencies (default: as for the data of the model; none: every row counts once)',
    },
    ...TABLE_READING,
  ],
}
