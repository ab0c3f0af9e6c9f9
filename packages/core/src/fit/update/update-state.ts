import { defined } from '../../defined.ts'
import { OptionError, show } from '../../errors.ts'
import { type LabelDifference, modePositions } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { nonNegativeNumber } from '../../options.ts'
import { type Label, labelsOf, Mode } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Counts } from '../../tensor/tensor.ts'
import { mStepSettings } from '../descent/m-step.ts'
import { type ItemUpdate, itemUpdate } from './item-update.ts'
import type { LinkedRows } from './linked-rows.ts'
import type { RowData } from './row-data.ts'
import type { UpdateOptions } from './update-options.ts'

/** What the passes start from: sums over the labels of both, those of the model discounted. */
export interface State {
  readonly modes: readonly Mode[]
  /** For every mode its item, if its probabilities follow from parameters of its own. */
  readonly items: readonly (ItemUpdate | undefined)[]
  /** For every label of the data its position in `modes`. */
  readonly places: readonly Int32Array[]
  readonly sizes: Float64Array
  /** Discounted sums of the model, in `modes`; of items zeros, because theirs are in `items`. */
  readonly sums: readonly Float64Array[]
  /** Pseudo-counts by mode. */
  readonly added: readonly number[]
  /** The model's probabilities, in the labels of the data; new labels have their frequency in every class. */
  readonly start: ModelParameters
  readonly changes: readonly LabelDifference[]
  /** Of rows that belong together: the tables, and the discounted counts of the model without covariates. */
  readonly linked?: { readonly rows: LinkedRows; readonly counts: Float64Array }
}

export type Given = UpdateOptions & {
  readonly decay: number
  readonly passes: number
  readonly dropBelow: NonNullable<UpdateOptions['dropBelow']>
}

export const stateOf = (
  model: Model,
  { answers: data, linked }: Pick<RowData, 'answers' | 'linked'>,
  { decay, answered, counts, pseudoCounts, dropBelow }: Given,
): State => {
  const { rank, parameters } = model
  const positions = modePositions(data.modes, model.modes, ['the data', 'the model'])
  checkAnswered(model, answered)
  checkDropped(data.modes, dropBelow)
  const added = mStepSettings(data.modes, pseudoCounts === undefined ? {} : { pseudoCounts }).map(step => step.added)
  const old = positions.map(n => model.modes[n])
  const modes = data.modes.map((mode, n) => joinedMode(old[n], mode))
  const massOf = (n: number) => Float64Array.from(answered?.[positions[n]] ?? model.sizes)
  const items = modes.map((mode, n) => {
    const item = model.items[positions[n]]
    const mass = massOf(n).map(each => decay * each)
    return item && itemUpdate(item, rank, mode, labelsOf(old[n]), mass)
  })
  checkAdded(modes, items, pseudoCounts)
  const sums = modes.map((mode, n) => {
    const factor = parameters.factors[positions[n]]
    const mass = massOf(n)
    const table = new Float64Array(mode.size * rank)
    for (let j = 0; j < old[n].size && items[n] === undefined; j++) {
      const at = mode.indexOf(old[n].label(j)) as number
      for (let k = 0; k < rank; k++) {
        // The probabilities are those of the counts with pseudo-counts: what was added is taken off.
        const count = (mass[k] + old[n].size * added[n]) * factor[j * rank + k] - added[n]
        table[at * rank + k] = decay * Math.max(0, count)
      }
    }
    return table
  })
  const places = modes.map((mode, n) =>
    Int32Array.from({ length: data.shape[n] }, (_, j) => mode.indexOf(data.modes[n].label(j)) as number),
  )
  return {
    modes,
    items,
    sums,
    added,
    sizes: Float64Array.from(model.sizes, size => decay * size),
    places,
    start: { ...startOf(model, data, positions, items, places), ...defined({ tables: linked?.tables }) },
    changes: changesOf(old, data, items),
    ...defined({ linked: linkedState(linked, counts, decay) }),
  }
}

const linkedState = (rows: LinkedRows | undefined, counts: readonly number[] | undefined, decay: number) => {
  if (rows === undefined) {
    if (counts === undefined) return undefined
    throw new OptionError('counts are only for a model of persons over time or of groups')
  }
  const { length } = rows.collect(rows.tables)
  if (counts?.length !== length)
    throw new OptionError(
      counts === undefined
        ? 'counts must be given: how much of its own data each entry of the tables of the model has'
        : `counts must have ${length} numbers, one for each entry of the tables of the model (got ${counts.length})`,
    )
  return { rows, counts: Float64Array.from(counts, count => decay * count) }
}

const checkDropped = (modes: readonly Mode[], dropBelow: Given['dropBelow']): void => {
  if (typeof dropBelow === 'number') return
  for (const [name, value] of Object.entries(dropBelow)) {
    modeNamed({ modes }, name, 'dropBelow')
    nonNegativeNumber(`dropBelow[${show(name)}]`, value)
  }
}

/** Refuses pseudo-counts for variables that are no table of counts. */
const checkAdded = (
  modes: readonly Mode[],
  items: State['items'],
  pseudoCounts: UpdateOptions['pseudoCounts'],
): void => {
  if (typeof pseudoCounts !== 'object') return
  const name = modes.find((mode, n) => items[n] !== undefined && Object.hasOwn(pseudoCounts, mode.name))?.name
  if (name !== undefined)
    throw new OptionError('pseudoCounts', `cannot be combined with ${show(name)}, which is no set of categories`)
}

const checkAnswered = ({ modes, sizes, total }: Model, answered: UpdateOptions['answered']): void => {
  if (answered === undefined) return
  const fits = answered.length === modes.length && answered.every(each => each.length === sizes.length)
  if (!fits || answered.some(each => each.some(mass => !(mass >= 0 && mass <= total * (1 + 1e-9)))))
    throw new OptionError(
      'answered',
      `must have ${sizes.length} numbers for each of ${modes.length} modes, none above the total of the model`,
    )
}

/** The labels of both: in the order of the data if it has all of the model's, else in that of the model, with the new ones after them. */
const joinedMode = (own: Mode, data: Mode): Mode => {
  const isNew = labelsOf(data).filter(label => own.indexOf(label) === undefined)
  if (isNew.length === 0) return own
  const labels = labelsOf(own)
  const isGone = labels.some(label => data.indexOf(label) === undefined)
  if (!isGone) return new Mode(own.name, labelsOf(data), own.ordered)
  const all = [...labels, ...isNew]
  const numbers = own.ordered && all.every(label => typeof label === 'number')
  return new Mode(own.name, numbers ? all.sort((a, b) => a - b) : all, own.ordered)
}

export const frequencies = (data: Counts): Float64Array[] =>
  data.marginals.map(marginal => {
    const seen = marginal.reduce((sum, count) => sum + count, 0)
    return marginal.map(count => (seen === 0 ? 0 : count / seen))
  })

const startOf = (
  model: Model,
  data: Counts,
  positions: readonly number[],
  items: State['items'],
  places: State['places'],
): ModelParameters => {
  const { rank, parameters } = model
  const seen = frequencies(data)
  const factors = data.modes.map((mode, n) => {
    const item = items[n]
    if (item !== undefined) return rowsAt(item.table(item.theta), places[n], rank)
    const [own, factor] = [model.modes[positions[n]], parameters.factors[positions[n]]]
    const from = Int32Array.from({ length: mode.size }, (_, j) => own.indexOf(mode.label(j)) ?? -1)
    const fresh = from.reduce((sum, at, j) => (at < 0 ? sum + seen[n][j] : sum), 0)
    const start = new Float64Array(mode.size * rank)
    from.forEach((at, j) => {
      for (let k = 0; k < rank; k++) start[j * rank + k] = at < 0 ? seen[n][j] : (1 - fresh) * factor[at * rank + k]
    })
    return start
  })
  return { rank, shares: parameters.shares, factors, items: items.map(item => item?.theta) }
}

/** The rows of a table at these places. */
export const rowsAt = (table: Float64Array, places: Int32Array, rank: number): Float64Array => {
  const rows = new Float64Array(places.length * rank)
  places.forEach((at, j) => void rows.set(table.subarray(at * rank, (at + 1) * rank), j * rank))
  return rows
}

/** A number may have any value. */
const changesOf = (old: readonly Mode[], data: Counts, items: State['items']): LabelDifference[] =>
  old.flatMap((mode, n) => {
    if (items[n] !== undefined) return []
    const occurs = (label: Label) => {
      const at = data.modes[n].indexOf(label)
      return at !== undefined && data.marginals[n][at] > 0
    }
    const onlyA = labelsOf(mode).filter(label => !occurs(label))
    const onlyB = labelsOf(data.modes[n]).filter(label => mode.indexOf(label) === undefined && occurs(label))
    return onlyA.length + onlyB.length === 0 ? [] : [Object.freeze({ mode: mode.name, onlyA, onlyB })]
  })
