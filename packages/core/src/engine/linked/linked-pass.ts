import { emit, newEmission } from '../../model/links/emission.ts'
import { linksOf } from '../../model/links/link-kinds.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import type { Parameters } from '../../model/parameters.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Statistics } from '../engine.ts'
import { ChainPass, type PassSums } from './chain-pass.ts'
import { linkedArena } from './kernels.ts'
import { NestedPass } from './nested-pass.ts'

/** A pass over linked rows in its two parts. The last of the factors, which has the tables, is given beside them. */
export interface LinkedSteps {
  /** The E-step: adds to the sums, and returns the log-likelihood. */
  expect(parameters: Omit<Parameters, 'shares'>, tables: Float64Array, into: PassSums): number
  /** The statistics of the modes, from the last E-step. */
  collect(statistics: Statistics): void
}

/** What was placed for a setting, and for which cells. */
const placed = new WeakMap<LinkSetting, { readonly indices: Tensor['indices']; readonly steps: Promise<LinkedSteps> }>()

/** Passes over linked rows: by kernels, other than of groups whose members have covariates. */
export const linkedPass = async (data: Tensor, setting: LinkSetting): Promise<LinkedSteps> => {
  if (setting.kind === 'nested' && setting.mixing !== undefined) return plainSteps(data, setting)
  const known = placed.get(setting)
  if (known?.indices === data.indices) return known.steps
  const steps = kernelSteps(data, setting)
  placed.set(setting, { indices: data.indices, steps })
  return steps
}

/** By the kernels of this thread. */
const kernelSteps = async (data: Tensor, setting: LinkSetting): Promise<LinkedSteps> => {
  const arena = await linkedArena()
  const pass = setting.kind === 'chain' ? new ChainPass(arena, data, setting) : new NestedPass(arena, data, setting)
  return {
    expect: (parameters, tables, into) => pass.expect(parameters, tables, into),
    collect: statistics => pass.cells.collect(statistics),
  }
}

/** As the formulas say it: what the kernels are compared with. */
export const plainSteps = (data: Tensor, setting: LinkSetting): LinkedSteps => {
  let [links, emission, cells] = [linksOf(setting, 1), newEmission(0, 1), new Float64Array(0)]
  return {
    expect({ rank, factors }, tables, into) {
      if (links.rank !== rank || cells.length === 0) {
        links = linksOf(setting, rank)
        emission = newEmission(data.cells, rank)
        cells = new Float64Array(data.cells * rank)
      }
      cells.fill(0)
      emit({ rank, factors: factors.slice(0, data.shape.length) }, data.indices, emission)
      return links.expect(emission, tables, { ...into, cells })
    },
    collect: statistics => void collect(data, cells, statistics),
  }
}

/** Adds up the posteriors of cells by class, and by label and class of every mode that is present. */
const collect = ({ cells, indices }: Tensor, posteriors: Float64Array, { rank, sizes, factors }: Statistics): void => {
  sizes.fill(0)
  indices.forEach((_, n) => void factors[n].fill(0))
  for (let cell = 0; cell < cells; cell++) for (let k = 0; k < rank; k++) sizes[k] += posteriors[cell * rank + k]
  indices.forEach((column, n) => {
    const factor = factors[n]
    for (let cell = 0; cell < cells; cell++) {
      if (column[cell] === MISSING) continue
      const [at, from] = [column[cell] * rank, cell * rank]
      for (let k = 0; k < rank; k++) factor[at + k] += posteriors[from + k]
    }
  })
}
