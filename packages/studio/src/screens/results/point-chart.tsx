import type { ChartDataByKind, ChartKind, ChartOptions } from '@polyad/charts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Chart } from '../../components/chart.tsx'
import { described } from '../../state/results/class-profiles.ts'
import type { LabelPlace } from '../../state/results/label-figures.ts'
import { followPointer } from './highlight.ts'

interface Props<K extends ChartKind> {
  readonly kind: K
  readonly data: ChartDataByKind[K]
  readonly options: Omit<ChartOptions, 'document' | 'width'>
  readonly table?: boolean
  readonly children?: ComponentChildren
}

/** Where the label of a chart's mode stands in the model; null where it is none of it, such as a span of several. */
const placeOf = (data: object, n: number, j: number): LabelPlace | null => {
  const { modes = [] } = data as { readonly modes?: readonly { name: string; labels?: readonly string[] }[] }
  const all = described.peek()?.modes ?? []
  const mode = all.findIndex(({ name }) => name === modes[n]?.name)
  const label = all[mode]?.labels.indexOf(modes[n]?.labels?.[j] ?? '') ?? -1
  return mode < 0 || label < 0 ? null : { mode, label }
}

/** So far before it comes into view a chart is drawn. */
const AHEAD = '500px'

/** A chart that responds to pointing at its classes and labels. It is drawn when it comes near. */
export const PointChart = <K extends ChartKind>({ kind, data, options, table, children }: Props<K>) => {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        if (isIntersecting) setNear(true)
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = place.current
    return element === null ? undefined : followPointer(element, (n, j) => placeOf(data, n, j))
  }, [data])
  return (
    <div ref={place} class={near ? 'pointable' : 'pointable waiting'}>
      {near && (
        <Chart kind={kind} data={data} options={options} table={table ?? true}>
          {children}
        </Chart>
      )}
    </div>
  )
}
