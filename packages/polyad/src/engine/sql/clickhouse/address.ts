import { OptionError } from '@polyad/core'

/**
 * Where a ClickHouse table is: `clickhouse://user:password@host:port/database/table`, `clickhouses://` with TLS. Several hosts, separated by
 * commas, are one for each shard. Parts with special characters are percent-encoded.
 */
export interface Address {
  /** One URL for each server, without user and password. */
  readonly servers: readonly string[]
  readonly user: string
  readonly password: string
  readonly database: string
  /** Undefined where the address names a database only. */
  readonly table: string | undefined
  /** Seconds without a sign of life after which a server counts as lost. */
  readonly timeout: number
  /** The address as it may be shown: without a password. */
  readonly shown: string
}

const SCHEMES = { 'clickhouse:': { scheme: 'http', port: 8123 }, 'clickhouses:': { scheme: 'https', port: 8443 } }

export const isClickhouse = (text: string): boolean => /^clickhouses?:\/\//i.test(text)

const FORM = /^(clickhouses?:)\/\/(?:([^@/]*)@)?([^/?]*)((?:\/[^/?]*)*)(?:\?(.*))?$/i

/** Seconds of silence that are borne: servers send a header of progress every ten. */
const PATIENCE = 60

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address with whatever stands for a password left out: for messages, model files, and the list of processes. */
export const withoutPassword = (text: string): string =>
  text.replace(/^(clickhouses?:\/\/[^:@/]*):[^@/]*@/i, (_, before) => `${before}@`)

export const parseAddress = (text: string, environment: Record<string, string | undefined> = {}): Address => {
  const shown = withoutPassword(text)
  const wrong = (what: string): never => {
    throw new OptionError(
      `${shown}: ${what}; an address is clickhouse://user@host:port/database/table, with the password in CLICKHOUSE_PASSWORD`,
    )
  }
  const found = FORM.exec(text) ?? wrong('this is no address of a ClickHouse table')
  const [, scheme, login, hosts, path, query] = found
  const { scheme: http, port: usual } = SCHEMES[scheme.toLowerCase() as keyof typeof SCHEMES]
  const servers = hosts.split(',').map(host => {
    const [, name, port] = /^([\w.-]+|\[[\da-f:]+\])(?::(\d+))?$/i.exec(host) ?? wrong(`"${host}" is no host`)
    if (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536)) wrong(`${port} is no port`)
    return `${http}://${name}:${port ?? usual}`
  })
  if (new Set(servers).size < servers.length) wrong('a server is named twice')
  const [database, table, ...more] = path.split('/').slice(1).map(decode)
  if (!database || table === '' || more.length > 0) wrong('the path must be /database/table')
  const separator = login?.indexOf(':') ?? -1
  const user = login === undefined ? undefined : separator < 0 ? login : login.slice(0, separator)
  const parameters = new URLSearchParams(query ?? '')
  for (const name of parameters.keys()) if (name !== 'timeout') wrong(`there is no setting "${name}"`)
  const timeout = Number(parameters.get('timeout') ?? PATIENCE)
  if (!(timeout > 0 && timeout <= 86_400)) wrong('timeout must be a number of seconds above 0')
  return {
    servers,
    user: decode(user || environment.CLICKHOUSE_USER || 'default'),
    password: separator < 0 ? (environment.CLICKHOUSE_PASSWORD ?? '') : decode(login.slice(separator + 1)),
    database,
    table,
    timeout,
    shown,
  }
}
