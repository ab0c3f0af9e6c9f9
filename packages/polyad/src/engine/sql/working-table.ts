import { randomBytes } from 'node:crypto'
import type { Statement } from './connection.ts'
import { WORKING } from './dialect.ts'
import { type RetryOptions, retried } from './retry.ts'
import type { Database } from './session.ts'

/** A name that no other run has. */
export const runName = (): string => `${WORKING}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`

export interface WorkingTable {
  /** As SQL. */
  readonly table: string
  /** Removes the table, and what tries that failed have left. */
  remove(): Promise<void>
}

/**
 * Makes a table of cells. Every try has a name of its own: a server that is killed while it removes a table may find the rows again in one that is
 * made with the same name, and would then count them twice.
 */
export const makeWorkingTable = async (
  { dialect, connection }: Database,
  retry: RetryOptions,
  make: (table: string) => Promise<void>,
): Promise<WorkingTable> => {
  const begun = new Set<string>()
  const drop = async (run: (statement: Statement) => Promise<void>) => {
    for (const table of begun) {
      for (const sql of dialect.drop(table)) await run(sql)
      begun.delete(table)
    }
  }
  const remove = () => drop(sql => retried(connection, retry, () => connection.run(sql)))
  try {
    const table = await retried(connection, retry, async () => {
      // What was begun by a try that failed is removed before the next.
      await drop(sql => connection.run(sql))
      const fresh = dialect.working(`${runName()}_cells`)
      begun.add(fresh)
      await make(fresh)
      return fresh
    })
    return { table, remove }
  } catch (error) {
    // The first error is the one to tell of.
    await remove().catch(() => {})
    throw error
  }
}
