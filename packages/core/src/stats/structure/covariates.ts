import { OptionError } from '../../errors.ts'
import type { CovariateOptions } from '../../fit/covariates/design.ts'
import { type FitOptions, fitOptionsOf } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { checkedOptions, type OptionTable } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { fitStructured, STRUCTURED_FIT_OPTIONS, type StructuredFitOptions } from './structured.ts'
import type { ExplainedFit } from './structured-result.ts'

const SHARED = {
  ...fitOptionsOf('rank', 'seed', 'starts', 'maxPasses', 'maxStarts', 'maxSeconds', 'engine', 'threads'),
  ...fitOptionsOf(
    'signal',
    'checkpoint',
    'onProgress',
    'tolerance',
    'stationarity',
    'minGain',
    'pseudoCounts',
    'constraints',
  ),
}

export interface CovariateFitOptions
  extends CovariateOptions,
    Pick<FitOptions, keyof typeof SHARED>,
    Pick<
      StructuredFitOptions,
      'per' | 'standardize' | 'reference' | 'confidence' | 'kind' | 'design' | 'squares' | 'observations'
    > {}

/** A fit whose class membership is explained by covariates. */
export interface CovariateFit extends ExplainedFit {
  /** The fit without covariates, from which this one began. */
  readonly plain: FitResult
}

const {
  categories,
  referenceCategories,
  per,
  standardize,
  reference,
  confidence,
  kind,
  design,
  squares,
  observations,
} = STRUCTURED_FIT_OPTIONS

/** The options of `fitCovariates`. */
export const COVARIATE_FIT_OPTIONS = {
  covariates: { check: STRUCTURED_FIT_OPTIONS.covariates.check, required: true },
  ...{
    categories,
    referenceCategories,
    per,
    standardize,
    reference: { ...reference, default: 1 },
    confidence,
    kind,
    design,
    squares,
    observations,
  },
  ...SHARED,
} as const satisfies OptionTable<CovariateFitOptions>

/**
 * Fits latent classes and the multinomial logit of their membership in one step: the likelihood is that of the answers given the
 * covariates, which are modes of the tensor too. The search is that of `fit`, and begins at the best fit without covariates.
 * `fitStructured` does so with all other parts of a model.
 * @example
 * const { covariates } = await fitCovariates(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * covariates.coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const fitCovariates = async (tensor: Tensor, options: CovariateFitOptions): Promise<CovariateFit> => {
  const given = checkedOptions('fitCovariates', COVARIATE_FIT_OPTIONS, options)
  if (given.covariates.length === 0)
    throw new OptionError('covariates', 'must name at least one mode', given.covariates)
  return (await fitStructured(tensor, given)).explained as CovariateFit
}
