import type { Counts } from '../tensor/tensor.ts'
import { constraintSetting } from './descent/constraints.ts'
import { checkFitOptions, type FitOptions, type FitSetting } from './fit-options.ts'

/** The options of a fit, which may have constraints, checked. */
export const checkedFit = (data: Counts, options: FitOptions): FitSetting =>
  checkFitOptions(data, options, constraintSetting)
