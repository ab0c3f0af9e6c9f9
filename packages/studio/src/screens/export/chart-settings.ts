import { FRAME_SIZES, sourceLine } from '@polyad/charts'
import { defined } from '@polyad/core/options'
import type { ChartLook } from '../../state/exporting/chart-file.ts'
import { chosenFit, file, table } from '../../state/store/store.ts'

/** What a person can set of a chart before it is saved. */
export interface ChartSettings {
  readonly title: string
  /** Default: the data file and the number of observations. */
  readonly source?: string
  readonly size: SizeName
  /** In pixels, if the size is not a usual one; without a height it is what the chart needs. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly dark: boolean
}

export const SIZES = [
  { name: 'column', title: 'Column (90 mm)' },
  { name: 'page', title: 'Page (180 mm)' },
  { name: 'slide', title: 'Slide (16 : 9)' },
] as const
export type SizeName = (typeof SIZES)[number]['name'] | 'own'

/** trees.csv · 120 observations · Polyad */
export const sourceOfData = (): string =>
  sourceLine(file.peek()?.name ?? table.peek()?.name ?? null, chosenFit.peek()?.figures.total ?? null)

export const chartLook = (
  { title, source = sourceOfData(), size, width = 960, height, dark }: ChartSettings,
  colours: readonly string[],
): ChartLook => ({
  title,
  source,
  dark,
  colours,
  ...(size === 'own' ? { width, ...defined({ height }) } : FRAME_SIZES[size]),
})
