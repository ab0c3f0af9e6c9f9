import type { ChartDataByKind, ChartKind } from '@polyad/charts'
import type { Report } from 'polyad/report'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Chart } from '../../parts/chart.tsx'
import { download, safeName } from '../../state/files.ts'
import { waitFor } from '../../state/messages.ts'
import { classColours, classNames } from '../../state/results/chosen.ts'
import { shownModel } from '../../state/results/looked.ts'
import { chosenFit, data } from '../../state/store.ts'
import { worker } from '../../worker/client.ts'
import { nameOf, reportRequest } from './files.tsx'

type OwnKind = Exclude<ChartKind, 'drift'>

const TITLES: Readonly<Record<OwnKind, string>> = {
  profiles: 'Class profiles',
  lines: 'Overview of the profiles',
  shares: 'Class sizes',
  posteriors: 'Class probabilities',
  certainty: 'Certainty of assignment',
  losses: 'Loss of each start',
  optima: 'Solutions found',
  criteria: 'Numbers of classes compared',
  residuals: 'Bivariate residuals',
  top: 'Categories that mark the classes',
  time: 'In order',
  pairs: 'Two variables together',
  anomalies: 'Largest deviations',
  curves: 'Membership by covariate',
}

interface ChartFile {
  readonly kind: ChartKind
  readonly title: string
  readonly data: ChartDataByKind[ChartKind]
}

const chartsOf = ({ charts }: Report): ChartFile[] =>
  (Object.keys(TITLES) as OwnKind[]).flatMap((kind): ChartFile[] => {
    if (kind === 'time') return charts.time.map(own => ({ kind, title: `${own.mode.name}, in order`, data: own }))
    const own = charts[kind]
    return own === null ? [] : [{ kind, title: TITLES[kind], data: own }]
  })

/** Every chart of the report as a file of its own. */
export const ChartFiles = () => {
  const [report, setReport] = useState<Report | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [dark, setDark] = useState(false)
  // Without what Results makes of the classes they have neither names nor colours.
  const file = shownModel.value === null ? undefined : chosenFit.value?.file
  const names = classNames.value
  const at = data.value?.digest
  useEffect(() => {
    if (file === undefined) return
    let current = true
    setFailure(null)
    worker.call('report', [worker.model(file), { ...reportRequest(false), names }]).then(
      found => current && setReport(found),
      (error: Error) => current && setFailure(error.message),
    )
    return () => {
      current = false
    }
    // With the data there are more charts.
  }, [file, names, at])
  return (
    <section class="stack" aria-labelledby="charts-title">
      <div class="row export-head">
        <h2 id="charts-title">Charts</h2>
        <label class="row">
          <span>Theme of the files</span>
          <select value={dark ? 'dark' : 'light'} onChange={event => setDark(event.currentTarget.value === 'dark')}>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
      </div>
      {failure !== null && <p class="note error">{failure}</p>}
      {report === null && failure === null && <p class="muted">Preparing the charts …</p>}
      {report !== null && (
        <ul class="chart-files">
          {chartsOf(report).map(chart => (
            <ChartItem key={chart.title} chart={chart} dark={dark} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface ItemProps {
  readonly chart: ChartFile
  readonly dark: boolean
}

const ChartItem = ({ chart, dark }: ItemProps) => {
  const colours = classColours.value
  const options = useMemo(() => ({ colours }), [colours])
  const [open, setOpen] = useState(false)
  const name = (extension: string) => nameOf(`-${safeName(chart.title).toLowerCase().replace(/\s+/g, '-')}${extension}`)
  return (
    <li>
      <div class="row export-head">
        <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> <bdi>{chart.title}</bdi>
        </button>
        <span class="row">
          <button
            type="button"
            onClick={() =>
              waitFor('drawing', async () => download(name('.svg'), await svgOf(chart, colours, dark), 'image/svg+xml'))
            }
          >
            .svg<span class="hidden"> of {chart.title}</span>
          </button>
          <button
            type="button"
            onClick={() =>
              waitFor('drawing', async () => download(name('.png'), await pngOf(await svgOf(chart, colours, dark))))
            }
          >
            .png<span class="hidden"> of {chart.title}</span>
          </button>
        </span>
      </div>
      {open && <Chart kind={chart.kind} data={chart.data} options={options} table={false} />}
    </li>
  )
}

/** How wide a chart in a file is, in pixels, and how many of a picture's make one of them. */
const FILE_WIDTH = 960
const SCALE = 2

/** The chart as a file, in the colours that classes were given. */
const svgOf = async ({ kind, data }: ChartFile, colours: readonly string[], dark: boolean): Promise<string> => {
  const { CHARTS, DARK, LIGHT, svgFile } = await import('@polyad/charts')
  const draw = CHARTS[kind].draw as (data: unknown, options: object) => SVGSVGElement
  return svgFile(draw(data, { document, width: FILE_WIDTH, colours }), dark ? DARK : LIGHT)
}

/** The picture of an SVG file. */
const pngOf = async (svg: string): Promise<Blob> => {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = SCALE * image.width
    canvas.height = SCALE * image.height
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('this browser cannot make a PNG; use the .svg')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        blob => (blob === null ? reject(new Error('the picture is too large for a PNG; use the .svg')) : resolve(blob)),
        'image/png',
      ),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}
