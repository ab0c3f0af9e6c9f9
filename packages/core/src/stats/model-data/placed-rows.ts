import { DataError, OptionError, show } from '../../errors.ts'
import { isNumber } from '../../model/items/item.ts'
import type { Model } from '../../model/model.ts'
import type { ChainStructure } from '../../model/structures/chain.ts'
import { isLinked, type LinkedStructure } from '../../model/structures/linked.ts'
import { buildTensor } from '../../tensor/build.ts'
import { labelsOf, MISSING } from '../../tensor/mode.ts'
import { modeNamed, withValues } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { LinkedData } from './linked-data.ts'
import { nestedData } from './nested-data.ts'
import { panelData } from './panel-data.ts'
import { splitModes } from './split-modes.ts'
import { longTable } from './wide-data.ts'

/**
 * The rows of a table as units of a model: with its variables and labels, and its waves.
 * @param every whether rows without answers count too, and rows may lack all covariates: they then have the means of the model
 * @param squares of sampling weights, for every cell their sum
 * @example
 * const placed = () => placeRows(answers, model) // of a model with persons or groups
 */
export const placeRows = (given: Tensor, model: Model, every = false, squares?: Float64Array): LinkedData => {
  const { structure } = model
  if (!isLinked(structure)) throw new OptionError('model', 'must be of linked rows', structure.kind)
  const tensorOf = (data: Tensor) => (structure.kind === 'chain' ? inParts(inRows(data, structure), structure) : data)
  const tensor = tensorOf(given)
  const linking = structure.kind === 'chain' ? [structure.person, structure.time] : [structure.within]
  const has = (name: string) => tensor.modes.some(mode => mode.name === name)
  const explaining = structure.given.map(({ name }) => name).filter(name => !linking.includes(name))
  const isExplained = !every || explaining.some(has)
  const parts = new Set(structure.parts?.map(({ name }) => name))
  const needed = [...model.modes.map(({ name }) => name).filter(name => !parts.has(name)), ...linking]
  const missing = [...needed, ...(isExplained ? explaining : [])].filter(name => !has(name))
  if (missing.length > 0) throw new OptionError(`the data lacks ${missing.map(show).join(', ')}, which the model needs`)
  const beside = [...linking, ...(isExplained ? explaining : [])].map(name => modeNamed(tensor, name, 'model'))
  const modes = model.modes.map((mode, n) => {
    const item = model.items[n]
    return item !== undefined && isNumber(item.spec) && has(mode.name)
      ? tensor.modes[modeNamed(tensor, mode.name, 'model')]
      : mode
  })
  const columns = modes.map(mode => {
    // A part of a wave that the data lacks.
    if (!has(mode.name)) return new Int32Array(tensor.cells).fill(MISSING)
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
  const rowsOf = (values: Float64Array) =>
    buildTensor(
      [...modes, ...beside.map(n => tensor.modes[n])],
      [...columns, ...beside.map(n => tensor.indices[n])],
      values,
    )
  const rows = rowsOf(tensor.values)
  if (structure.kind === 'nested') {
    const { within, groupSizes, grouping, mixing } = structure
    return nestedData(
      rows,
      { within, groupClasses: groupSizes.length },
      every,
      isExplained ? knownOf({ grouping, mixing }) : {},
    )
  }
  const { person, time, waves, transitions, starting, moving, stayers, wide } = structure
  const transitionsBy = transitions.length < waves.length - 1 ? 'same' : 'free'
  const found = panelData(
    rows,
    { person, time, transitions: transitionsBy, ...(stayers !== undefined && { stayers: true }) },
    {
      every,
      known: { waves, ...(isExplained ? knownOf({ starting, moving }) : {}) },
      squares: squares && rowsOf(tensorOf(withValues(given, squares)).values).values,
      merged: wide !== undefined,
    },
  )
  return withParts(found, structure)
}

const knownOf = <T extends object>(logits: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(logits).filter(([, value]) => value !== undefined)) as never

const withParts = (data: LinkedData, { splits, parts }: LinkedStructure): LinkedData =>
  parts === undefined ? data : { ...data, splits: splits!, parts }

/** The rows of persons and waves; a table with a row for each person becomes one. */
const inRows = (tensor: Tensor, { person, time, wide, given }: ChainStructure): Tensor => {
  if (wide === undefined || tensor.modes.some(({ name }) => name === person)) return tensor
  const names = given.map(({ name }) => name).filter(name => name !== time)
  return longTable(
    tensor,
    wide,
    tensor.modes.flatMap(({ name }) => (names.includes(name) ? [name] : [])),
  ).tensor
}

/** Variables that differ between waves are in parts, unless they are already. */
const inParts = (tensor: Tensor, { time, splits = [], parts = [] }: ChainStructure): Tensor => {
  if (splits.length === 0 || parts.some(({ name }) => tensor.modes.some(mode => mode.name === name))) return tensor
  return splitModes(
    tensor,
    splits.map(({ mode }) => ({ mode, columns: [[time]] })),
  ).tensor
}
