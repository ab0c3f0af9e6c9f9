import { OptionError } from '@polyad/core'
import { isRemote } from '../../source/relation/remote.ts'

/** What data in a database is called: `duckdb:///path/file.duckdb/table`, `clickhouse://user@host:8123/database/table`. */
const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^?]*)(?:\?(.*))?$/s

/** A table of MotherDuck: `md:database/table`, or with a schema. */
const MOTHERDUCK = /^md:([^/?]+)\/([^?]+)$/s

export interface Address {
  readonly scheme: string
  /** What stands between `://` and `?`, still encoded. */
  readonly rest: string
  /** What stands after `?`. */
  readonly query: ReadonlyMap<string, string>
  /** What DuckDB attaches besides: other databases, as `attach=…` names them. */
  readonly attached: readonly string[]
  /** The address as it may be shown: without a password. */
  readonly shown: string
}

/** Whether a text is the address of something in a database. That of a file on another machine is not. */
export const isAddress = (text: string): boolean => (ADDRESS.test(text) && !isRemote(text)) || MOTHERDUCK.test(text)

export const parseAddress = (text: string): Address => {
  const [, database, table] = MOTHERDUCK.exec(text) ?? []
  if (database !== undefined)
    return {
      scheme: 'duckdb',
      rest: `/${table}`,
      query: new Map(),
      attached: [`md:${database}`],
      shown: redacted(text),
    }
  const [, scheme, rest, query = ''] = ADDRESS.exec(text) ?? []
  if (scheme === undefined) throw new OptionError(`${JSON.stringify(redacted(text))} is not the address of a database`)
  const asked = new URLSearchParams(query)
  return { scheme, rest, query: new Map(asked), attached: asked.getAll('attach'), shown: redacted(text) }
}

/** A part of an address as it is meant: `%2F` is a slash that separates nothing. */
export const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new OptionError(`${JSON.stringify(part)}: a % in an address must be followed by two digits, as in %25`)
  }
}

/** Any text without the passwords of the addresses in it: in `//user:password@`, and in `password=`. */
export const redacted = (text: string): string =>
  text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s/@:'"]*):([^\s/'"]*)@/gi, '$1$2:***@')
    .replace(/([?&](?:password|passwd|pwd|token|secret)=)[^&\s'"]*/gi, '$1***')

/** Whether a word of a command line has the address of a database with a password in it. */
export const hasPassword = (word: string): boolean => /\bclickhouses?:\/\/[^\s/?:]*:[^\s/?]+@/i.test(word)
