import { type Check, is, type OptionTable } from '@polyad/core/options'
import { FORMATS } from '../table/files/formats.ts'
import { READING_OPTIONS } from '../table/reading/reading-options.ts'
import type { SourceOptions } from './readers.ts'

/** A size of memory. */
export const SIZE: Check = {
  rule: 'a size such as 4GB',
  allows: value => typeof value === 'string' && /^\d+(\.\d+)? ?[KMGT]i?B$/i.test(value),
}

/** Every option by which files are read. */
export const SOURCE_OPTIONS = {
  ...READING_OPTIONS,
  sql: { check: is.text },
  format: { check: is.oneOf(FORMATS) },
  base: { check: is.whole(0, 1) },
  coordinates: { check: is.flag },
  memory: { check: SIZE },
} as const satisfies OptionTable<Omit<SourceOptions, 'design' | 'threads' | 'signal' | 'onProgress'>>
