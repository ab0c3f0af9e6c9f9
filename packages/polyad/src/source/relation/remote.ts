import { OptionError } from '@polyad/core'
import { literal } from '../../duckdb/sql-text.ts'

/** Addresses of files on other machines, which DuckDB reads by one of its extensions, if it is installed. */
const REMOTE = /^(https?|s3|s3a|s3n|gs|gcs|r2|hf|azure|az|abfss?):\/\//i

export const isRemote = (path: string): boolean => REMOTE.test(path)

/** Data as it is named, with the address of a file elsewhere as a query: DuckDB knows what to do with it. */
export const withRemote = <Options extends { readonly sql?: string | undefined }>(
  paths: readonly string[],
  options: Options,
): { readonly paths: readonly string[]; readonly options: Options } => {
  const address = paths.find(isRemote)
  if (address === undefined) return { paths, options }
  if (paths.length > 1)
    throw new OptionError(
      `${address} cannot be read together with other data: name one address (it may be a pattern), and no files`,
    )
  const all = `SELECT * FROM ${literal(address)}`
  const { sql } = options
  return {
    paths: [],
    options: {
      ...options,
      sql: sql === undefined ? all : `WITH data AS (${all}) SELECT * FROM (${sql.trim().replace(/;$/, '')})`,
    },
  }
}
