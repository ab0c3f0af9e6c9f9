import type { Engine, Session, Tensor } from '@polyad/core'
import { newCodes } from './factors.ts'
import type { RetryOptions } from './retry.ts'
import { type Database, openSqlSession } from './session.ts'
import { makeWorkingTable } from './working-table.ts'

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
  const columns = tensor.indices.map((indices, n) => {
    const codes = newCodes(tensor.shape[n], tensor.cells)
    for (let cell = 0; cell < tensor.cells; cell++) codes[cell] = indices[cell] + 1
    return { name: `c${n}`, values: codes }
  })
  const sent = { name: 'cells', rows: tensor.cells, columns: [...columns, { name: 'v', values: tensor.values }] }
  const { table, remove } = await makeWorkingTable(database, retry, async name => {
    for (const sql of dialect.keepCells(name, tensor.shape)) await connection.run(sql, [sent])
  })
  return openSqlSession(database, table, tensor, {
    ...retry,
    onClose: async () => {
      try {
        await remove()
      } finally {
        await connection.close()
      }
    },
  })
}
