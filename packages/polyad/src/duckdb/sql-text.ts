/** Pieces of SQL: whatever comes from outside goes through one of these. */

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const list = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`
