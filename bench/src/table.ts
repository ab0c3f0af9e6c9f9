/** A table in Markdown, numbers to the right. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const texts = [head, ...rows.map(row => row.map(String))]
  const widths = head.map((_, c) => Math.max(3, ...texts.map(row => row[c].length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join(' | ')} |`
  const rule = `|${widths.map((width, c) => `${'-'.repeat(width + 1)}${c === 0 ? '-' : ':'}`).join('|')}|`
  return [line(texts[0]), rule, ...texts.slice(1).map(line)].join('\n')
}
