import { type Random, random } from '../../numeric/philox.ts'
import { cellsWithin } from '../../tensor/cell-positions.ts'
import type { RowWeights } from '../../tensor/row-weights.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { clusterPlaces, type SurveyDesign } from '../errors/survey-design.ts'

/** Draws a replicate: the values of every cell of the answers. */
export type DrawReplicate = (seed: number, number: number) => Float64Array

/**
 * The rescaling bootstrap of Rao and Wu: of the n clusters of a stratum n − 1 are drawn with replacement, and the weights of those drawn are
 * multiplied by n/(n − 1). The variance over replicates is then that of Taylor linearization, if the statistic is a sum.
 * @param data with the modes of the design @param answers the same without
 */
export const drawClusters = (data: Tensor, design: SurveyDesign, answers: Tensor): DrawReplicate => {
  const { clusterOf, strata } = clusterPlaces(data, design)
  const last = strata.reduce((most, { clusters }) => clusters.reduce((a, b) => Math.max(a, b), most), 0)
  const places = cellsWithin(answers, data)
  return (seed, number) => {
    const source = random(seed, 'resample', number)
    const times = new Float64Array(last + 1)
    for (const { clusters, drawn } of strata) {
      const draws = drawnTimes(drawn, drawn - 1, source)
      clusters.forEach((cluster, i) => {
        times[cluster] = (draws[i] * drawn) / (drawn - 1)
      })
    }
    const values = new Float64Array(answers.cells)
    data.values.forEach((value, cell) => {
      if (places[cell] >= 0) values[places[cell]] += value * times[clusterOf[cell]]
    })
    return values
  }
}

/** The same if every row is a cluster of its own, and there is one stratum. */
export const drawRows = (answers: Pick<Tensor, 'cells'>, { cells, weights, counts }: RowWeights): DrawReplicate => {
  const n = counts.reduce((sum, count) => sum + count, 0)
  // The groups in one line, row by row: a row is found by its number.
  const ends = new Float64Array(counts.length)
  let end = 0
  counts.forEach((count, group) => {
    end += count
    ends[group] = end
  })
  return (seed, number) => {
    const { uniform } = random(seed, 'resample', number)
    const values = new Float64Array(answers.cells)
    for (let i = 1; i < n; i++) {
      const row = Math.floor(uniform() * n)
      let [low, high] = [0, ends.length - 1]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (ends[middle] > row) high = middle
        else low = middle + 1
      }
      values[cells[low]] += (weights[low] * n) / (n - 1)
    }
    return values
  }
}

/** How often each of `n` was drawn, of so many draws. */
const drawnTimes = (n: number, draws: number, { uniform }: Random): Float64Array => {
  const times = new Float64Array(n)
  for (let i = 0; i < draws; i++) times[Math.floor(uniform() * n)]++
  return times
}

/** Rows that were drawn, of which some may stand for several, with their clusters and strata if they were drawn in these. */
export interface DrawnUnits {
  readonly counts: ArrayLike<number>
  readonly clusters?: ArrayLike<number | string> | undefined
  readonly strata?: ArrayLike<number | string> | undefined
}

/** The same for rows by themselves, of any weight: how many observations each row stands for in a replicate. */
export const drawTimes = ({ counts, clusters, strata }: DrawnUnits): DrawReplicate => {
  const n = counts.length
  if (clusters === undefined) {
    const cells = Int32Array.from({ length: n }, (_, i) => i)
    return drawRows({ cells: n }, { cells, weights: new Float64Array(n).fill(1), counts: Float64Array.from(counts) })
  }
  const byStratum = new Map<number | string, Map<number | string, number[]>>()
  for (let i = 0; i < n; i++) {
    const own = byStratum.get(strata?.[i] ?? '') ?? new Map<number | string, number[]>()
    const rows = own.get(clusters[i]) ?? []
    rows.push(i)
    byStratum.set(strata?.[i] ?? '', own.set(clusters[i], rows))
  }
  return (seed, number) => {
    const source = random(seed, 'resample', number)
    const times = new Float64Array(n)
    for (const own of byStratum.values()) {
      const draws = drawnTimes(own.size, own.size - 1, source)
      let cluster = 0
      for (const rows of own.values()) {
        const part = (draws[cluster++] * own.size) / (own.size - 1)
        for (const i of rows) times[i] = counts[i] * part
      }
    }
    return times
  }
}
