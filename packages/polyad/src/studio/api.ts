import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { defined } from '@polyad/core/options'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { checkReadable } from '../source/relation/files.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { type DataFile, type DataFiles, named } from './data-files.ts'
import { preferencesFrom, readPreferences, writePreferences } from './preferences.ts'
import type { Keeping } from './project-keeping.ts'
import { projectRoutes } from './project-routes.ts'
import { inspectFile, readFile } from './read-file.ts'
import { faultAnswer, RequestFault } from './request-fault.ts'
import { bodyAs, jsonBody, readRequest } from './requests.ts'
import { BYTES, sendBytes } from './send-bytes.ts'
import type { Asset } from './static-page.ts'
import { encodeRead } from './wire.ts'

/** What the answers of a studio are made of. */
export interface Studio {
  readonly version: string
  readonly page: ReadonlyMap<string, Asset>
  readonly files: DataFiles
  readonly turns: ConcurrencyLimit
  readonly uploadLimit: number
  readonly pageLimit: number
  readonly memory: string | undefined
  readonly projects: Keeping
  /** Told of errors that nobody foresaw. */
  readonly onFault: (error: unknown) => void
}

type Call = Context<{ Bindings: HttpBindings }>

/** The addresses of a studio. Who asks has been let in already. */
export const studioApp = (studio: Studio): Hono<{ Bindings: HttpBindings }> => {
  const { version, page, files, turns, uploadLimit, pageLimit, memory, onFault } = studio
  const app = new Hono<{ Bindings: HttpBindings }>()

  app.onError((error, c) => {
    const known = faultAnswer(error)
    if (known !== undefined) return c.json(known.body, known.status as ContentfulStatusCode)
    // Whoever went away is not told, and it is no fault.
    if (!c.req.raw.signal.aborted && c.env.incoming.errored === null) onFault(error)
    const message = 'an unexpected error: see the terminal in which the studio was started'
    return c.json({ error: { kind: 'engine', message } }, 500)
  })

  const folder = 'folder' in studio.projects ? studio.projects.folder.root : null

  app.get('/api/studio', async c =>
    c.json({
      version,
      files: files.named.map(shown),
      limits: { upload: uploadLimit, page: pageLimit },
      preferences: folder === null ? null : await readPreferences(folder),
    }),
  )

  app.post('/api/preferences', async c => {
    const preferences = bodyAs('preferences', preferencesFrom, await jsonBody(c.env.incoming))
    if (folder !== null) await writePreferences(folder, preferences)
    return c.body(null, 204)
  })

  app.post('/api/files', async c => {
    const name = c.req.query('name')
    if (name === undefined) throw new RequestFault(400, 'name what is sent, as in /api/files?name=survey.csv')
    return c.json(shown(await files.receive(name, c.env.incoming)), 201)
  })

  app.get('/api/files/:id', async c => {
    const file = files.get(c.req.param('id'))
    const { size } = await named(file, () => checkReadable(file.path))
    return sendBytes(file.path, size, c)
  })

  app.delete('/api/files/:id', async c => {
    await files.remove(c.req.param('id'))
    return c.body(null, 204)
  })

  /** How far what is being read is, in percent, by the names that pages gave. */
  const readings = new Map<string, number>()

  app.get('/api/readings/:watch', c => c.json({ percent: readings.get(c.req.param('watch')) ?? null }))

  /** Has a file worked on when it is its turn, until it is done or nobody waits for it any more. */
  const work = async <T>(c: Call, how: (...args: Parameters<typeof readFile>) => Promise<T>): Promise<T> => {
    const { file, options, watch } = await readRequest(c.env.incoming)
    const { signal } = c.req.raw
    const onProgress = watch === undefined ? undefined : (percent: number) => readings.set(watch, percent)
    const reading = { signal, ...defined({ memory }), ...(onProgress && { onProgress }) }
    try {
      return await turns.run(signal, () => how(files.get(file), options, reading))
    } finally {
      if (watch !== undefined) readings.delete(watch)
    }
  }

  app.post('/api/inspect', async c => c.json(await work(c, inspectFile)))

  app.post('/api/read', async c => {
    const bytes = encodeRead(await work(c, readFile))
    // Past the response of the framework, which would copy them.
    c.env.outgoing.writeHead(200, { ...BYTES, 'Content-Length': bytes.length }).end(bytes)
    return RESPONSE_ALREADY_SENT
  })

  app.route('/api/projects', projectRoutes(studio.projects, files, uploadLimit))

  app.all('/api/*', () => {
    throw new RequestFault(
      404,
      'the studio does not know this request: the page may be from another version; reload it',
    )
  })

  app.get('*', async c => {
    const found = page.get(addressOf(c.req.url))
    if (found === undefined) return c.text('there is nothing here', 404)
    const gzipped = acceptsGzip(c) ? await found.gzipped() : undefined
    return c.body(new Uint8Array(gzipped ?? found.bytes), 200, {
      'Content-Type': found.type,
      Vary: 'Accept-Encoding',
      ...(gzipped === undefined ? {} : { 'Content-Encoding': 'gzip' }),
      ...(found.lasting ? { 'Cache-Control': 'private, max-age=31536000, immutable' } : {}),
    })
  })

  app.all('*', c => c.text('this cannot be done here', 405, { Allow: 'GET, HEAD' }))
  return app
}

/** What the page is told of a file. */
const shown = ({ id, name, size, format }: DataFile) => ({ id, name, size, format })

const acceptsGzip = (c: Call): boolean => /\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')

const addressOf = (url: string): string => {
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
