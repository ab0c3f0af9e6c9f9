import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { EngineError, OptionError } from '@polyad/core'
import { type Closable, closable } from '@polyad/core/engine'
import { advise, words } from '@polyad/core/options'
import { makeScratch, sweepScratch } from '../duckdb/scratch.ts'
import { packageFile, version } from '../package-file.ts'
import { cookieName, doorkeeper } from './auth.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { DataFiles } from './data-files.ts'
import { openBrowser } from './open-browser.ts'
import { HEADERS } from './policy.ts'
import { loadPage } from './static-page.ts'

export interface StudioOptions {
  /** Files that the page may read. */
  readonly files?: readonly string[]
  /** The port to listen on, and no other. Default: 4321, or the next that is free. */
  readonly port?: number
  /** The folder of the built page. Default: the one that comes with the package. */
  readonly page?: string
  /** The most bytes of a file that the page sends. Default: 4 GB. */
  readonly uploadLimit?: number
  /** The most bytes of a file that the page reads itself; larger ones are read here, by DuckDB. Default: 400 MB. */
  readonly pageLimit?: number
  /** Memory for reading tables, as in `4GB`. */
  readonly memory?: string
  /** Whether a browser is to be opened. Default: false. */
  readonly open?: boolean
  /** Told of errors that nobody foresaw. */
  readonly onFault?: (error: unknown) => void
}

export interface RunningStudio {
  /** The link, with the token, that opens the studio. */
  readonly url: string
  readonly port: number
  /** Ends it, with what it is reading and what was sent to it. */
  close(): Promise<void>
}

/** The first port that is tried: in nobody's list of well-known ones, and easy to type. */
export const DEFAULT_PORT = 4321

/** How many ports are tried, one after the other, before any free one is taken. */
const PORTS_TRIED = 100

export const DEFAULT_UPLOAD_LIMIT = 4e9
export const DEFAULT_PAGE_LIMIT = 4e8

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
 * studio.url.startsWith('http://127.0.0.1:') // true
 * await studio.close()
 */
export const startStudio = async (options: StudioOptions = {}): Promise<RunningStudio & Closable> => {
  const {
    files = [],
    uploadLimit = DEFAULT_UPLOAD_LIMIT,
    pageLimit = DEFAULT_PAGE_LIMIT,
    memory,
    onFault = () => {},
  } = options
  const page = loadPage(options.page ?? builtPage())
  sweepScratch()
  const folder = makeScratch()
  const tidy = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // However the process ends: by a signal that is caught, an error, or its own choice.
  process.on('exit', tidy)
  const server = createServer({ requireHostHeader: false, requestTimeout: 0 })
  const turns = new ConcurrencyLimit(READ_AT_ONCE)
  const close = async () => {
    const closed = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    await Promise.all([closed, turns.idle()])
    tidy()
    process.off('exit', tidy)
  }
  try {
    const data = new DataFiles(folder, uploadLimit)
    for (const path of files) data.name(path)
    // What answers is loaded here: who imports this library may never start a studio.
    const [{ studioApp }, { getRequestListener }] = await Promise.all([import('./api.ts'), import('@hono/node-server')])
    const port = await listen(server, options.port)
    const token = randomBytes(32).toString('base64url')
    const app = studioApp({ version, page, files: data, turns, uploadLimit, pageLimit, memory, onFault })
    answer(server, port, token, getRequestListener(app.fetch, { overrideGlobalObjects: false }))
    const url = `http://127.0.0.1:${port}/?token=${token}`
    if (options.open === true) openBrowser(url, folder)
    return closable({ url, port, close })
  } catch (error) {
    await close()
    throw error
  }
}

/** Listens on loopback only: on the port asked for, else on the first that is free. */
const listen = async (server: Server, asked: number | undefined): Promise<number> => {
  const tries = asked === undefined ? [...Array.from({ length: PORTS_TRIED }, (_, i) => DEFAULT_PORT + i), 0] : [asked]
  for (const port of tries) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>(resolve => {
      server.once('error', resolve).listen(port, '127.0.0.1', () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    if (error === undefined) return (server.address() as AddressInfo).port
    if (error.code === 'EACCES') throw new OptionError(`port ${port} may not be used: choose one above 1023`)
    if (error.code !== 'EADDRINUSE') throw new EngineError(`port ${port} cannot be used: ${error.message}`)
  }
  throw new OptionError(words`port ${asked ?? ''} is in use: ${advise('choose another with', 'port')}, or leave it out`)
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Has every request looked at before it is answered, and every answer carry the headers. */
const answer = (server: Server, port: number, token: string, listener: Listener): void => {
  const entryOf = doorkeeper(port, token)
  const handle: Listener = (incoming, outgoing) => {
    for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
    const entry = entryOf(incoming)
    if (entry === 'refuse') return end(outgoing, 403, REFUSAL)
    if (entry === 'welcome') {
      outgoing.setHeader('Set-Cookie', `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`)
      return end(outgoing, 200, WELCOME)
    }
    if (!METHODS.includes(incoming.method ?? '')) {
      outgoing.setHeader('Allow', METHODS.join(', '))
      return end(outgoing, 405, '')
    }
    if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue()
    listener(incoming, outgoing)
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle)
  server.on('clientError', (_, socket: Socket) => {
    const headers = Object.entries({ ...HEADERS, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
    if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${headers.join('')}\r\n`)
    else socket.destroy()
  })
}

/** Answers with a page of our own, and waits for no more of the request. */
const end = (outgoing: ServerResponse, status: number, body: string): void => {
  outgoing.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', Connection: 'close' }).end(body)
}

const plainPage = (head: string, text: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Polyad studio</title><link rel="icon" href="data:,">${head}</head><body><p>${text}</p></body></html>\n`

const REFUSAL = plainPage('', 'To open the studio, use the link that is printed in the terminal where it was started.')

/**
 * Goes on to the page without the token in the address. It is this page that asks for the next, not a redirection: a browser
 * that came by a link from elsewhere would not send the cookie along with that.
 */
const WELCOME = plainPage('<meta http-equiv="refresh" content="0; url=/">', '<a href="/">The studio</a>')
