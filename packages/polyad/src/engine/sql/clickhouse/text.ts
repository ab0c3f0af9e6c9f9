/** Names and texts as ClickHouse's SQL, whatever characters are in them. */

const escaped = (text: string): string => text.replace(/[\\'`]/g, '\\$&').replaceAll('\0', '\\0')

export const identifier = (name: string): string => `\`${escaped(name)}\``
export const literal = (text: string): string => `'${escaped(text)}'`

/** The value of a name or a text in SQL, and what is after it; undefined where something else stands there. */
export const readName = (sql: string): { name: string; rest: string } | undefined => {
  const found = /^\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(\w+))\s*(?:,|\)|$)/s.exec(sql)
  if (found === null) return undefined
  const [all, text, quoted, bare] = found
  const name = bare ?? (text ?? quoted).replace(/\\(.)/gs, (_, c: string) => (c === '0' ? '\0' : c === 'n' ? '\n' : c))
  return { name, rest: sql.slice(all.length) }
}
