import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { StudioOrigin } from './origin.ts'

/**
 * What becomes of a request: it is answered, it gets its cookie, it is a browser that tries whether it can reach the named host, or
 * it is refused.
 */
export type Entry = 'enter' | 'welcome' | 'probe' | 'refuse'

/** What browsers say of requests that the page itself makes, or that the person does in the address bar. */
const OWN = ['same-origin', 'none']

/** A picture without content at the named host: the page that opens the browser loads it to see whether the name is resolved. */
export const PROBE = '/probe.svg'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Cookies do not know ports: every studio on a machine has a name of its own. */
export const cookieName = (port: number): string => `polyad-${port}`

/**
 * Decides over every request before anything looks at it. Who comes in has the token, by the link or by the cookie, and asks
 * this studio by its own name (else a foreign name may have been pointed at this machine); a browser has not said that another
 * site asks; and whatever changes something says which page asks. A script for a service worker is never handed out.
 */
export const authentication = (
  { named, plain }: StudioOrigin,
  port: number,
  token: string,
): ((request: IncomingMessage) => Entry) => {
  const hosts = [named, ...plain]
  const expected = digest(token)
  // Digests are compared, all of one length: how long it takes says nothing about the token.
  const isToken = (given: string) => timingSafeEqual(digest(given), expected)
  return ({ method, url = '', headers, rawHeaders }) => {
    const { host = '', origin, cookie = '', 'sec-fetch-site': site } = headers
    if (!hosts.includes(host) || timesIn(rawHeaders, 'host') !== 1 || !url.startsWith('/')) return 'refuse'
    if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker') return 'refuse'
    if (url === PROBE && host === named && method === 'GET') return 'probe'
    if (origin === undefined ? method !== 'GET' && method !== 'HEAD' : origin !== `http://${host}`) return 'refuse'
    const { home, given } = homeOf(url)
    // A link may lead here from anywhere; everything else is for the page alone.
    if (site !== undefined && !OWN.includes(String(site)) && !home) return 'refuse'
    if (given !== null) return home && method === 'GET' && isToken(given) ? 'welcome' : 'refuse'
    return cookiesNamed(cookieName(port), cookie).some(isToken) ? 'enter' : 'refuse'
  }
}

/** Whether a target is the page itself, and the token in it. */
const homeOf = (url: string): { home: boolean; given: string | null } => {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  return { home: path === '/', given: at < 0 ? null : new URLSearchParams(url.slice(at)).get('token') }
}

const timesIn = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === name).length

const cookiesNamed = (name: string, header: string): string[] =>
  header.split(';').flatMap(each => {
    const [key, ...value] = each.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
