import type { Session } from '../../engine/engine.ts'
import { linkedSession } from '../../engine/linked-session.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import { isNumber } from '../../model/items/item.ts'
import { linksOf, tableRows } from '../../model/links/link-kinds.ts'
import type { Links } from '../../model/links/links.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import { isLinked, type LinkedStructure } from '../../model/structures/linked.ts'
import { NestedStructure } from '../../model/structures/nested.ts'
import { buildTensor } from '../../tensor/build.ts'
import { labelsOf, MISSING } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type LinkedData, nestedData, panelData } from './linked-data.ts'
import { type PlacedItems, placedItem } from './placed-item.ts'
import { longTable } from './wide-data.ts'

/** A model of linked rows and its data, in one form. */
export interface PlacedLinks {
  readonly data: LinkedData
  readonly links: Links
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

/** The tables of a structure, one distribution after the other. */
export const tablesOf = (structure: LinkedStructure): Float64Array =>
  Float64Array.from(
    structure.kind === 'chain'
      ? [...structure.initial, ...structure.transitions.flat(2)]
      : [...structure.groupSizes, ...structure.mixes.flat()],
  )

/** The structure whose tables these are; group classes in descending size. */
export const linkedStructure = (
  { links, units, time, wide }: LinkedData,
  rank: number,
  tables: Float64Array,
): LinkedStructure => {
  const rows = (from: number, count: number, length: number) =>
    Array.from({ length: count }, (_, i) => [...tables.subarray(from + i * length, from + (i + 1) * length)])
  if (links.kind === 'nested') {
    const { groupClasses } = links
    const groups = rows(groupClasses, groupClasses, rank)
      .map((mix, g) => ({ mix, size: tables[g] }))
      .sort((a, b) => b.size - a.size)
    return new NestedStructure({
      within: units.name,
      groupSizes: groups.map(({ size }) => size),
      mixes: groups.map(({ mix }) => mix),
    })
  }
  const steps = (tables.length / rank - 1) / rank
  return new ChainStructure({
    person: units.name,
    time: time!.name,
    waves: labelsOf(time!),
    wide,
    initial: [...tables.subarray(0, rank)],
    transitions: Array.from({ length: steps }, (_, t) => rows(rank + t * rank * rank, rank, rank)),
  })
}

/**
 * The rows of a table as units of a model: with its variables and labels, and its waves.
 * @param every whether rows without answers count too
 */
export const placeRows = (given: Tensor, model: Model, every = false): LinkedData => {
  const { structure } = model
  if (!isLinked(structure)) throw new OptionError('model', 'must be of linked rows', structure.kind)
  const tensor = structure.kind === 'chain' ? inRows(given, structure) : given
  const linking = structure.kind === 'chain' ? [structure.person, structure.time] : [structure.within]
  const needed = [...model.modes.map(({ name }) => name), ...linking]
  const missing = needed.filter(name => tensor.modes.every(mode => mode.name !== name))
  if (missing.length > 0) throw new OptionError(`the data lacks ${missing.map(show).join(', ')}, which the model needs`)
  const beside = linking.map(name => modeNamed(tensor, name, 'model'))
  const modes = model.modes.map((mode, n) => {
    const item = model.items[n]
    return item !== undefined && isNumber(item.spec) ? tensor.modes[modeNamed(tensor, mode.name, 'model')] : mode
  })
  const columns = modes.map(mode => {
    const n = modeNamed(tensor, mode.name, 'model')
    const own = tensor.modes[n]
    if (own === mode) return tensor.indices[n]
    const positions = labelsOf(own).map(label => mode.indexOf(label))
    return tensor.indices[n].map(index => {
      if (index === MISSING) return MISSING
      const position = positions[index]
      if (position === undefined)
        throw new DataError(
          `the data has ${show(own.label(index))} in ${show(mode.name)}, a label that the model has never seen`,
        )
      return position
    })
  })
  const rows = buildTensor(
    [...modes, ...beside.map(n => tensor.modes[n])],
    [...columns, ...beside.map(n => tensor.indices[n])],
    tensor.values,
  )
  if (structure.kind === 'nested')
    return nestedData(rows, { within: structure.within, groupClasses: structure.groupSizes.length }, every)
  const { person, time, waves, transitions } = structure
  const transitionsBy = transitions.length < waves.length - 1 ? 'same' : 'free'
  return panelData(rows, { person, time, transitions: transitionsBy }, undefined, waves, every)
}

/** The rows of persons and waves; a table with a row for each person becomes one. */
const inRows = (tensor: Tensor, { person, wide }: ChainStructure): Tensor =>
  wide === undefined || tensor.modes.some(({ name }) => name === person) ? tensor : longTable(tensor, wide).tensor

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
  return { data, links: linksOf(data.links, rank), rank, factors, items, tables: tablesOf(structure) }
}

/** A model of linked rows and the data that a statistic is asked of; undefined if the model is of another kind. */
export const placedLinksIn = (data: unknown, model: Model): PlacedLinks | undefined => {
  if (model?.structure === undefined || !isLinked(model.structure)) return undefined
  return placeLinks(model, isLinkedData(data) ? data : placeRows(data as Tensor, model))
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
