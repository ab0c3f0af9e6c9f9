import { createRequire } from 'node:module'
import { type Counts, hasCells } from '@polyad/core'
import { tensorDigest } from '../../output/tensor-digest.ts'
import type { ReadResult } from '../../source/read-table.ts'

export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** A word of a command line as a shell takes it. */
const quoted = (word: string): string =>
  /^[\p{L}\p{N}_.,:@%+/=-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** What is kept with a model: everything needed to do it again, and to read new data in the same way. */
export const modelRecord = (
  command: string,
  {
    source,
    recipe,
    tensor,
    digest,
  }: Pick<ReadResult, 'source' | 'recipe'> & {
    readonly tensor: Counts
    /** Of data whose cells are not in memory. */
    readonly digest?: string
  },
  options: Readonly<Record<string, unknown>>,
  result: object,
): Record<string, unknown> => ({
  program: 'polyad',
  programVersion: version,
  command,
  line: ['polyad', ...process.argv.slice(2).map(quoted)].join(' '),
  options,
  source,
  digest: hasCells(tensor) ? tensorDigest(tensor) : digest,
  missing: tensor.modes.flatMap(({ name }, n) => (tensor.missing[n] ? [name] : [])),
  recipe,
  result,
})
