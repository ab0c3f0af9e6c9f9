import type { ChildProcess } from 'node:child_process'
import { EngineError } from '@polyad/core'
import { throwIfStopped } from '@polyad/core/engine'
import type { PackedTexts } from '@polyad/core/model'
import { advise, words } from '@polyad/core/options'
import { removedAtExit, removeLeftover } from './leftovers.ts'
import type { CodedPiece, CodingPlan, ColumnPiece, ResultPiece, TableAnswer, TableRequest } from './messages.ts'
import { makeScratch } from './scratch.ts'
import type { SentTable } from './sent-table.ts'
import { startProcess } from './start-process.ts'

export interface TablesOptions {
  /** How much memory DuckDB may use before it works through temporary files, as in `4GB`. Default 1GB. */
  readonly memory?: string
  readonly threads?: number
  /** Called with how far the statement under way has come, in percent. */
  readonly onProgress?: (percent: number) => void
  /** Ends the process, whatever it is doing. */
  readonly signal?: AbortSignal
}

/** A fault that DuckDB reported, in its own words. The caller knows the file, and says it in ours. */
export class TableFault extends Error {
  override readonly name = 'TableFault'
}

/** A connection to DuckDB, which runs in a process of its own. Close it, or that process lives as long as this one. */
export interface Tables {
  /** A folder for temporary files, which is removed when it is closed. */
  readonly scratch: string
  /** Runs statements whose results are not wanted; tables that are sent are there meanwhile. */
  run(sql: string, sent?: readonly SentTable[]): Promise<void>
  /** The result of the last statement, as rows of plain values. */
  rows(sql: string, sent?: readonly SentTable[]): Promise<readonly (readonly unknown[])[]>
  /** Calls back with every piece of a large result, in order. */
  columns(sql: string, onPiece: (piece: ColumnPiece) => void): Promise<void>
  /** The same for a result in which there may be texts, with tables that are sent. */
  pieces(sql: string, onPiece: (piece: ResultPiece) => void, sent?: readonly SentTable[]): Promise<void>
  /** Calls back with pieces of coded rows, in any order; the texts of each mode, in the order of their codes. */
  codes(sql: string, plan: CodingPlan, onPiece: (piece: CodedPiece) => void): Promise<readonly PackedTexts[]>
  ask(request: TableRequest): Promise<void>
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (rows: readonly (readonly unknown[])[]) => void
  readonly reject: (error: Error) => void
  readonly onPiece: ((piece: ResultPiece) => void) | undefined
  readonly onCoded: ((piece: CodedPiece) => void) | undefined
}

/** Milliseconds for the process to start: a hundred times what it takes, since the machine may be busy. */
const START_LIMIT = 30_000

/** Starts DuckDB. Fails, and leaves nothing behind, where the process cannot be started or does not answer. */
export const openTables = async (options: TablesOptions = {}): Promise<Tables> => {
  throwIfStopped(options.signal)
  const scratch = makeScratch()
  const child = startProcess(scratch)
  const tables = connect(child, scratch, options)
  let late = false
  const limit = setTimeout(() => {
    late = true
    void tables.close()
  }, START_LIMIT)
  try {
    await tables.ask({
      kind: 'open',
      settings: {
        memory_limit: options.memory ?? '1GB',
        temp_directory: scratch,
        // Nothing is ever fetched from a network: a statement that needs an extension says so.
        autoinstall_known_extensions: 'false',
        ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
      },
    })
    return tables
  } catch (error) {
    await tables.close()
    throw late ? new EngineError(`DuckDB did not start within ${START_LIMIT / 1000} seconds`) : error
  } finally {
    clearTimeout(limit)
  }
}

const connect = (child: ChildProcess, scratch: string, { onProgress, signal }: TablesOptions): Tables => {
  const waiting = new Map<number, Waiting>()
  let last = 0
  let complaint = ''
  let closing = false
  // The process and its scratch folder go even when the caller's process ends without a word.
  const release = removedAtExit({ path: scratch, pid: child.pid })
  const abort = () => {
    closing = true
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', abort, { once: true })
  const failAll = (reason: () => Error) => {
    for (const { reject } of waiting.values()) reject(reason())
    waiting.clear()
  }
  child.stderr?.on('data', (text: Buffer) => {
    complaint = (complaint + text.toString()).slice(-2000)
  })
  const ended = new Promise<void>(resolve => {
    const end = (reason: () => Error) => {
      release()
      removeLeftover({ path: scratch })
      signal?.removeEventListener('abort', abort)
      failAll(reason)
      resolve()
    }
    child.on('exit', (code, signal) =>
      end(() => (closing ? new EngineError('DuckDB was closed') : lost(code, signal, complaint))),
    )
    child.on('error', error => {
      const reason = () => new EngineError(`DuckDB cannot be started: ${error.message}`, { cause: error })
      // A process that never began does not exit either.
      if (child.pid === undefined) end(reason)
      else failAll(reason)
    })
  })
  child.on('message', (answer: TableAnswer) => {
    const asked = waiting.get(answer.id)
    if (asked === undefined) return
    if (answer.kind === 'piece' || answer.kind === 'coded') {
      try {
        if (answer.kind === 'piece') asked.onPiece?.(answer.columns)
        else asked.onCoded?.(answer.piece)
      } catch (error) {
        // Whoever takes the pieces cannot go on, as where a disk is full: nor can the statement.
        waiting.delete(answer.id)
        asked.reject(error as Error)
      }
    } else if (answer.kind === 'progress') onProgress?.(answer.percent)
    else {
      waiting.delete(answer.id)
      if (answer.kind === 'done') asked.resolve(answer.rows ?? [])
      else asked.reject(new TableFault(answer.message))
    }
  })
  const ask = (request: TableRequest, onPiece?: Waiting['onPiece'], onCoded?: Waiting['onCoded']) =>
    new Promise<readonly (readonly unknown[])[]>((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject, onPiece, onCoded })
      child.send({ id, request }, error => {
        // Where it never began, the event 'error' says why; where its end is not known yet, the event 'exit' does.
        const isOver = child.exitCode !== null || child.signalCode !== null
        if (error !== null && child.pid !== undefined && isOver && waiting.delete(id))
          reject(lost(child.exitCode, child.signalCode, complaint))
      })
    })
  return {
    scratch,
    run: async (sql, sent = []) => void (await ask({ kind: 'run', sql, sent })),
    rows: (sql, sent = []) => ask({ kind: 'rows', sql, sent }),
    columns: async (sql, onPiece) => void (await ask({ kind: 'columns', sql }, piece => onPiece(piece as ColumnPiece))),
    pieces: async (sql, onPiece, sent = []) => void (await ask({ kind: 'columns', sql, sent }, onPiece)),
    codes: async (sql, plan, onPiece) =>
      (await ask({ kind: 'codes', sql, ...plan }, undefined, onPiece)).map(([bytes, ends]) => ({
        bytes: bytes as Uint8Array,
        ends: ends as Float64Array,
      })),
    ask: async request => void (await ask(request)),
    close: async () => {
      abort()
      await ended
    },
  }
}

const lost = (code: number | null, signal: string | null, complaint: string): EngineError => {
  const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
  const said = complaint.trim().split('\n').at(-1) ?? ''
  // DuckDB reports what is beyond its own limit, and goes on. Who is ended like this had more than the system could give.
  const memory =
    signal === 'SIGABRT' || signal === 'SIGKILL'
      ? words`, as the system does if memory runs out: ${advise('lower', 'memory')}, or end other programs`
      : ''
  return new EngineError(words`the process that reads tables ${how}${memory}${said === '' ? '' : ` (${said})`}`)
}
