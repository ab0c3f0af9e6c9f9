import { OptionError } from '../../errors.ts'
import { checkedOptions } from '../../options.ts'
import { pick } from '../../pick.ts'
import type { DistalData } from './assigned-rows.ts'
import type { DistalBootstrap } from './bootstrap-regress.ts'
import { bootstrapSteps, STEP_BOOTSTRAP_OPTIONS, STEP_NAMES, type StepBootstrapOptions } from './bootstrap-steps.ts'
import { DISTAL_OPTIONS, type DistalOptions, distalOutcome } from './distal.ts'

/**
 * Bootstrap standard errors of `distalOutcome`: repeats all three steps with samples of the rows or clusters. Each fit starts at the estimate. Takes the
 * options of `distalOutcome` too; the data needs a model and the answers.
 * @example
 * const classes = (await fit(answers, { rank: 2, starts: 2 })).model
 * const positions = answers.indices.map(column => [...column])
 * const data = { model: classes, answers: positions, outcome: positions[0].map((_, i) => i % 5), counts: answers.values }
 * const { replicates } = await bootstrapDistal(data, { replicates: 20, threads: 1 })
 * replicates // 20
 */
export const bootstrapDistal = async (
  data: DistalData,
  options: DistalOptions & StepBootstrapOptions = {},
): Promise<DistalBootstrap> => {
  const given = checkedOptions('bootstrapDistal', { ...DISTAL_OPTIONS, ...STEP_BOOTSTRAP_OPTIONS }, options)
  const { model, answers, outcome, clusters, strata, ...rest } = data
  if (model === undefined || answers === undefined)
    throw new OptionError('bootstrap replicates fit the model again: give the model and the answers of every row')
  const running = pick(options, ...STEP_NAMES)
  const { method, classSizes, confidence } = given
  const third = {
    ...(method && { method }),
    ...(classSizes && { classSizes }),
    confidence,
    measurement: 'known',
  } as const
  const whole = distalOutcome({ ...rest, model, answers, outcome }, third)
  const ones = new Float64Array(outcome.length).fill(1)
  const rows = {
    model,
    answers,
    clusters,
    strata,
    constraints: data.constraints,
    counts: data.counts ?? ones,
    weights: data.weights ?? ones,
  }
  const { spreads, ...replicates } = await bootstrapSteps(rows, running, confidence, (own, times) =>
    distalOutcome({ ...rest, model: own, answers, outcome, counts: times }, third).classes.flatMap(
      ({ mean, probabilities }) => probabilities?.map(({ estimate }) => estimate) ?? [mean!.estimate],
    ),
  )
  let at = 0
  return {
    ...replicates,
    classes: whole.classes.map(({ class: k, probabilities }) => ({
      class: k,
      ...(probabilities === undefined
        ? { mean: spreads[at++] }
        : { probabilities: probabilities.map(({ label }) => ({ label, ...spreads[at++] })) }),
    })),
  }
}
