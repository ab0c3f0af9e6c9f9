import { type Check, checkedOptions, FIT_OPTIONS, is, type OptionTable } from '@polyad/core/options'
import { FORMAT_NAMES } from '../table/formats/formats.ts'
import { DESIGN_OPTION, READING_OPTIONS } from '../table/reading/reading-options.ts'
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
  format: { check: is.oneOf(FORMAT_NAMES) },
  base: { check: is.whole(0, 1) },
  coordinates: { check: is.flag },
  memory: { check: SIZE },
  replicateWeights: { check: is.texts },
  design: DESIGN_OPTION,
  threads: FIT_OPTIONS.threads,
  signal: FIT_OPTIONS.signal,
  onProgress: { check: is.function },
} as const satisfies OptionTable<SourceOptions>

/** Refuses what no reader of files takes. */
export const checkSourceOptions = (owner: string, options: SourceOptions): void => {
  checkedOptions(owner, SOURCE_OPTIONS, options)
}
