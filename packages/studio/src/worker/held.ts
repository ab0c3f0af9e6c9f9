import { OptionError, type Tensor } from '@polyad/core'
import type { MemoryTable, ReadResult } from 'polyad/table'
import { graphics } from './graphics.ts'
import type { OpenOptions, ReadOptions } from './protocol.ts'

/** A table that the server has, and how its file is written. */
interface ServerTable {
  readonly id: string
  readonly name: string
  readonly dialect: OpenOptions
}

/** What the worker holds between questions. */
interface Held {
  /** The table that is open: in memory, or on the server under this id. */
  table: MemoryTable | ServerTable | undefined
  /** The same as it was read last. */
  read: (ReadResult & { readonly digest: string | null; readonly options: ReadOptions }) | undefined
}

export const held: Held = { table: undefined, read: undefined }

/** Holds another table, or none, of which nothing has been read. */
export const holdTable = (table: Held['table']): Promise<void> => {
  held.table = table
  return holdRead(undefined)
}

/** Holds data as it was read; that before leaves the graphics device. */
export const holdRead = (read: Held['read']): Promise<void> => {
  held.read = read
  return graphics.clear()
}

export const isInMemory = (table: Held['table']): table is MemoryTable => table !== undefined && 'rowCodes' in table

/** The table in memory, or an error that says why there is none. */
export const tableInMemory = (): MemoryTable => {
  if (isInMemory(held.table)) return held.table
  throw new OptionError(
    held.table === undefined
      ? 'no table is open'
      : 'the rows of this table stay on the server, and cannot be listed here',
  )
}

/** The data that was read last. */
export const readData = (): NonNullable<Held['read']> => {
  if (held.read !== undefined) return held.read
  throw new OptionError('the table has not been read yet')
}

/** The data that was read last as a model sees it: the modes of the model, without covariates. */
export const dataFor = (names: readonly string[]): Tensor | undefined => {
  const tensor = held.read?.tensor
  if (tensor === undefined) return undefined
  return tensor.modes.length === names.length && tensor.modes.every(({ name }, n) => name === names[n])
    ? tensor
    : undefined
}
