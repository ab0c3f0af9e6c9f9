import { visibleProse, visibleText } from '@polyad/charts/visible-text'

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

/** Text with every character that means something in markup, or that nobody would see, replaced. */
export const escapeHtml = (text: string): string =>
  visibleProse(text).replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`)

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

/** Characters that are written from right to left. */
const DIRECTED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A label as it stands in a sentence: what is written from right to left stays by itself, and a very long one is cut. */
export const inText = (label: string, most = 60): string => {
  const characters = [...visibleText(label.replace(/[^\S\ufeff\u2028\u2029]+/g, ' ').trim())]
  const shown = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
  return DIRECTED.test(shown) ? `\u2068${shown}\u2069` : shown
}

/** A sentence as it is set: p is not parted from its value. */
export const prose = (text: string): string => text.replace(/\bp ([=<]) /g, 'p\u00a0$1\u00a0')
