import { type Connection, DatabaseFault, type SentTable, type Statement } from './connection.ts'
import { type RetryOptions, retried } from './retry.ts'

/** Refuses an answer that lacks columns, or has others: it belongs to another question. */
export const checkWidth = (columns: number, width: number): void => {
  if (columns === width) return
  throw new DatabaseFault(`the answer has ${columns} columns instead of ${width}`, { transient: false })
}

/** The rows of a small answer, each of so many values. */
export const askRows = (
  connection: Connection,
  retry: RetryOptions,
  statement: Statement,
  width: number,
  sent?: readonly SentTable[],
): Promise<readonly (readonly unknown[])[]> =>
  retried(connection, retry, async () => {
    const rows = await connection.rows(statement, sent)
    for (const row of rows) checkWidth(row.length, width)
    return rows
  })

/** The numbers of an answer that always has one row. */
export const askNumbers = (
  connection: Connection,
  retry: RetryOptions,
  statement: Statement,
  width: number,
): Promise<number[]> =>
  retried(connection, retry, async () => {
    const [row = []] = await connection.rows(statement)
    checkWidth(row.length, width)
    return row.map(Number)
  })
