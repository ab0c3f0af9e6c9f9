import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import type { Model } from '../../model/model.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { designVariance, indexDesign, type ScoreVariance, type SurveyDesign } from '../errors/survey-design.ts'
import { type ClassifiedRows, measurementStep } from './measurement-step.ts'
import { type ThirdEquations, threeStepCovariance } from './three-steps.ts'

/** What the first two steps are asked for. */
interface EarlierOptions {
  /** 'known': the model's parameters are taken to be without error. */
  readonly measurement?: 'estimated' | 'known' | undefined
  readonly constraints?: Constraints | undefined
  /** How many observations the model was fitted to, if they are other ones. */
  readonly fittedTo?: number | undefined
  readonly design?: SurveyDesign | undefined
}

/** The first two steps of a regression on cells: what its covariance needs of them, and what its result says of them. */
export const earlierSteps = (
  tensor: Tensor,
  model: Model,
  answers: readonly Int32Array[],
  rows: ClassifiedRows,
  { measurement, constraints, fittedTo, design }: EarlierOptions,
) => {
  const { rank } = model
  const setting: ConstraintSetting | undefined = constraints && constraintSetting(model.modes, rank, constraints)
  const first = measurement === 'known' ? undefined : measurementStep(model, answers, rows, setting, fittedTo)
  const step = typeof first === 'string' ? undefined : first
  const designIndex = design && indexDesign(tensor, design)
  return {
    /** The covariance of a third step, and the clusters and strata that it was computed by, if there are any. */
    covariance: (equations: ThirdEquations): ScoreVariance => {
      let sample: Omit<ScoreVariance, 'matrix'> = { clusters: undefined, strata: undefined }
      if (designIndex === undefined) return { matrix: threeStepCovariance(rows, equations, step), ...sample }
      const matrix = threeStepCovariance(rows, equations, step, (size, add) => {
        const { matrix: own, ...drawn } = designVariance(tensor, size, add, designIndex)
        sample = drawn
        return own
      })
      return { matrix, ...sample }
    },
    facts: {
      classification: Array.from({ length: rank }, (_, t) =>
        Array.from(rows.classification.subarray(t * rank, (t + 1) * rank)),
      ),
      measurement: step?.measurement ?? ('known' as const),
      measurementReason: typeof first === 'string' ? first : undefined,
    },
  }
}
