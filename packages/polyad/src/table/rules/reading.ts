import { MISSING_TEXTS } from './recipe.ts'

/** How values are read, whatever column they stand in. */
export interface Reading {
  /** Everything that means missing, beside NULL and NaN. */
  readonly missing: readonly string[]
  /** Takes blanks off both ends. */
  readonly trim?: boolean
  /** Joins labels that differ only by case. */
  readonly ignoreCase?: boolean
}

export interface ReadingOptions {
  /** What means missing, beside empty, NA, NULL and NaN. */
  readonly missing?: readonly string[]
  /** What means missing, in place of empty, NA, NULL and NaN. */
  readonly missingOnly?: readonly string[]
  /** Takes blanks off both ends of values, so that `Good ` and `Good` are one label. */
  readonly trim?: boolean
  /** Joins labels that differ only by case; the most frequent spelling is kept. */
  readonly ignoreCase?: boolean
}

export const readingOf = ({ missing = [], missingOnly, trim, ignoreCase }: ReadingOptions): Reading => ({
  missing: [...new Set([...(missingOnly ?? MISSING_TEXTS), ...missing])],
  ...(trim === true ? { trim } : {}),
  ...(ignoreCase === true ? { ignoreCase } : {}),
})
