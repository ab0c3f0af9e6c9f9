import { redacted } from '../../engine/sql/address.ts'
import { version } from '../../package-file.ts'
import { runRecord } from '../../report/record/run-record.ts'
import { shellWord } from '../../table/values/shell-words.ts'
import type { Call } from '../framework/define-command.ts'

/** Which command has made a model, and how it was called. */
export const commandRecord = (command: string, { words }: Pick<Call, 'words'>) => ({
  program: 'polyad',
  programVersion: version,
  command,
  line: ['polyad', ...words.map(word => shellWord(redacted(word)))].join(' '),
})

/** What is kept with a model that a command has made. */
export const modelRecord = (
  command: string,
  call: Pick<Call, 'words'>,
  data: Parameters<typeof runRecord>[1] & { readonly digest?: string },
  options: Readonly<Record<string, unknown>>,
  result: object,
): Record<string, unknown> => runRecord({ ...commandRecord(command, call), digest: data.digest }, data, options, result)
