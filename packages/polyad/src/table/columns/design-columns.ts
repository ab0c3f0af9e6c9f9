import { advise, mention, type Sentence, type Wording, words } from '@polyad/core/options'
import { firstOf, joined, listed, type Note, warning } from '../values/note.ts'
import { type Column, proposedCut } from './columns.ts'

/** Columns that say how a sample was drawn are no variables: they are told by their names, and proposed for what they are. */

/** What columns of sampling weights are called: wt, weight, pspwght, dweight, finalwt, w_fstuwt, wtmec2yr, … */
const SAMPLING =
  /^w$|^(a|an|b|base|comb|d|des(ign)?|f|fin(al)?|h|hh|house(hold)?|int|n|nat|nr|p|per(s(on)?)?|post|ps|psp|r|s|samp(le|ling)?|stu(d(ent)?)?|surv(ey)?|svy|t|tot|w_?fstu|x)?_?(wts?|wgh?ts?|weights?|weighting|gewichte?)(_?(\d{1,4}|final|fin|base|psp?|all))?$|^wt(ss|int|mec|saf|ph)\w*$/i

/** What columns of clusters and strata are hardly called otherwise. */
const CLUSTERS = /^(v?psu|psu_?(id|no|nr)|sdmvpsu|secu|cluster_?(id|no|nr))$/i
const STRATA = /^(strat(um|a)|v?strat|sdmvstra|strat(um|a)?_?(id|no|nr))$/i

/** The beginning of names of replicate weights, which end in numbers: repwt1, repwt2, … */
const REPLICATES =
  /^(rw|rwt|repw|repwt|repwgt|rep_?weights?|replicate_?weights?|pwgtp|wgtp|brr|brrwt|fay|fayrep|jk|jkw|jkwt|bsw|bootw|boot_?w(gh?)?ts?|w_?fst(u)?r(wt)?|wtrep|wrep|wtmrep|earnwtrep|perwtrep)_?$/i

/** So many columns with numbers are a family. */
const FEWEST_REPLICATES = 4

export const looksLikeWeights = ({ name }: Pick<Column, 'name'>): boolean => SAMPLING.test(name)

/** A family of replicate weights, and the pattern that names it. */
export interface ReplicateFamily {
  readonly pattern: string
  readonly columns: readonly Column[]
}

/** Families of columns that are named as replicate weights are: one beginning, and numbers. */
export const replicateFamilies = (columns: readonly Column[]): readonly ReplicateFamily[] => {
  const families = new Map<string, Column[]>()
  for (const column of columns) {
    const [, beginning] = /^(.*?)\d+$/.exec(column.name) ?? []
    if (beginning === undefined || !REPLICATES.test(beginning) || !isNumber(column)) continue
    families.set(beginning, [...(families.get(beginning) ?? []), column])
  }
  return [...families]
    .filter(([, own]) => own.length >= FEWEST_REPLICATES)
    .map(([beginning, own]) => ({ pattern: `${beginning}*`, columns: own }))
}

const isNumber = ({ kind, numeric }: Column): boolean => (kind === 'number' || kind === 'text') && numeric > 0.5

/** A column that is left aside, and why. */
export interface SetAside {
  readonly column: Column
  readonly reason: Sentence
  /** What it looks like, if that is a part of the design. */
  readonly as?: 'cluster' | 'strata'
}

/** What is already said of the sample. */
export interface KnownSample {
  /** Columns that are wanted for something else. */
  readonly claimed: readonly Column[]
  /** Whether it is said how rows count. */
  readonly counted: boolean
  /** Whether clusters or replicate weights are named. */
  readonly designed: boolean
}

export interface ProposedDesign {
  readonly aside: readonly SetAside[]
  readonly notes: readonly Note[]
  /** The column to weight by, where nothing says how rows count. */
  readonly weight?: Column
}

/** The columns that look like the design of a sample, which are no variables, and the note that proposes them. */
export const proposedDesign = (
  columns: readonly Column[],
  { claimed, counted, designed }: KnownSample,
): ProposedDesign => {
  const free = columns.filter(column => !claimed.includes(column))
  const families = replicateFamilies(free)
  const replicates = families.flatMap(family => family.columns)
  const weights = free.filter(column => looksLikeWeights(column) && isNumber(column) && !replicates.includes(column))
  const [clusters, strata] = [CLUSTERS, STRATA].map(names =>
    free.filter(({ name, kind }) => names.test(name) && kind !== 'nested' && kind !== 'empty'),
  )
  const aside = [
    ...weights.map(column => ({ column, reason: words`it looks like sampling weights: ${asWeights(column)}` })),
    ...families.flatMap(({ pattern, columns: own }) =>
      own.map(column => ({
        column,
        reason: words`it looks like a replicate weight: ${advise('use', 'replicateWeights', pattern)}`,
      })),
    ),
    ...clusters.map(column => ({
      column,
      reason: words`it looks like clusters of the sample: ${advise('use', 'cluster', column.name)}`,
      as: 'cluster' as const,
    })),
    ...strata.map(column => ({
      column,
      reason: words`it looks like strata of the sample: ${advise('use', 'strata', column.name)}`,
      as: 'strata' as const,
    })),
  ]
  const offers: Sentence[] = [
    ...(counted || weights.length === 0 ? [] : [weightsOffer(weights)]),
    ...(designed
      ? []
      : families.map(
          ({ pattern, columns: own }) =>
            words`${firstOf(
              own.map(({ name }) => listed(name)),
              2,
            )} look like replicate weights: ${advise('use', 'replicateWeights', pattern)}`,
        )),
    ...(designed || clusters.length === 0 ? [] : [clustersOffer(clusters[0], strata[0])]),
    ...(designed || clusters.length > 0 ? [] : strata.slice(0, 1).map(strataOffer)),
  ]
  return {
    aside,
    notes: offers.map(text => warning('filtered-design', text)),
    ...(!counted && weights.length > 0 && { weight: preferred(weights) }),
  }
}

const asWeights = ({ name }: Column): Wording =>
  words`${advise('use', 'weights', name)}, or ${advise('if it says how often a row was seen,', 'count', name)}`

/** The weight to analyze people by, if there are several: one after poststratification, or the final one. */
const preferred = (weights: readonly Column[]): Column =>
  weights.find(({ name }) => /^(psp|ps|fin|an|w_?fstu)|final/i.test(name)) ?? weights[0]

const weightsOffer = (weights: readonly Column[]): Wording => {
  const named = firstOf(
    weights.map(({ name }) => listed(name)),
    4,
  )
  const [looks, like] =
    weights.length === 1
      ? ['looks', asWeights(weights[0])]
      : ['look', words`${advise('use one of them, as in', 'weights', preferred(weights).name)}`]
  const [first] = weights
  const cut = proposedCut(first)
  const otherwise =
    cut === undefined
      ? advise('To use it as a variable, name it with', 'modes')
      : advise('To use it as a variable, cut it with', 'bins', `${first.name}:${cut}`)
  return words`${named} ${looks} like sampling weights: ${like}; until then every row counts once. ${otherwise}`
}

const clustersOffer = (cluster: Column, stratum: Column | undefined): Wording =>
  joined(
    [
      words`${listed(cluster.name)} looks like clusters of the sample: ${advise('use', 'cluster', cluster.name)}`,
      ...(stratum === undefined ? [] : [advise('with', 'strata', stratum.name)]),
    ],
    ' ',
  )

const strataOffer = ({ name }: Column): Wording =>
  words`${listed(name)} looks like strata of the sample: ${advise('use', 'strata', name)} with ${mention('cluster')}`
