/** Something the reader should know: what was chosen and why, or what to be careful of. */
export interface Note {
  readonly kind: 'choice' | 'warning'
  readonly text: string
}

export const choice = (text: string): Note => ({ kind: 'choice', text })

export const warning = (text: string): Note => ({ kind: 'warning', text })

/** "1 row", "2,500 rows". */
export const many = (n: number, what: string): string => `${grouped(n)} ${what}${n === 1 ? '' : 's'}`

/** A number as people read it: 3,869. */
export const grouped = (n: number): string => n.toLocaleString('en-US', { maximumFractionDigits: 3 })

/** The value of an option in a message: 'age:q5'. */
export const quoted = (value: string): string => (value.includes("'") ? JSON.stringify(value) : `'${value}'`)

/** A name in a list of names separated by commas. */
export const listed = (name: string): string => (/[",]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/** The first few of a list, and how many more there are. */
export const firstOf = (items: readonly string[], most: number): string =>
  items.length <= most ? items.join(', ') : `${items.slice(0, most).join(', ')} and ${items.length - most} more`
