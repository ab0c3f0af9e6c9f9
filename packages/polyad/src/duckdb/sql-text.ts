/** Pieces of SQL: whatever comes from outside goes through one of these. */

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text; a NUL, which ends a statement where it stands, is put in by a function: one for all of them, since sums of many texts take minutes. */
export const literal = (text: string): string => {
  if (!text.includes('\0')) return quoted(text)
  const mark = unused(text)
  return `replace(${quoted(text.replaceAll('\0', mark))}, ${quoted(mark)}, chr(0))`
}

/** A character that a text does not have. */
const unused = (text: string): string => {
  const has = new Set(text)
  let code = 1
  while (has.has(String.fromCharCode(code))) code++
  return String.fromCharCode(code)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const list = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`

/** Texts in their order as those of an ENUM: constants, or a query if there is a NUL in one of them. */
export const enumeration = (texts: readonly string[]): string =>
  texts.some(text => text.includes('\0'))
    ? `(SELECT text FROM (SELECT unnest(${list(texts)}) AS text, generate_subscripts(${list(texts)}, 1) AS place) ORDER BY place)`
    : `(${texts.map(literal).join(', ')})`
