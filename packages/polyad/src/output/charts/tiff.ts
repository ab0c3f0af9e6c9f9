import { deflateSync } from 'node:zlib'
import type { Pixels } from './png.ts'

/** Pixels as a TIFF file: red, green and blue, packed by deflate without loss, with how many there are to an inch. */

/** Types of values in a directory. */
const SHORT = 3
const LONG = 4
const RATIONAL = 5

type Entry = readonly [tag: number, type: number, values: readonly number[]]

const SIZES: Readonly<Record<number, number>> = { [SHORT]: 2, [LONG]: 4, [RATIONAL]: 8 }

/** Rows that are packed together: readers unpack a strip at a time. */
const STRIP_BYTES = 1 << 18

/** Colours on the paper, without opacity. */
const opaque = ({ rgba, width, height }: Pixels): Uint8Array => {
  const rgb = new Uint8Array(3 * width * height)
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) rgb[3 * i + c] = rgba[4 * i + c]
  return rgb
}

export const tiffOf = (pixels: Pixels, dpi: number): Uint8Array => {
  const { width, height } = pixels
  const rgb = opaque(pixels)
  const rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / (3 * width)))
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, s) =>
    deflateSync(rgb.subarray(3 * width * rowsPerStrip * s, 3 * width * Math.min(height, rowsPerStrip * (s + 1)))),
  )
  const resolution = [Math.round(dpi * 1000), 1000]
  const entriesOf = (offsets: readonly number[]): readonly Entry[] => [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, [8, 8, 8]],
    [259, SHORT, [8]],
    [262, SHORT, [2]],
    [273, LONG, offsets],
    [277, SHORT, [3]],
    [278, LONG, [rowsPerStrip]],
    [279, LONG, strips.map(strip => strip.length)],
    [282, RATIONAL, resolution],
    [283, RATIONAL, resolution],
    [284, SHORT, [1]],
    [296, SHORT, [2]],
  ]
  const bytesOf = ([, type, values]: Entry) => (type === RATIONAL ? 8 : SIZES[type] * values.length)
  const entries = entriesOf(strips.map(() => 0))
  const directory = 8
  const beyond = directory + 2 + 12 * entries.length + 4
  const more = entries.reduce((sum, entry) => sum + (bytesOf(entry) > 4 ? bytesOf(entry) : 0), 0)
  let at = beyond + more
  const offsets = strips.map(strip => {
    const start = at
    at += strip.length + (strip.length % 2)
    return start
  })
  const out = new Uint8Array(at)
  const view = new DataView(out.buffer)
  out.set([0x49, 0x49, 42, 0])
  view.setUint32(4, directory, true)
  view.setUint16(directory, entries.length, true)
  let extra = beyond
  entriesOf(offsets).forEach((entry, i) => {
    const [tag, type, values] = entry
    const place = directory + 2 + 12 * i
    view.setUint16(place, tag, true)
    view.setUint16(place + 2, type, true)
    view.setUint32(place + 4, type === RATIONAL ? 1 : values.length, true)
    const long = bytesOf(entry) > 4
    if (long) view.setUint32(place + 8, extra, true)
    values.forEach((value, j) => {
      const to = (long ? extra : place + 8) + j * (type === SHORT ? 2 : 4)
      if (type === SHORT) view.setUint16(to, value, true)
      else view.setUint32(to, value, true)
    })
    if (long) extra += bytesOf(entry)
  })
  strips.forEach((strip, s) => void out.set(strip, offsets[s]))
  return out
}
