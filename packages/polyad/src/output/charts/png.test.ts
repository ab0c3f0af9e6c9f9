import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pngOf } from './png.ts'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20" viewBox="0 0 60 20"><rect width="100%" height="100%" fill="#ffffff"/>
<text x="4" y="15" font-family="system-ui, sans-serif" fill="#000000">label</text></svg>`

/** The bytes of all rows of a PNG. */
const pixels = (bytes: Uint8Array): Uint8Array => {
  const view = Buffer.from(bytes)
  const parts: Buffer[] = []
  for (let at = 8; at < view.length; at += view.readUInt32BE(at) + 12)
    if (view.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(view.subarray(at + 8, at + 8 + view.readUInt32BE(at)))
  return inflateSync(Buffer.concat(parts))
}

describe('a drawing as pixels', () => {
  it('has its size, times the scale', () => {
    const { bytes, width, height } = pngOf(svg)
    expect([width, height]).toEqual([60, 20])
    expect(Buffer.from(bytes).readUInt32BE(16)).toBe(60)
    const twice = pngOf(svg, 2)
    expect([twice.width, twice.height]).toEqual([120, 40])
  })

  it('has its text, as far as there are fonts, and says where there are none', () => {
    const without = pngOf(svg, 1, { loadSystemFonts: false })
    expect(without.hasText).toBe(false)
    const drawn = pngOf(svg)
    if (drawn.hasText) expect(new Set(pixels(drawn.bytes)).size).toBeGreaterThan(new Set(pixels(without.bytes)).size)
  })
})
