import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { EngineError } from '@polyad/core'

/** One file of the page. */
export interface Asset {
  readonly type: string
  /** Whether its name changes with its bytes, so that a browser may keep it. */
  readonly lasting: boolean
  readonly bytes: Buffer
  /** The bytes compressed; undefined where that is not worth it. */
  gzipped(): Promise<Buffer> | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.parquet': 'application/vnd.apache.parquet',
}

const COMPRESSIBLE = /charset=utf-8$|^application\/wasm$/

/** Fewer bytes than this fit into a packet or two as they are. */
const WORTH_IT = 1024

/** A name that holds a digest of the bytes, as Vite writes it: assets/index-BKq3x_1a.js. */
const HASHED = /^\/assets\/.*-[\w-]{8}\.\w+$/

const compressed = promisify(gzip)

/**
 * The files of the page by their addresses, all of them in memory: no address that is asked for ever reaches the file
 * system, so there is no way around the folder. Links in it are passed over.
 */
export const loadPage = (folder: string): ReadonlyMap<string, Asset> => {
  if (!existsSync(join(folder, 'index.html')))
    throw new EngineError(`the page of the studio is not in ${folder}: build it with npm run build`)
  const page = new Map<string, Asset>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    page.set(address, asset(address, readFileSync(path)))
  }
  return page.set('/', page.get('/index.html') as Asset)
}

const asset = (address: string, bytes: Buffer): Asset => {
  const type = TYPES[extname(address).toLowerCase()] ?? 'application/octet-stream'
  const worthIt = bytes.length > WORTH_IT && COMPRESSIBLE.test(type)
  let small: Promise<Buffer> | undefined
  return {
    type,
    bytes,
    lasting: HASHED.test(address),
    gzipped: () => {
      if (worthIt) small ??= compressed(bytes)
      return small
    },
  }
}
