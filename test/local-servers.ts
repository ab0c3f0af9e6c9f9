import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Servers of pages, as anybody may have them. */

export interface LocalServer {
  /** Ends with a slash. */
  readonly address: string
  close(): void
}

/** A server on any free port of this machine. */
export const localServer = (answer: RequestListener): Promise<LocalServer> => {
  const server = createServer(answer)
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ address: `http://127.0.0.1:${port}/`, close: () => void server.close() })
    }),
  )
}

/** With them a page is isolated from other sites, and may share memory among threads. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const LIBRARY = fileURLToPath(new URL('../packages/core/dist', import.meta.url))

/** Serves the built library, and a page that runs a script beside it. */
export const libraryHost = (script: string, headers: Readonly<Record<string, string>> = {}): Promise<LocalServer> =>
  localServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const answer = (type: string, body: string | Buffer) =>
      response.writeHead(200, { ...headers, 'Content-Type': type }).end(body)
    try {
      if (path === '/') answer('text/html', '<!doctype html><script type="module" src="/page.js"></script>')
      else answer('text/javascript', path === '/page.js' ? script : await readFile(LIBRARY + path))
    } catch {
      response.writeHead(404).end()
    }
  })

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.csv': 'text/csv',
}

/** The built page of the studio. */
export const STUDIO_PAGE = fileURLToPath(new URL('../packages/polyad/studio/', import.meta.url))

/** A static host: it hands out the files of a folder from a folder of its own, and sends no header that isolates the page. */
export const staticHost = async (folder: string, prefix = ''): Promise<LocalServer> => {
  const { address, close } = await localServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    try {
      if (!pathname.startsWith(prefix)) throw new Error('elsewhere')
      const path = join(folder, pathname.slice(prefix.length))
      const file = statSync(path).isDirectory() ? join(path, 'index.html') : path
      const type = TYPES[extname(file)] ?? 'application/octet-stream'
      response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file))
    } catch {
      response.writeHead(404).end('<h1>not here</h1>')
    }
  })
  return { address: `${address}${prefix.slice(1)}${prefix && '/'}`, close }
}
