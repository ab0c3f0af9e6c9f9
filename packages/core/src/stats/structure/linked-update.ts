import { OptionError } from '../../errors.ts'
import type { LinkedRows } from '../../fit/update/linked-rows.ts'
import { normalizePart } from '../../model/links/links.ts'
import type { Model } from '../../model/model.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import { isLinked, type LinkedStructure } from '../../model/structures/linked.ts'
import { NestedStructure } from '../../model/structures/nested.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import { tablesOf } from '../model-data/linked-structure.ts'
import { isLinkedData } from '../model-data/placed-links.ts'
import { placeRows } from '../model-data/placed-rows.ts'

/** Tables one after the other, of distributions of one length, and how often each is there because of covariates. */
interface Block {
  /** How many entries one set has, and how many sets there are: steps, or classes of groups. */
  readonly length: number
  readonly sets: number
  /** How many entries each distribution has. */
  readonly width: number
  /** The set of every combination of covariates; undefined if nothing explains it. */
  readonly of: Int32Array | undefined
}

const blocksOf = ({ effects }: Pick<LinkedData, 'effects'>, structure: LinkedStructure): readonly Block[] => {
  const of = (...parts: readonly string[]) => effects.find(({ part }) => parts.includes(part))?.sets
  if (structure.kind === 'nested') {
    const [groups, rank] = [structure.groupSizes.length, structure.mixes[0].length]
    return [
      { length: groups, sets: 1, width: groups, of: of('groups') },
      { length: rank, sets: groups, width: rank, of: of('mixes') },
    ]
  }
  const rank = structure.initial.length
  const states = structure.stayers === undefined ? rank : 2 * rank
  return [
    { length: states, sets: 1, width: states, of: of('initial') },
    { length: rank * rank, sets: structure.transitions.length, width: rank, of: of('transitions') },
  ]
}

/**
 * Rows of new persons or groups as `updateModel` takes them: with the tables of the model.
 * @param data rows of a table, or as `placeRows` gives them
 * @example
 * const { linked } = await fitStructured(answers, { rank: 2, within: 'age', groupClasses: 1, starts: 2 })
 * const { counts } = await linkedSums(placeUpdate(linked!.data, linked!.model), linked!.model)
 * const more = await updateModel(linked!.model, placeUpdate(answers, linked!.model), { counts })
 * Math.round(more.model.total) // 2000
 */
export const placeUpdate = (given: Tensor | LinkedData, model: Model): LinkedRows => {
  const { structure } = model
  if (!isLinked(structure)) throw new OptionError('model', 'must be of persons over time or of groups', structure.kind)
  const data = isLinkedData(given) ? given : placeRows(given, model)
  const tables = tablesOf(structure, data)
  const blocks = blocksOf(data, structure)
  const means = tablesOf(structure, { effects: [] })
  /** Visits every set of tables, where it is among those without covariates, and where among all. */
  const eachSet = (visit: (block: Block, mean: number, at: number) => void) => {
    let [first, at] = [0, 0]
    for (const block of blocks) {
      const sets = block.of ?? Int32Array.from({ length: block.sets }, (_, set) => set)
      sets.forEach((set, i) => void visit(block, first + set * block.length, at + i * block.length))
      first += block.sets * block.length
      at += sets.length * block.length
    }
  }
  const collect = (counts: Float64Array) => {
    const all = new Float64Array(means.length)
    eachSet(({ length }, mean, at) => {
      for (let i = 0; i < length; i++) all[mean + i] += counts[at + i]
    })
    return all
  }
  const tablesFrom = (counts: Float64Array) => {
    const next = tables.slice()
    const distributions = distributionsOf(blocks, counts, means)
    eachSet(({ length, of }, mean, at) => {
      if (of === undefined) next.set(distributions.subarray(mean, mean + length), at)
    })
    return next
  }
  const mixed = (part: number) => {
    const next = tables.slice()
    eachSet(({ length, width, of }, _, at) => {
      for (let i = at; of === undefined && i < at + length; i++) next[i] = (1 - part) * tables[i] + part / width
    })
    return next
  }
  return {
    items: data.items,
    links: data.links,
    tables,
    collect,
    tablesOf: tablesFrom,
    mixed,
    structureOf: counts => structureWith(structure, distributionsOf(blocks, counts, means)),
  }
}

/** Counts as distributions; one that nobody is in stays as it is. */
const distributionsOf = (blocks: readonly Block[], counts: Float64Array, means: Float64Array): Float64Array => {
  const found = counts.slice()
  let at = 0
  for (const { length, sets, width } of blocks)
    for (const end = at + length * sets; at < end; at += width) {
      const part = found.subarray(at, at + width)
      if (part.some(count => count > 0)) normalizePart(found, at, width)
      else part.set(means.subarray(at, at + width))
    }
  return found
}

/** A structure with other tables. */
const structureWith = (structure: LinkedStructure, tables: Float64Array): LinkedStructure => {
  const rows = (from: number, count: number, width: number) =>
    Array.from({ length: count }, (_, i) => [...tables.subarray(from + i * width, from + (i + 1) * width)])
  if (structure.kind === 'nested') {
    const groups = structure.groupSizes.length
    const [groupSizes] = rows(0, 1, groups)
    return new NestedStructure({ ...structure, groupSizes, mixes: rows(groups, groups, structure.mixes[0].length) })
  }
  const { initial, stayers, transitions } = structure
  const rank = initial.length
  const states = stayers === undefined ? rank : 2 * rank
  const share = tables.subarray(rank, states).reduce((sum, each) => sum + each, 0)
  const within = (from: number, whole: number, before: readonly number[]) =>
    before.map((each, k) => (whole > 0 ? tables[from + k] / whole : each))
  return new ChainStructure({
    ...structure,
    initial: stayers === undefined ? rows(0, 1, rank)[0] : within(0, 1 - share, initial),
    transitions: transitions.map((_, t) => rows(states + t * rank * rank, rank, rank)),
    ...(stayers && { stayers: { share, sizes: within(rank, share, stayers.sizes) } }),
  })
}
