import { type Model, OptionError, type Tensor } from '@polyad/core'
import { isLinked } from '@polyad/core/model'
import { defined, omit } from '@polyad/core/options'
import { type LinkedData, type ModelData, placeData, placeRows } from '@polyad/core/stats'
import { type Prepared, prepare, type Structure } from 'polyad/analysis'
import type { MemoryTable, ReadResult } from 'polyad/table'
import { graphics } from './graphics.ts'
import type { OpenOptions, ReadOptions } from './protocol.ts'

/** A table that the server has, and how its file is written. */
interface ServerTable {
  readonly id: string
  readonly name: string
  readonly dialect: OpenOptions
}

/** Data without the columns of the design of its sample, which it has beside if there is one: standard errors need it. */
export interface SampledRead extends ReadResult {
  readonly whole?: ReadResult
}

/** Sets the columns of the design of a sample apart. */
export const sampledRead = (found: ReadResult): SampledRead => {
  const { design } = found
  if (design === undefined) return found
  const { tensor, rowWeights, left } = prepare(found, { design })
  const names = found.tensor.modes.map(({ name }) => name)
  const beside = [design.cluster, design.stratum]
  return {
    ...omit(found, 'design', 'squares', 'rowWeights'),
    tensor: tensor as Tensor,
    ...defined({ rowWeights }),
    recipe: { ...found.recipe, modes: found.recipe.modes.filter((_, n) => !beside.includes(names[n])) },
    dropped: found.dropped + left,
    whole: found,
  }
}

/** The rows that an analysis uses, with the design of the sample. */
export const preparedFor = (structure: Structure): Prepared => {
  const { whole, ...read } = readData()
  return prepare(whole ?? read, { structure, ...defined({ design: whole?.design }) })
}

/** What the worker holds between questions. */
interface Held {
  /** The table that is open: in memory, or on the server under this id. */
  table: MemoryTable | ServerTable | undefined
  /** The same as it was read last. */
  read: (SampledRead & { readonly digest: string | null; readonly options: ReadOptions }) | undefined
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

/** The data that was read last as a model sees it: its variables, with its covariates, or with what links its rows, if it has some; undefined if it is other data. */
export const dataFor = (model: Model): Tensor | ModelData | LinkedData | undefined => {
  const { tensor, squares } = held.read ?? {}
  const names = tensor?.modes.map(({ name }) => name) ?? []
  const variables = model.modes.map(({ name }) => name)
  const { structure } = model
  if (isLinked(structure)) {
    const linking = structure.kind === 'chain' ? [structure.person, structure.time] : [structure.within]
    return tensor !== undefined && [...variables, ...linking].every(name => names.includes(name))
      ? placeRows(tensor, model)
      : undefined
  }
  const covariates = structure.given.map(({ name }) => name)
  if (tensor === undefined || names.length !== variables.length + covariates.length) return undefined
  if (covariates.length === 0) return names.every((name, n) => name === variables[n]) ? tensor : undefined
  if (![...variables, ...covariates].every(name => names.includes(name))) return undefined
  return placeData(tensor, model, { squares: squares?.values })
}
