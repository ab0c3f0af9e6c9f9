import { cellText, groupsOf, isHeading, isSymbol, numberText, type PaperTable, type TablePart } from './paper-table.ts'

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '[': '{[}',
  ']': '{]}',
  '`': '\\textasciigrave{}',
  "'": '{\\textquotesingle}',
  '−': '$-$',
  '–': '--',
  '—': '---',
  '…': '\\ldots{}',
  '×': '$\\times$',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  χ: '$\\chi$',
  '²': '$^2$',
  '\u00a0': '~',
}

/** A text as LaTeX sets it: nothing in it is a command. */
export const latexText = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/\s+/g, space => (space.includes('\u00a0') ? '\u00a0' : ' '))
    .trim()
    // Several hyphens in a row would become a dash.
    .replace(/-(?=-)/g, '-\u200b')
    .replace(/[\\{}$&%#_~^<>|"[\]`'−–—…×≥≤χ²\u00a0]/g, character => SPECIAL[character])
    .replaceAll('\u200b', '{}')

const partLines = (part: TablePart, last: boolean): string[] => {
  const { caption, stub, columns, rows } = part
  const groups = groupsOf(part)
  let column = 2
  const spans = (groups ?? []).map(({ title, span }) => {
    const from = column
    column += span
    return { title, span, rule: title === '' ? '' : `\\cmidrule(lr){${from}-${column - 1}}` }
  })
  const titleOf = (title: string) => (isSymbol(title) ? `\\textit{${title}}` : latexText(title))
  return [
    ...(caption === undefined ? [] : [`\\textit{${latexText(caption)}}\\\\[2pt]`]),
    `\\begin{tabular}{l${'r'.repeat(columns.length)}}`,
    '\\toprule',
    ...(groups === null
      ? []
      : [
          `${spans.map(({ title, span }) => ` & \\multicolumn{${span}}{c}{${latexText(title)}}`).join('')} \\\\`.trim(),
          spans
            .map(({ rule }) => rule)
            .filter(rule => rule !== '')
            .join(' '),
        ]),
    `${[latexText(stub), ...columns.map(({ title }) => titleOf(title))].join(' & ')} \\\\`,
    '\\midrule',
    ...rows.map(row =>
      isHeading(row)
        ? `\\multicolumn{${columns.length + 1}}{l}{${latexText(String(row.head))}} \\\\`
        : `${[`${row.indented === true ? '\\quad ' : ''}${latexText(String(row.head))}`, ...row.cells.map(cell => latexText(cellText(cell)))].join(' & ')} \\\\`,
    ),
    '\\bottomrule',
    `\\end{tabular}${last ? '' : '\\par\\medskip'}`,
  ]
}

/** A table for LaTeX with the package booktabs. */
export const latexTable = (table: PaperTable): string => {
  const { title, parts, notes } = table
  const number = numberText(table)
  return [
    '% needs \\usepackage{booktabs}, \\usepackage{textcomp} and \\usepackage[T1]{fontenc}',
    '\\begin{table}[tbp]',
    ...(table.number === undefined ? [] : [`\\setcounter{table}{${table.number - 1}} % ${number}`]),
    `\\caption{${latexText(title)}}`,
    '\\centering',
    ...parts.flatMap((part, i) => partLines(part, i === parts.length - 1)),
    ...(notes.length === 0
      ? []
      : [
          '\\par\\smallskip',
          '\\begin{minipage}{\\linewidth}\\footnotesize',
          `\\textit{Note.} ${notes.map(latexText).join(' ')}`,
          '\\end{minipage}',
        ]),
    '\\end{table}',
    '',
  ].join('\n')
}
