import type { DataFile } from '../../worker/protocol.ts'

/** What a person said stands between the values of a file, as an option of reading it; none where it was found out. */
export const delimiterOf = (file: DataFile | null): { readonly delimiter?: string } =>
  file?.from === 'bytes' && file.delimiter !== undefined ? { delimiter: file.delimiter } : {}
