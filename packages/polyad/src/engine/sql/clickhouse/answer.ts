import { DatabaseFault } from '../connection.ts'
import { clickhouseFault, cutOff, notNative } from './faults.ts'
import { decodeNative, type NativeValues } from './native.ts'
import type { Server } from './server.ts'

/** The pieces of an answer, each as its columns. What goes wrong on the way is a fault of the server. */
export const readAnswer = async (server: Server, sql: string): Promise<NativeValues[][]> => {
  const pieces: NativeValues[][] = []
  try {
    for await (const piece of decodeNative(await server.read(sql))) pieces.push(piece)
  } catch (error) {
    throw clickhouseFault(error instanceof DatabaseFault ? error : cutOff(error), server.name, '')
  }
  return pieces
}

/** Pieces as rows. */
export const rowsOf = (pieces: readonly (readonly NativeValues[])[]): unknown[][] =>
  pieces.flatMap(piece => Array.from({ length: piece[0].length }, (_, row) => piece.map(column => column[row])))

/** A small answer of one server: rows of so many columns, or more. */
export const askServer = async (server: Server, width: number, sql: string): Promise<unknown[][]> => {
  const rows = rowsOf(await readAnswer(server, sql))
  if (rows.some(row => row.length < width)) throw clickhouseFault(notNative(), server.name, '')
  return rows
}
