import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChartLook, type ExportedChart, svgOf } from '../../state/exporting/chart-file.ts'
import { classColours } from '../../state/results/chosen.ts'
import { type ChartSettings, chartLook, SIZES, type SizeName, sourceOfData } from './chart-settings.ts'

interface Props {
  readonly chart: ExportedChart
  readonly first: ChartSettings
  /** The formats it can be saved in, as it is now. */
  readonly buttons: (look: ChartLook) => ComponentChildren
  readonly onClose: () => void
}

/** The least and the most that a chart can be wide or high, in pixels. */
const WIDTHS = { min: 240, max: 4000 } as const
const HEIGHTS = { min: 180, max: 4000 } as const

const within = (text: string, { min, max }: { readonly min: number; readonly max: number }): number | undefined => {
  const value = Number(text)
  return text.trim() !== '' && value >= min && value <= max ? Math.round(value) : undefined
}

/** A chart as it will be saved, with what can be set of it. */
export const ChartDialog = ({ chart, first, buttons, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, setAsked] = useState<ChartSettings>({ ...first, source: first.source ?? sourceOfData() })
  const change = (part: Partial<ChartSettings>) => setAsked(before => ({ ...before, ...part }))
  const look = chartLook(asked, classColours.value)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="chart-dialog" aria-labelledby="chart-dialog-title" onClose={onClose}>
      <header class="row">
        <h2 id="chart-dialog-title">
          <bdi>{chart.title}</bdi>
        </h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div class="chart-dialog-body">
        <form class="stack" onSubmit={event => event.preventDefault()}>
          <label class="field">
            <span>Title</span>
            <input type="text" value={asked.title} onInput={event => change({ title: event.currentTarget.value })} />
          </label>
          <label class="field">
            <span>Source</span>
            <input type="text" value={asked.source} onInput={event => change({ source: event.currentTarget.value })} />
          </label>
          <label class="field">
            <span>Size</span>
            <select value={asked.size} onChange={event => change({ size: event.currentTarget.value as SizeName })}>
              {SIZES.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
              <option value="own">Custom</option>
            </select>
          </label>
          {asked.size === 'own' && (
            <div class="row">
              <label class="field">
                <span>Width (px)</span>
                <input
                  type="number"
                  {...WIDTHS}
                  value={asked.width ?? 960}
                  onInput={event => change({ width: within(event.currentTarget.value, WIDTHS) })}
                />
              </label>
              <label class="field">
                <span>Height (px)</span>
                <input
                  type="number"
                  {...HEIGHTS}
                  placeholder="automatic"
                  value={asked.height ?? ''}
                  onInput={event => change({ height: within(event.currentTarget.value, HEIGHTS) })}
                />
              </label>
            </div>
          )}
          <label class="field">
            <span>Theme</span>
            <select
              value={asked.dark ? 'dark' : 'light'}
              onChange={event => change({ dark: event.currentTarget.value === 'dark' })}
            >
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
          {buttons(look)}
        </form>
        <Preview chart={chart} look={look} />
      </div>
    </dialog>
  )
}

/** The file as a picture: what is seen is what is saved. */
const Preview = ({ chart, look }: { readonly chart: ExportedChart; readonly look: ChartLook }) => {
  const [shown, setShown] = useState<{ readonly address: string; readonly size: string } | null>(null)
  const key = JSON.stringify(look)
  useEffect(() => {
    let current = true
    svgOf(chart, look).then(svg => {
      if (!current) return
      const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
      const [width, height] = ['width', 'height'].map(name => new RegExp(` ${name}="([\\d.]+)"`).exec(svg)?.[1])
      setShown({ address, size: `${width} × ${height} px` })
    })
    return () => {
      current = false
    }
  }, [chart, key])
  return (
    <figure class="chart-preview">
      {shown !== null && (
        <img
          src={shown.address}
          alt={`${look.title}: preview`}
          // Not before: the browser would not find it.
          onLoad={event => URL.revokeObjectURL(event.currentTarget.src)}
        />
      )}
      <figcaption class="small muted">{shown?.size ?? 'Drawing …'}</figcaption>
    </figure>
  )
}
