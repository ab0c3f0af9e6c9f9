import { writeFileSync } from 'node:fs'
import { writeZip } from '@polyad/core/file'

/** Survey files of any length, as SPSS, Stata, R, SAS and Excel write them: answers from 1 to 5 to a few questions. */

const NAMES = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6']
const WIDTH = NAMES.length
/** The answers of all rows, one row after the other. */
const answerAt = (i: number): number => {
  const [row, column] = [Math.floor(i / WIDTH), i % WIDTH]
  return 1 + ((row * (column + 3) + Math.floor(row / (column + 2))) % 5)
}

const spaced = (text: string, length: number): Buffer => Buffer.from(text.padEnd(length), 'latin1')
const ended = (text: string, length: number): Buffer => Buffer.from(text.padEnd(length, '\0'), 'latin1')
const shorts = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const words = (...values: number[]): Buffer => Buffer.from(Int32Array.from(values).buffer)
const longs = (...values: number[]): Buffer => Buffer.from(BigUint64Array.from(values.map(BigInt)).buffer)

const spss = (rows: number): Buffer => {
  const variables = NAMES.map(name => Buffer.concat([words(2, 0, 0, 0, 0x050800, 0x050800), spaced(name, 8)]))
  return Buffer.concat([
    ...[spaced('$FL2', 4), spaced('@(#) SPSS DATA FILE', 60), words(2, WIDTH, 0, 0, rows)],
    ...[Buffer.from(Float64Array.of(100).buffer), spaced('01 Jan 2600:00:00', 17), spaced('', 64), Buffer.alloc(3)],
    ...[...variables, words(999, 0)],
    Buffer.from(Float64Array.from({ length: rows * WIDTH }, (_, i) => answerAt(i)).buffer),
  ])
}

const stata = (rows: number): Buffer => {
  const tag = (name: string, ...content: Buffer[]) =>
    Buffer.concat([Buffer.from(`<${name}>`), ...content, Buffer.from(`</${name}>`)])
  const header = tag(
    'header',
    ...[tag('release', Buffer.from('118')), tag('byteorder', Buffer.from('LSF'))],
    ...[tag('K', shorts(WIDTH)), tag('N', longs(rows)), tag('label', shorts(0)), tag('timestamp', Buffer.alloc(1))],
  )
  const parts = [
    tag('variable_types', shorts(...NAMES.map(() => 65530))),
    tag('varnames', ...NAMES.map(name => ended(name, 129))),
    tag('sortlist', shorts(...NAMES.map(() => 0), 0)),
    tag('formats', ...NAMES.map(() => ended('%8.0g', 57))),
    tag('value_label_names', Buffer.alloc(129 * WIDTH)),
    tag('variable_labels', Buffer.alloc(321 * WIDTH)),
    tag('characteristics'),
    tag('data', Buffer.from(Uint8Array.from({ length: rows * WIDTH }, (_, i) => answerAt(i)))),
    ...[tag('strls'), tag('value_labels')],
  ]
  const first = Buffer.from('<stata_dta>')
  const places = [0, first.length + header.length]
  let at = places[1] + '<map></map>'.length + 14 * 8
  for (const part of parts) {
    places.push(at)
    at += part.length
  }
  places.push(at, at + '</stata_dta>'.length)
  return Buffer.concat([first, header, tag('map', longs(...places)), ...parts, Buffer.from('</stata_dta>')])
}

const dataFrame = (rows: number): Buffer => {
  const large = (...values: number[]) => words(...values).swap32()
  const text = (value: string) => Buffer.concat([large(0x40009, value.length), Buffer.from(value)])
  const named = (value: string) => Buffer.concat([large(0x402, 1), text(value)])
  const column = (_: string, c: number) =>
    Buffer.concat([
      large(13, rows),
      Buffer.from(Int32Array.from({ length: rows }, (_, r) => answerAt(r * WIDTH + c)).buffer).swap32(),
    ])
  return Buffer.concat([
    ...[Buffer.from('X\n'), large(2, 0x40000, 0x20300), large(0x313, WIDTH), ...NAMES.map(column)],
    ...[named('names'), large(16, WIDTH), ...NAMES.map(text), named('class'), large(16, 1), text('data.frame')],
    ...[named('row.names'), large(13, 2, -(2 ** 31), -rows), large(254)],
  ])
}

const sas = (rows: number): Buffer => {
  const stamp = '01JAN26:00:00:00'
  const head = (kind: string, rest = '0'.repeat(30)) =>
    spaced(`HEADER RECORD*******${kind.padEnd(8)}HEADER RECORD!!!!!!!${rest}`, 80)
  const large = (...values: number[]) => shorts(...values).swap16()
  const variable = (name: string, i: number) =>
    Buffer.concat([
      ...[large(1, 0, 8, i + 1), spaced(name, 8), spaced('', 48), large(8, 0, 0, 0), spaced('', 8), large(0, 0)],
      ...[words(8 * i).swap32(), Buffer.alloc(52)],
    ])
  const whole = (bytes: Buffer) => Buffer.concat([bytes, spaced('', (80 - (bytes.length % 80)) % 80)])
  const data = Buffer.alloc(rows * WIDTH * 8)
  for (let i = 0; i < rows * WIDTH; i++) data.set([0x41, answerAt(i) << 4], 8 * i)
  const about = (what: string) => [spaced(`SAS     ${what}9.4     X64`.padEnd(64) + stamp, 80), spaced(stamp, 80)]
  return Buffer.concat([
    ...[head('LIBRARY'), ...about('SAS     SASLIB  '), head('MEMBER', '000000000000000001600000000140')],
    ...[
      head('DSCRPTR'),
      ...about('DATA    SASDATA '),
      head('NAMESTR', `00000${`${WIDTH}`.padStart(5, '0')}`.padEnd(30, '0')),
    ],
    ...[whole(Buffer.concat(NAMES.map(variable))), head('OBS'), whole(data)],
  ])
}

const excel = (rows: number): Uint8Array => {
  const [office, packed] = ['http://schemas.openxmlformats.org', 'http://schemas.openxmlformats.org/package/2006']
  const related = `${office}/officeDocument/2006/relationships`
  const main = `${office}/spreadsheetml/2006/main`
  const relation = (kind: string, target: string) =>
    `<Relationships xmlns="${packed}/relationships"><Relationship Id="r1" Type="${related}/${kind}" Target="${target}"/></Relationships>`
  const titles = NAMES.map(name => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')
  const row = (_: unknown, r: number) => `<row>${NAMES.map((_, c) => `<c><v>${answerAt(r * WIDTH + c)}</v></c>`).join('')}</row>` // biome-ignore format: one line
  const members = {
    '[Content_Types].xml': `<Types xmlns="${packed}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${related}"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row>${titles}</row>${Array.from({ length: rows }, row).join('')}</sheetData></worksheet>`,
  }
  const encoded = Object.entries(members).map(([name, text]) => [name, new TextEncoder().encode(text)] as const)
  return writeZip(new Map(encoded))
}

/** The formats by the endings of their files. */
export const SURVEYS: Readonly<Record<string, (rows: number) => Uint8Array>> = {
  ...{ sav: spss, dta: stata, rds: dataFrame, xpt: sas, xlsx: excel },
}

/** Writes a survey in every format; the names of the files. */
export const writeSurveys = (path: (name: string) => string, rows: number): string[] =>
  Object.entries(SURVEYS).map(([ending, make]) => {
    writeFileSync(path(`survey.${ending}`), make(rows))
    return `survey.${ending}`
  })
