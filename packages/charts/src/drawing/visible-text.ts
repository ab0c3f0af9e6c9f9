/**
 * Characters that nobody sees, and that change what everybody sees around them: control characters, changes of direction, characters of
 * no width, halves of characters. In a label they make two different texts look alike, or one text look like another.
 */
const HIDDEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb'

/** Letters without case, marks and pictures: writing in which a joiner of no width has a meaning (Persian, Hindi, families of emoji). */
const JOINED = '\\p{Lo}\\p{Mark}\\p{Extended_Pictographic}\\p{Emoji_Modifier}'

const PATTERN = [
  `[${HIDDEN}]`,
  '\\p{Surrogate}',
  '\\p{Noncharacter_Code_Point}',
  // A joiner that joins nothing.
  `(?<![${JOINED}])[\\u200c\\u200d]|[\\u200c\\u200d](?![${JOINED}])`,
  // Tags, but for those of flags.
  '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]*)[\\u{e0000}-\\u{e007f}]',
].join('|')

const INVISIBLE = new RegExp(PATTERN, 'gu')

/** Most text: nothing in it is hidden, and every letter takes one column. The pattern above is compiled at its first use, which takes milliseconds. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

/** What sentences of our own may hold beside labels: line breaks, tabs, and what keeps text from right to left to itself. */
const OWN = /[\t\n\r\u200e\u2068\u2069]/

const escaped = (character: string): string => {
  const point = character.codePointAt(0) as number
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`
}

/** A label as shown: invisible characters become escapes such as `\u202e`. The data is not changed. */
export const visibleText = (text: string): string => (isPlain(text) ? text : text.replace(INVISIBLE, escaped))

/** The same of a text that labels are part of. */
export const visibleProse = (text: string): string =>
  isPlain(text) ? text : text.replace(INVISIBLE, character => (OWN.test(character) ? character : escaped(character)))

/** How wide text stands on a screen, in columns: marks that combine with the letter before take no room, wide letters two. */
export const columnsOf = (text: string): number => {
  if (isPlain(text)) return text.length
  let columns = 0
  for (const letter of text) {
    const point = letter.codePointAt(0) as number
    if (
      (point >= 0x300 && /\p{Mark}/u.test(letter)) ||
      (point >= 0x200b && point <= 0x200f) ||
      (point >= 0xfe00 && point <= 0xfe0f)
    )
      continue
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

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** A mark of no width after which one writes from left to right again. */
const LEFT_TO_RIGHT = '\u200e'

/** Text written from right to left ends there: what stands beside it, a number or a bracket, is not drawn into it. */
export const ended = (text: string): string =>
  RIGHT_TO_LEFT.test(text) && !text.endsWith(LEFT_TO_RIGHT) ? text + LEFT_TO_RIGHT : text

/** A label as any file may hold it. What was cleaned before stays as it is. */
export const cleanText = (text: string): string =>
  ended(visibleText(RIGHT_TO_LEFT.test(text) && text.endsWith(LEFT_TO_RIGHT) ? text.slice(0, -1) : text))

/** Truncates a text to a number of columns, with …. */
export const clipText = (text: string, to: number): string => {
  const clean = cleanText(text)
  if (columnsOf(clean) <= to) return clean
  let [kept, columns] = ['', 0]
  for (const letter of clean) {
    columns += columnsOf(letter)
    if (columns >= to) break
    kept += letter
  }
  return ended(`${kept}…`)
}
