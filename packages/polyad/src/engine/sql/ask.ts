import { type Connection, DatabaseFault, type SentTable, type Statement } from './connection.ts'
import { type RetryOptions, retried } from './retry.ts'

/** Refuses an answer that lacks columns, or has others: it belongs to another question. */
export const checkWidth = (columns: number, width: number): void => {
  if (columns === width) return
  throw new DatabaseFault(`the answer has ${columns} columns instead of ${width}`, { transient: false })
}

/** A statement, or what makes it anew for every try. */
type Asked = Statement | (() => Promise<Statement>)

/** The rows of a small answer, each of so many values. */
export const askRows = (
  connection: Connection,
  retry: RetryOptions,
  asked: Asked,
  width: number,
  sent?: readonly SentTable[],
): Promise<readonly (readonly unknown[])[]> =>
  retried(connection, retry, async () => {
    const rows = await connection.rows(typeof asked === 'function' ? await asked() : asked, sent)
    for (const row of rows) checkWidth(row.length, width)
    return rows
  })

/** The numbers of an answer that always has one row. */
export const askNumbers = (
  connection: Connection,
  retry: RetryOptions,
  asked: Asked,
  width: number,
): Promise<number[]> =>
  retried(connection, retry, async () => {
    const [row = []] = await connection.rows(typeof asked === 'function' ? await asked() : asked)
    checkWidth(row.length, width)
    return row.map(Number)
  })
