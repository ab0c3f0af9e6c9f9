import { Model } from '../../model/model.ts'
import { columnSums, type ModelParameters } from '../../model/parameters.ts'
import { type Label, Mode } from '../../tensor/mode.ts'
import type { Counts } from '../../tensor/tensor.ts'
import { UPDATE_OPTIONS } from './update-options.ts'
import type { Given, State } from './update-state.ts'
import type { Sums } from './update-sums.ts'

export interface KeptModel {
  readonly model: Model
  /** For every mode and class, how much of the class has an answer in the mode. */
  readonly answered: readonly (readonly number[])[]
  /** Of rows that belong together: how much of the data each entry of the tables has. */
  readonly counts?: readonly number[]
  readonly dropped: readonly { readonly mode: string; readonly labels: readonly Label[] }[]
}

/** The model, without the labels that hardly anybody has any more: those who had them count as without an answer. */
export const finished = (
  model: Model,
  data: Counts,
  state: State,
  { sizes, factors: sums, counts }: Sums,
  parameters: ModelParameters,
  dropBelow: Given['dropBelow'],
): KeptModel => {
  const { rank } = model
  const dropped: { mode: string; labels: readonly Label[] }[] = []
  const masses: number[][] = []
  const made = state.modes.map((mode, n) => {
    const least = typeof dropBelow === 'number' ? dropBelow : (dropBelow[mode.name] ?? UPDATE_OPTIONS.dropBelow.default)
    const occurs = new Uint8Array(mode.size)
    state.places[n].forEach((at, j) => {
      if (data.marginals[n][j] > 0) occurs[at] = 1
    })
    const item = state.items[n]
    const own = item === undefined ? sums[n] : parameters.factors[n].map((p, i) => p * item.mass[i % rank])
    const count = (j: number) => own.subarray(j * rank, (j + 1) * rank).reduce((sum, each) => sum + each, 0)
    const rare = Int32Array.from({ length: mode.size }, (_, j) => j).filter(j => occurs[j] === 0 && count(j) < least)
    const fitted = item?.fitted(parameters.items![n]!)
    // A scale keeps its categories.
    if (rare.length === 0 || rare.length === mode.size || fitted?.spec.kind === 'ordinal') {
      masses.push(Array.from(columnSums(sums[n], rank), (sum, k) => sum + (item?.mass[k] ?? 0)))
      return { mode, factor: parameters.factors[n], item: fitted }
    }
    const gone = new Set(rare)
    // A number that was not seen has a probability all the same.
    if (item === undefined) dropped.push({ mode: mode.name, labels: [...rare].map(j => mode.label(j)) })
    const kept = Int32Array.from({ length: mode.size }, (_, j) => j).filter(j => !gone.has(j))
    const [table, factor] = [sums[n], parameters.factors[n]].map(all => {
      const some = new Float64Array(kept.length * rank)
      kept.forEach((j, i) => void some.set(all.subarray(j * rank, (j + 1) * rank), i * rank))
      return some
    })
    const mass = columnSums(factor, rank)
    masses.push(
      Array.from(columnSums(item === undefined ? table : sums[n], rank), (sum, k) => sum + (item?.mass[k] ?? 0)),
    )
    return {
      item: fitted,
      mode: new Mode(
        mode.name,
        [...kept].map(j => mode.label(j)),
        mode.ordered,
      ),
      factor:
        item === undefined ? factor.map((p, i) => (mass[i % rank] > 0 ? p / mass[i % rank] : 1 / kept.length)) : factor,
    }
  })
  const order = model.modes.map(({ name }) => made.findIndex(({ mode }) => mode.name === name))
  return {
    model: new Model(
      order.map(n => made[n].mode),
      { rank, sizes, factors: order.map(n => made[n].factor) },
      model.classNames,
      state.linked === undefined || counts === undefined ? model.structure : state.linked.rows.structureOf(counts),
      order.map(n => made[n].item),
    ),
    answered: Object.freeze(order.map(n => Object.freeze(masses[n]))),
    ...(counts && { counts: Object.freeze([...counts]) }),
    dropped: Object.freeze(dropped),
  }
}
