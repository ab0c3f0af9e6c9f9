import { readZip } from '@polyad/core/file'
import { openTable } from 'polyad/table'
import { describe, expect, it } from 'vitest'
import { gunzipped, readHead } from '../packages/polyad/src/source/relation/files.ts'
import { checkUnpackedSize, UNPACK_LIMITS } from '../packages/polyad/src/table/files/unpack-limits.ts'
import { gzipBomb, zipBomb } from './bombs.ts'
import { testFolder } from './test-folder.ts'

const { file } = testFolder()

describe('what a packed file may come to', () => {
  const check = (packed: number, size: number, limit: keyof typeof UNPACK_LIMITS) => () =>
    checkUnpackedSize('x.gz', packed, size, UNPACK_LIMITS[limit])
  it('is limited in all, and beyond a size of no matter by its ratio', () => {
    expect(check(1000, 300_000_000, 'memory')).not.toThrow()
    expect(check(1000, 300_000_001, 'memory')).toThrow('x.gz unpacks to more than 300,000,000 bytes, the limit')
    expect(check(10_000_000, 1_000_000_000, 'memory')).not.toThrow()
    expect(check(10_000_000, 1_000_000_001, 'memory')).toThrow(
      'more than 1,000,000,000 bytes, 100 times its 10,000,000',
    )
    expect(check(1e9, 2_000_000_001, 'memory')).toThrow('more than 2,000,000,000 bytes, the limit')
    expect(check(1e9, 2e11, 'stream')).not.toThrow()
    expect(check(3_000_000, 2_000_000_001, 'stream')).toThrow('more than 2,000,000,000 bytes, the limit')
    expect(check(1e9, 400_000_001, 'spreadsheet')).toThrow('more than 400,000,000 bytes')
  })
})

// What unpacks to gigabytes is in test/slow.
describe('100 KB that unpack to 100 MB', () => {
  const bomb = gzipBomb(1e8, 'a,b\n1,2\n')

  it('are unpacked block by block, up to the limit', async () => {
    const path = file('x.csv.gz', bomb)
    let seen = 0
    const all = async () => {
      for await (const { length } of gunzipped(path, { most: 5e7, freely: 5e7, ratio: 1 })) seen += length
    }
    await expect(all()).rejects.toThrow(`${path} unpacks to more than 50,000,000 bytes`)
    expect(seen).toBeLessThanOrEqual(5e7)
  })

  it('show their head without being unpacked', () => {
    const head = readHead(file('head.csv.gz', bomb))
    expect(head.length).toBe(1 << 20)
    expect(head.subarray(0, 8).toString()).toBe('a,b\n1,2\n')
  })
})

describe('an archive', () => {
  const never = () => {
    throw new Error('nothing is to be unpacked')
  }
  it('of 300 members of 10 MB is refused before the first is unpacked', () => {
    const bytes = zipBomb(Array.from({ length: 300 }, (_, i) => `${i}.npy`))
    expect(bytes.length).toBeLessThan(3_200_000)
    expect(() => readZip(bytes, never)).toThrow('it unpacks to more than 2,000,000,000 bytes')
  })

  it('is refused as a spreadsheet far sooner', async () => {
    const bytes = zipBomb(Array.from({ length: 41 }, (_, i) => `xl/worksheets/sheet${i + 1}.xml`))
    for (const name of ['x.xlsx', 'x.ods'])
      await expect(openTable({ name, bytes })).rejects.toThrow(`${name} unpacks to more than 400,000,000 bytes`)
  })

  it('that stays below is unpacked', () => {
    const unpacked = readZip(zipBomb(['a.bin']), (_, size) => new Uint8Array(size))
    expect(unpacked.get('a.bin')?.length).toBe(10_000_000)
  })
})
