import { clipText as clip, columnsOf as width } from '@polyad/charts/visible-text'
import { type Labels, NO_LABELS } from '../../table/values/codebook.ts'

export { clip, width }

/** Sets off a piece of text; the caller knows whether the terminal can do it. */
export type Style = (kind: 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan', text: string) => string

export const plain: Style = (_, text) => text

export const padEnd = (text: string, to: number): string => text + ' '.repeat(Math.max(0, to - width(text)))
export const padStart = (text: string, to: number): string => ' '.repeat(Math.max(0, to - width(text))) + text

/** What a report is printed on: how pieces of text are set off, and how many columns there are. */
export interface Page {
  readonly style: Style
  readonly columns: number
  /** What variables and values are called, if they have labels. */
  readonly labels?: Labels
}

/** The labels of a page. */
export const labelsOn = ({ labels = NO_LABELS }: Page): Labels => labels

/** How wide a column of variables may be: labels take more than names. */
export const variableWidth = ({ labels }: Page): number => (labels?.any === true ? 44 : 24)

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** For text, which may be clipped: how wide it may be at most. Numbers are never clipped. */
  readonly most?: number
  /** Printed in every part, where the table is too wide for the page and comes in parts. */
  readonly repeated?: boolean
}

const GAP = 2
/** Text is not clipped to less than this: the table is printed in parts instead. */
const SHORTEST = 12

/**
 * Rows under their titles, columns aligned; `emphasis` sets off whole cells. A table wider than the page first clips its
 * text; where that is not enough, it is printed in parts one below the other.
 */
export const textTable = (
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  page: Page,
  emphasis?: (row: number, column: number) => Parameters<Style>[0] | undefined,
): string[] => {
  const room = page.columns - GAP
  const clean = rows.map(row => row.map((cell, c) => clip(cell, columns[c].most ?? 60)))
  const natural = columns.map(({ title, most = 60 }, c) =>
    Math.max(Math.min(width(title), most), ...clean.map(row => width(row[c]))),
  )
  const widths = widthsFor(columns, natural, room)
  const parts = partsOf(columns, widths, room)
  const line = (cells: readonly string[], row: number, part: readonly number[]) =>
    part
      .map(c => {
        const text = clip(cells[c], widths[c])
        const padded = columns[c].align === 'right' ? padStart(text, widths[c]) : padEnd(text, widths[c])
        const kind = row < 0 ? 'dim' : emphasis?.(row, c)
        return kind === undefined ? padded : page.style(kind, padded)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  const hasTitles = titles.some(title => title !== '')
  return parts.flatMap((part, i) =>
    [
      ...(i === 0 ? [] : ['']),
      ...(hasTitles ? [line(titles, -1, part)] : []),
      ...clean.map((row, r) => line(row, r, part)),
    ].map(text => (text === '' ? '' : `  ${text}`)),
  )
}

const widthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1)

/**
 * The widths with the widest texts clipped, one column at a time, until the table fits. If it does not even with all at their shortest,
 * they are clipped no more than it takes for as few parts.
 */
const widthsFor = (columns: readonly TableColumn[], natural: readonly number[], room: number): readonly number[] => {
  const steps: (readonly number[])[] = [natural]
  const texts = columns.flatMap(({ most }, c) => (most === undefined ? [] : [c]))
  for (let last = natural; widthOf(last) > room; ) {
    const widest = texts.reduce((a, b) => (last[b] > (last[a] ?? 0) ? b : a), texts[0])
    if (widest === undefined || last[widest] <= SHORTEST) break
    last = last.map((each, c) => (c === widest ? each - 1 : each))
    steps.push(last)
  }
  const fewest = partsOf(columns, steps[steps.length - 1], room).length
  const fits = (widths: readonly number[]) =>
    partsOf(columns, widths, room).length === fewest &&
    partsOf(columns, widths, room).every(part => widthOf(part.map(c => widths[c])) <= room)
  return steps.find(fits) ?? steps[steps.length - 1]
}

/** Which columns are printed together: as many as fit, with the repeated ones in each part. */
const partsOf = (columns: readonly TableColumn[], widths: readonly number[], room: number): number[][] => {
  const all = [...columns.keys()]
  if (widthOf(widths) <= room) return [all]
  const isRepeated = (c: number) => columns[c].repeated === true
  const parts: number[][] = []
  let part: number[] = []
  const used = (some: readonly number[]) =>
    widthOf(all.filter(c => isRepeated(c) || some.includes(c)).map(c => widths[c]))
  for (const c of all.filter(each => !isRepeated(each))) {
    if (part.length > 0 && used([...part, c]) > room) {
      parts.push(part)
      part = []
    }
    part.push(c)
  }
  return [...parts, part].map(some => all.filter(c => isRepeated(c) || some.includes(c)))
}
