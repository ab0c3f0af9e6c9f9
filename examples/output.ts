import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { framedChart, plainDocument, svgFile } from '@polyad/charts'

/** The folder that an example writes to: the one named on the command line, else the example's own. */
export const outputFolder = (name: string): ((file: string) => string) => {
  const folder = process.argv[2] ?? fileURLToPath(new URL(`../${name}`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  return file => join(folder, file)
}

/** Rows as a CSV file. Values have no commas and no quotes; missing values are empty. */
export const writeCsv = (
  file: string,
  rows: readonly Readonly<Record<string, string | number | undefined>>[],
): void => {
  const columns = Object.keys(rows[0])
  const lines = [columns, ...rows.map(row => columns.map(column => row[column] ?? ''))]
  writeFileSync(file, `${lines.map(fields => fields.join(',')).join('\n')}\n`)
}

/** A chart with a title and a source line, as an SVG file. */
export const writeChart = (
  file: string,
  title: string,
  source: string,
  draw: (options: { readonly document: Document; readonly width: number }) => SVGSVGElement,
): void => {
  const document = plainDocument()
  writeFileSync(file, svgFile(framedChart(document, { width: 760, title, source }, width => draw({ document, width }))))
}

export const percent = (part: number): string => `${(100 * part).toFixed(1)}%`
