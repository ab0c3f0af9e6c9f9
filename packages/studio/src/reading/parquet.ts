import type { ParquetReader } from 'polyad/table'

export const readParquet: ParquetReader = async () => {
  throw new Error('not yet')
}
