/**
 * The process that runs DuckDB. It is a process of its own because DuckDB may abort when memory runs out, and that
 * must not take the caller's work with it. Started by `client.ts`, with its scratch folder as the argument; speaks the
 * messages of `messages.ts`.
 */
import { rmSync } from 'node:fs'
import duckdb, { type Connection } from '@duckdb/node-bindings'
import { codedRows } from './coded-rows.ts'
import { type OpenDatabase, openDatabase, piecesOf, progressOf, rowsOf, runStatements } from './database.ts'
import { fillTables } from './fill-table.ts'
import type { TableAnswer, TableQuestion, TableRequest } from './messages.ts'
import type { SentTable } from './sent-table.ts'
import { identifier } from './sql-text.ts'

/** Rows sent in one message: large enough that messages are few, small enough that memory stays flat. */
const PIECE = 262_144

let database: OpenDatabase | undefined

const send = (answer: TableAnswer): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(answer, undefined, undefined, error => (error === null ? resolve() : reject(error)))
  })

const opened = (): Connection => {
  if (database === undefined) throw new Error('the table engine has not been opened')
  return database.connection
}

const answer = async (id: number, request: TableRequest): Promise<void> => {
  switch (request.kind) {
    case 'open': {
      database = await openDatabase(request.settings)
      return send({ id, kind: 'done' })
    }
    case 'close': {
      database?.close()
      database = undefined
      return send({ id, kind: 'done' })
    }
    case 'run': {
      await withSent(request, () => withProgress(id, () => runStatements(opened(), request.sql)))
      return send({ id, kind: 'done' })
    }
    case 'rows': {
      const rows = await withSent(request, async () =>
        rowsOf(await withProgress(id, () => runStatements(opened(), request.sql))),
      )
      return send({ id, kind: 'done', rows })
    }
    case 'columns': {
      await withSent(request, async () => {
        for await (const columns of piecesOf(opened(), request.sql, PIECE)) await send({ id, kind: 'piece', columns })
      })
      return send({ id, kind: 'done' })
    }
    case 'codes': {
      const rows = codedRows(opened(), request.sql, request, PIECE)
      const texts = await withProgress(id, async () => {
        // One piece is on its way while the next is made.
        for (let sent = Promise.resolve(); ; ) {
          const { done, value } = await rows.next()
          await sent
          if (done) return value
          sent = send({ id, kind: 'coded', piece: value })
        }
      })
      return send({ id, kind: 'done', rows: texts.map(({ bytes, ends }) => [bytes, ends]) })
    }
    // What scores rows brings the library with it, which reading has no use for.
    case 'score': {
      const { scoreFunction } = await import('./row-functions.ts')
      const score = scoreFunction(request.parameters, request.explained)
      duckdb.register_scalar_function(opened(), score.scalar_function)
      return send({ id, kind: 'done' })
    }
    case 'explain': {
      const { explainFunction } = await import('./row-functions.ts')
      const { parameters, total, explained } = request
      const explain = explainFunction(parameters, total, explained)
      duckdb.register_scalar_function(opened(), explain.scalar_function)
      return send({ id, kind: 'done' })
    }
    case 'fill': {
      const { fillFunction } = await import('./row-functions.ts')
      duckdb.register_scalar_function(opened(), fillFunction(request.parameters, request.numbers).scalar_function)
      return send({ id, kind: 'done' })
    }
    case 'draw': {
      const { drawFunction } = await import('./row-functions.ts')
      duckdb.register_scalar_function(
        opened(),
        drawFunction(request.parameters, request.numbers, request.seed).scalar_function,
      )
      return send({ id, kind: 'done' })
    }
  }
}

/** Does work while the tables that were sent for it are there. */
const withSent = async <T>({ sent = [] }: { readonly sent?: readonly SentTable[] }, work: () => Promise<T>) => {
  if (sent.length === 0) return work()
  await fillTables(opened(), sent)
  try {
    return await work()
  } finally {
    const drops = sent.map(({ name }) => `DROP TABLE IF EXISTS temp.${identifier(name)}`)
    await runStatements(opened(), drops.join('; '))
  }
}

const withProgress = async <T>(id: number, work: () => Promise<T>): Promise<T> => {
  const timer = setInterval(() => {
    const percent = progressOf(opened())
    if (percent > 0) void send({ id, kind: 'progress', percent })
  }, 200)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

process.on('message', ({ id, request }: TableQuestion) => {
  answer(id, request).catch((error: unknown) =>
    send({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})

// The terminal sends these to both processes; what is to happen then is for the parent to say.
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGHUP']) process.on(signal, () => {})

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
