/**
 * The process that runs DuckDB. It is a process of its own because DuckDB may abort when memory runs out, and that
 * must not take the caller's work with it. Started by `client.ts`, with its scratch folder as the argument; speaks the
 * messages of `messages.ts`.
 */
import { rmSync } from 'node:fs'
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import type { ColumnPiece, TableAnswer, TableQuestion, TableRequest } from './messages.ts'

/** Rows sent in one message: large enough that messages are few, small enough that memory stays flat. */
const PIECE = 262_144

let connection: DuckDBConnection | undefined

const send = (answer: TableAnswer): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(answer, undefined, undefined, error => (error === null ? resolve() : reject(error)))
  })

const opened = (): DuckDBConnection => {
  if (connection === undefined) throw new Error('the table engine has not been opened')
  return connection
}

const answer = async (id: number, request: TableRequest): Promise<void> => {
  switch (request.kind) {
    case 'open': {
      const instance = await DuckDBInstance.create(':memory:', { ...request.settings })
      connection = await instance.connect()
      return send({ id, kind: 'done' })
    }
    case 'run': {
      await withProgress(id, () => opened().run(request.sql))
      return send({ id, kind: 'done' })
    }
    case 'rows': {
      const reader = await withProgress(id, () => opened().runAndReadAll(request.sql))
      return send({ id, kind: 'done', rows: reader.getRowsJS() })
    }
    case 'columns': {
      await sendColumns(id, request.sql)
      return send({ id, kind: 'done' })
    }
    // What scores rows brings the library with it, which reading has no use for.
    case 'score': {
      const { scoreFunction } = await import('./row-functions.ts')
      opened().registerScalarFunction(scoreFunction(request.parameters, request.explained))
      return send({ id, kind: 'done' })
    }
    case 'fill': {
      const { fillFunction } = await import('./row-functions.ts')
      opened().registerScalarFunction(fillFunction(request.parameters))
      return send({ id, kind: 'done' })
    }
    case 'draw': {
      const { drawFunction } = await import('./row-functions.ts')
      opened().registerScalarFunction(drawFunction(request.parameters, request.seed))
      return send({ id, kind: 'done' })
    }
  }
}

const withProgress = async <T>(id: number, work: () => Promise<T>): Promise<T> => {
  const timer = setInterval(() => {
    const { percentage } = opened().progress
    if (percentage > 0) void send({ id, kind: 'progress', percent: percentage })
  }, 200)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const sendColumns = async (id: number, sql: string): Promise<void> => {
  const result = await opened().stream(sql)
  let chunks: DuckDBDataChunk[] = []
  let rows = 0
  const flush = async () => {
    if (rows > 0) await send({ id, kind: 'piece', columns: joined(chunks, rows) })
    chunks = []
    rows = 0
  }
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    chunks.push(chunk)
    rows += chunk.rowCount
    if (rows >= PIECE) await flush()
  }
  await flush()
}

/** The columns of several chunks, end to end. A vector's entries are read where they lie, not one by one. */
const joined = (chunks: readonly DuckDBDataChunk[], rows: number): ColumnPiece =>
  Array.from({ length: chunks[0].columnCount }, (_, column) => {
    const parts = chunks.map(chunk => {
      const { items } = chunk.getColumnVector(column) as unknown as { items: Int32Array | Float64Array }
      return items.subarray(0, chunk.rowCount)
    })
    const all = parts[0] instanceof Int32Array ? new Int32Array(rows) : new Float64Array(rows)
    let offset = 0
    for (const part of parts) {
      all.set(part, offset)
      offset += part.length
    }
    return all
  })

process.on('message', ({ id, request }: TableQuestion) => {
  answer(id, request).catch((error: unknown) =>
    send({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})

// The terminal sends Ctrl-C to both processes; what is to happen then is for the parent to say.
process.on('SIGINT', () => {})

/**
 * Ends this process once its parent is gone. A running statement would hold up an ordinary exit until it is done, so
 * this is a kill; and since nobody is left to remove the scratch folder, that is done here.
 */
const endAlone = (): void => {
  const [, , scratch] = process.argv
  try {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // The next start sweeps it.
  }
  process.kill(process.pid, 'SIGKILL')
}

process.on('disconnect', endAlone)
// The channel tells of the parent's end at once; should it ever not, the parent's number does.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) endAlone()
}, 1000).unref()
