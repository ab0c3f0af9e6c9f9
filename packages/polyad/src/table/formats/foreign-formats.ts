import { DataError } from '@polyad/core'

/** Bytes as characters, one each. */
export const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** Files of other programs, which have data in them that is not read here. */
interface ForeignFormat {
  readonly name: string
  readonly extensions: RegExp
  /** How such files begin, where that tells them apart. */
  readonly begins?: RegExp
  /** How to get a CSV file out of it. */
  readonly advice: (path: string, csv: string) => string
}

const inR = (read: string) => (path: string, csv: string) =>
  `in R: write.csv(${read}("${path}"), "${csv}", row.names = FALSE)`

const FOREIGN: readonly ForeignFormat[] = [
  { name: 'a portable SPSS file', extensions: /\.por$/i, advice: inR('haven::read_por') },
  {
    name: 'a SAS data set',
    extensions: /\.(sas7bdat|sas7bcat|sd2|ssd01)$/i,
    advice: path => `or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("${path}"), "x.sav")`,
  },
  {
    name: 'an old (.xls, .xlsb) or password-protected spreadsheet, or one of Numbers',
    extensions: /\.(xls|xlsb|numbers)$/i,
    begins: /^\xd0\xcf/,
    advice: path =>
      `or in Excel choose File > Save As > Excel Workbook: ${path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')}.xlsx`,
  },
]

/** Files that are no tables at all, whatever program made them. */
const NO_TABLES: readonly Pick<ForeignFormat, 'name' | 'extensions' | 'begins'>[] = [
  { name: 'a JPEG picture', extensions: /\.jpe?g$/i, begins: /^\xff\xd8\xff/ },
  { name: 'a PNG picture', extensions: /\.png$/i, begins: /^\x89PNG/ },
  { name: 'a GIF picture', extensions: /\.gif$/i, begins: /^GIF8/ },
  { name: 'a PDF document', extensions: /\.pdf$/i, begins: /^%PDF-/ },
  { name: 'a Word document', extensions: /\.(docx?|odt|rtf)$/i, begins: /^\{\\rtf/ },
  { name: 'a presentation', extensions: /\.(pptx?|odp)$/i },
]

/** Refuses the file of another program by its name or its first bytes, with how to export what is in it. */
export const refuseForeign = (path: string, head: Uint8Array): void => {
  const start = latin1(head.subarray(0, 16))
  const isSuch = ({ extensions, begins }: (typeof NO_TABLES)[number]) => extensions.test(path) || begins?.test(start)
  const other = NO_TABLES.find(isSuch)
  if (other !== undefined)
    throw new DataError(
      `${path} is ${other.name}, not a table. If there is a table in it, copy it into a spreadsheet, and open that`,
    )
  const format = FOREIGN.find(isSuch)
  if (format === undefined) return
  const csv = `${path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')}.csv`
  throw new DataError(
    `${path} is ${format.name}, which Polyad cannot read; export it as CSV or Parquet (${format.advice(path, csv)})`,
  )
}
