import {
  CHARTS,
  type ChartDataByKind,
  type ChartKind,
  type ChartMode,
  classColour,
  classSymbolPath,
  isHeatMap,
  LIGHT,
  type PairsData,
  type ProfilesData,
  profileTop,
  svgText,
} from '@polyad/charts'
import { type Html, html, inText, prose, trusted } from '../html.ts'
import { percent } from '../numbers.ts'
import { WIDTHS } from './style.ts'
import { tableBehind } from './tables.ts'

/** A chart in the page: drawn at several widths, of which the page shows the one that there is room for, with its table behind it. */

export interface Figure<Data> {
  readonly title: string
  /** How to read it. */
  readonly caption: string
  /** How much room it gets. Default 'usual'. */
  readonly room?: Exclude<keyof typeof WIDTHS, 'panel'>
  /** What is drawn one below the other, each of it no higher than a sheet of paper. Default: everything at once. */
  readonly parts?: readonly Part<Data>[]
}

export interface Part<Data> {
  readonly data: Data
  /** Of its classes, where these are not the first. */
  readonly colours?: readonly string[]
}

/** A figure; nothing where there is nothing to draw. */
export const figureOf = <K extends ChartKind>(
  document: Document,
  kind: K,
  data: ChartDataByKind[K] | null,
  { title, caption, room = 'usual', parts }: Figure<ChartDataByKind[K]>,
): Html | null => {
  if (data === null) return null
  const chart = CHARTS[kind]
  const drawn = ({ data: part, ...colours }: Part<ChartDataByKind[K]>) =>
    WIDTHS[room].map(width => {
      const svg = chart.draw(part, { document, width, ...colours })
      svg.setAttribute('class', `w${width}`)
      return trusted(svgText(svg, shortened))
    })
  return html`<figure><figcaption><h3>${title}</h3>
<p>${prose(caption)}</p></figcaption>
${(parts ?? [{ data }]).map(
  part => html`<div class="part">${drawn(part)}</div>
`,
)}${tableBehind({ ...chart.table(data), caption: title })}</figure>
`
}

/** Profiles: a panel for each mode, drawn once, since a panel is as wide as a phone; the page puts as many beside each other as it can. */
export const profilesFigure = (
  document: Document,
  data: ProfilesData | null,
  { title, caption }: Pick<Figure<never>, 'title' | 'caption'>,
): Html | null => {
  if (data === null) return null
  const { classes, modes } = data
  const [top, heatMap] = [profileTop(data), isHeatMap(classes.length, modes.length)]
  const panels = modes.map(mode => {
    const options = { document, width: WIDTHS.panel, legend: false, heatMap, axis: 'beside' } as const
    const svg = CHARTS.profiles.draw({ classes, modes: [mode], top }, options)
    return trusted(svgText(svg, shortened))
  })
  return html`<figure><figcaption><h3>${title}</h3>
<p>${prose(caption)}</p></figcaption>
<ul class="legend">${classes.map(({ name, share }, k) => html`<li>${classMark(k)}<bdi>${inText(name, 40)}</bdi> ${prose(percent(share))}</li>`)}</ul>
<div class="panel-room"><div class="panels${heatMap ? '' : ' axed'}">${panels}</div></div>
${tableBehind({ ...CHARTS.profiles.table(data), caption: title })}</figure>
`
}

/** The symbol of a class in its colour, as its line has it. */
const classMark = (k: number): Html =>
  html`<svg class="mark" viewBox="-7 -7 14 14" width="14" height="14" aria-hidden="true"><path d="${classSymbolPath(k, 5)}" style="fill: var(--class-${(k % LIGHT.classes.length) + 1})"/></svg>`

/** In a page that defines the colours their fallbacks say nothing. */
const shortened = (value: string): string => value.replace(/var\((--[\w-]+), [^)]*\)/g, 'var($1)')

/** Matrices, one for each class, that a sheet of paper has room for. */
const SHEET_CLASSES = 4

/** Matrices of two modes, some classes at a time. */
export const classSheets = ({ classes, modes: [a, b] }: PairsData): Part<PairsData>[] => {
  const firsts = classes.flatMap((_, k) => (k % SHEET_CLASSES === 0 ? [k] : []))
  return firsts.map(from => {
    const some = <T>(all: readonly T[]) => all.slice(from, from + SHEET_CLASSES)
    const cut = (mode: ChartMode) => ({ ...mode, probabilities: some(mode.probabilities) })
    return {
      data: { classes: some(classes), modes: [cut(a), cut(b)] },
      colours: some(classes.map((_, k) => classColour(k))),
    }
  })
}
