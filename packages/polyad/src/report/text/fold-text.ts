import { visibleProse, columnsOf as width } from '@polyad/charts/visible-text'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a colour
const COLOUR = /\x1b\[\d+m/g

/** How wide a line stands on the screen, its colours left out. */
export const shownWidth = (line: string): number => width(line.replace(COLOUR, ''))

/** Where a line may be broken: between words, but not within `p < 0.001` and `12%`. */
const BREAK = /(?<=\s)(?<![<>=≤≥]\s)(?=[^\s<>=≤≥%])/

/**
 * Breaks a line between words so that no part is wider than the terminal; what follows is indented by two more. A word
 * that is too long by itself (a path) stays whole.
 */
export const fold = (line: string, columns: number): string[] => {
  if (shownWidth(line) <= columns) return [line]
  const [, indent, text] = /^(\s*)(.*)$/s.exec(line) as unknown as [string, string, string]
  const lines: string[] = []
  let current = indent
  for (const piece of text.split(BREAK)) {
    if (current.trim() !== '' && shownWidth(current + piece.trimEnd()) > columns) {
      lines.push(current.trimEnd())
      current = `${indent}  `
    }
    current += piece
  }
  return [...lines, current.trimEnd()]
}

/** What `styleText` writes for the styles in use: no other sequence goes to a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a colour
const OWN_COLOUR = /(\x1b\[(?:1|2|22|31|32|33|36|39)m)/

/** A line as a terminal may have it: nothing in it but our own colours is a command, and nothing is hidden. */
export const safeLine = (line: string): string =>
  line
    .split(OWN_COLOUR)
    .map((piece, i) => (i % 2 === 1 ? piece : visibleProse(piece).replaceAll('\r', '\\u000d')))
    .join('')
