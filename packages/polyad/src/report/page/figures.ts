import { CHARTS, type ChartDataByKind, type ChartKind, svgText } from '@polyad/charts'
import { type Html, html, prose, trusted } from './html.ts'
import { WIDTHS } from './style.ts'
import { tableBehind } from './tables.ts'

/** A chart in the page: drawn at several widths, of which the page shows the one that there is room for, with its table behind it. */

export interface Figure {
  readonly title: string
  /** How to read it. */
  readonly caption: string
  /** How much room it gets. Default 'usual'. */
  readonly room?: keyof typeof WIDTHS
}

/** A figure; nothing where there is nothing to draw. */
export const figureOf = <K extends ChartKind>(
  document: Document,
  kind: K,
  data: ChartDataByKind[K] | null,
  { title, caption, room = 'usual' }: Figure,
): Html | null => {
  if (data === null) return null
  const chart = CHARTS[kind]
  const drawn = WIDTHS[room].map(width => {
    const svg = chart.draw(data, { document, width })
    svg.setAttribute('class', `w${width}`)
    return { text: svgText(svg), height: Number(svg.getAttribute('height')) }
  })
  // What is higher than a sheet of paper may be parted.
  const tall = drawn[1].height > 900
  return html`<figure${trusted(tall ? ' class="tall"' : '')}><figcaption><h3>${title}</h3>
<p>${prose(caption)}</p></figcaption>
${drawn.map(({ text }) => trusted(text))}
${tableBehind({ ...chart.table(data), caption: title })}</figure>
`
}
