import { OptionError } from '@polyad/core'
import type { Tables } from '../../../duckdb/client.ts'
import { identifier, literal } from '../../../duckdb/sql-text.ts'

/** Databases that DuckDB attaches besides: other files, and those that one of its extensions reads. They are opened for reading only. */

export interface Attachment {
  /** What statements call it. */
  readonly name: string
  /** What DuckDB opens. */
  readonly target: string
  /** The kind, if the target does not say it to DuckDB. */
  readonly type: string | undefined
}

/** Kinds that DuckDB does not know by a prefix. */
const TYPED = /^(delta|iceberg):(.*)$/s

/**
 * What `attach=…` says: `shop.duckdb`, `sqlite:answers.db`, `md:sales`, `postgres:dbname=shop`, `delta:/lake/orders`; with a name before it, `shop=other.duckdb`.
 * @example
 * attachment('sqlite:folder/answers.db').name // 'answers'
 * attachment('old=shop.duckdb').name // 'old'
 */
export const attachment = (text: string): Attachment => {
  const [, given, stated] = /^([A-Za-z_]\w*)=(.+)$/s.exec(text) ?? []
  const target = stated ?? text
  const [, type, place = target] = TYPED.exec(target) ?? []
  const stem = place
    .replace(/^[a-z]+:/, '')
    .replace(/[/\\]+$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]*$/, '')
  const name = given ?? stem.replace(/\W+/g, '_')
  if (name === '') throw new OptionError(`attach=${text}: give the database a name, as in attach=shop=${target}`)
  return { name, target: place, type }
}

/** Where the token of MotherDuck is looked for. Without one, DuckDB would open a browser. */
const TOKENS = ['motherduck_token', 'MOTHERDUCK_TOKEN'] as const

/** Attaches databases; an extension that is missing is an error that says how to install it. */
export const attachOthers = async (tables: Tables, others: readonly string[]): Promise<void> => {
  const names = new Set<string>()
  for (const { name, target, type } of others.map(attachment)) {
    if (names.has(name.toLowerCase()))
      throw new OptionError(`two databases are called ${name}: name one, as in attach=other=${target}`)
    names.add(name.toLowerCase())
    if (target.startsWith('md:')) {
      await tables.run('LOAD motherduck')
      if (TOKENS.every(token => !process.env[token]))
        throw new OptionError(`${target} needs a token of MotherDuck: set the environment variable motherduck_token`)
      // It is attached under the name that it has there.
      await tables.run(`ATTACH ${literal(target)}`)
      continue
    }
    const options = ['READ_ONLY', ...(type === undefined ? [] : [`TYPE ${type}`])]
    await tables.run(`ATTACH ${literal(target)} AS ${identifier(name)} (${options.join(', ')})`)
  }
}
