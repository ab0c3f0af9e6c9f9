/** Pieces of SQL: whatever comes from outside goes through one of these. */

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text; a NUL, which ends a statement where it stands, is written as a function. */
export const literal = (text: string): string =>
  text.includes('\0')
    ? `(${text
        .split('\0')
        .map(part => quoted(part))
        .join(' || chr(0) || ')})`
    : quoted(text)

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const list = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`

/** Texts in their order as those of an ENUM: constants, or a query if there is a NUL in one of them. */
export const enumeration = (texts: readonly string[]): string =>
  texts.some(text => text.includes('\0'))
    ? `(SELECT text FROM (SELECT unnest(${list(texts)}) AS text, generate_subscripts(${list(texts)}, 1) AS place) ORDER BY place)`
    : `(${texts.map(literal).join(', ')})`
