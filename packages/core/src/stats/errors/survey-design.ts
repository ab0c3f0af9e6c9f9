import type { Information } from '../../engine/engine.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import { checkAligned } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { modePosition } from '../../model/posterior.ts'
import { knownOptions } from '../../options.ts'
import { buildTensor } from '../../tensor/build.ts'
import { Mode } from '../../tensor/mode.ts'
import { occurringLabels } from '../../tensor/reshape.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'

/** How a sample was drawn: whole clusters, within strata. Both are modes of the data that the model does not have. */
export interface SurveyDesign {
  /** The mode that says which cluster (primary sampling unit) an observation is from. */
  readonly cluster: string
  /** The mode that says which stratum its cluster is from. Default: all are from one. */
  readonly stratum?: string
  /**
   * How many clusters were drawn from each stratum (`{ north: 8, south: 9 }`), or in all if there are no strata. Default: those that
   * the data has cells of. Clusters whose rows all have weight zero have no cells but are part of the sample: a reader that is
   * told the design counts them.
   */
  readonly sizes?: number | Readonly<Record<string, number>>
}

/**
 * Checks a design before a model is fitted: every observation needs its cluster and stratum, and every stratum at least two clusters.
 * Many surveys number clusters anew within each stratum. If a label is in several strata, its clusters are renamed to `stratum / cluster`.
 * Labels of both modes that no cell has are left out.
 * @example
 * prepareDesign(answers, { cluster: 'trust', stratum: 'vote' }).shape // [2, 2, 6]: three clusters in each of two strata
 */
export const prepareDesign = (tensor: Tensor, design: SurveyDesign): Tensor => {
  checkDesign(design)
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
  clustersDrawn(design, new Map([...within].map(([stratum, own]) => [stratumName(tensor.modes[h], stratum), own.size])))
  const all = [...within].sort(([a], [b]) => a - b).flatMap(([stratum, own]) => [...own].sort((a, b) => a - b).map(cluster => ({ stratum, cluster }))) // biome-ignore format: one chain
  if (new Set(clusters).size === all.length)
    return occurringLabels(tensor, h < 0 ? [design.cluster] : [design.cluster, tensor.modes[h].name])
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

const checkDesign = (design: SurveyDesign): void => {
  knownOptions('design', design, ['cluster', 'stratum', 'sizes'])
  const { stratum, sizes } = design
  if (sizes === undefined) return
  if (sizes === null || (typeof sizes === 'number') !== (stratum === undefined))
    throw new OptionError(
      stratum === undefined
        ? `sizes must be the number of clusters, because the design has no strata (got ${show(sizes)})`
        : `sizes must give the number of clusters of every stratum (got ${show(sizes)})`,
    )
  for (const size of typeof sizes === 'number' ? [sizes] : Object.values(sizes))
    if (!(Number.isInteger(size) && size >= 0))
      throw new OptionError(`sizes must be whole numbers of clusters (got ${show(size)})`)
}

/** What a stratum is called; without strata there is one without a name. */
const stratumName = (stratum: Mode | undefined, h: number): string =>
  stratum === undefined ? '' : `${stratum.label(h)}`

/**
 * How many clusters were drawn from each stratum, by its name. Refuses strata with one cluster, and fewer clusters than the data has.
 * @param found how many the data has
 */
const clustersDrawn = (
  { cluster, stratum, sizes }: SurveyDesign,
  found: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> => {
  const drawn = new Map(found)
  if (sizes !== undefined) {
    const given = new Map(typeof sizes === 'number' ? [['', sizes]] : Object.entries(sizes))
    for (const [name, size] of given) if (size > 0 && !found.has(name)) drawn.set(name, size)
    for (const [name, count] of found) {
      const size = given.get(name) ?? 0
      if (size < count)
        throw new OptionError(
          `sizes is ${size}${stratum === undefined ? '' : ` for stratum ${show(name)}`}, fewer than the clusters in the data (${count})`,
        )
      drawn.set(name, size)
    }
  }
  for (const [name, size] of drawn)
    if (size === 1)
      throw new DataError(
        stratum === undefined
          ? `mode ${show(cluster)} has one cluster: its variance cannot be seen`
          : `stratum ${show(name)} has one cluster: its variance cannot be seen; join it with another`,
      )
  return drawn
}

/**
 * Where the modes of a model and of a design are among those of the data. To the engine the modes of the design are ones of the model
 * in which every class gives 1 to every label: posteriors are the same, and the information then has the scores of the
 * model by cluster, since posteriors sum to 1.
 */
export interface Placing {
  readonly parameters: Parameters
  /** The rows of the data's information that are the model's. */
  readonly rows: readonly number[]
  readonly design: SurveyDesign
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
  checkDesign(design)
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
  return { parameters: { rank, shares, factors }, rows, design, cluster, stratum }
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

/** The scores of a cluster, in the logarithms of the model's parameters, and the name of its stratum. */
export interface ClusterScore {
  readonly score: Float64Array
  readonly stratum: string
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
    // Whether a cluster without cells was drawn is for the sizes of the design to say.
    if (!has(row, 0)) continue
    const strata = stratum === undefined ? [0] : [...Array(stratum.mode.size).keys()].filter(h => has(row, stratum.first + h)) // biome-ignore format: one choice
    if (strata.length > 1) {
      const [one, other] = strata.map(h => show(stratum!.mode.label(h)))
      throw new DataError(
        `a cluster must be in one stratum, and ${show(cluster.mode.label(c))} is in ${one} and ${other}: give clusters names of their own, as prepareDesign does`,
      )
    }
    scores.push({ score: Float64Array.from(rows.flatMap(b => Array.from({ length: rank }, (_, l) => mass(row, b, l)))), stratum: stratumName(stratum?.mode, strata[0]) }) // biome-ignore format: one object
  }
  return scores
}

/**
 * The variance of the sum of the scores under the design: within strata, what clusters differ from their mean, times n/(n − 1). Clusters
 * without cells have a score of zero.
 * @param scores in the free parameters
 */
export const betweenClusters = (scores: readonly ClusterScore[], count: number, { design }: Placing) => {
  const matrix = new Float64Array(count * count)
  const found = new Map<string, number>()
  for (const { stratum } of scores) found.set(stratum, (found.get(stratum) ?? 0) + 1)
  const drawn = clustersDrawn(design, found)
  let clusters = 0
  for (const [name, n] of drawn) {
    const own = scores.filter(({ stratum }) => stratum === name)
    const mean = new Float64Array(count)
    for (const { score } of own) for (let i = 0; i < count; i++) mean[i] += score[i] / n
    const add = (deviation: Float64Array, times: number) => {
      for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++) matrix[i * count + j] += (deviation[i] * deviation[j] * times * n) / (n - 1)
    }
    for (const { score } of own) add(score.map((each, i) => each - mean[i]), 1) // biome-ignore format: one call
    add(mean, n - own.length)
    clusters += n
  }
  return { matrix, clusters, strata: drawn.size }
}
