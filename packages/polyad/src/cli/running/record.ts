import type { Counts, Tensor } from '@polyad/core'
import { hasCells } from '@polyad/core/model'
import { redacted } from '../../engine/sql/address.ts'
import { version } from '../../package-file.ts'
import { runRecord } from '../../report/run-record.ts'
import { tensorDigest } from '../../source/cells/tensor-digest.ts'
import type { ReadResult } from '../../table/reading/read-view.ts'
import { shellWord } from '../../table/values/shell-words.ts'
import type { Call } from './define-command.ts'

/** Which command has made a model, and how it was called. */
export const commandRecord = (command: string, { words }: Pick<Call, 'words'>) => ({
  program: 'polyad',
  ...{ programVersion: version, command },
  line: ['polyad', ...words.map(word => shellWord(redacted(word)))].join(' '),
})

/** The digests of data that were computed: a model is saved twice, first before its statistics. */
const digests = new WeakMap<Tensor, string>()

const digestOf = (tensor: Tensor): string => {
  const digest = digests.get(tensor) ?? tensorDigest(tensor)
  digests.set(tensor, digest)
  return digest
}

/** What is kept with a model that a command has made. */
export const modelRecord = (
  command: string,
  call: Pick<Call, 'words'>,
  data: Pick<ReadResult, 'source' | 'recipe'> & { readonly tensor: Counts; readonly digest?: string },
  options: Readonly<Record<string, unknown>>,
  result: object,
): Record<string, unknown> =>
  runRecord(
    {
      ...commandRecord(command, call),
      digest: hasCells(data.tensor) ? digestOf(data.tensor) : (data.digest ?? null),
    },
    data,
    options,
    result,
  )
