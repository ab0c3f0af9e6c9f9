import { tensorFromRows } from '@polyad/core'
import { packLabels, tensorOfOrdered } from '@polyad/core/model'
import { describe, expect, it, vi } from 'vitest'
import { tensorDigest } from './tensor-digest.ts'

const rows = Array.from({ length: 50 }, (_, i) => ({
  vote: i % 3 === 0 ? 'yes' : 'no',
  age: i % 7 === 0 ? null : i % 5,
}))

describe('the digest of data', () => {
  it('is the same in Node and in a page, and depends neither on the order of rows nor on the process', () => {
    const found = tensorDigest(tensorFromRows(rows))
    expect(found).toMatch(/^[0-9a-f]{64}$/)
    expect(tensorDigest(tensorFromRows(rows.toReversed()))).toBe(found)
    // A page has none of Node's modules.
    const modules = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    try {
      expect(tensorDigest(tensorFromRows(rows))).toBe(found)
    } finally {
      modules.mockRestore()
    }
    expect(tensorDigest(tensorFromRows(rows.slice(1)))).not.toBe(found)
  })
})

it('the digest of packed labels is that of strings', () => {
  const bytes = new TextEncoder().encode('b"a\n')
  const { labels } = packLabels({ bytes, ends: Float64Array.of(2, 4) })
  const digests = [labels, labels.all()].map(own =>
    tensorDigest(
      tensorOfOrdered(
        [
          { name: 'x', labels: own },
          { name: 'y', labels: [1, 2] },
        ],
        [Int32Array.of(0, 1), Int32Array.of(1, 0)],
        Float64Array.of(1, 2),
      ),
    ),
  )
  expect(digests[0]).toBe(digests[1])
})
