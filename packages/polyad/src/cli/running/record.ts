import { createRequire } from 'node:module'
import type { Counts } from '@polyad/core'
import { hasCells } from '@polyad/core/model'
import { redacted } from '../../engine/sql/address.ts'
import { tensorDigest } from '../../output/tensor-digest.ts'
import { runRecord } from '../../report/run-record.ts'
import type { ReadResult } from '../../table/reading/read-view.ts'
import type { Call } from './define-command.ts'

export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** A word of a command line as a shell takes it. */
const quoted = (word: string): string =>
  /^[\p{L}\p{N}_.,:@%+/=-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** What is kept with a model that a command has made. */
export const modelRecord = (
  command: string,
  { words }: Pick<Call, 'words'>,
  data: Pick<ReadResult, 'source' | 'recipe'> & { readonly tensor: Counts; readonly digest?: string },
  options: Readonly<Record<string, unknown>>,
  result: object,
): Record<string, unknown> =>
  runRecord(
    {
      programVersion: version,
      command,
      line: ['polyad', ...words.map(word => quoted(redacted(word)))].join(' '),
      digest: hasCells(data.tensor) ? tensorDigest(data.tensor) : (data.digest ?? null),
    },
    data,
    options,
    result,
  )
