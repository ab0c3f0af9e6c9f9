import { EngineError } from '@polyad/core'
import { expect, it } from 'vitest'
import { TableFault } from '../../duckdb/client.ts'
import { explain } from './faults.ts'

it.each([
  "Out of Memory Error: failed to offload data block of size 256.0 KiB (17.1 MiB/17.2 MiB used).\nThis limit was set by the 'max_temp_directory_size' setting.",
  'IO Error: Could not write file "/tmp/x/duckdb_temp_block-1.block": No space left on device',
])('a full disk is not mistaken for too little memory: %s', message => {
  const error = explain(new TableFault(message), { name: 'visits.parquet' })
  expect(error).toBeInstanceOf(EngineError)
  expect(error.message).toContain('the disk is full: DuckDB needs temporary files to sort visits.parquet')
})

it('a text of a Parquet file that is not UTF-8 is said in plain words', () => {
  const message =
    'Invalid Input Error: Invalid string encoding found in Parquet file "x.parquet": value "\\xE70" is not valid UTF8!'
  const error = explain(new TableFault(message), { name: 'x.parquet' })
  expect(error.message).toBe('x.parquet is not a readable Parquet file: a text in it is not UTF-8')
})
