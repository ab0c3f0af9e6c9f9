import type { ChartKind } from '@polyad/charts'
import { signal } from '@preact/signals'
import type { Report } from 'polyad/report'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { DownloadMenu } from '../../components/download-menu.tsx'
import { type ChartLook, type ExportedChart, pdfOf, pngOf, svgOf } from '../../state/exporting/chart-file.ts'
import { copyPicture } from '../../state/exporting/clipboard.ts'
import { waitFor } from '../../state/page/messages.ts'
import { classColours } from '../../state/results/chosen.ts'
import { download, safeName } from '../../state/store/files.ts'
import { Card } from './card.tsx'
import { ChartDialog } from './chart-dialog.tsx'
import { type ChartSettings, chartLook, SIZES, type SizeName } from './chart-settings.ts'
import { nameOf } from './files.tsx'

type OwnKind = Exclude<ChartKind, 'drift'>

const TITLES: Readonly<Record<OwnKind, string>> = {
  profiles: 'Class profiles',
  lines: 'Overview of the profiles',
  shares: 'Class sizes',
  posteriors: 'Class probabilities',
  certainty: 'Certainty of assignment',
  losses: 'Loss of each run',
  optima: 'Solutions found',
  criteria: 'Numbers of classes compared',
  residuals: 'Bivariate residuals',
  top: 'Categories that mark the classes',
  time: 'In order',
  pairs: 'Two variables together',
  anomalies: 'Largest deviations',
  curves: 'Membership by covariate',
  flows: 'Moves between waves',
  transitions: 'Transitions',
  mixes: 'Class sizes by group class',
}

/** The charts of a report that can be exported; what shows the classes comes first. */
export const chartsOf = ({ charts }: Report): ExportedChart[] =>
  (Object.keys(TITLES) as OwnKind[]).flatMap((kind): ExportedChart[] => {
    if (kind === 'time') return charts.time.map(own => ({ kind, title: `${own.mode.name}, in order`, data: own }))
    const own = charts[kind]
    return own === null ? [] : [{ kind, title: TITLES[kind], data: own }]
  })

/** Size and theme of all charts, kept while the page is open. */
const common = signal<Pick<ChartSettings, 'size' | 'dark'>>({ size: 'page', dark: false })

/** How a chart is drawn by the settings of all charts. */
export const commonLook = (title: string, colours: readonly string[]): ChartLook =>
  chartLook({ ...common.peek(), title }, colours)

/** Every chart of the report, to save or to copy. */
export const ChartGallery = ({ report }: { readonly report: Report | string | null }) => {
  const charts = useMemo(() => (report === null || typeof report === 'string' ? report : chartsOf(report)), [report])
  const [open, setOpen] = useState<ExportedChart | null>(null)
  const { size, dark } = common.value
  return (
    <Card
      title="Charts"
      about="For slides, documents and papers: with a title, margins and the source."
      room="whole"
      aside={
        <div class="row chart-common">
          <label class="row small">
            <span>Size</span>
            <select
              value={size}
              onChange={event => {
                common.value = { ...common.value, size: event.currentTarget.value as SizeName }
              }}
            >
              {SIZES.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <label class="row small">
            <span>Theme</span>
            <select
              value={dark ? 'dark' : 'light'}
              onChange={event => {
                common.value = { ...common.value, dark: event.currentTarget.value === 'dark' }
              }}
            >
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
        </div>
      }
    >
      {charts === null ? (
        <p class="muted">Preparing the charts …</p>
      ) : typeof charts === 'string' ? (
        <p class="note error">{charts}</p>
      ) : (
        <ul class="chart-gallery">
          {charts.map(chart => (
            <li key={chart.title}>
              <button type="button" class="chart-thumb" onClick={() => setOpen(chart)}>
                <Thumb chart={chart} colours={classColours.value} />
                <span class="hidden">Set title and size of {chart.title}</span>
              </button>
              <h3>
                <bdi>{chart.title}</bdi>
              </h3>
              <ChartButtons chart={chart} look={() => commonLook(chart.title, classColours.peek())} />
            </li>
          ))}
        </ul>
      )}
      {open !== null && (
        <ChartDialog
          chart={open}
          first={{ ...common.value, title: open.title }}
          buttons={look => <ChartButtons chart={open} look={() => look} />}
          onClose={() => setOpen(null)}
        />
      )}
    </Card>
  )
}

interface ButtonsProps {
  readonly chart: ExportedChart
  readonly look: () => ChartLook
}

/** The formats of a chart. */
const ChartButtons = ({ chart, look }: ButtonsProps) => {
  const name = (extension: string) => nameOf(`-${safeName(chart.title).toLowerCase().replace(/\s+/g, '-')}${extension}`)
  const save = (
    extension: string,
    make: (svg: string, title: string) => Promise<Blob | string | Uint8Array>,
    type: string,
  ) =>
    waitFor('drawing the chart', async () => {
      const [asked, called] = [look(), name(extension)]
      download(called, await make(await svgOf(chart, asked), asked.title ?? chart.title), type)
    })
  return (
    <div class="formats">
      <DownloadMenu what={chart.title}>
        <button type="button" onClick={() => save('.png', svg => pngOf(svg), 'image/png')}>
          PNG<span class="hidden"> of {chart.title}</span>
        </button>
        <button type="button" onClick={() => save('.svg', async svg => svg, 'image/svg+xml')}>
          SVG<span class="hidden"> of {chart.title}</span>
        </button>
        <button type="button" onClick={() => save('.pdf', pdfOf, 'application/pdf')}>
          PDF<span class="hidden"> of {chart.title}</span>
        </button>
      </DownloadMenu>
      <button type="button" onClick={() => copyPicture(svgOf(chart, look()), pngOf)}>
        Copy<span class="hidden"> the chart {chart.title}</span>
      </button>
    </div>
  )
}

/** How wide a chart is drawn to be shown small, in pixels: several panels stand beside each other, and all of them are seen. */
const THUMB_WIDTH = 520
const THUMB_OF_PANELS = 960

interface ThumbProps {
  readonly chart: ExportedChart
  readonly colours: readonly string[]
}

/** A chart seen small: drawn when it comes into view and the page has nothing else to do. */
const Thumb = ({ chart, colours }: ThumbProps) => {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let current = true
    const observer = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting) return
      observer.disconnect()
      const { CHARTS } = await import('@polyad/charts')
      await new Promise(resolve => setTimeout(resolve))
      if (!current) return
      const draw = CHARTS[chart.kind].draw as (data: unknown, options: object) => SVGSVGElement
      const drawn = draw(chart.data, {
        document,
        width: chart.kind === 'profiles' ? THUMB_OF_PANELS : THUMB_WIDTH,
        colours,
      })
      drawn.setAttribute('aria-hidden', 'true')
      drawn.removeAttribute('role')
      element.replaceChildren(drawn)
    })
    observer.observe(element)
    return () => {
      current = false
      observer.disconnect()
    }
  }, [chart, colours])
  return <span ref={place} class="thumb" />
}
