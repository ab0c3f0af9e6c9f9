/** Markup that is safe to put into a page. Only `html` and `trusted` make it: whatever else comes into a page is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

export type Child = Html | string | number | null | undefined | readonly Child[]

/** What no page can show and no parser takes: control characters, and halves of characters. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{Noncharacter_Code_Point}/gu

/** Text with every character that means something in markup, or nothing on a page, replaced. */
export const escapeHtml = (text: string): string =>
  text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`)

const textOf = (child: Child): string => {
  if (child === null || child === undefined) return ''
  if (child instanceof Html) return child.text
  return Array.isArray(child) ? child.map(textOf).join('') : escapeHtml(String(child))
}

/** A template whose values are escaped, unless they are markup themselves. */
export const html = (parts: TemplateStringsArray, ...values: readonly Child[]): Html =>
  new Html(parts.map((part, i) => part + (i < values.length ? textOf(values[i]) : '')).join(''))

/** Markup that someone else made and that is known to be safe: what a chart serializes. */
export const trusted = (text: string): Html => new Html(text)

/** Characters that change the direction of what follows, or are written from right to left. */
const DIRECTED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A label as it stands in a sentence: what is written from right to left stays by itself, and a very long one is cut. */
export const inText = (label: string, most = 60): string => {
  const characters = [...label.replace(/\s+/g, ' ').trim()]
  const shown = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
  return DIRECTED.test(shown) ? `\u2068${shown.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069` : shown
}

/** A sentence as it is set: a number is not parted from its percent sign, nor p from what it is. */
export const prose = (text: string): string =>
  text.replace(/(\d) %/g, '$1\u00a0%').replace(/\bp ([=<]) /g, 'p\u00a0$1\u00a0')
