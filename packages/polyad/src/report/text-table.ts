/** How a piece of text is set off where the terminal can do it: the caller knows whether it can. */
export type Style = (kind: 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan', text: string) => string

export const plain: Style = (_, text) => text

/** How wide a text stands on the screen: marks that combine with the letter before take no room, wide letters two. */
export const width = (text: string): number => {
  let columns = 0
  for (const letter of text) {
    const point = letter.codePointAt(0) as number
    if (/\p{Mark}/u.test(letter) || point === 0x200d || (point >= 0xfe00 && point <= 0xfe0f)) continue
    columns += isWide(point) ? 2 : 1
  }
  return columns
}

const isWide = (point: number): boolean =>
  point >= 0x1100 &&
  (point <= 0x115f ||
    (point >= 0x2e80 && point <= 0xa4cf) ||
    (point >= 0xac00 && point <= 0xd7a3) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0xfe30 && point <= 0xfe6f) ||
    (point >= 0xff00 && point <= 0xff60) ||
    (point >= 0x1f300 && point <= 0x1faff) ||
    (point >= 0x20000 && point <= 0x3fffd))

export const padEnd = (text: string, to: number): string => text + ' '.repeat(Math.max(0, to - width(text)))
export const padStart = (text: string, to: number): string => ' '.repeat(Math.max(0, to - width(text))) + text

/** A text no wider than asked, with … where it was cut; nothing in it moves the cursor. */
export const clip = (text: string, to: number): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = text.replace(/[\x00-\x1f\x7f-\x9f]/g, '·')
  if (width(clean) <= to) return clean
  let kept = ''
  for (const letter of clean) {
    if (width(kept + letter) >= to) break
    kept += letter
  }
  return `${kept}…`
}

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  readonly most?: number
}

/** Rows under their titles, columns aligned; `emphasis` sets off whole cells. */
export const textTable = (
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
  emphasis?: (row: number, column: number) => Parameters<Style>[0] | undefined,
): string[] => {
  const clipped = rows.map(row => row.map((cell, c) => clip(cell, columns[c].most ?? 60)))
  const widths = columns.map(({ title }, c) => Math.max(width(title), ...clipped.map(row => width(row[c]))))
  const line = (cells: readonly string[], row: number) =>
    cells
      .map((cell, c) => {
        const padded = columns[c].align === 'right' ? padStart(cell, widths[c]) : padEnd(cell, widths[c])
        const kind = row < 0 ? 'dim' : emphasis?.(row, c)
        return kind === undefined ? padded : style(kind, padded)
      })
      .join('  ')
      .trimEnd()
  const heading = columns.some(({ title }) => title !== '')
    ? [
        line(
          columns.map(({ title }) => title),
          -1,
        ),
      ]
    : []
  return [...heading, ...clipped.map(line)].map(text => `  ${text}`)
}
