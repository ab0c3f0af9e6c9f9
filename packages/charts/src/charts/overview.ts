import { cleanText, countedText } from '../drawing/label-text.ts'

/** Lines of more classes than this, or over more variables, cannot be followed. */
const MANY_CLASSES = 5
const MANY_VARIABLES = 20

/**
 * Whether so many classes and variables are better seen as a heat map than as lines.
 * @example
 * isHeatMap(6, 4) // true
 */
export const isHeatMap = (classes: number, variables: number): boolean =>
  classes > MANY_CLASSES || variables > MANY_VARIABLES

/**
 * The first names of a list, and how many more there are: what titles begin with.
 * @example
 * namesWords(['a', 'b', 'c', 'd', 'e']) // 'a, b, c and 2 more'
 */
export const namesWords = (names: readonly string[], most = 3): string => {
  const clean = names.map(cleanText)
  if (clean.length <= most + 1) return clean.join(', ')
  return `${clean.slice(0, most).join(', ')} and ${countedText(clean.length - most, 'more', 'more')}`
}
