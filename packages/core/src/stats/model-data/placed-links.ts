import type { Session } from '../../engine/engine.ts'
import { linkedSession } from '../../engine/linked/linked-session.ts'
import { OptionError } from '../../errors.ts'
import { linksOf, tableRows } from '../../model/links/link-kinds.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { isLinked } from '../../model/structures/linked.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { LinkedData } from './linked-data.ts'
import { tablesOf } from './linked-structure.ts'
import { type PlacedItems, placedItem } from './placed-item.ts'
import { placeRows } from './placed-rows.ts'

/** A model of linked rows and its data, in one form. */
export interface PlacedLinks {
  readonly data: LinkedData
  readonly links: ReturnType<typeof linksOf>
  readonly rank: number
  /** The tables of the items, on the labels of the data. */
  readonly factors: readonly Float64Array[]
  readonly items: PlacedItems
  readonly tables: Float64Array
}

/**
 * Whether data is rows that belong together, in the form of a model.
 * @example
 * isLinkedData(answers) // false
 */
export const isLinkedData = (data: unknown): data is LinkedData =>
  typeof data === 'object' && data !== null && 'links' in data && 'items' in data

/** A model of linked rows in the form of data. */
export const placeLinks = (model: Model, data: LinkedData): PlacedLinks => {
  const { rank, structure } = model
  if (!isLinked(structure)) throw new OptionError('model', 'must be of linked rows', structure.kind)
  const items = data.items.modes.map(mode => placedItem(model, modeNamed(model, mode.name, 'model'), mode))
  const factors = data.items.modes.map(({ name, size }, n) => {
    const item = items[n]
    if (item === undefined) return model.parameters.factors[modeNamed(model, name, 'model')]
    const table = new Float64Array(size * rank)
    item.model.table(item.theta, table)
    return table
  })
  return { data, links: linksOf(data.links, rank), rank, factors, items, tables: tablesOf(structure, data) }
}

/** A model of linked rows and the data that a statistic is asked of; undefined if the model is of another kind. @param squares of sampling weights */
export const placedLinksIn = (data: unknown, model: Model, squares?: Float64Array): PlacedLinks | undefined => {
  if (model?.structure === undefined || !isLinked(model.structure)) return undefined
  return placeLinks(model, isLinkedData(data) ? data : placeRows(data as Tensor, model, false, squares))
}

/** What a session of these rows passes: the factors with the tables as the last one. */
export const passedLinks = ({ data, rank, factors, tables }: PlacedLinks): Parameters => {
  const last = new Float64Array(tableRows(data.links, rank) * rank)
  last.set(tables)
  return { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, last] }
}

/** A session on the rows that computes on this thread. */
export const linkedRowsSession = ({ data }: Pick<PlacedLinks, 'data'>): Session =>
  linkedSession(
    { data: data.items, traits: { precision: 2e-13, reproducible: true, nanosPerPass: () => 0 } },
    data.links,
  )
