import type { DescribedModel } from '../../worker/protocol.ts'

/**
 * How much each variable separates the classes: the information (in bits) that an answer has about the class. It is 0 if all classes answer
 * alike, and at most the logarithm of their number.
 */
export const separation = ({
  shares,
  factors,
  marginals,
  rank,
}: Pick<DescribedModel, 'shares' | 'factors' | 'marginals' | 'rank'>): readonly number[] =>
  factors.map((factor, n) =>
    marginals[n].reduce((sum, overall, label) => {
      const ofLabel = shares.reduce((own, share, k) => {
        const p = factor[label * rank + k]
        return p > 0 && overall > 0 ? own + share * p * Math.log2(p / overall) : own
      }, 0)
      return sum + ofLabel
    }, 0),
  )
