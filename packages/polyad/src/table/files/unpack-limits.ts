import { DataError } from '@polyad/core'
import { grouped } from '../values/note.ts'

/** How much may come out of a packed file: a few megabytes can be made to unpack to many gigabytes. */
export interface UnpackLimit {
  /** Bytes in all. */
  readonly most: number
  /** Up to so many bytes, the ratio does not matter. */
  readonly freely: number
  /** Beyond them, how many times its packed size it may come to: tables reach 5 to 50, deflate at most 1,032. */
  readonly ratio: number
}

/** The limits, one for each way of unpacking. */
export const UNPACK_LIMITS = {
  /** Tables that are unpacked into memory: in the page, and files of SPSS, Stata and R. */
  memory: { most: 2_000_000_000, freely: 300_000_000, ratio: 100 },
  /** Text that is unpacked block by block: memory is bounded anyway, but not time, nor the room for a copy. */
  stream: { most: Number.POSITIVE_INFINITY, freely: 2_000_000_000, ratio: 200 },
  /** Lists of cells (.tns): every line is numbers in memory, and large ones are packed as a rule. */
  cells: { most: Number.POSITIVE_INFINITY, freely: 300_000_000, ratio: 100 },
  /** Spreadsheets: all of one is text in memory for a moment. */
  spreadsheet: { most: 400_000_000, freely: 400_000_000, ratio: 1 },
} as const satisfies Readonly<Record<string, UnpackLimit>>

/**
 * Throws DataError once more bytes have come out of a packed file than its limit allows, or are said to.
 * @example
 * checkUnpackedSize('survey.csv.gz', 3_000_000, 20_000_000, UNPACK_LIMITS.memory) // fits
 */
export const checkUnpackedSize = (name: string, packed: number, size: number, limit: UnpackLimit): void => {
  const { most, freely, ratio } = limit
  const allowed = Math.min(most, Math.max(freely, ratio * packed))
  if (size <= allowed) return
  const reason = allowed < most && allowed > freely ? `, ${ratio} times its ${grouped(packed)} bytes` : ''
  throw new DataError(
    `${name} unpacks to more than ${grouped(allowed)} bytes${reason}, the limit for a packed file. If you trust it, unpack it yourself, or save the data as Parquet.`,
  )
}
