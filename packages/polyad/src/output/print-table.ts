import { execFileSync } from 'node:child_process'
import { closeSync, constants, createReadStream, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Tables } from '../duckdb/client.ts'

/**
 * Rows on their way to standard output. DuckDB runs in a process of its own, whose standard output is not ours. It writes into a named
 * pipe in its scratch folder, and waits while nobody reads: nothing piles up, and the first rows come before the last are scored.
 */
export const printRows = async (tables: Tables, write: (path: string) => Promise<void>): Promise<void> => {
  const path = join(tables.scratch, 'rows.csv')
  try {
    if (makePipe(path)) await through(path, write)
    else {
      // Without named pipes, as on Windows, all rows are written before the first is printed.
      await write(path)
      await printed(createReadStream(path))
    }
  } finally {
    rmSync(path, { force: true })
  }
}

const makePipe = (path: string): boolean => {
  if (process.platform === 'win32') return false
  try {
    execFileSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Copies what is written into a pipe to standard output, until it has been written. */
const through = async (path: string, write: (path: string) => Promise<void>): Promise<void> => {
  const socket = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  })
  // A writer of our own keeps the pipe from ending before DuckDB opens it, and ends it if DuckDB never does.
  const held = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const reading = printed(socket)
  const writing = write(path).finally(() => closeSync(held))
  // A pipe that is no longer read makes DuckDB fail, which is then not news.
  writing.catch(() => {})
  try {
    await Promise.race([writing, reading.then(had => (had === 'all' ? writing : undefined))])
    await reading
  } finally {
    socket.destroy()
  }
}

/** Copies a stream to standard output. A reader that stops reading (`| head`) is not an error. */
export const printed = async (text: Readable): Promise<'all' | 'enough'> => {
  try {
    await pipeline(text, process.stdout, { end: false })
    return 'all'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    return 'enough'
  }
}
