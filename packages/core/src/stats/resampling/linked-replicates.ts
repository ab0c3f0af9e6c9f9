import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { OptionError } from '../../errors.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import type { Refit, ReplicateResult } from '../../fit/search/replicate.ts'
import { ChainLinks } from '../../model/links/chain.ts'
import { type Links, normalizePart } from '../../model/links/links.ts'
import { mergeUnits } from '../../model/links/merge-units.ts'
import type { Model } from '../../model/model.ts'
import { pairing } from '../../model/pairing.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { isLinked } from '../../model/structures/linked.ts'
import { assign } from '../../numeric/assignment.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import { tablesOf } from '../model-data/linked-structure.ts'
import type { PlacedLinks } from '../model-data/placed-links.ts'
import { parametersOf, type RefitOptions, replicateStopping } from './replicates.ts'
import { type Spread, spreadOver } from './spreads.ts'

/** The parameters of a model of linked rows, with the tables of its links. */
export const linkedParametersOf = (model: Model, data: Pick<LinkedData, 'effects'>): ModelParameters => {
  if (!isLinked(model.structure)) throw new OptionError('model', 'must be of linked rows', model.structure.kind)
  return { ...parametersOf(model), tables: tablesOf(model.structure, data) }
}

/** How a model of linked rows is fitted again. @param starts besides the model itself */
export const linkedRefit = (
  session: Session,
  { data, items, rank }: PlacedLinks,
  model: Model,
  starts: number,
  { seed, pseudoCounts }: Pick<RefitOptions, 'seed' | 'pseudoCounts'>,
): Refit => {
  const { task } = checkedFit(data.items, { rank, ...defined({ seed, pseudoCounts }) })
  const kinds = items.some(item => item !== undefined) ? items : undefined
  return {
    setting: {
      ...task,
      algorithm: 'accelerated',
      links: mergeUnits(data.links),
      ...defined({ items: kinds?.map(item => item && { spec: item.spec, labels: item.labels }) }),
    },
    from: linkedParametersOf(model, data),
    starts,
    stopping: replicateStopping(session, rank),
  }
}

/** Standard errors and intervals of the tables of a model of linked rows. */
export type LinkedSpreads =
  | {
      readonly kind: 'chain'
      readonly initial: readonly Spread[]
      /** For every step, or once for all: a row for each class left. */
      readonly transitions: readonly (readonly (readonly Spread[])[])[]
    }
  | {
      readonly kind: 'nested'
      readonly groupSizes: readonly Spread[]
      readonly mixes: readonly (readonly Spread[])[]
    }

/** How the tables vary, with the classes of each replicate in the order of the model's. */
export const linkedSpreads = (
  { links, tables: whole }: PlacedLinks,
  { parameters, rank, structure }: Model,
  results: readonly ReplicateResult[],
  confidence: number,
): LinkedSpreads => {
  // With covariates it is the means that are shown.
  const tables = meanTables(links, whole)
  const all = results.map(({ fits: [fit] }) => {
    const own = meanTables(links, links.reorder(fit.parameters.tables!, pairing(parameters, fit.parameters)))
    return structure.kind === 'nested' ? groupsInOrder(tables, own, structure.groupSizes.length, rank) : own
  })
  const spread = spreadOver(all.length, confidence)
  const row = (from: number, length: number) => Array.from({ length }, (_, i) => spread(r => all[r][from + i]))
  const rows = (from: number) => Array.from({ length: rank }, (_, k) => row(from + k * rank, rank))
  if (structure.kind === 'nested') {
    const groups = structure.groupSizes.length
    const mixes = structure.groupSizes.map((_, g) => row(groups + g * rank, rank))
    return { kind: 'nested', groupSizes: row(0, groups), mixes }
  }
  const steps = (tables.length / rank - 1) / rank
  const transitions = Array.from({ length: steps }, (_, step) => rows(rank + step * rank * rank))
  return { kind: 'chain', initial: row(0, rank), transitions }
}

/** The tables of the mean unit and row; the initial sizes of persons who may change. */
const meanTables = (links: Links, tables: Float64Array): Float64Array => {
  const means = links.means(tables)
  if (!(links instanceof ChainLinks) || links.layout.states === links.rank) return means
  const { rank } = links
  const movers = means.slice(0, rank)
  normalizePart(movers, 0, rank)
  return Float64Array.from([...movers, ...means.subarray(links.layout.states)])
}

/** The tables of groups with their classes in the order of those that are most like them. */
const groupsInOrder = (tables: Float64Array, own: Float64Array, groups: number, rank: number): Float64Array => {
  const place = (g: number) => groups + g * rank
  const each = Array.from({ length: groups }, (_, g) => g)
  const distance = (a: number, b: number) =>
    Array.from({ length: rank }, (_, k) => Math.abs(tables[place(a) + k] - own[place(b) + k])).reduce(
      (sum, difference) => sum + difference,
      Math.abs(tables[a] - own[b]),
    )
  const order = assign(each.map(a => each.map(b => distance(a, b))))
  return Float64Array.from([
    ...order.map(g => own[g]),
    ...order.flatMap(g => [...own.subarray(place(g), place(g) + rank)]),
  ])
}
