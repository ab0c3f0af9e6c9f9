import { DatabaseFault } from '../connection.ts'

/**
 * ClickHouse's codes of errors after which the same statement may succeed: servers that start, stop or are too busy, connections between
 * shards, memory and disks that were short, queries that were killed.
 */
const TRANSIENT = new Set([
  3, // UNEXPECTED_END_OF_FILE
  32, // ATTEMPT_TO_READ_AFTER_EOF
  74, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR: a full disk, mostly
  159, // TIMEOUT_EXCEEDED
  160, // TOO_SLOW
  173, // CANNOT_ALLOCATE_MEMORY
  198, // DNS_ERROR
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  203, // NO_FREE_CONNECTION
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  236, // ABORTED
  241, // MEMORY_LIMIT_EXCEEDED
  242, // TABLE_IS_READ_ONLY
  243, // NOT_ENOUGH_SPACE
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED
  394, // QUERY_WAS_CANCELLED
  425, // SYSTEM_ERROR
  439, // CANNOT_SCHEDULE_TASK
  999, // KEEPER_EXCEPTION
  1000, // POCO_EXCEPTION
  1001, // STD_EXCEPTION
  1002, // UNKNOWN_EXCEPTION
])

/** What to do about some of them, besides trying again. */
const ADVICE = new Map([
  [60, 'the table does not exist, or this user may not see it'],
  [81, 'the database does not exist'],
  [192, 'the server does not know this user'],
  [193, 'the password was refused: it is taken from the address or from CLICKHOUSE_PASSWORD'],
  [194, 'a password is needed: it is taken from the address or from CLICKHOUSE_PASSWORD'],
  [241, 'the setting max_memory_usage limits the memory of a query: raise it'],
  [243, 'the disk is full'],
  [497, 'this user lacks a permission'],
  [516, 'the user or the password was refused: the password is taken from the address or from CLICKHOUSE_PASSWORD'],
])

/** An answer that ends too early: another try may get the rest. */
export const cutOff = (cause?: unknown): DatabaseFault =>
  new DatabaseFault('the answer of the server was cut off', { transient: true, cause })

/** An answer that is something else: another try would get the same. */
export const notNative = (): DatabaseFault =>
  new DatabaseFault("the answer is not in ClickHouse's format: check that the address names its HTTP port", {
    transient: false,
  })

const firstLine = (text: string): string => {
  const line = text
    .trim()
    .split('\n')[0]
    .replace(/, e\.what\(\) = .*$/, '')
  return line.length > 400 ? `${line.slice(0, 400)}…` : line
}

/** What went wrong on a server, in its words, as a fault. `secret` is never in it. */
export const clickhouseFault = (error: unknown, place: string, secret: string): DatabaseFault => {
  if (error instanceof DatabaseFault)
    return error.place === undefined ? new DatabaseFault(error.message, { ...error, place }) : error
  const { message, code: name } = error as Error & { code?: string }
  const code = Number(/\bCode: (\d+)/.exec(message)?.[1] ?? name)
  // An error without a number of ClickHouse's is one of the network, or of what stands between.
  const transient = Number.isNaN(code) || TRANSIENT.has(code)
  const words = Number.isNaN(code)
    ? message || name || 'no answer'
    : message.replace(/^Code: \d+[.,]\s*(e\.displayText\(\) = )?(DB::\w+: )?/, '')
  const shown = `${firstLine(words)}${Number.isNaN(code) ? '' : ` (code ${code})`}`
  const advice = ADVICE.get(code)
  const safe = secret === '' ? shown : shown.replaceAll(secret, '…')
  const own = Number.isNaN(code) ? {} : { code }
  return new DatabaseFault(advice === undefined ? safe : `${safe}: ${advice}`, { transient, place, ...own })
}

/** Codes of what a user may not do: READONLY, DATABASE_ACCESS_DENIED, ACCESS_DENIED. */
const DENIED = [164, 291, 497]

export const isDenied = ({ code }: DatabaseFault): boolean => code !== undefined && DENIED.includes(code)
