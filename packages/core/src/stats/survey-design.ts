import type { Information } from '../engine/engine.ts'
import { DataError, OptionError, show } from '../errors.ts'
import { checkAligned } from '../model/align.ts'
import type { Model } from '../model/model.ts'
import type { Parameters } from '../model/parameters.ts'
import { modePosition } from '../model/posterior.ts'
import { knownOptions } from '../options.ts'
import { buildTensor } from '../tensor/build.ts'
import { Mode } from '../tensor/mode.ts'
import type { Counts, Tensor } from '../tensor/tensor.ts'

/** How a sample was drawn: whole clusters, within strata. Both are modes of the data that the model does not have. */
export interface SurveyDesign {
  /** The mode that says which cluster (primary sampling unit) an observation is from. */
  readonly cluster: string
  /** The mode that says which stratum its cluster is from. Default: all are from one. */
  readonly stratum?: string
}

/**
 * Data whose design can be used, found out before a model is fitted to it: every observation has its cluster and stratum, and every
 * stratum at least two clusters. Clusters are numbered anew within each stratum by many surveys: where a label is in several strata, the
 * clusters get names of their own, `stratum / cluster`.
 * @example
 * prepareDesign(answers, { cluster: 'trust', stratum: 'vote' }).shape // [2, 2, 6]: three clusters in each of two strata
 */
export const prepareDesign = (tensor: Tensor, design: SurveyDesign): Tensor => {
  knownOptions('design', design, ['cluster', 'stratum'])
  const [c, h] = [design.cluster, design.stratum].map(name => {
    if (name === undefined) return -1
    const n = modePosition(tensor.modes, name)
    if (tensor.missing[n]) throw missingError(name)
    return n
  })
  if (c === h)
    throw new OptionError(`the cluster and the stratum must be different modes (got ${show(design.cluster)})`)
  const [clusters, strata] = [tensor.indices[c], h < 0 ? new Int32Array(tensor.cells) : tensor.indices[h]]
  const within = new Map<number, Set<number>>()
  clusters.forEach((cluster, cell) => {
    within.set(strata[cell], (within.get(strata[cell]) ?? new Set()).add(cluster))
  })
  for (const [stratum, own] of within) if (own.size === 1) throw loneError(tensor.modes[c], tensor.modes[h], stratum)
  const all = [...within].sort(([a], [b]) => a - b).flatMap(([stratum, own]) => [...own].sort((a, b) => a - b).map(cluster => ({ stratum, cluster }))) // biome-ignore format: one chain
  if (new Set(clusters).size === all.length) return tensor
  const [{ size }, names] = [tensor.modes[c], all.map(each => `${tensor.modes[h].label(each.stratum)} / ${tensor.modes[c].label(each.cluster)}`)] // biome-ignore format: two
  const place = new Map(all.map(({ stratum, cluster }, i) => [stratum * size + cluster, i]))
  return buildTensor(
    tensor.modes.map((mode, n) => (n === c ? new Mode(mode.name, names) : mode)),
    tensor.indices.map((column, n) =>
      n === c ? column.map((cluster, cell) => place.get(strata[cell] * size + cluster)!) : column,
    ),
    tensor.values,
  )
}

const missingError = (name: string): DataError =>
  new DataError(`mode ${show(name)} is missing in some cells: every one needs its ${name}`)

const loneError = (cluster: Mode, stratum: Mode | undefined, h: number): DataError =>
  new DataError(
    stratum === undefined
      ? `mode ${show(cluster.name)} has one cluster: its variance cannot be seen`
      : `stratum ${show(stratum.label(h))} has one cluster: its variance cannot be seen; join it with another`,
  )

/**
 * Where the modes of a model and of a design are among those of the data. To the engine the modes of the design are ones of the model
 * in which every class gives 1 to every label: posteriors are the same, and the information then has the scores of the
 * model by cluster, since posteriors sum to 1.
 */
export interface Placing {
  readonly parameters: Parameters
  /** The rows of the data's information that are the model's. */
  readonly rows: readonly number[]
  readonly cluster: Rows
  readonly stratum: Rows | undefined
}

/** The labels of a mode, as rows. */
interface Rows {
  readonly mode: Mode
  readonly first: number
}

/** Finds the modes, and refuses a design that the data does not have, or a model of other modes. */
export const placeDesign = (data: Counts, model: Model, design: SurveyDesign): Placing => {
  knownOptions('design', design, ['cluster', 'stratum'])
  const { modes, shape } = data
  const rowsOf = (name: string): Rows => {
    const n = modePosition(modes, name)
    if (data.missing[n]) throw missingError(name)
    return { mode: modes[n], first: shape.slice(0, n).reduce((sum, size) => sum + size, 1) }
  }
  const cluster = rowsOf(design.cluster)
  const stratum = design.stratum === undefined ? undefined : rowsOf(design.stratum)
  const isDesign = (mode: Mode) => mode === cluster.mode || mode === stratum?.mode
  const used = modes.filter(mode => !isDesign(mode))
  checkAligned(model, used, 'the data without its design')
  const { rank, shares } = model.parameters
  let next = 0
  const factors = modes.map(mode =>
    isDesign(mode) ? new Float64Array(mode.size * rank).fill(1) : model.parameters.factors[next++],
  )
  const rows = [0]
  let offset = 1
  for (const mode of modes) {
    if (!isDesign(mode)) for (let j = 0; j < mode.size; j++) rows.push(offset + j)
    offset += mode.size
  }
  return { parameters: { rank, shares, factors }, rows, cluster, stratum }
}

/** The information about the model alone. */
export const modelInformation = (
  { rank, rows: all, outer, impossible }: Information,
  { rows }: Placing,
): Information => {
  const [size, width] = [rows.length * rank, all * rank]
  const own = new Float64Array(size * size)
  rows.forEach((a, i) => {
    rows.forEach((b, j) => {
      for (let k = 0; k < rank; k++) {
        const from = (a * rank + k) * width + b * rank
        own.set(outer.subarray(from, from + rank), (i * rank + k) * size + j * rank)
      }
    })
  })
  return { rank, rows: rows.length, outer: own, impossible }
}

/** The scores of a cluster, in the logarithms of the model's parameters, and its stratum. */
export interface ClusterScore {
  readonly score: Float64Array
  readonly stratum: number
}

export const clusterScores = (information: Information, { rows, cluster, stratum }: Placing): ClusterScore[] => {
  const { rank, rows: all, outer } = information
  /** Σ y·Ψ_l over the cells that have a and b. */
  const mass = (a: number, b: number, l: number): number => {
    let sum = 0
    for (let k = 0; k < rank; k++) sum += outer[(a * rank + k) * all * rank + b * rank + l]
    return sum
  }
  const has = (a: number, b: number) => Array.from({ length: rank }, (_, l) => mass(a, b, l)).some(each => each > 0)
  const scores: ClusterScore[] = []
  for (let c = 0; c < cluster.mode.size; c++) {
    const row = cluster.first + c
    // A label that no cell has is no cluster that was drawn.
    if (!has(row, 0)) continue
    const strata = stratum === undefined ? [0] : [...Array(stratum.mode.size).keys()].filter(h => has(row, stratum.first + h)) // biome-ignore format: one choice
    if (strata.length > 1) {
      const [one, other] = strata.map(h => show(stratum!.mode.label(h)))
      throw new DataError(
        `a cluster must be in one stratum, and ${show(cluster.mode.label(c))} is in ${one} and ${other}: give clusters names of their own, as prepareDesign does`,
      )
    }
    scores.push({ score: Float64Array.from(rows.flatMap(b => Array.from({ length: rank }, (_, l) => mass(row, b, l)))), stratum: strata[0] }) // biome-ignore format: one object
  }
  return scores
}

/**
 * The variance of the sum of the scores under the design: within strata, what clusters differ from their mean, times n/(n − 1).
 * @param scores in the free parameters
 */
export const betweenClusters = (scores: readonly ClusterScore[], count: number, { stratum, cluster }: Placing) => {
  const matrix = new Float64Array(count * count)
  const strata = [...new Set(scores.map(each => each.stratum))]
  for (const h of strata) {
    const own = scores.filter(each => each.stratum === h)
    if (own.length === 1) throw loneError(cluster.mode, stratum?.mode, h)
    const mean = new Float64Array(count)
    for (const { score } of own) for (let i = 0; i < count; i++) mean[i] += score[i] / own.length
    for (const { score } of own) {
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) {
          matrix[i * count + j] += ((score[i] - mean[i]) * (score[j] - mean[j]) * own.length) / (own.length - 1)
        }
      }
    }
  }
  return { matrix, clusters: scores.length, strata: strata.length }
}
