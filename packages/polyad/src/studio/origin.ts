import { randomBytes } from 'node:crypto'

/**
 * The addresses of one start of the studio. A browser keeps storage, cookies and service workers by origin, so every start has an
 * origin that was never there before: a random name under `localhost`, which browsers resolve to this machine by themselves.
 * Whoever had the port earlier, or has it later, shares nothing with it.
 */
export interface StudioOrigin {
  /** The host of this start: `k3v…9x.localhost:4321`. */
  readonly named: string
  /** For browsers that do not resolve names under `localhost`: shared with every server that ever has this port. */
  readonly plain: readonly string[]
}

/** Letters and digits that a host name may have, 32 of them: five bits each. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

const LENGTH = 16

export const studioOrigin = (port: number): StudioOrigin => {
  const name = Array.from(randomBytes(LENGTH), byte => LETTERS[byte % LETTERS.length]).join('')
  const at = (host: string) => (port === 80 ? host : `${host}:${port}`)
  return { named: at(`${name}.localhost`), plain: ['127.0.0.1', 'localhost'].map(at) }
}

/** The link that opens the studio at a host. */
export const linkTo = (host: string, token: string): string => `http://${host}/?token=${token}`
