import type { DataFile } from '../../worker/protocol.ts'

/** Text that was pasted, as a file. Cells copied from a spreadsheet have tabs between them. */
export const pastedFile = (text: string): DataFile => ({
  from: 'bytes',
  name: /^\s*[[{]/.test(text) ? 'pasted.json' : text.includes('\t') ? 'pasted.tsv' : 'pasted.csv',
  bytes: new TextEncoder().encode(text.trim()),
})
