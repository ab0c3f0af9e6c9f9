import type { Random } from '../../packages/core/dist/entries/numeric.js'

/**
 * Samples in which two groups have the same classes: likelihood ratios between groups are to reject as often as they say, although rows
 * have weights that depend on the class, or come in clusters that differ in the sizes of classes and in the answers to one question.
 */

export interface SampledRow {
  readonly q1: string
  readonly q2: string
  readonly q3: string
  readonly q4: string
  readonly group: string
  /** With clusters. */
  readonly cluster?: string
  readonly stratum?: string
  /** Divided by the mean. */
  readonly weight: number
}

/** P[yes] of every question, in each class. */
const ITEMS = [[0.85, 0.2], [0.8, 0.25], [0.75, 0.2], [0.8, 0.3]] as const // biome-ignore format: a table
const SECOND = 0.4

const logit = (p: number) => Math.log(p / (1 - p))
const chance = (x: number) => 1 / (1 + Math.exp(-x))

/** A standard normal number, by Box and Muller. */
const normal = ({ uniform }: Random) => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())

const answersOf = ({ uniform }: Random, k: number, shift: number) => {
  const [q1, q2, q3, q4] = ITEMS.map((yes, n) =>
    uniform() < chance(logit(yes[k]) + (n === 3 ? shift : 0)) ? 'yes' : 'no',
  )
  return { q1, q2, q3, q4 }
}

/** 800 rows, whose weights are larger in the second class. */
const weightedRows = (source: Random): SampledRow[] => {
  const { uniform, below } = source
  const rows = Array.from({ length: 800 }, () => {
    const k = uniform() < SECOND ? 1 : 0
    const weight = [0.4, 1, 2, 4][Math.min(3, Math.floor(uniform() * 3) + k)]
    return { ...answersOf(source, k, 0), group: `g${below(2)}`, weight }
  })
  const mean = rows.reduce((sum, { weight }) => sum + weight, 0) / rows.length
  return rows.map(row => ({ ...row, weight: row.weight / mean }))
}

/** 40 clusters of 20 rows, in two strata: of one group each, or of both. */
const clusteredRows = (source: Random, within: boolean): SampledRow[] => {
  const { uniform, below } = source
  return Array.from({ length: 40 }, (_, c) => {
    const second = chance(logit(SECOND) + 0.8 * normal(source))
    const shift = 0.7 * normal(source)
    return Array.from({ length: 20 }, () => ({
      ...answersOf(source, uniform() < second ? 1 : 0, shift),
      group: `g${within ? below(2) : c % 2}`,
      cluster: `c${c}`,
      stratum: c < 20 ? 'north' : 'south',
      weight: 1,
    }))
  }).flat()
}

export const SAMPLES: Readonly<Record<string, (source: Random) => readonly SampledRow[]>> = {
  'weights that depend on the class': weightedRows,
  'clusters in two strata, of one group each': source => clusteredRows(source, false),
  'clusters in two strata, of both groups': source => clusteredRows(source, true),
}

/** The rows with a count: the weight, or its square. */
export const countedRows = (rows: readonly SampledRow[], count: (weight: number) => number) =>
  rows.map(({ weight, ...row }) => ({ ...row, n: count(weight) }))
