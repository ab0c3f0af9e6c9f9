import type { DataFile } from '../worker/protocol.ts'

/** Text that was pasted, as a file: JSON where it looks like it, else separated values, whose separator is found out. */
export const pastedFile = (text: string): DataFile => ({
  from: 'bytes',
  name: /^\s*[[{]/.test(text) ? 'pasted.json' : 'pasted.csv',
  bytes: new TextEncoder().encode(text),
})
