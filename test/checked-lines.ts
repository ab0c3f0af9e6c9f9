import { expect } from 'vitest'

/** Lines of examples that end in a literal, `expression // [2, 3]`: the expression must give it, to the decimals that are written. */

/** A literal after the comment's slashes: what the expression before them must give. */
const LITERAL =
  /^(\s*(?:if \(.*?\) )?)((?!const |\}).*?) \/\/ (-?[\d.]+|true|false|'[^']*'|\[[^\]]*\]|\{[^}]*\})(?:: .*)?$/

export const checked = (line: string): string => {
  const [, before, expression, literal] = LITERAL.exec(line) ?? []
  return literal === undefined ? line : `${before}check(${expression}, ${JSON.stringify(literal)})`
}

export const check = (actual: unknown, literal: string): void => {
  const decimals = Math.max(0, ...[...literal.matchAll(/\.(\d+)/g)].map(([, digits]) => digits.length))
  const rounded = (value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toFixed(decimals)) + 0 : Array.isArray(value) ? value.map(rounded) : value
  expect(rounded(actual)).toEqual(new Function(`return (${literal})`)())
}
