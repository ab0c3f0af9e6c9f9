import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Closable, closable } from '@polyad/core/engine'
import { removedAtExit, removeLeftover } from '../duckdb/leftovers.ts'
import { makeScratch } from '../duckdb/scratch.ts'
import { packageFile, version } from '../package-file.ts'
import { authentication, cookieName } from './auth.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { Connections, DEFAULT_IDLE_SECONDS, DEFAULT_STRANGERS, endStalled } from './connections.ts'
import { DataFiles } from './data-files.ts'
import { listen, plainServer } from './listening.ts'
import { openBrowser } from './open-browser.ts'
import { linkTo, type StudioOrigin, studioOrigin } from './origin.ts'
import { HEADERS } from './policy.ts'
import { type KeepingOptions, keepingOf } from './project-keeping.ts'
import { loadPage } from './static-page.ts'

export interface StudioOptions extends KeepingOptions {
  /** Files that the page may read. */
  readonly files?: readonly string[]
  /** The port to listen on, and no other. Default: 4321, or the next that is free. */
  readonly port?: number
  /** The folder of the built page. Default: the one that comes with the package. */
  readonly page?: string
  /** The most bytes of a file that the page sends. Default: 4 GB. */
  readonly uploadLimit?: number
  /** The most bytes of a file that the page reads itself; larger ones are read here, by DuckDB. Default: 100 MB. */
  readonly pageLimit?: number
  /** Memory for reading tables, as in `4GB`. */
  readonly memory?: string
  /** Seconds without a byte after which a request that has begun is ended. Default: 30. */
  readonly idleSeconds?: number
  /** Connections without the token that may be open at once; the oldest is closed for one more. Default: 64. */
  readonly strangers?: number
  /** Whether a browser is to be opened. Default: false. */
  readonly open?: boolean
  /** Told of errors that nobody foresaw. */
  readonly onFault?: (error: unknown) => void
}

export interface RunningStudio {
  /** The link, with the token, that opens the studio: at a name of its own under `localhost`, new with every start. */
  readonly url: string
  /** The same at 127.0.0.1, for browsers that do not resolve names under `localhost`. */
  readonly plainUrl: string
  readonly port: number
  /** The folder in which it keeps projects; null if it keeps none. */
  readonly projects: string | null
  /** Ends it, with what it is reading and what was sent to it. */
  close(): Promise<void>
}

export const DEFAULT_UPLOAD_LIMIT = 4e9
export const DEFAULT_PAGE_LIMIT = 100_000_000

/** Tables that are read at once: each may take a gigabyte, and both cores of a small machine. */
const READ_AT_ONCE = 2

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE']

/** The page as it is built: beside `dist` and `src`. */
const builtPage = (): string => fileURLToPath(packageFile('studio'))

/**
 * Serves the studio on this machine's own loopback address until it is closed, or the process ends. Every request needs the
 * token in the link that is returned.
 * @example
 * const studio = await startStudio({ files: ['survey.csv'], page: 'page' }) // by default the page that comes with Polyad
 * studio.plainUrl.startsWith('http://127.0.0.1:') // true
 * await studio.close()
 */
export const startStudio = async (options: StudioOptions = {}): Promise<RunningStudio & Closable> => {
  const {
    files = [],
    uploadLimit = DEFAULT_UPLOAD_LIMIT,
    pageLimit = DEFAULT_PAGE_LIMIT,
    memory,
    idleSeconds = DEFAULT_IDLE_SECONDS,
    strangers = DEFAULT_STRANGERS,
    onFault = () => {},
  } = options
  const page = loadPage(options.page ?? builtPage())
  const folder = makeScratch()
  const release = removedAtExit({ path: folder })
  let servers: readonly Server[] = []
  const turns = new ConcurrencyLimit(READ_AT_ONCE)
  const close = async () => {
    const closed = servers.map(server => new Promise(resolve => server.close(resolve)))
    for (const server of servers) server.closeAllConnections()
    await Promise.all([...closed, turns.idle()])
    release()
    removeLeftover({ path: folder })
  }
  try {
    const data = new DataFiles(folder, uploadLimit)
    for (const path of files) data.name(path)
    // What answers is loaded here: who imports this library may never start a studio.
    const [{ studioApp }, { getRequestListener }] = await Promise.all([import('./api.ts'), import('@hono/node-server')])
    const listening = await listen(() => plainServer(idleSeconds), options.port)
    servers = listening.servers
    const { port } = listening
    const origin = studioOrigin(port)
    const token = randomBytes(32).toString('base64url')
    const projects = keepingOf(options)
    const app = studioApp({ version, page, files: data, turns, uploadLimit, pageLimit, memory, projects, onFault })
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
    answer(servers, { origin, port, token, idleSeconds, strangers }, listener)
    const [url, plainUrl] = [origin.named, origin.plain[0]].map(host => linkTo(host, token))
    if (options.open === true) openBrowser(origin.named, url, plainUrl, folder)
    return closable({ url, plainUrl, port, projects: 'folder' in projects ? projects.folder.root : null, close })
  } catch (error) {
    await close()
    throw error
  }
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

interface Entrance {
  readonly origin: StudioOrigin
  readonly port: number
  readonly token: string
  readonly idleSeconds: number
  readonly strangers: number
}

/** Has every request looked at before it is answered, and every answer carry the headers. */
const answer = (servers: readonly Server[], entrance: Entrance, listener: Listener): void => {
  const { origin, port, token, idleSeconds, strangers } = entrance
  const entryOf = authentication(origin, port, token)
  const connections = new Connections(strangers)
  const welcomed = new Set<string | undefined>()
  const handle: Listener = (incoming, outgoing) => {
    for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
    const entry = entryOf(incoming)
    if (entry === 'refuse') return end(outgoing, 403, REFUSAL)
    if (entry === 'probe') {
      outgoing.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      return end(outgoing, 200, '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 'image/svg+xml')
    }
    connections.know(incoming.socket)
    if (entry === 'welcome') {
      outgoing.setHeader('Set-Cookie', `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`)
      // What another server left in this origin goes; what this page keeps there later stays.
      const { host } = incoming.headers
      if (!welcomed.has(host)) outgoing.setHeader('Clear-Site-Data', '"storage"')
      welcomed.add(host)
      return end(outgoing, 200, WELCOME)
    }
    if (!METHODS.includes(incoming.method ?? '')) {
      outgoing.setHeader('Allow', METHODS.join(', '))
      return end(outgoing, 405, '')
    }
    endStalled(incoming, idleSeconds)
    if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue()
    listener(incoming, outgoing)
  }
  for (const server of servers) {
    server.on('connection', (socket: Socket) => connections.add(socket))
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle)
    server.on('clientError', refuseBytes)
  }
}

/** Answers what is no request, or none that came to its end in time, and closes: the other side may never do so. */
const refuseBytes = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable) return void socket.destroy()
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  const headers = Object.entries({ ...HEADERS, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}\r\n`, () => socket.destroy())
}

/** Answers with a page of our own, and waits for no more of the request. */
const end = (outgoing: ServerResponse, status: number, body: string, type = 'text/html; charset=utf-8'): void => {
  outgoing.writeHead(status, { 'Content-Type': type, Connection: 'close' }).end(body)
}

const plainPage = (head: string, text: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Polyad studio</title><link rel="icon" href="data:,">${head}</head><body><p>${text}</p></body></html>\n`

const REFUSAL = plainPage('', 'To open the studio, use the link that is printed in the terminal where it was started.')

/**
 * Goes on to the page without the token in the address. It is this page that asks for the next, not a redirection: a browser
 * that came by a link from elsewhere would not send the cookie along with that.
 */
const WELCOME = plainPage('<meta http-equiv="refresh" content="0; url=/">', '<a href="/">The studio</a>')
