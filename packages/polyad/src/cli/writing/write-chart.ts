import type { ChartDataByKind, ChartKind, ChartTable, Frame } from '@polyad/charts'
import { writeBytes } from '../../output/atomic-file.ts'
import { type FigureSize, formatOfFigure } from '../../output/charts/chart-formats.ts'
import type { Call } from '../framework/define-command.ts'

export interface WrittenChart {
  readonly title: string
  readonly description: string
  /** What is behind it. */
  readonly table: ChartTable
  readonly size: FigureSize
}

export interface ChartLook {
  readonly width: number
  readonly resolution: number
  readonly theme: 'dark' | 'light'
  /** What stands around it. Default: nothing. */
  readonly frame?: Omit<Frame, 'width'>
}

/** Draws a chart and writes it in the format that the name of the file says. */
export const writeChart = async <K extends ChartKind>(
  { terminal }: Pick<Call, 'terminal'>,
  kind: K,
  data: ChartDataByKind[K],
  output: string,
  { width, resolution, theme, frame }: ChartLook,
): Promise<WrittenChart> => {
  // Charts are heavy: only those who draw load them.
  const { CHARTS, DARK, framedChart, LIGHT, plainDocument, svgFile } = await import('@polyad/charts')
  const { draw, table } = CHARTS[kind]
  const document = plainDocument()
  const drawn = (room: number) => draw(data, { document, width: room })
  const chart = frame === undefined ? drawn(width) : framedChart(document, { width, ...frame }, drawn)
  const svg = svgFile(chart, theme === 'dark' ? DARK : LIGHT)
  const [title, description] = ['title', 'desc'].map(name => chart.querySelector(name)?.textContent ?? '')
  const { figureBytes } = await import('../../output/charts/chart-file.ts')
  const { bytes, hasText, ...size } = figureBytes(svg, formatOfFigure(output), title, resolution)
  await writeBytes(output, bytes)
  if (!hasText) terminal.warn('fonts', 'this system has no fonts: the chart has no text. Install one, or write .svg')
  return { title, description, table: table(data), size }
}

export const sizeText = ({ width, height, unit, dpi }: FigureSize): string => {
  if (unit !== 'pt')
    return `${Math.round(width)} × ${Math.round(height)} pixels${dpi === null ? '' : `, ${dpi} per inch`}`
  const [inches, mm] = [72, 72 / 25.4].map((points, i) =>
    [width, height].map(each => (each / points).toFixed(i === 0 ? 2 : 0)).join(' × '),
  )
  return `${mm} mm (${inches} inches)`
}
