import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What becomes of a request: it comes in, it is given its cookie, or it goes away. */
export type Entry = 'enter' | 'welcome' | 'refuse'

/** What browsers say of requests that the page itself makes, or that the person does in the address bar. */
const OWN = ['same-origin', 'none']

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Cookies do not know ports: every studio on a machine has a name of its own. */
export const cookieName = (port: number): string => `polyad-${port}`

/**
 * Decides over every request before anything looks at it. Who comes in has the token, by the link or by the cookie, and asks
 * this studio by its own name (else a foreign name may have been pointed at this machine); a browser has not said that another
 * site asks; and whatever changes something says which page asks.
 */
export const doorkeeper = (port: number, token: string): ((request: IncomingMessage) => Entry) => {
  const hosts = ['127.0.0.1', 'localhost'].map(name => (port === 80 ? name : `${name}:${port}`))
  const expected = digest(token)
  // Digests are compared, all of one length: how long it takes says nothing about the token.
  const isToken = (given: string) => timingSafeEqual(digest(given), expected)
  return ({ method, url = '', headers, rawHeaders }) => {
    const { host = '', origin, cookie = '', 'sec-fetch-site': site } = headers
    if (!hosts.includes(host) || timesIn(rawHeaders, 'host') !== 1 || !url.startsWith('/')) return 'refuse'
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
