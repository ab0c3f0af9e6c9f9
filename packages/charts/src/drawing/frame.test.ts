import { describe, expect, it } from 'vitest'
import { chartSamples } from '../../../../test/chart-samples.ts'
import { CHART_KINDS, CHARTS } from '../charts/kinds.ts'
import { FRAME_SIZES, type Frame, framedChart, sourceLine } from './frame.ts'
import { plainDocument } from './plain-document.ts'
import { svgFile } from './svg-file.ts'

const document = plainDocument()
const data = chartSamples()

const framed = (kind: (typeof CHART_KINDS)[number], frame: Frame): { svg: SVGSVGElement; widths: number[] } => {
  const draw = CHARTS[kind].draw as (data: unknown, options: object) => SVGSVGElement
  const widths: number[] = []
  const svg = framedChart(document, frame, width => {
    widths.push(width)
    return draw(data[kind], { document, width })
  })
  return { svg, widths }
}

const textsOf = (node: Element): Element[] => (node.localName === 'text' ? [node] : [...node.children].flatMap(textsOf))

const TITLE = 'Who answers what'
const SOURCE = sourceLine('trees.csv', 120)

describe.each(CHART_KINDS)('a frame around %s', kind => {
  it('has the title, the source and margins, and letters of the usual size', () => {
    const { svg, widths } = framed(kind, { width: 680, title: TITLE, source: SOURCE })
    expect(widths).toEqual([632])
    const texts = textsOf(svg)
    expect([texts[0].textContent, texts.at(-1)?.textContent]).toEqual([TITLE, 'trees.csv · 120 observations · Polyad'])
    expect(texts[0].getAttribute('x')).toBe('24')
    const height = Number(svg.getAttribute('height'))
    expect(Number(texts.at(-1)?.getAttribute('y'))).toBeLessThanOrEqual(height - 24)
    expect(svg.querySelector('title')?.textContent).toBe(TITLE)
    expect(svgFile(svg)).not.toMatch(/NaN|undefined|scale\(/)
  })

  it('has the height that is asked for, and all of the chart within it', () => {
    for (const size of [FRAME_SIZES.slide, { width: 480, height: 300 }]) {
      const { svg } = framed(kind, { ...size, title: TITLE, source: SOURCE })
      expect(['width', 'height'].map(name => Number(svg.getAttribute(name)))).toEqual([size.width, size.height])
      const [, x, y, scale = '1'] =
        /transform="translate\(([\d.]+),([\d.]+)\)(?: scale\(([\d.]+)\))?"/.exec(
          svgFile(svg).replace('translate(0,0)', ''),
        ) ?? []
      const inner = Number(scale) * Number(chartOf(kind, (size.width - 2 * Number(x)) / Number(scale)))
      expect(Number(y) + inner).toBeLessThanOrEqual(size.height - 24)
    }
  })
})

/** How high a chart is that is so wide. */
const chartOf = (kind: (typeof CHART_KINDS)[number], width: number): string | null => {
  const draw = CHARTS[kind].draw as (data: unknown, options: object) => SVGSVGElement
  return draw(data[kind], { document, width: Math.round(width) }).getAttribute('height')
}

it('needs neither title nor source, and says what is known of the source', () => {
  const { svg } = framed('shares', { width: 400, margin: 0 })
  const plain = CHARTS.shares.draw(data.shares, { document, width: 400 })
  expect(svg.getAttribute('height')).toBe(plain.getAttribute('height'))
  expect(svg.querySelector('title')?.textContent).toBe(plain.querySelector('title')?.textContent)
  expect(sourceLine(null, null)).toBe('Polyad')
  expect(sourceLine('a.csv', 1)).toBe('a.csv · 1 observation · Polyad')
})
