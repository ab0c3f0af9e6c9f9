import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Tensor, tensorFromCoordinates } from '../../packages/core/dist/index.js'

/** Published tables, small enough to be written out: patterns of category codes with their counts. */
const patterns = (text: string, shape: number[]): Tensor => {
  const entries = text
    .trim()
    .split(/\s+/)
    .map(entry => entry.split(':'))
  const cells = entries.map(([codes]) => [...codes].map(code => Number(code) - 1))
  return tensorFromCoordinates(cells, entries.map(([, count]) => Number(count)), { shape }) // biome-ignore format: one call
}

export const carcinoma = patterns(
  `1111111:34 1111211:2 1211111:6 1211112:1 1211211:4 1211212:5 2111111:2 2121212:1 2211111:2 2211112:1
   2211211:2 2211212:7 2211222:1 2212112:1 2212212:2 2212222:3 2221212:13 2221222:5 2222212:10 2222222:16`,
  [2, 2, 2, 2, 2, 2, 2],
)

export const values = patterns(
  `1111:20 1112:2 1121:9 1122:2 1211:6 1212:1 1221:4 1222:1 2111:38 2112:7 2121:24 2122:6 2211:25 2212:6 2221:23 2222:42`,
  [2, 2, 2, 2],
)

export const gss82 = patterns(
  `1111:419 1112:35 1113:2 1121:71 1122:25 1123:5 1211:270 1212:25 1213:4 1221:42 1222:16 1223:5
   2111:23 2112:4 2113:1 2121:6 2122:2 2211:43 2212:9 2213:2 2221:9 2222:3 2223:2
   3111:26 3112:3 3121:1 3122:2 3211:85 3212:23 3213:6 3221:13 3222:12 3223:8`,
  [3, 2, 2, 3],
)

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The irises in steps of 0.1 cm, as in the paper. */
export const iris = (): Tensor => {
  const ranges = [[43, 79], [20, 44], [10, 69], [1, 25]] // biome-ignore format: a table
  const lines = readFileSync(join(root, 'packages/polyad/data/iris.csv'), 'utf8').trim().split(/\r?\n/).slice(1) // biome-ignore format: one chain
  const cells = lines.map(line =>
    line
      .split(',')
      .slice(0, 4)
      .map((text, n) => Math.round(Number(text) * 10) - ranges[n][0]),
  )
  return tensorFromCoordinates(cells, undefined, { shape: ranges.map(([from, to]) => to - from + 1) })
}

/** A FROSTT file from the folder of data beside this project, or the one POLYAD_DATA names; undefined without it. */
export const frostt = (name: string): Tensor | undefined => {
  const path = join(process.env.POLYAD_DATA ?? join(root, '../shared/data'), name)
  if (!existsSync(path)) return undefined
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const cells = rows.map(row => row.slice(0, -1).map(index => index - 1))
  return tensorFromCoordinates(cells, rows.map(row => row[row.length - 1])) // biome-ignore format: one call
}
