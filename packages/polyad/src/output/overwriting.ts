import { fstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { OptionError } from '@polyad/core'
import { isPattern } from '../source/relation/files.ts'
import { checkWritable } from './atomic-file.ts'

/** What a command reads: files, patterns or - for standard input, and a query that may name more. */
export interface Inputs {
  readonly paths: readonly string[]
  readonly sql?: string | undefined
}

/**
 * Refuses a file that cannot be written, or that is itself read: under whatever name, since links lead to the same file.
 * Asked before anything is read.
 */
export const checkOutput = (output: string, { paths, sql }: Inputs): void => {
  checkWritable(output)
  const target = statsOf(output)
  if (target === undefined) return
  // A query names its files in quotes.
  const quoted = [...(sql ?? '').matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, single, double]) => single ?? double)
  for (const path of [...paths, ...quoted].flatMap(filesOf)) {
    const read = statsOf(path)
    if (read !== undefined && read.ino === target.ino && read.dev === target.dev) {
      const same =
        resolve(path) === resolve(output) ? '' : `, the same file as ${path === '-' ? 'standard input' : path}`
      throw new OptionError(`${output} is read by this command${same}: write to another file`)
    }
  }
}

/** The file itself, links followed; undefined where there is none. */
const statsOf = (path: string): Stats | undefined => {
  try {
    return path === '-' ? fstatSync(0) : statSync(path)
  } catch {
    return undefined
  }
}

/** The files that a pattern stands for: those below its fixed part that it matches. */
const filesOf = (path: string): string[] => {
  if (!isPattern(path)) return [path]
  const full = resolve(path).split(sep)
  const fixed = full.slice(0, full.findIndex(isPattern)).join(sep) || sep
  const matches = patternOf(full.join(sep))
  try {
    return readdirSync(fixed, { recursive: true, encoding: 'utf8' })
      .map(name => join(fixed, name))
      .filter(name => matches.test(name))
  } catch {
    return []
  }
}

const patternOf = (glob: string): RegExp => {
  const parts: Record<string, string> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }
  const source = glob.replace(/\*\*|[*?]|\[[^\]]*\]|[.+^${}()|\\]/g, part =>
    part.length > 1 && part.startsWith('[') ? part.replace(/^\[!/, '[^') : (parts[part] ?? `\\${part}`),
  )
  return new RegExp(`^${source}$`)
}
