import { readFileSync } from 'node:fs'
import { formatOfName } from '../table/formats/formats.ts'
import { type MemoryTable, openTable } from '../table/memory/memory-table.ts'
import { checkReadable, isGzipped, isPattern } from './relation/files.ts'
import type { RelationOptions } from './relation/relation.ts'

/** Up to this many bytes, separated text is read in this process: starting DuckDB takes longer than reading it. */
const SMALL = 1 << 20

/**
 * A small file of separated text, read by the rules of all tables; undefined for what DuckDB reads: larger files, other formats, several files,
 * queries, and whatever is to be read within a given memory.
 */
export const openSmallTable = async (
  paths: readonly string[],
  { sql, format, memory, ...dialect }: RelationOptions & { readonly memory?: string },
): Promise<MemoryTable | undefined> => {
  const [path] = paths
  if (paths.length !== 1 || sql !== undefined || memory !== undefined || isPattern(path)) return undefined
  const written = format ?? formatOfName(path)
  if (written !== 'csv' && written !== 'tsv') return undefined
  const stats = checkReadable(path)
  if (!stats.isFile() || stats.size > SMALL || isGzipped(path)) return undefined
  return openTable({ name: path, bytes: readFileSync(path) }, { ...dialect, format: written })
}
