import { OptionError } from '@polyad/core'
import { type Address, decoded } from '../address.ts'

/**
 * Where a ClickHouse table is: `clickhouse://user:password@host:port/database/table`, `clickhouses://` with TLS. Several hosts, separated by
 * commas, are one for each shard, or replicas of it. Parts with special characters are percent-encoded.
 */
export interface Place {
  /** One URL for each server, without user and password. */
  readonly servers: readonly string[]
  readonly user: string
  readonly password: string
  readonly database: string
  /** Undefined where the address names a database only. */
  readonly table: string | undefined
  /** The database of working tables. */
  readonly scratch: string
  /** Seconds without a sign of life after which a server counts as lost. */
  readonly timeout: number
  /** The address as it may be shown: without a password. */
  readonly shown: string
}

export const SCHEMES: Readonly<Record<string, { readonly scheme: string; readonly port: number }>> = {
  clickhouse: { scheme: 'http', port: 8123 },
  clickhouses: { scheme: 'https', port: 8443 },
}

const FORM = /^(?:([^/]*)@)?([^/]*)((?:\/[^/]*)*)$/s

/** Seconds of silence that are borne: servers send a header of progress every ten. */
const PATIENCE = 60

export const placeOf = (
  { scheme, rest, query, shown }: Address,
  scratch?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Place => {
  const wrong = (what: string): never => {
    throw new OptionError(
      `${shown}: ${what}; an address is clickhouse://user@host:port/database/table, with the password in CLICKHOUSE_PASSWORD`,
    )
  }
  const [, login, hosts, path] = FORM.exec(rest) ?? wrong('this is not the address of a ClickHouse table')
  const { scheme: http, port: usual } = SCHEMES[scheme]
  const servers = hosts.split(',').map(host => {
    const [, name, port] = /^([\w.-]+|\[[\da-f:]+\])(?::(\d+))?$/i.exec(host) ?? wrong(`"${host}" is not a host`)
    if (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536)) wrong(`${port} is not a port`)
    return `${http}://${name}:${port ?? usual}`
  })
  if (new Set(servers).size < servers.length) wrong('a server is named twice')
  const [database, table, ...more] = path.split('/').slice(1).map(decoded)
  if (!database || table === '' || more.length > 0) wrong('the path must be /database/table')
  for (const name of query.keys()) if (name !== 'timeout') wrong(`there is no setting "${name}"`)
  const timeout = Number(query.get('timeout') ?? PATIENCE)
  if (!(timeout > 0 && timeout <= 86_400)) wrong('timeout must be a number of seconds above 0')
  const separator = login?.indexOf(':') ?? -1
  const user = separator < 0 ? login : login.slice(0, separator)
  return {
    servers,
    user: decoded(user || environment.CLICKHOUSE_USER || 'default'),
    password: separator < 0 ? (environment.CLICKHOUSE_PASSWORD ?? '') : decoded(login.slice(separator + 1)),
    database,
    table,
    scratch: scratch ?? database,
    timeout,
    shown,
  }
}
