/** What a program shows instead of a value that it could not compute. */
const ERRORS = /^(#(N\/A|DIV\/0!|REF!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)|Err:\d{3})$/

/** A time of day or a span, as OpenDocument writes it. */
const SPAN = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/

/** A cell as text, as a spreadsheet shows it; undefined if it is empty or an error. */
export const cellText = (value: unknown): string | undefined => {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? numberText(value) : undefined
    case 'boolean':
      return value ? 'TRUE' : 'FALSE'
    case 'string': {
      if (value.trim() === '' || ERRORS.test(value)) return undefined
      const [, ...parts] = SPAN.exec(value) ?? []
      return parts.length === 0 ? value : parts.map(part => part.padStart(2, '0')).join(':')
    }
    default:
      return value instanceof Date && !Number.isNaN(value.getTime()) ? dateText(value) : undefined
  }
}

/** Spreadsheets keep 15 digits: 0.1 + 0.2 is 0.3 there. */
const numberText = (value: number): string => `${Number(value.toPrecision(15)) + 0}`

/** Times without a date lie on the day before the first. */
const FIRST_DAY = Date.UTC(1900, 0, 1)

const dateText = (date: Date): string => {
  // What is computed from fractions of days may be off by less than a millisecond.
  const rounded = new Date(Math.round(date.getTime() / 1000) * 1000)
  const [day, clock] = rounded.toISOString().replace('Z', '').split('T')
  const time = clock.slice(0, 8)
  if (rounded.getTime() < FIRST_DAY && rounded.getTime() >= FIRST_DAY - 2 * 86_400_000) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}
