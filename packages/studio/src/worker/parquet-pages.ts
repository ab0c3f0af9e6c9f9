import type { ColumnMetaData, Compressors, DataReader, FileMetaData } from 'hyparquet'
import { parquetSchema } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from 'hyparquet/src/schema.js'
import { readVarInt } from 'hyparquet/src/thrift.js'
import { checkSize } from 'polyad/table'

/**
 * What the pages of a Parquet file say of themselves, checked before the reader believes it: a run of two thousand million equal values takes
 * five bytes, and an array that long ends the whole process.
 */

/** Values that a run may have beyond its page: writers fill up the last of them. */
const PADDING = 512

const refuse = (): never => {
  throw new Error('a page has more values than it declares')
}

/** Refuses runs of more values than there are. The reader goes on until it has all values, wherever the runs are said to end. */
const checkRuns = (reader: DataReader, width: number, values: number): void => {
  for (let seen = 0; seen < values; ) {
    const header = readVarInt(reader)
    const packed = (header & 1) === 1
    const count = (header >>> 1) * (packed ? 8 : 1)
    if (header < 0 || count > values + PADDING) refuse()
    seen += count
    reader.offset += packed ? (count / 8) * width : Math.ceil(width / 8)
  }
}

const widthOf = (most: number): number => 32 - Math.clz32(most)

interface Levels {
  readonly repetition: number
  readonly definition: number
}

/** The values of a page, after its levels. @param isFlags whether they are true or false: in runs with their length before them */
const checkValues = (reader: DataReader, encoding: string | undefined, values: number, isFlags: boolean): void => {
  const { view } = reader
  if (values === 0 || reader.offset >= view.byteLength) return
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY' || encoding === 'RLE') {
    if (isFlags) reader.offset += 4
    const width = isFlags ? 1 : view.getUint8(reader.offset++)
    if (width > 0) checkRuns(reader, width, values)
  } else if (encoding?.startsWith('DELTA_')) {
    const [block, parts] = [readVarInt(reader), readVarInt(reader)]
    if (block < 0 || parts < 0 || parts > view.byteLength) refuse()
  }
}

/** Levels with their length before them, as pages of the first version have them; how many are below the highest. */
const checkLevels = (reader: DataReader, most: number, values: number): number => {
  if (most === 0) return 0
  const start = reader.offset
  reader.offset += 4
  checkRuns(reader, widthOf(most), values)
  reader.offset = start
  const levels = new Array<number>(values)
  readRleBitPackedHybrid(reader, widthOf(most), levels)
  return levels.reduce((lower, level) => lower + Number(level !== most), 0)
}

/** @param rows of the group: a column without lists has one value in each */
const checkChunk = (
  file: ArrayBuffer,
  meta: ColumnMetaData,
  levels: Levels,
  rows: number,
  compressors: Compressors,
): void => {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
  const end = Math.min(file.byteLength, start + Number(meta.total_compressed_size))
  const { codec, type } = meta
  const reader = { view: new DataView(file, start, end - start), offset: 0 }
  let left = levels.repetition === 0 ? Math.min(rows, Number(meta.num_values)) : Number(meta.num_values)
  const take = (values: number): number => {
    left -= values
    return Number.isInteger(values) && values >= 0 && left >= 0 ? values : refuse()
  }
  while (reader.offset < reader.view.byteLength - 1) {
    const header = parquetHeader(reader)
    const size = header.compressed_page_size
    // The reader would go on from no place at all, without an end.
    if (!(size >= 0 && reader.offset + size <= reader.view.byteLength)) throw new Error('a page ends beyond its column')
    const packed = new Uint8Array(file, start + reader.offset, size)
    reader.offset += size
    const [first, second] = [header.data_page_header, header.data_page_header_v2]
    const unpacked = (bytes: Uint8Array, size: number): DataReader => {
      const page = decompressPage(bytes, size, codec, compressors)
      return { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 }
    }
    if (header.type === 'DATA_PAGE' && first !== undefined) {
      const values = take(first.num_values)
      const page = unpacked(packed, Number(header.uncompressed_page_size))
      checkLevels(page, levels.repetition, values)
      const nulls = checkLevels(page, levels.definition, values)
      checkValues(page, first.encoding, values - nulls, type === 'BOOLEAN')
    } else if (header.type === 'DATA_PAGE_V2' && second !== undefined) {
      const values = take(second.num_values)
      const [repeated, defined] = [second.repetition_levels_byte_length, second.definition_levels_byte_length]
      if (!(second.num_nulls >= 0 && second.num_nulls <= values && repeated >= 0 && defined >= 0)) refuse()
      const raw = { view: new DataView(packed.buffer, packed.byteOffset, packed.byteLength), offset: 0 }
      if (levels.repetition > 0) checkRuns(raw, widthOf(levels.repetition), values)
      raw.offset = repeated
      if (levels.definition > 0) checkRuns(raw, widthOf(levels.definition), values)
      const rest = packed.subarray(repeated + defined)
      const unpackedSize = Number(header.uncompressed_page_size) - repeated - defined
      const page =
        second.is_compressed === false
          ? { view: new DataView(rest.buffer, rest.byteOffset, rest.byteLength), offset: 0 }
          : unpacked(rest, unpackedSize)
      checkValues(page, second.encoding, values - second.num_nulls, second.encoding === 'RLE')
    }
  }
}

/** Refuses a file with a page that the reader would come to grief over. */
export const checkPages = (file: ArrayBuffer, metadata: FileMetaData, compressors: Compressors): void => {
  const schema = parquetSchema(metadata)
  for (const { columns, num_rows: rows } of metadata.row_groups)
    for (const { meta_data: meta } of columns) {
      if (meta === undefined) continue
      checkSize('it', Number(meta.num_values), 1)
      const path = getTreePath(schema, meta.path_in_schema)
      const levels = { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) }
      checkChunk(file, meta, levels, Number(rows), compressors)
    }
}
