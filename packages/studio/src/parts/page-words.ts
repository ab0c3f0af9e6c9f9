import { counted } from './numbers.ts'

/**
 * What the reader says of a table, for somebody before a page: its advice names options of the library, where the page has
 * fields of its own.
 */
export const pageWords = (text: string): string =>
  text
    .replace(/, say by what, as in delimiter '.'/g, ', say by what under “How values are read”')
    .replace(
      /; cut others with .*?, or name the modes with modes:/g,
      '; use others as modes too, and cut them into bins:',
    )
    .replace(/; name (some|more) with modes:/g, '; choose $1 of these above as modes:')
    .replace(/; to cut (it|them), use bins .*/g, '; bins can be chosen above')
    .replace(/cut it with bins '[^']*'(, or by a width| \(or [^)]*\))?/g, 'use it as a mode, and cut it into bins')
    .replace(/; if so, add missing ('[^']*'|"[^"]*")(, missing ('[^']*'|"[^"]*"))*/g, '; if so, say so above')
    .replace(/if (that|it) means missing, add missing ('[^']*'|"[^"]*")/g, 'if $1 means missing, say so above')
    .replace(/ \(every row once: count 'none'\)/g, '')
    .replace(
      /; to count by it: count ('[^']*'|"[^"]*"); to have it as a mode, name it with modes/g,
      '; choose its use above if it does',
    )
    .replace(
      /; join them (with trim|with ignoreCase)(, with ignoreCase)?/g,
      '; they can be joined under “How values are read”',
    )
    .replace(/; for another zone, use timeZone '[^']*'/g, '; another zone can be chosen under “How values are read”')
    .replace(
      /, or keep the most frequent with top: \d+/g,
      ', or keep its most frequent labels under “How values are read”',
    )

/** Why a number of classes is recommended, where the library speaks of ranks. */
export const rankWords = (reason: string): string =>
  reason
    .replace(/\branks (\d+(, \d+)*)/g, '$1 classes')
    .replace(/\brank (\d+)/g, (_, rank: string) => counted(Number(rank), 'class', 'classes'))
    .replace(/\blargest rank tried/g, 'largest number tried')
    .replace(/\bno rank\b/g, 'no number of classes')

/** How sure a fit is. What is exact need not say how close it came. */
export const verdictWords = (text: string): string => text.replace(/^(closed form: [^;]*); stationary to .*$/, '$1')
