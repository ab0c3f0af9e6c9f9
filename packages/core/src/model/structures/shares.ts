import type { GivenColumn, HiddenStructure, RowPrior, Split, SplitPart } from './structure.ts'

/** Every row has the same class sizes: latent class analysis, and the model of the paper. */
export class SharesStructure implements HiddenStructure {
  readonly kind = 'shares'
  readonly given: readonly GivenColumn[] = []
  declare readonly splits?: readonly Split[]
  declare readonly parts?: readonly SplitPart[]

  prior(_: unknown, sizes: Float64Array): RowPrior {
    return { probabilities: sizes, lacking: [] }
  }
}

export const SHARES = new SharesStructure()
