import { quoteListed } from './note.ts'

/** Categories that become one. A rename has one of them. */
export interface Recode {
  /** As they stand in the table, once what means missing is gone. */
  readonly from: readonly string[]
  readonly to: string
}

/** Recoding by the names of columns. */
export type Recodings = Readonly<Record<string, readonly Recode[]>>

/**
 * Zeros at the end of a number, as patterns for JavaScript and SQL of which the first group stays. 2 and 2.0 are one category as long as all are
 * numbers: beside words that some became they are to be one too.
 */
export const LAST_ZEROS: readonly string[] = ['^(-?(?:0|[1-9][0-9]*))[.]0+$', '^(-?(?:0|[1-9][0-9]*)[.][0-9]*[1-9])0+$']

/** A text without regard to case and outer blanks, as orders of labels are compared. */
const key = (text: string): string => text.trim().toLowerCase()

/** The categories of which a label is made: itself, if nothing was recoded into it. */
const partsOf = (label: string, recode: readonly Recode[]): readonly string[] => {
  const own = recode.filter(({ to }) => key(to) === key(label)).flatMap(({ from }) => from)
  return own.length === 0 ? [label] : own
}

/** The categories as they were before labels were recoded. Those that are named but do not occur are among them. */
export const originalLabels = (labels: readonly string[], recode: readonly Recode[]): readonly string[] => [
  ...new Set(labels.flatMap(label => partsOf(label, recode))),
]

/** Labels in the order of what they were made of: each stands where the first of its parts did. */
export const inOriginalOrder = (
  labels: readonly string[],
  recode: readonly Recode[],
  originals: readonly string[],
): readonly string[] => {
  const places = placesOf(originals)
  const first = new Map(
    labels.map(label => [
      label,
      Math.min(...partsOf(label, recode).map(part => places.get(key(part)) ?? originals.length)),
    ]),
  )
  const placeOf = (label: string) => first.get(label) ?? originals.length
  return [...labels].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
}

/** Whether categories that became one were neighbours, so that what was in order is in order still. */
export const mergesNeighbours = (
  labels: readonly string[],
  recode: readonly Recode[],
  originals: readonly string[],
): boolean => {
  const places = placesOf(originals)
  return labels.every(label => {
    const own = partsOf(label, recode).map(part => places.get(key(part)) ?? 0)
    return Math.max(...own) - Math.min(...own) === own.length - 1
  })
}

const placesOf = (originals: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...originals.entries()].reverse().map(([place, text]) => [key(text), place]))

/** An order of categories after they were recoded: those that are merged stand where the first of them did. */
export const recodedOrder = (order: readonly string[], recode: readonly Recode[]): readonly string[] => [
  ...new Set(order.map(text => recode.find(({ from }) => from.some(part => key(part) === key(text)))?.to ?? text)),
]

/**
 * The recoding of a column, as the option `recode` takes it.
 * @example
 * recodeText('trust', [{ from: ['4', '5'], to: 'high' }]) // 'trust:4,5=high'
 */
export const recodeText = (column: string, recode: readonly Recode[]): string => {
  const quoted = (text: string) => quoteListed(text, /[",;=]|^\s|\s$|^$/)
  const rules = recode.map(({ from, to }) => `${from.map(quoted).join(',')}=${quoted(to)}`)
  return `${quoteListed(column, /[":,;*]|^\s|\s$/)}:${rules.join(',')}`
}
