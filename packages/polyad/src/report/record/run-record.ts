import { type Counts, MISSING } from '@polyad/core'
import { hasCells } from '@polyad/core/model'
import type { ReadResult } from '../../table/reading/read-view.ts'
import { tensorDigest } from '../../table/view/tensor-digest.ts'

/** Origin of a model: data, program, version. */
export interface Making {
  readonly programVersion: string
  readonly command: string
  /** The command line that does the same. */
  readonly line: string
  /** SHA-256 of data whose cells are not in memory, if it is known; of other data it is computed. */
  readonly digest?: string | null | undefined
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
  digest: hasCells(tensor) ? tensorDigest(tensor) : (digest ?? null),
  missing: missingIn(tensor, recipe),
  recipe,
  result,
})

/** The variables in which something is missing: of one that is split into parts, a row lacks all parts but its own. */
const missingIn = (tensor: Counts, { modes: recipes }: ReadResult['recipe']): string[] => {
  const nameOf = (n: number) => (recipes[n]?.when === undefined ? tensor.modes[n].name : recipes[n].column)
  const isMissing = (parts: readonly number[]): boolean => {
    if (parts.length === 1 || !hasCells(tensor)) return tensor.missing[parts[0]]
    const { indices, values } = tensor
    return values.some((_, cell) => parts.every(n => indices[n][cell] === MISSING))
  }
  const parts = new Map<string, number[]>()
  for (const n of tensor.modes.keys()) {
    const own = parts.get(nameOf(n))
    if (own === undefined) parts.set(nameOf(n), [n])
    else own.push(n)
  }
  return [...parts].flatMap(([name, own]) => (isMissing(own) ? [name] : []))
}
