import type { Counts } from '@polyad/core'
import type { ReadResult } from '../table/reading/read-view.ts'

/** Where a model was made, and by what. */
export interface Making {
  readonly programVersion: string
  readonly command: string
  /** The command line that does the same. */
  readonly line: string
  /** SHA-256 of the data; null where it is not known. */
  readonly digest: string | null
}

/** What is kept with a model: everything needed to do it again, and to read new data in the same way. */
export const runRecord = (
  { programVersion, command, line, digest }: Making,
  { source, recipe, tensor }: Pick<ReadResult, 'source' | 'recipe'> & { readonly tensor: Counts },
  options: Readonly<Record<string, unknown>>,
  result: object,
): Record<string, unknown> => ({
  program: 'polyad',
  programVersion,
  command,
  line,
  options,
  source,
  digest,
  missing: tensor.modes.flatMap(({ name }, n) => (tensor.missing[n] ? [name] : [])),
  recipe,
  result,
})
