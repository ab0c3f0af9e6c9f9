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

/** What sentences of our own may hold beside labels: line breaks, tabs, and what keeps text from right to left to itself. */
const OWN = /[\t\n\r\u200e\u2068\u2069]/

const escaped = (character: string): string => {
  const point = character.codePointAt(0) as number
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`
}

/** A label or a name as it is shown: what cannot be seen is written as an escape such as `\u202e`. The data stays as it is. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, escaped)

/** The same of a text that labels are part of. */
export const visibleProse = (text: string): string =>
  text.replace(INVISIBLE, character => (OWN.test(character) ? character : escaped(character)))
