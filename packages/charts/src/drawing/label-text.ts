import { intervalText } from '@polyad/core/model'
import { cleanText, columnsOf, ended } from './visible-text.ts'

export { cleanText, clipText, columnsOf, visibleProse, visibleText } from './visible-text.ts'

/** Labels are data, whatever they hold: here they become text that a line, a column or a chart has room for. */

/** A category as charts show it: intervals of numbers without brackets. */
export const labelText = (label: string): string => intervalText(cleanText(label))

/** How wide a letter is, as a part of the font size, with some to spare: what the wider of the common sans-serif fonts have. */
const letterWidth = (letter: string): number => {
  const columns = columnsOf(letter)
  if (columns !== 1) return columns * 0.55
  if (/[ijl.,:;'|!()[\]·ftr ]/.test(letter)) return 0.4
  if (/[mwMW@%…—]/.test(letter)) return 0.98
  return /[<>=+&~×]/.test(letter) ? 0.84 : /\p{Uppercase}/u.test(letter) ? 0.76 : 0.63
}

/** About how many pixels a text takes. */
export const pixelsOf = (text: string, size = FONT_SIZE): number => {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width * size
}

/** Texts that were cut since the last chart was finished, with the whole of each. Charts are drawn one after the other, each at once. */
const cut = new Map<string, string>()
/** More than any chart cuts: then nothing takes them. */
const MOST_CUT = 10_000

const cutTo = (whole: string, shown: string): string => {
  if (cut.size >= MOST_CUT) cut.clear()
  const before = cut.get(shown)
  // What two texts are cut to says neither.
  cut.set(shown, before === undefined || before === whole ? whole : `${before}; ${whole}`)
  return shown
}

/** The whole of every text that was cut for a chart; the next chart begins anew. */
export const takeCutTexts = (): ReadonlyMap<string, string> => {
  const taken = new Map(cut)
  cut.clear()
  return taken
}

/** Text that fits a number of pixels, as far as one can tell without the font, with … where it was cut. */
export const fitText = (text: string, pixels: number, size = FONT_SIZE): string => {
  const clean = cleanText(text)
  if (clean.length * size * 0.4 <= pixels && pixelsOf(clean, size) <= pixels) return clean
  let [kept, width] = ['', letterWidth('…')]
  for (const letter of clean) {
    width += letterWidth(letter)
    if (width * size > pixels) break
    kept += letter
  }
  return cutTo(clean, ended(`${kept.trimEnd()}…`))
}

/** Two texts with something between them, in so many pixels: where they must be cut, each keeps at least half of the room. */
export const fitTwo = (first: string, between: string, second: string, pixels: number): string => {
  const room = pixels - pixelsOf(between)
  const kept = fitText(first, Math.max(room / 2, room - pixelsOf(second)))
  const rest = fitText(second, room - pixelsOf(kept))
  const whole = [first, second].map(cleanText).join(between)
  const shown = `${kept}${between}${rest}`
  return shown === whole ? shown : cutTo(whole, shown)
}

/** Words with what ends them: lines may end at blanks, and within names at underscores, hyphens, slashes and points. */
const WORDS = /[^\s_\-/.]*[\s_\-/.]+|[^\s_\-/.]+$/g

/** Text in lines of so many pixels, broken between words, and no more lines than asked: the last is then cut. A cut line stands for the whole text. */
export const wrapText = (text: string, pixels: number, size = FONT_SIZE, most = 3): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of cleanText(text).match(WORDS) ?? ['']) {
    const longer = line + word
    if (line !== '' && lines.length < most - 1 && pixelsOf(longer.trimEnd(), size) > pixels) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].map(each => {
    const own = each.trimEnd()
    const shown = fitText(own, pixels, size)
    if (shown !== own) cut.set(shown, cleanText(text))
    return shown
  })
}

export const FONT = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif'
export const FONT_SIZE = 12

/** A share as a percentage: 0.4 is 40%. */
export const percentText = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)}%`

export const numberText = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 1000
    ? value.toLocaleString('en-US', { maximumFractionDigits: 0 })
    : String(Number(value.toPrecision(3)))

/** A count and its noun. */
export const countedText = (value: number, noun: string, plural = `${noun}s`): string =>
  `${numberText(value)} ${value === 1 ? noun : plural}`
