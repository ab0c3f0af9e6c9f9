/**
 * What the reader says of a table, for somebody before a page: its advice names options of the library, where the page has
 * fields of its own.
 */
export const pageWords = (text: string): string =>
  text
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
    .replace(
      /; to make them sum to the rows, add rescaleWeights/g,
      '; they can be made to sum to the rows under “How values are read”',
    )
    .replace(
      /, or keep the most frequent with top: \d+/g,
      ', or keep its most frequent labels under “How values are read”',
    )
