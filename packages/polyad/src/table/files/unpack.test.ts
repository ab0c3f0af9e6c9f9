import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { unpacked } from './unpack.ts'
import { UNPACK_LIMITS } from './unpack-limits.ts'

describe('packed files', () => {
  const text = new TextEncoder().encode('a,b\n'.repeat(50_000))
  const packed = new Uint8Array(gzipSync(text))

  it('are told by their first bytes', async () => {
    expect(Buffer.compare(await unpacked('x.csv', packed), text)).toBe(0)
    expect(await unpacked('x.csv.gz', text)).toBe(text)
    const almost = Uint8Array.of(0x1f, 0x8c, 1)
    expect(await unpacked('x', almost)).toBe(almost)
    const other = Uint8Array.of(0x1e, 0x8b, 1)
    expect(await unpacked('x', other)).toBe(other)
  })

  it('that cannot be unpacked are refused', async () => {
    expect(await refusal(() => unpacked('x.csv.ZST', text))).toBe(
      'DataError: x.csv.ZST is packed with zstd, which cannot be read here; unpack it first',
    )
    expect(await unpacked('x.zst.csv', text)).toBe(text)
    expect(await refusal(() => unpacked('x.gz', packed.slice(0, 100)))).toBe(
      'DataError: x.gz is cut short: the gzip file is incomplete',
    )
    const broken = packed.slice()
    broken.fill(0xff, 12, 60)
    expect(await refusal(() => unpacked('x.gz', broken))).toMatch(/^DataError: x\.gz is not a readable gzip file: ./)
    const limit = { most: 100_000, freely: 1000, ratio: 1e6 }
    expect(await refusal(() => unpacked('x.gz', packed, limit))).toBe(
      'DataError: x.gz unpacks to more than 100,000 bytes, the limit for a packed file. If you trust it, unpack it yourself, or save the data as Parquet.',
    )
    expect(await unpacked('x.gz', packed, { ...limit, most: 200_000 })).toHaveLength(200_000)
  })

  it('have limits', () => {
    const { POSITIVE_INFINITY } = Number
    expect(UNPACK_LIMITS).toEqual({
      memory: { most: 2_000_000_000, freely: 300_000_000, ratio: 100 },
      stream: { most: POSITIVE_INFINITY, freely: 2_000_000_000, ratio: 200 },
      cells: { most: POSITIVE_INFINITY, freely: 300_000_000, ratio: 100 },
      spreadsheet: { most: 400_000_000, freely: 400_000_000, ratio: 1 },
    })
  })
})
