import { defined } from '../../defined.ts'
import { OptionError } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { modePosition } from '../../model/posterior.ts'
import { checkedOptions } from '../../options.ts'
import { omit, pick } from '../../pick.ts'
import { cellsWithin } from '../../tensor/cell-positions.ts'
import type { Label } from '../../tensor/mode.ts'
import { withoutModes, withValues } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { designModes, type SurveyDesign } from '../errors/survey-design.ts'
import {
  bootstrapSteps,
  STEP_BOOTSTRAP_OPTIONS,
  STEP_NAMES,
  type StepBootstrapOptions,
  type StepReplicates,
  type StepRows,
  type StepSpread,
} from './bootstrap-steps.ts'
import { answersOf } from './model-cells.ts'
import { REGRESS_OPTIONS, type RegressOptions, regressClasses } from './regress.ts'
import { REGRESS_OUTCOME_OPTIONS, type RegressOutcomeOptions, regressOutcome } from './regress-outcome.ts'

export interface RegressBootstrap extends StepReplicates {
  /** In the order of the coefficients of `regressClasses`. */
  readonly coefficients: readonly (StepSpread & { readonly class: number; readonly term: string })[]
}

/**
 * Bootstrap standard errors of `regressClasses`: repeats all three steps with samples of the rows or clusters. Each fit starts at the estimate. Takes the
 * options of `regressClasses` too.
 * @example
 * const { model: classes } = await fit(withoutModes(answers, ['age']), { rank: 2, starts: 2 })
 * const { coefficients } = await bootstrapRegress(answers, classes, { covariates: ['age'], replicates: 20, threads: 1 })
 * coefficients.length // 2
 */
export const bootstrapRegress = async (
  tensor: Tensor,
  model: Model,
  options: RegressOptions & StepBootstrapOptions,
): Promise<RegressBootstrap> => {
  const given = checkedOptions('bootstrapRegress', { ...REGRESS_OPTIONS, ...STEP_BOOTSTRAP_OPTIONS }, options)
  const [analysis, running] = parted(options)
  const sample = sampleOf(tensor, model, options)
  const coefficients = regressClasses(sample.data, model, { ...analysis, measurement: 'known' }).covariates.coefficients
  const { spreads, ...rest } = await bootstrapSteps(sample.rows, running, given.confidence, (own, times) => {
    const found = regressClasses(sample.drawn(times), own, { ...analysis, measurement: 'known' }).covariates
      .coefficients
    return coefficients.map(({ class: k, term }) => {
      const each = found.find(one => one.class === k && one.term === term)
      return each?.limit === 'finite' ? each.estimate : Number.NaN
    })
  })
  // The refits of an estimate that is infinite say how far each search went, not how the estimate varies.
  const spreadAt = (i: number): StepSpread =>
    (coefficients[i].limit ?? 'finite') === 'finite'
      ? spreads[i]
      : { standardError: undefined, interval: undefined, finite: spreads[i].finite }
  return { ...rest, coefficients: coefficients.map(({ class: k, term }, i) => ({ class: k, term, ...spreadAt(i) })) }
}

/** What `distal` gives for every class, and for covariates. */
export interface DistalBootstrap extends StepReplicates {
  readonly classes: readonly {
    readonly class: number
    readonly mean?: StepSpread
    readonly probabilities?: readonly (StepSpread & { readonly label: Label })[]
  }[]
  /** With covariates, in the order of the coefficients. */
  readonly coefficients?: readonly (StepSpread & { readonly label?: Label; readonly term: string })[]
}

/**
 * The same for `regressOutcome`.
 * @example
 * const { model: classes } = await fit(withoutModes(answers, ['age']), { rank: 2, starts: 2 })
 * const towns = tensorFromRows(rows.map((row, i) => ({ ...row, town: i % 2 === 0 ? 'A' : 'B' })), { count: 'n' })
 * const options = { outcome: 'age', covariates: ['town'], replicates: 20, threads: 1 }
 * const { classes: both } = await bootstrapOutcome(towns, classes, options)
 */
export const bootstrapOutcome = async (
  tensor: Tensor,
  model: Model,
  options: RegressOutcomeOptions & StepBootstrapOptions,
): Promise<DistalBootstrap> => {
  const given = checkedOptions('bootstrapOutcome', { ...REGRESS_OUTCOME_OPTIONS, ...STEP_BOOTSTRAP_OPTIONS }, options)
  const [{ ...analysis }, running] = parted(options)
  const sample = sampleOf(tensor, model, options)
  const whole = regressOutcome(sample.data, model, { ...analysis, measurement: 'known' })
  const { coefficients } = whole.adjusted
  const { spreads, ...rest } = await bootstrapSteps(sample.rows, running, given.confidence, (own, times) => {
    const found = regressOutcome(sample.drawn(times), own, { ...analysis, kind: whole.kind, measurement: 'known' })
    return [
      ...whole.classes.flatMap(({ probabilities }, t) =>
        probabilities === undefined
          ? [found.classes[t].mean!.estimate]
          : probabilities.map(
              ({ label }) => found.classes[t].probabilities!.find(each => each.label === label)?.estimate ?? 0,
            ),
      ),
      ...coefficients.map(
        ({ label, term }) =>
          found.adjusted.coefficients.find(each => each.label === label && each.term === term)?.estimate ?? Number.NaN,
      ),
    ]
  })
  let at = 0
  return {
    ...rest,
    classes: whole.classes.map(({ class: k, probabilities }) => ({
      class: k,
      ...(probabilities === undefined
        ? { mean: spreads[at++] }
        : { probabilities: probabilities.map(({ label }) => ({ label, ...spreads[at++] })) }),
    })),
    coefficients: coefficients.map(({ label, term }) => ({ ...defined({ label }), term, ...spreads[at++] })),
  }
}

/** The options of the analysis, without what says how rows were drawn; and those of the bootstrap. */
const parted = <T extends StepBootstrapOptions & { readonly design?: unknown; readonly squares?: unknown }>(
  options: T,
) => {
  return [omit(options, 'design', 'squares', ...STEP_NAMES), pick(options, ...STEP_NAMES)] as const
}

/** The cells of a tensor as rows that are drawn, and what has been drawn as a tensor. */
const sampleOf = (
  tensor: Tensor,
  model: Model,
  {
    design,
    squares,
    constraints,
  }: { design?: SurveyDesign; squares?: Float64Array } & Pick<RegressOptions, 'constraints'>,
) => {
  const names = designModes(design)
  const data = names.length === 0 ? tensor : withoutModes(tensor, names)
  const places = names.length === 0 ? undefined : cellsWithin(data, tensor)
  const { values } = tensor
  // As many observations of equal weights as have the same sum of weights and of their squares.
  const counts = values.map((value, i) =>
    squares === undefined || value === 0 ? value : Math.max(1, Math.round(value ** 2 / squares[i])),
  )
  if (design === undefined && !counts.every(Number.isInteger))
    throw new OptionError(
      'bootstrap replicates draw observations: values must be whole numbers, or give squares or a design',
    )
  const weights = values.map((value, i) => (counts[i] > 0 ? value / counts[i] : 0))
  const labelsOf = (name: string | undefined) =>
    name === undefined ? undefined : tensor.indices[modePosition(tensor.modes, name)]
  const rows: StepRows = {
    model,
    constraints,
    counts,
    weights,
    answers: answersOf(tensor, model),
    ...(design !== undefined && { clusters: labelsOf(design.cluster)!, strata: labelsOf(design.stratum) }),
  }
  const drawn = (times: Float64Array): Tensor => {
    const sums = new Float64Array(data.cells)
    times.forEach((each, i) => {
      const place = places?.[i] ?? i
      if (place >= 0) sums[place] += each * weights[i]
    })
    return withValues(data, sums)
  }
  return { data, rows, drawn }
}
