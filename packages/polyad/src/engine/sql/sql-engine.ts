import { randomBytes } from 'node:crypto'
import type { Engine, Session, Tensor } from '@polyad/core'
import { WORKING } from './dialect.ts'
import { newCodes } from './factors.ts'
import { type RetryOptions, retried } from './retry.ts'
import { type Database, openSqlSession } from './session.ts'

/** A name that no other run has. */
export const runName = (): string => `${WORKING}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`

/**
 * An engine whose passes are statements in a database, for a tensor in memory, whose cells are sent there: what tells whether a dialect is
 * right. Every session has a connection of its own. Tables that are in the database already are opened with `openSqlTable`.
 */
export const sqlEngine = (name: string, connect: () => Promise<Database>, retry: RetryOptions = {}): Engine => ({
  name,
  open: async tensor => {
    const database = await connect()
    try {
      return await placeCells(database, tensor, retry)
    } catch (error) {
      await database.connection.close()
      throw error
    }
  },
})

const placeCells = async (database: Database, tensor: Tensor, retry: RetryOptions): Promise<Session> => {
  const { dialect, connection } = database
  const table = dialect.working(`${runName()}_cells`)
  const columns = tensor.indices.map((indices, n) => {
    const codes = newCodes(tensor.shape[n], tensor.cells)
    for (let cell = 0; cell < tensor.cells; cell++) codes[cell] = indices[cell] + 1
    return { name: `c${n}`, values: codes }
  })
  const sent = { name: 'cells', rows: tensor.cells, columns: [...columns, { name: 'v', values: tensor.values }] }
  for (const sql of dialect.keepCells(table, tensor.shape))
    await retried(connection, retry, () => connection.run(sql, [sent]))
  return openSqlSession(database, table, tensor, {
    ...retry,
    onClose: async () => {
      try {
        for (const sql of dialect.drop(table)) await connection.run(sql)
      } finally {
        await connection.close()
      }
    },
  })
}
