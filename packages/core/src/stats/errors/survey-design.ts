import { DataError, OptionError, show } from '../../errors.ts'
import { checkAligned } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { modePosition, posteriorInto } from '../../model/posterior.ts'
import { knownOptions } from '../../options.ts'
import { omit } from '../../pick.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING, Mode } from '../../tensor/mode.ts'
import { occurringLabels, withoutModes } from '../../tensor/reshape.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import type { FreeParameters } from '../identification/free-parameters.ts'
import { columnScores } from './cell-scores.ts'

/** A survey design: clusters within strata. Both are modes of the data, not of the model. */
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
  const all = [...within]
    .sort(([a], [b]) => a - b)
    .flatMap(([stratum, own]) => [...own].sort((a, b) => a - b).map(cluster => ({ stratum, cluster })))
  if (new Set(clusters).size === all.length)
    return occurringLabels(tensor, h < 0 ? [design.cluster] : [design.cluster, tensor.modes[h].name])
  const [{ size }, names] = [
    tensor.modes[c],
    all.map(each => `${tensor.modes[h].label(each.stratum)} / ${tensor.modes[c].label(each.cluster)}`),
  ]
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
      throw new OptionError('sizes', 'must be whole numbers of clusters', size)
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
          ? `mode ${show(cluster)} has one cluster: its variance cannot be estimated`
          : `stratum ${show(name)} has one cluster: its variance cannot be estimated; join it with another`,
      )
  return drawn
}

/** Where the modes of a design are among those of the data. */
export interface DesignIndex {
  readonly design: SurveyDesign
  readonly cluster: number
  /** −1 where there are no strata. */
  readonly stratum: number
}

/** The names of a design's modes. */
export const designModes = (design: SurveyDesign | undefined): readonly string[] =>
  design === undefined ? [] : [design.cluster, ...(design.stratum === undefined ? [] : [design.stratum])]

/** Finds the modes of a design, and refuses one that the data does not have. */
export const indexDesign = (data: Counts, design: SurveyDesign): DesignIndex => {
  checkDesign(design)
  const positionOf = (name: string): number => {
    const n = modePosition(data.modes, name)
    if (data.missing[n]) throw missingError(name)
    return n
  }
  const cluster = positionOf(design.cluster)
  return { design, cluster, stratum: design.stratum === undefined ? -1 : positionOf(design.stratum) }
}

/** Refuses a model of other modes than the data has beside its design. */
export const checkDesignIndex = ({ modes }: Counts, model: Model, { cluster, stratum }: DesignIndex): void =>
  checkAligned(
    model,
    modes.filter((_, n) => n !== cluster && n !== stratum),
    'the data without its design',
  )

/** The data without the modes of the design. */
export const withoutDesign = (tensor: Tensor, { cluster, stratum }: DesignIndex): Tensor =>
  withoutModes(
    tensor,
    [cluster, stratum].flatMap(n => (n < 0 ? [] : [tensor.modes[n].name])),
  )

/** Adds the score of a cell, times its value, in the free parameters. */
export type AddScore = (cell: number, into: Float64Array) => void

/** The variance of a sum of scores, and what it was computed from; undefined where observations were drawn one by one. */
export interface ScoreVariance {
  readonly matrix: Float64Array
  readonly clusters: number | undefined
  readonly strata: number | undefined
}

/** The scores of a model's cells. */
export const modelScores = (
  { indices, values }: Tensor,
  { rank, shares, factors }: Parameters,
  free: FreeParameters,
  { cluster, stratum }: DesignIndex,
): AddScore => {
  const answers = indices.filter((_, n) => n !== cluster && n !== stratum)
  const own = columnScores(free, factors, rank)
  const posterior = new Float64Array(rank)
  return (cell, into) => {
    if (posteriorInto({ rank, shares, factors }, answers, cell, posterior) === Number.NEGATIVE_INFINITY) return
    for (let k = 0; k < rank; k++) {
      const part = values[cell] * posterior[k]
      own.shares[k].rows.forEach((row, i) => {
        into[row] += part * own.shares[k].scores[i]
      })
      for (let n = 0; n < answers.length; n++) {
        const j = answers[n][cell]
        if (j === MISSING) continue
        const { rows, scores } = own.modes[n][k]
        for (let i = 0; i < rows.length; i++) into[rows[i]] += part * scores[j * rows.length + i]
      }
    }
  }
}

/**
 * The variance of the sum of the scores under a design: within strata, what the sums of clusters differ from their mean, times n/(n − 1).
 * Clusters without cells have a sum of zero. Cells are gone through stratum by stratum and cluster by cluster, so that there is one sum at a
 * time, however many clusters there are.
 * @param count how many free parameters there are
 */
export const designVariance = (
  { indices, cells, modes }: Pick<Tensor, 'indices' | 'cells' | 'modes'>,
  count: number,
  addScore: AddScore,
  designIndex: DesignIndex,
): ScoreVariance => {
  const { drawn, ...places } = omit(placesOf({ indices, cells, modes }, designIndex), 'within')
  const drawnFrom = (h: number) => drawn.get(stratumName(modes[designIndex.stratum], h)) as number
  return {
    matrix: clusterVariance({ ...places, drawnFrom }, count, addScore),
    clusters: [...drawn.values()].reduce((all, n) => all + n, 0),
    strata: drawn.size,
  }
}

/** The cluster of every cell, and for every stratum its clusters and how many were drawn from it, also those without cells. */
export const clusterPlaces = (
  data: Tensor,
  design: SurveyDesign,
): {
  readonly clusterOf: Int32Array
  readonly strata: readonly { readonly clusters: readonly number[]; readonly drawn: number }[]
} => {
  const designIndex = indexDesign(data, design)
  const { clusterOf, within, drawn } = placesOf(data, designIndex)
  const clusters = new Map<number, number[]>()
  within.forEach((h, c) => {
    if (h >= 0) clusters.set(h, [...(clusters.get(h) ?? []), c])
  })
  const strata = [...clusters].sort(([a], [b]) => a - b)
  return {
    clusterOf,
    strata: strata.map(([h, own]) => ({
      clusters: own,
      drawn: drawn.get(stratumName(data.modes[designIndex.stratum], h)) as number,
    })),
  }
}

/** A design with the numbers of clusters that were drawn, so that parts of the data may lack some of them. */
export const withSizes = (data: Tensor, design: SurveyDesign): SurveyDesign => {
  const { drawn } = placesOf(data, indexDesign(data, design))
  return { ...design, sizes: design.stratum === undefined ? (drawn.get('') as number) : Object.fromEntries(drawn) }
}

/** The cells by their clusters, the stratum of every cluster (−1 if it has no cells), and how many clusters were drawn from each. */
const placesOf = (
  { indices, cells, modes }: Pick<Tensor, 'indices' | 'cells' | 'modes'>,
  { design, cluster, stratum }: DesignIndex,
) => {
  const clusterOf = indices[cluster]
  const stratumOf = stratum < 0 ? new Int32Array(cells) : indices[stratum]
  const order = inClusters(clusterOf, stratumOf, modes[cluster].size)
  const found = new Map<string, number>()
  const within = new Int32Array(modes[cluster].size).fill(-1)
  for (const cell of order) {
    const [c, h] = [clusterOf[cell], stratumOf[cell]]
    if (within[c] >= 0 && within[c] !== h) {
      const [one, other] = [within[c], h].map(each => show(modes[stratum].label(each)))
      throw new DataError(
        `a cluster must be in one stratum, and ${show(modes[cluster].label(c))} is in ${one} and ${other}: give clusters names of their own, as prepareDesign does`,
      )
    }
    if (within[c] >= 0) continue
    within[c] = h
    const name = stratumName(modes[stratum], h)
    found.set(name, (found.get(name) ?? 0) + 1)
  }
  return { clusterOf, stratumOf, order, within, drawn: clustersDrawn(design, found) }
}

/** The clusters and strata of what scores are added up of: cells, or rows. */
export interface InClusters {
  readonly clusterOf: Int32Array
  readonly stratumOf: Int32Array
  /** How many clusters were drawn from a stratum, also those that have none of it. */
  readonly drawnFrom: (stratum: number) => number
  /** All of it by stratum, and within these by cluster. */
  readonly order: Int32Array
}

/** The variance of a sum over clusters that were drawn within strata. One sum is kept at a time. */
export const clusterVariance = (
  { clusterOf, stratumOf, drawnFrom, order }: InClusters,
  count: number,
  addScore: AddScore,
): Float64Array => {
  const cells = order.length
  const matrix = new Float64Array(count * count)
  const [mean, sum] = [new Float64Array(count), new Float64Array(count)]
  for (let from = 0; from < cells; ) {
    const h = stratumOf[order[from]]
    let to = from
    mean.fill(0)
    while (to < cells && stratumOf[order[to]] === h) addScore(order[to++], mean)
    const n = drawnFrom(h)
    for (let i = 0; i < count; i++) mean[i] /= n
    let clusters = 0
    for (let at = from; at < to; clusters++) {
      const c = clusterOf[order[at]]
      for (let i = 0; i < count; i++) sum[i] = -mean[i]
      while (at < to && clusterOf[order[at]] === c) addScore(order[at++], sum)
      addOuter(matrix, sum, n / (n - 1))
    }
    addOuter(matrix, mean, ((n - clusters) * n) / (n - 1))
    from = to
  }
  return matrix
}

/** Cells, or rows, in the order of their strata, and within these of their clusters. */
export const inClusters = (clusterOf: Int32Array, stratumOf: Int32Array, clusters: number): Int32Array => {
  const keys = Float64Array.from(clusterOf, (c, cell) => (stratumOf[cell] * clusters + c) * clusterOf.length + cell)
  return Int32Array.from(keys.sort(), key => key % clusterOf.length)
}

const addOuter = (matrix: Float64Array, vector: Float64Array, times: number): void => {
  const n = vector.length
  for (let i = 0; i < n; i++) {
    const part = times * vector[i]
    if (part !== 0) for (let j = 0; j < n; j++) matrix[i * n + j] += part * vector[j]
  }
}
