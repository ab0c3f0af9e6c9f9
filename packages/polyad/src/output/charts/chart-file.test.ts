import { inflateSync } from 'node:zlib'
import { CHART_KINDS, CHARTS, svgFile } from '@polyad/charts'
import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { chartSamples } from '../../../../../test/chart-samples.ts'
import { figureBytes } from './chart-file.ts'
import { formatOfFigure } from './chart-formats.ts'
import { epsOf } from './eps.ts'
import { pdfOf } from './pdf.ts'
import { pixelsOf } from './png.ts'
import { shapesOf } from './shapes.ts'
import { tiffOf } from './tiff.ts'

// By hand: pdftoppm and Ghostscript draw these PDF and EPS files as resvg draws the PNG.

const document = parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48" viewBox="0 0 96 48"><rect width="96" height="48" fill="#ffffff"/>
<g transform="translate(10,5)"><rect width="20" height="10" fill="#ff0000" fill-opacity="0.5"/></g>
<line x1="0" y1="40" x2="96" y2="40" stroke="#0000ff" stroke-width="2" stroke-dasharray="4 3"/></svg>`

describe('files', () => {
  it('TIFF says how large it is, and how many pixels there are to an inch', () => {
    const pixels = pixelsOf(svg, 600 / 96)
    const bytes = tiffOf(pixels, 600)
    const view = new DataView(bytes.buffer)
    const entries = new Map(
      Array.from({ length: view.getUint16(8, true) }, (_, i) => {
        const place = 10 + 12 * i
        return [
          view.getUint16(place, true),
          { count: view.getUint32(place + 4, true), value: view.getUint32(place + 8, true) },
        ] as const
      }),
    )
    expect([256, 257, 259].map(tag => entries.get(tag)?.value)).toEqual([600, 300, 8])
    const at = entries.get(282)?.value as number
    expect(view.getUint32(at, true) / view.getUint32(at + 4, true)).toBe(600)
    const valuesOf = (tag: number) => {
      const { count, value } = entries.get(tag) as { count: number; value: number }
      return count === 1 ? [value] : Array.from({ length: count }, (_, i) => view.getUint32(value + 4 * i, true))
    }
    const lengths = valuesOf(279)
    expect(lengths.length).toBeGreaterThan(1)
    const strips = valuesOf(273).map((start, s) => inflateSync(bytes.subarray(start, start + lengths[s])))
    expect(Buffer.concat(strips).equals(pixels.rgba.filter((_, i) => i % 4 < 3))).toBe(true)
  })

  it('PDF is of the size in points, with every object where the table says', () => {
    const bytes = Buffer.from(pdfOf(shapesOf(svg), 'Größe'))
    const text = bytes.toString('latin1')
    expect(text).toContain('/MediaBox [0 0 72 36]')
    const table = Number(/startxref\n(\d+)/.exec(text)?.[1])
    expect(text.slice(table, table + 4)).toBe('xref')
    const starts = [...text.slice(table).matchAll(/(\d{10}) 00000 n/g)].map(([, start]) => Number(start))
    starts.forEach((start, i) => void expect(text.slice(start, start + 7)).toBe(`${i + 1} 0 obj`))
    const length = Number(/\/Length (\d+)/.exec(text)?.[1])
    const from = text.indexOf('stream\n') + 7
    const content = inflateSync(bytes.subarray(from, from + length)).toString()
    expect(content).toContain('[4 3] 0 d')
    expect(content).toContain('1 0 0 rg')
    expect(content.match(/^q$/gm)?.length).toBe(content.match(/^Q$/gm)?.length)
    expect(text).toContain('/ca 0.5')
  })

  it('EPS is of the size in points, and mixes colours with the paper', () => {
    const text = epsOf(shapesOf(svg), 'a\nb')
    expect(text).toContain('%%BoundingBox: 0 0 72 36')
    expect(text).toContain('%%Title: a?b')
    expect(text).toContain('1 0.5 0.5 setrgbcolor fill')
    expect(text.match(/^gsave$/gm)?.length).toBe(text.match(/^grestore$/gm)?.length)
  })

  it('every kind of chart is drawn in vectors', () => {
    const samples = chartSamples()
    for (const kind of CHART_KINDS) {
      const { draw } = CHARTS[kind] as (typeof CHARTS)['profiles']
      const file = svgFile(draw(samples[kind] as Parameters<typeof draw>[0], { document, width: 600 }))
      const { width, shapes } = shapesOf(file)
      expect(width, kind).toBe(600)
      expect(shapes.length, kind).toBeGreaterThan(5)
      expect(shapes.flatMap(({ path }) => path.flatMap(([, ...numbers]) => numbers)).every(Number.isFinite), kind).toBe(
        true,
      )
    }
  })

  it('are named by their endings', () => {
    expect(['a.svg', 'a.PDF', 'b.tif', 'c.d.eps'].map(formatOfFigure)).toEqual(['svg', 'pdf', 'tiff', 'eps'])
    expect(() => formatOfFigure('a.jpg')).toThrow(/must end in .svg, .pdf, .eps, .png, .tiff/)
    const { width, height, unit, dpi } = figureBytes(svg, 'png', '', 300)
    expect({ width, height, unit, dpi }).toEqual({ width: 300, height: 150, unit: 'px', dpi: 300 })
  })
})
