import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EngineError, OptionError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'

/** The first port that is tried: in nobody's list of well-known ones, and easy to type. */
export const DEFAULT_PORT = 4321

/** How many ports are tried, one after the other, before any free one is taken. */
const PORTS_TRIED = 100

/** How often any free port is tried: it must be free on both addresses. */
const FREE_TRIED = 20

/** An address of loopback that this machine does not have is nobody's. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

export interface Listening {
  readonly port: number
  readonly servers: readonly Server[]
}

/**
 * Listens on loopback only: on the port asked for, else on the first that is free. It takes the port on both addresses of
 * loopback, because browsers try `::1` first for names under `localhost`: a server of somebody else there would be sent the token.
 * @param make a server with its limits and listeners
 */
export const listen = async (make: () => Server, asked: number | undefined): Promise<Listening> => {
  const defaults = Array.from({ length: PORTS_TRIED }, (_, i) => DEFAULT_PORT + i)
  const free = Array<number>(FREE_TRIED).fill(0)
  const tries = asked === undefined ? [...defaults, ...free] : asked === 0 ? free : [asked]
  for (const tried of tries) {
    const first = make()
    const error = await bind(first, tried, '127.0.0.1')
    if (error?.code === 'EACCES')
      throw new OptionError(`port ${tried} is reserved for the system: choose one above 1023`)
    if (error !== undefined && error.code !== 'EADDRINUSE')
      throw new EngineError(`port ${tried} cannot be used: ${error.message}`)
    if (error !== undefined) continue
    const { port } = first.address() as AddressInfo
    const second = make()
    const other = await bind(second, port, '::1')
    if (other === undefined) return { port, servers: [first, second] }
    if (ABSENT.includes(other.code ?? '')) return { port, servers: [first] }
    await new Promise(resolve => first.close(resolve))
  }
  throw new OptionError(words`port ${asked ?? ''} is in use: ${advise('choose another with', 'port')}, or leave it out`)
}

const bind = (server: Server, port: number, host: string): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise(resolve => {
    server.once('error', resolve).listen({ port, host, ipv6Only: true }, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })

/** A server without listeners: a request needs its host header, which is checked by us, and long work is no fault. */
export const plainServer = (idleSeconds: number): Server =>
  createServer({
    requireHostHeader: false,
    // A body may take as long as it goes on: see `endStalled`.
    requestTimeout: 0,
    headersTimeout: idleSeconds * 1000,
    connectionsCheckingInterval: Math.min(5000, (idleSeconds * 1000) / 2),
  })
