import { fit, type Model, standardErrors } from '@polyad/core'
import { readZip } from '@polyad/core/file'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../../test/tables.ts'
import { csvField, plainField } from '../../table/files/csv-field.ts'
import { latexText } from './formats/latex.ts'
import { fixedCell, type PaperTable, pCell } from './formats/paper-table.ts'
import { tableOf, tableText } from './table-of.ts'

/** Whether every tag of XML is closed, in turn. */
const isBalanced = (xml: string): boolean => {
  const open: string[] = []
  for (const [, close, name, alone] of xml.matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>/g)) {
    if (alone === '/') continue
    if (close === '') open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}

const members = (bytes: string | Uint8Array) =>
  new Map([...readZip(bytes as Uint8Array)].map(([name, each]) => [name, new TextDecoder().decode(each)]))

/** Names and notes that every format must set as they are. */
const hostile: PaperTable = {
  title: 'R&D <b> 100% of $x_1$ {a}',
  number: 3,
  parts: [
    {
      stub: 'Variable | item',
      columns: [
        { title: 'Prob.', group: 'Class "1" \\input{x}' },
        { title: 'SE', group: 'Class "1" \\input{x}' },
        { title: 'p' },
      ],
      rows: [
        { head: '=cmd()', cells: [] },
        { head: '@sum', indented: true, cells: [fixedCell(-0.5, 2), fixedCell(undefined, 2), pCell(0.00002)] },
        { head: '-1', indented: true, cells: [fixedCell(1234.5, 2), '', pCell(0.99999)] },
      ],
    },
    {
      caption: 'Second',
      stub: 'χ²',
      columns: [{ title: 'df' }],
      rows: [
        { head: 1, cells: ['~^|*_'] },
        { head: '#N/A', cells: [''] },
      ],
    },
  ],
  notes: ['A & B < C; é ü 漢.', 'N = 5.'],
}

describe('formats', () => {
  it('Word: three lines, spans, and every text as it is', () => {
    const files = members(tableText(hostile, 'docx'))
    for (const [name, text] of files) expect(isBalanced(text), name).toBe(true)
    const document = files.get('word/document.xml') as string
    expect(document.match(/<w:tbl>/g)).toHaveLength(2)
    expect(document).toContain('<w:gridSpan w:val="2"/>')
    expect(document).toContain('R&#38;D &#60;b&#62; 100% of $x_1$ {a}')
    expect(document).toContain('漢')
    // Every row has as many cells as the grid has columns, spans counted.
    const [first] = document.split('</w:tbl>')
    for (const row of first.split('<w:tr>').slice(1)) {
      const spans = [...row.matchAll(/<w:tc>(?:.*?)<\/w:tcPr>/g)].map(([cell]) =>
        Number(/gridSpan w:val="(\d+)"/.exec(cell)?.[1] ?? 1),
      )
      expect(spans.reduce((sum, span) => sum + span, 0)).toBe(4)
    }
  })

  it('Excel: numbers are numbers with all of their digits, shown as printed', async () => {
    const bytes = await tableText(hostile, 'xlsx')
    const { sheets } = await readXlsx(bytes, { readStyles: true })
    const [{ name, rows, cells, merges, columns }] = sheets
    expect([sheets.length, name]).toEqual([1, 'Table'])
    const heads = [
      'Table 3',
      hostile.title,
      null,
      'Variable | item',
      '=cmd()',
      '@sum',
      '-1',
      null,
      'Second',
      'χ²',
      1,
      '#N/A',
    ]
    expect(rows.slice(0, 12).map(([head]) => head)).toEqual(heads)
    expect(rows[5].slice(1)).toEqual([-0.5, '–', 0.00002])
    expect(rows[6].slice(1)).toEqual([1234.5, null, 0.99999])
    // A text that looks like a formula or an error is a text.
    const cell = (row: number, column: number) => cells?.get(`${row},${column}`)
    expect([...(cells ?? [])].filter(([, each]) => each.formula !== undefined || each.type === 'error')).toEqual([])
    expect(cell(5, 3)?.style?.numFmt).toBe('[<0.001]"< 0.001";[>0.999]"> 0.999";0.000')
    expect(cell(5, 1)?.style).toMatchObject({ numFmt: '#,##0.00', alignment: { horizontal: 'right' } })
    expect(cell(5, 0)?.style?.alignment).toMatchObject({ horizontal: 'left', indent: 1 })
    expect(cell(1, 0)?.style?.font).toMatchObject({ name: 'Times New Roman', italic: true })
    // Three lines: above the titles, below them, and below the last row, in every column.
    const lines = (row: number, edge: 'top' | 'bottom') =>
      [0, 1, 2, 3].map(column => cell(row, column)?.style?.border?.[edge]?.style)
    expect(lines(2, 'top')).toEqual(['medium', 'medium', 'medium', 'medium'])
    expect(lines(2, 'bottom')).toEqual([undefined, 'thin', 'thin', undefined])
    expect(lines(3, 'bottom')).toEqual(['thin', 'thin', 'thin', 'thin'])
    expect(lines(6, 'bottom')).toEqual(['medium', 'medium', 'medium', 'medium'])
    expect(merges).toEqual([
      { startRow: 2, startCol: 1, endRow: 2, endCol: 2 },
      { startRow: 12, startCol: 0, endRow: 12, endCol: 3 },
      { startRow: 13, startCol: 0, endRow: 13, endCol: 3 },
    ])
    expect(columns?.map(({ width }) => width)).toEqual([8, 12, 12, 9])
    expect(await tableText(hostile, 'xlsx')).toEqual(bytes)
  })

  it('LaTeX: nothing in a text is a command', () => {
    const text = tableText(hostile, 'tex') as string
    expect(text).not.toContain('\\input')
    expect(text).toContain('R\\&D \\textless{}b\\textgreater{} 100\\% of \\$x\\_1\\$ \\{a\\}')
    const braces = text.replace(/\\[{}]/g, '')
    expect(braces.match(/\{/g)?.length).toBe(braces.match(/\}/g)?.length)
    const environments = [...text.matchAll(/\\(begin|end)\{(\w+)\}/g)].map(([, kind, name]) => `${kind} ${name}`)
    expect(environments).toEqual([
      'begin table',
      'begin tabular',
      'end tabular',
      'begin tabular',
      'end tabular',
      'begin minipage',
      'end minipage',
      'end table',
    ])
    for (const line of text.split('\n').filter(each => each.endsWith('\\\\') && !each.includes('multicolumn')))
      expect([1, 3]).toContain(line.split(/(?<!\\)&/).length - 1)
    expect(latexText('a~b^c\\d#e')).toBe('a\\textasciitilde{}b\\textasciicircum{}c\\textbackslash{}d\\#e')
  })

  it('CSV: a text is never a formula; a number is never a text', () => {
    expect(['=1+1', '+cmd', '-x', '@sum', '\tx', '-1', '+2.5', 'plain'].map(csvField)).toEqual([
      "'=1+1",
      "'+cmd",
      "'-x",
      "'@sum",
      "'\tx",
      '-1',
      '+2.5',
      'plain',
    ])
    expect(csvField(-0.5)).toBe('-0.5')
    // Numbers as files have them, and signs that stand alone.
    const harmless = ['-3.5', '-.5', '+1e-5', '-1,5', "-1'000.5", '-12%', '+41 44 123', '-', '=', '@']
    expect(harmless.map(text => csvField(text).replaceAll('"', ''))).toEqual(harmless)
    expect(['\r=1', '\n=1', '-1+cmd|x', '-1,5+A1', '--1'].map(text => csvField(text).replace('"', '')[0])).toEqual(
      Array(5).fill("'"),
    )
    // What is read back keeps its labels.
    expect(['=1+1', '-x', 'a,b'].map(plainField)).toEqual(['=1+1', '-x', '"a,b"'])
    const lines = (tableText(hostile, 'csv') as string).split('\r\n')
    expect(lines[0]).toBe(',Variable | item,"Class ""1"" \\input{x}: Prob.","Class ""1"" \\input{x}: SE",p')
    expect(lines[1]).toBe("'=cmd(),'@sum,-0.5,–,0.00002")
  })

  it('Markdown: as many bars in every row, and no markup from texts', () => {
    const text = tableText(hostile, 'md') as string
    const bars = text
      .split('\n')
      .filter(line => line.startsWith('|'))
      .map(line => line.split(/(?<!\\)\|/).length)
    expect(new Set(bars)).toEqual(new Set([6, 4]))
    expect(text).toContain('\\~^\\|\\*\\_')
    expect(text).toContain('| < 0.001 |')
    expect(text).toContain('\\<b>')
  })

  it('HTML: every text is escaped', () => {
    const text = tableText(hostile, 'html') as string
    expect(text).not.toContain('<b> 100')
    expect(text).toContain('<th scope="colgroup" colspan="2">')
  })
})

describe('tables of a model', () => {
  let model: Model
  let run: Record<string, unknown>
  beforeAll(async () => {
    ;({ model } = await fit(carcinoma, { rank: 2, seed: 1, threads: 1 }))
    run = { digest: 'a', result: {} }
  })

  it('has the probabilities of every class with their standard errors', async () => {
    const errors = await standardErrors(carcinoma, model, { profile: false })
    const { parts, notes } = tableOf('profiles', { models: [{ model, run }], errors }, { decimals: 2 })
    const [{ columns, rows }] = parts
    expect(columns.map(({ title }) => title)).toEqual(['Prob.', 'SE', 'Prob.', 'SE'])
    expect(columns[0].group).toBe(`Class 1 (${(100 * model.shares[0]).toFixed(1)}%)`)
    expect(rows[0]).toEqual({ head: 'A', cells: [] })
    expect(rows[1].cells[0]).toMatchObject({ value: model.profile(0, 0)[0], text: model.profile(0, 0)[0].toFixed(2) })
    expect(rows[1].cells[1]).toBe('–')
    expect(errors.factors?.[0][0][0]).toBeUndefined()
    expect(rows[1].cells[3]).toMatchObject({ value: errors.factors?.[0][1][0] })
    expect(rows).toHaveLength(7 * 3)
    expect(notes.join(' ')).toContain('robust (sandwich)')
    expect(notes.join(' ')).toContain('N = 118.')
  })

  it('shows the variables and the category that were asked for', () => {
    const [{ rows, columns }] = tableOf(
      'profiles',
      { models: [{ model }] },
      { variables: ['b', 'A'], category: '1', percent: true, names: ['low', 'high'] },
    ).parts
    expect(rows.map(({ head }) => head)).toEqual(['B', 'A'])
    expect(rows[0].cells[0]).toMatchObject({ text: (100 * model.profile(1, 0)[1]).toFixed(1) })
    expect(columns[0].title).toMatch(/^low \(/)
    expect(() => tableOf('profiles', { models: [{ model }] }, { variables: ['Z'] })).toThrow(
      /variables must be of the model/,
    )
    expect(() => tableOf('profiles', { models: [{ model }] }, { category: 'x' })).toThrow(/category must be/)
    expect(() => tableOf('profiles', { models: [{ model }] }, { decimals: -1 })).toThrow(/decimals must be/)
  })

  it('refuses odds without covariates, and a comparison of different data', () => {
    expect(() => tableOf('odds', { models: [{ model, run }] })).toThrow(/--covariates/)
    const other = { model, run: { ...run, digest: 'b' } }
    expect(() => tableOf('fit', { models: [{ model, run }, other] })).toThrow(/different data/)
    expect(() => tableOf('fit', { results: [{ some: 'thing' }] })).toThrow(/neither from polyad rank/)
  })

  it('has odds ratios class by class, and a dash for what is not determined', () => {
    const coefficient = {
      class: 2,
      term: 'age',
      estimate: 0.5,
      standardError: 0.1,
      z: 5,
      pValue: 1e-6,
      oddsRatio: Math.exp(0.5),
      interval: [1.3, 2.0],
    }
    const lost = { ...coefficient, term: 'sex', standardError: null, z: null, pValue: null, interval: null }
    const off = { ...lost, term: 'town', estimate: -2_818_141, oddsRatio: 0 }
    const covariates = {
      reference: 1,
      confidence: 0.9,
      dropped: 3,
      curves: [],
      coefficients: [coefficient, lost, off],
      tests: [{ covariate: 'age', test: { statistic: 25, degreesOfFreedom: 1, pValue: 1e-6 } }],
    }
    const { parts, notes } = tableOf('odds', { models: [{ model, run: { result: { covariates } } }] })
    expect(parts[0].columns.filter(({ group }) => group === '90% CI')).toHaveLength(2)
    expect(parts[0].rows[0].head).toBe('Class 2 vs. Class 1')
    expect(parts[0].rows[1].cells.map(cell => (typeof cell === 'string' ? cell : cell.text))).toEqual([
      '0.500',
      '0.100',
      '1.65',
      '1.30',
      '2.00',
      '5.00',
      '< 0.001',
    ])
    expect(parts[0].rows[2].cells[1]).toBe('–')
    // It has no finite estimate, whatever the last step was.
    expect(parts[0].rows[3].cells.slice(0, 3)).toEqual(['−∞', '–', '0'])
    expect(parts[1].rows[0].cells[2]).toMatchObject({ text: '< 0.001' })
    expect(notes.join(' ')).toContain('3 observations were left out because a covariate, or every answer, was missing.')
  })
})

describe('tables of results', () => {
  const wald = { statistic: 25.3, degreesOfFreedom: 2, pValue: 3e-6 }
  const pair = (a: number, b: number) => ({
    classes: [a, b],
    difference: -2.3,
    test: { ...wald, degreesOfFreedom: 1, pValue: 0.037 },
  })
  const age = {
    outcome: 'age',
    kind: 'number',
    method: 'bch',
    rows: 90,
    missing: 10,
    weights: null,
    overall: wald,
    measurement: 'estimated here',
    classes: [1, 2, 3].map(k => ({ class: k, share: k / 6, mean: { estimate: 40 + k, standardError: 0.5 } })),
    pairs: [pair(1, 2), pair(1, 3), pair(2, 3)],
  }
  const vote = {
    ...age,
    outcome: 'vote',
    kind: 'category',
    method: 'ml',
    overall: null,
    classes: [1, 2, 3].map(k => ({
      class: k,
      share: k / 6,
      probabilities: ['no', 'yes'].map(label => ({ label, estimate: k / 10, standardError: 0.01 })),
    })),
    pairs: age.pairs.map(each => ({ ...each, difference: [0.1, -0.1] })),
  }
  const texts = (cells: PaperTable['parts'][0]['rows'][0]['cells']) =>
    cells.map(cell => (typeof cell === 'string' ? cell : cell.text))

  it('has outcomes by class, with pairwise tests', () => {
    const { parts, notes } = tableOf('distal', { results: [age] }, { names: ['low', 'middle', 'high'] })
    expect(parts[0].columns[0]).toEqual({ title: 'M', group: 'low (16.7%)' })
    expect(texts(parts[0].rows[0].cells)).toEqual([
      '41.00',
      '0.50',
      '42.00',
      '0.50',
      '43.00',
      '0.50',
      '25.30',
      '2',
      '< 0.001',
    ])
    expect(parts[1].rows.map(({ head }) => head)).toEqual(['low vs. middle', 'low vs. high', 'middle vs. high'])
    expect(texts(parts[1].rows[0].cells)).toEqual(['−2.30', '25.30', '1', '0.037'])
    expect(notes.join(' ')).toContain('by weights (BCH)')
    expect(notes.join(' ')).toContain('N = 90; 10 without age or any answer were left out.')
  })

  it('puts several outcomes into one table, and refuses what is none', () => {
    const { parts, notes } = tableOf('distal', { results: [age, vote] }, { percent: true })
    expect(parts[0].rows.map(({ head }) => head)).toEqual(['age', 'vote', 'no', 'yes'])
    expect(texts(parts[0].rows[2].cells).slice(0, 2)).toEqual(['10.0', '1.0'])
    expect(texts(parts[0].rows[1].cells)).toEqual(['', '', '', '', '', '', '–', '–', '–'])
    expect(notes.join(' ')).toContain('Estimates of vote are corrected')
    expect(() => tableOf('distal', { results: [{}] })).toThrow(/not from polyad distal/)
    expect(() => tableOf('distal', { results: [age, { ...vote, classes: vote.classes.slice(1) }] })).toThrow(
      /different classes/,
    )
  })

  it('has the odds ratios of covariates in three steps', () => {
    const coefficient = {
      class: 2,
      term: 'age',
      estimate: 0.5,
      standardError: 0.1,
      z: 5,
      pValue: 1e-6,
      oddsRatio: 1.65,
      interval: [1.3, 2.0],
    }
    const covariates = { reference: 1, confidence: 0.95, dropped: 3, curves: [], coefficients: [coefficient] }
    const result = {
      classification: [
        [1, 0],
        [0, 1],
      ],
      classNames: null,
      observations: 97,
      method: 'bch',
      measurement: 'known',
      weights: 'w',
      covariates,
    }
    const { parts, notes } = tableOf('odds', { results: [result] })
    expect(parts[0].rows[0].head).toBe('Class 2 vs. Class 1')
    expect(notes.join(' ')).toContain(
      'Membership was regressed in three steps, corrected for wrongly assigned observations by weights (BCH).',
    )
    expect(notes.join(' ')).toContain('N = 97 (weighted by w; weights scaled to N). 3 observations were left out')
    expect(() => tableOf('odds', { results: [{ covariates }] })).toThrow(/not from polyad regress/)
  })
})
