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
    name: 'a spreadsheet of another kind than .xlsx and .ods, or one with a password',
    extensions: /\.(xls|xlsb|numbers)$/i,
    begins: /^\xd0\xcf/,
    advice: path =>
      `in Excel: File, Save As, Excel workbook (${path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')}.xlsx)`,
  },
]

/** Refuses the file of another program by its name or its first bytes, with how to export what is in it. */
export const refuseForeign = (path: string, head: Uint8Array): void => {
  const start = latin1(head.subarray(0, 16))
  const format = FOREIGN.find(({ extensions, begins }) => extensions.test(path) || begins?.test(start))
  if (format === undefined) return
  const csv = `${path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')}.csv`
  throw new DataError(
    `${path} is ${format.name}, which cannot be read; export it as CSV or Parquet (${format.advice(path, csv)})`,
  )
}
