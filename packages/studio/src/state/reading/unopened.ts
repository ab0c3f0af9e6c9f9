import { signal } from '@preact/signals'
import type { DataFile } from '../../worker/protocol.ts'

/** A file that could not be opened, and why: a person may say how it is written. Null where there is none. */
export interface Unopened {
  readonly file: DataFile
  readonly reason: string
}

export const unopened = signal<Unopened | null>(null)
