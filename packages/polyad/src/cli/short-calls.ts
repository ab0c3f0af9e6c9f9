/** Command lines that are recognized before anything is loaded, because they need little of it. */

/** Whether a command line asks for the list of commands, and nothing else. */
export const asksForList = (words: readonly string[]): boolean =>
  words.length === 1 && ['--help', '-h', 'help'].includes(words[0])

/** Whether a command never computes for long: it needs nobody who watches that it ends. The studio waits, and its threads compute. */
export const isQuick = (words: readonly string[]): boolean =>
  ['studio', 'completion', 'reference', undefined].includes(words[0]) ||
  words.some(word => word === '--help' || word === '-h')
