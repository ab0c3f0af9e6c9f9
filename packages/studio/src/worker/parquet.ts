import type { Compressors, ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet'
import {
  checkSize,
  checkUnpackedSize,
  doubleText,
  floatText,
  type ParquetReader,
  UNPACK_LIMITS,
  type UnpackLimit,
} from 'polyad/table'

/** Reads Parquet with every compression there is. The reader is loaded when the first such file is opened. */
export const readParquet: ParquetReader = bytes => readWithin(UNPACK_LIMITS.memory, bytes)

export const readWithin = async (limit: UnpackLimit, bytes: Uint8Array): ReturnType<ParquetReader> => {
  const [{ parquetMetadata, parquetRead, parquetSchema }, { compressors }, { checkPages }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
    import('./parquet-pages.ts'),
  ])
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const { metadata, columns } = await inWords('the description of its columns', () => {
    // Columns of geography would be looked for among as many as the file says there are.
    const metadata = parquetMetadata(file, { parsers: PARSERS, geoparquet: false })
    const { children } = parquetSchema(metadata)
    return { metadata, columns: children.map(tree => ({ name: tree.element.name, ...columnType(tree) })) }
  })
  if (columns.some(({ name }) => typeof name !== 'string')) throw new Error('one of its columns has no name')
  const rows = Number(metadata.num_rows)
  if (metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0) !== rows)
    throw new Error('it does not have as many rows as it declares')
  checkSize('it', rows, columns.length)
  await inWords('its values', () => checkPages(file, metadata, limited(compressors, file.byteLength, limit)))
  const values = new Map(columns.map(({ name }) => [name, new Array<string | null>(rows).fill(null)]))
  const texts = new Map(columns.map(({ name, text }) => [name, text]))
  const faults: unknown[] = []
  const reading: Parameters<typeof parquetRead>[0] = {
    file: { byteLength: file.byteLength, slice: (from, to) => file.slice(from, to) },
    metadata,
    compressors: limited(compressors, file.byteLength, limit),
    parsers: PARSERS,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const [into, text] = [values.get(columnName), texts.get(columnName)]
      if (into === undefined || text === undefined) return
      // The reader does not wait for this, so nobody would catch what is thrown here.
      try {
        for (let i = 0; i < columnData.length; i++) {
          const value: unknown = columnData[i]
          into[rowStart + i] = value === null || value === undefined ? null : text(value)
        }
      } catch (error) {
        faults.push(error)
      }
    },
  }
  // One piece after another: of several at once that fail, the reader catches one alone.
  for (const { name } of columns) {
    let rowStart = 0
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows)
      await inWords('its values', async () => {
        await parquetRead({ ...reading, columns: [name], rowStart, rowEnd })
        if (faults.length > 0) throw faults[0]
      })
      rowStart = rowEnd
    }
  }
  return {
    columns: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type),
    values: [...values.values()],
  }
}

/** Unpacks no more pages than a file of this size may come to. A page that comes to another size than it says is refused by the reader. */
const limited = (compressors: Compressors, packed: number, limit: UnpackLimit): Compressors => {
  let size = 0
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, unpack]) => [
      codec,
      (input: Uint8Array, length: number) => {
        size += length
        checkUnpackedSize('it', packed, size, limit)
        if (codec === 'ZSTD') checkFrame(input, length)
        return unpack(input, length)
      },
    ]),
  )
}

/** What a window of Zstandard may have, in bytes: that of its most thorough level. */
const MOST_WINDOW = 2 ** 27

/** Refuses a frame of Zstandard that claims another size than its page: the unpacker would make room for it at once. */
const checkFrame = (input: Uint8Array, length: number): void => {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  if (view.byteLength < 6 || view.getUint32(0, true) !== 0xfd2fb528) return
  const flags = view.getUint8(4)
  const single = (flags & 32) !== 0
  const window = view.getUint8(5)
  const room = single ? 0 : 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8)
  const at = 5 + (single ? 0 : 1) + [0, 1, 2, 4][flags & 3]
  const bytes = [single ? 1 : 0, 2, 4, 8][flags >> 6]
  let claimed = flags >> 6 === 1 ? 256 : 0
  for (let i = 0; i < bytes; i++) claimed += view.getUint8(at + i) * 2 ** (8 * i)
  if (room > MOST_WINDOW || (bytes > 0 && claimed !== length))
    throw new Error('a page does not have the size that it declares')
}

/** A file is broken in ways that the reader does not look out for: it then fails by what it finds, in words of its own program. */
const inWords = async <T>(what: string, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    const isInternal = [TypeError, RangeError, SyntaxError].some(kind => error instanceof kind)
    if (isInternal || /\bundefined\b/.test((error as Error).message))
      throw new Error(`${what} cannot be read; it may have been cut off or damaged`, { cause: error })
    throw error
  }
}

const MICROS = 1_000_000n

/** Points in time and dates as DuckDB writes them. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: millis => timeText(millis * 1000n),
  timestampFromMicroseconds: micros => timeText(micros),
  timestampFromNanoseconds: nanos => timeText(nanos / 1000n, nanos % 1000n),
  dateFromDays: days => new Date(days * 86_400_000).toISOString().slice(0, 10),
  jsonFromBytes: json => new TextDecoder().decode(json),
}

const timeText = (micros: bigint, nanos = 0n): string => {
  const seconds = micros / MICROS - (micros % MICROS < 0n ? 1n : 0n)
  const day = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return day + fractionText(micros - seconds * MICROS, nanos)
}

const fractionText = (micros: bigint, nanos = 0n): string => {
  const digits = `${String(micros).padStart(6, '0')}${nanos === 0n ? '' : String(nanos).padStart(3, '0')}`
  const fraction = digits.replace(/0+$/, '')
  return fraction === '' ? '' : `.${fraction}`
}

const clockText = (micros: bigint): string =>
  new Date(Number(micros / MICROS) * 1000).toISOString().slice(11, 19) + fractionText(micros % MICROS)

interface ColumnType {
  /** As DuckDB names it. */
  readonly type: string
  readonly text: (value: unknown) => string
}

const as = (type: string, text: ColumnType['text'] = String): ColumnType => ({ type, text })

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? ''

const columnType = ({ element, children }: SchemaTree): ColumnType => {
  if (element.repetition_type === 'REPEATED' || element.converted_type === 'LIST') return as('JSON[]', shown)
  return children.length > 0 ? as('STRUCT()', shown) : plainType(element)
}

const WHOLE: Readonly<Record<string, string>> = {
  INT_8: 'TINYINT',
  INT_16: 'SMALLINT',
  INT_32: 'INTEGER',
  INT_64: 'BIGINT',
  UINT_8: 'UTINYINT',
  UINT_16: 'USMALLINT',
  UINT_32: 'UINTEGER',
  UINT_64: 'UBIGINT',
}

const plainType = ({ type, logical_type: logical, ...element }: SchemaElement): ColumnType => {
  const meaning: string = element.converted_type ?? ''
  const scale = element.scale ?? 0
  if (meaning === 'DECIMAL')
    return as(`DECIMAL(${element.precision},${scale})`, value => (value as number).toFixed(scale))
  if (logical?.type === 'TIMESTAMP') {
    if (logical.isAdjustedToUTC) return as('TIMESTAMP WITH TIME ZONE', value => `${value}+00`)
    return as(logical.unit === 'NANOS' ? 'TIMESTAMP_NS' : 'TIMESTAMP')
  }
  if (meaning.startsWith('TIMESTAMP') || type === 'INT96') return as('TIMESTAMP')
  if (meaning === 'TIME_MILLIS') return as('TIME', value => clockText(BigInt(value as number) * 1000n))
  if (meaning === 'TIME_MICROS') return as('TIME', value => clockText(BigInt(value as bigint)))
  if (meaning === 'DATE') return as('DATE')
  if (logical?.type === 'UUID') return as('UUID')
  if (logical?.type === 'FLOAT16') return as('FLOAT', value => floatText(value as number))
  if (meaning in WHOLE) return as(WHOLE[meaning])
  switch (type) {
    case 'BOOLEAN':
      return as('BOOLEAN')
    case 'INT32':
      return as('INTEGER')
    case 'INT64':
      return as('BIGINT')
    case 'FLOAT':
      return as('FLOAT', value => floatText(value as number))
    case 'DOUBLE':
      return as('DOUBLE', value => doubleText(value as number))
    default:
      if (meaning === 'JSON') return as('JSON')
      return meaning === 'UTF8' || meaning === 'ENUM' || logical?.type === 'STRING' ? as('VARCHAR') : as('BLOB', shown)
  }
}
