import { OptionError } from '@polyad/core'
import { suggestion } from '../values/nearest.ts'

/** Formats of tables; .zsav is a .sav too, .xlsm an .xlsx, and .rda an .rds. */
const TABLES = ['csv', 'tsv', 'parquet', 'json', 'sav', 'dta', 'xlsx', 'ods', 'rds', 'xpt'] as const
export const FORMATS = [...TABLES, 'tns', 'npy', 'npz', 'polyad'] as const
export type Format = (typeof FORMATS)[number]

/** Whether files of a format are tables, and not cells already. */
export const isTableFormat = (format: Format): boolean => (TABLES as readonly Format[]).includes(format)

const EXTENSIONS: Readonly<Record<string, Format>> = {
  csv: 'csv',
  txt: 'csv',
  dat: 'csv',
  psv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  parquet: 'parquet',
  pq: 'parquet',
  json: 'json',
  ndjson: 'json',
  jsonl: 'json',
  sav: 'sav',
  zsav: 'sav',
  dta: 'dta',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  ods: 'ods',
  rds: 'rds',
  rda: 'rds',
  rdata: 'rds',
  xpt: 'xpt',
  tns: 'tns',
  npy: 'npy',
  npz: 'npz',
  polyad: 'polyad',
}

export const checkFormat = (format: string): Format => {
  if ((FORMATS as readonly string[]).includes(format)) return format as Format
  throw new OptionError(`there is no format ${JSON.stringify(format)}${suggestion(format, FORMATS)}`)
}

/** The format that a file's name says, leaving .gz and .zst aside; undefined where it says nothing. */
export const formatOfName = (path: string): Format | undefined => {
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, '')
  return EXTENSIONS[/\.([a-z0-9]+)$/.exec(name)?.[1] ?? '']
}

/** The format that a file's first bytes show. Text that is not JSON is read as CSV. */
export const formatOfBytes = (head: Uint8Array): Format => {
  const start = latin1(head.subarray(0, 8))
  if (start.startsWith('PAR1')) return 'parquet'
  if (start.startsWith('\x89PLAD')) return 'polyad'
  if (start.startsWith('\x93NUMPY')) return 'npy'
  if (start.startsWith('PK\x03\x04')) return formatOfZip(head)
  if (/^\$FL[23]/.test(start)) return 'sav'
  if (/^(RD[XAB]\d\n|X\n\0\0\0)/.test(start)) return 'rds'
  if (start.startsWith('HEADER R')) return 'xpt'
  if (start.startsWith('<stata_d') || isOldStata(head)) return 'dta'
  if (/^sptensor|^tensor/.test(start)) return 'tns'
  return /^\s*[[{]/.test(start) ? 'json' : 'csv'
}

/** What an archive is, by the names of its first parts: text in other formats, arrays otherwise. */
const formatOfZip = (head: Uint8Array): Format => {
  const start = latin1(head.subarray(0, 4096))
  if (start.includes('opendocument.spreadsheet')) return 'ods'
  return /\[Content_Types\]\.xml|xl\/|_rels\/|docProps\//.test(start) ? 'xlsx' : 'npz'
}

/** Before version 13 files of Stata begin with the number of their format, the byte order and 1. */
const isOldStata = ([format, order, one]: Uint8Array): boolean =>
  format >= 102 && format <= 115 && (order === 1 || order === 2) && one === 1

/** Bytes as characters, one each. */
export const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
