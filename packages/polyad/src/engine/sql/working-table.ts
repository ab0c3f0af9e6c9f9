import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive } from '../../duckdb/scratch.ts'
import { DatabaseFault, type Statement } from './connection.ts'
import { WORKING } from './dialect.ts'
import { type RetryOptions, retried } from './retry.ts'
import type { Database } from './session.ts'

const textOr = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

/**
 * Where a process number means something: a machine since it was started, and within it a container. Several may use the same database, and have
 * the same name.
 */
const home = createHash('sha256')
  .update(hostname())
  .update(textOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')))
  .update(textOr(() => readlinkSync('/proc/self/ns/pid')))
  .digest('hex')
  .slice(0, 8)

/** A name that no other run has, and that says which process it belongs to. */
export const runName = (): string =>
  `${WORKING}${home}_${process.pid}_${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`

const OWN = new RegExp(`\\b${WORKING}${home}_(\\d+)_[0-9a-z]+_[0-9a-f]{8}_`)

/** Removes the working tables of processes that were killed here. Those of others, and of processes that still run, stay. */
export const sweepWorking = async ({ dialect, connection }: Database): Promise<void> => {
  try {
    const rows = await connection.rows(dialect.leftovers(`${WORKING}${home}_`))
    for (const [table] of rows) {
      const owner = Number(OWN.exec(String(table))?.[1])
      if (!(owner > 0) || isAlive(owner)) continue
      for (const sql of dialect.drop(String(table))) await connection.run(sql)
    }
  } catch (error) {
    // What cannot be removed does no harm: another run has other names.
    if (!(error instanceof DatabaseFault)) throw error
  }
}

export interface WorkingTable {
  /** As SQL; made anew if another server has taken the place of one that had it. */
  table(): Promise<string>
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
  const attempt = async () => {
    const { moves } = connection
    // What was begun by a try that failed is removed before the next.
    await drop(sql => connection.run(sql))
    const table = dialect.working(`${runName()}_cells`)
    begun.add(table)
    await make(table)
    return { table, moves }
  }
  try {
    let made = await retried(connection, retry, attempt)
    const table = async () => {
      if (made.moves !== connection.moves) made = await attempt()
      return made.table
    }
    return { table, remove }
  } catch (error) {
    // The first error is the one to tell of.
    await remove().catch(() => {})
    throw error
  }
}
