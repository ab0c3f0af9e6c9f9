import type { Parameters } from '../model/parameters.ts'
import { foldValues, withoutFold } from '../tensor/folds.ts'
import { hasCells } from '../tensor/tensor.ts'
import type { SessionFitOptions } from './fit-options.ts'
import { fitSession, whole } from './fit-session.ts'
import type { TaskRunner } from './search/task-runner.ts'

/**
 * The mean log-probability of an observation that was not used in the fit: the data is split into folds, each is left
 * out once, and the model of the others is asked about it. Higher is better; undefined where the data is too small
 * to be split, its cells are not in memory, or it was stopped.
 */
export const heldOutLogLikelihood = async (
  runner: TaskRunner,
  options: SessionFitOptions,
  folds: number,
): Promise<number | undefined> => {
  const { data, reweight } = runner.session
  if (!hasCells(data) || reweight === undefined) return undefined
  const { onProgress: _, ...quiet } = options
  const judge = async (part: Float64Array): Promise<{ sum: number; weight: number } | undefined> => {
    if (options.signal?.aborted) return undefined
    const training = await runner.reweighted(withoutFold(data, part))
    try {
      const { model } = whole(await fitSession(training, quiet))
      const test = await runner.session.reweight!(part)
      try {
        const { logLikelihood } = await test.pass(withOneCount(model.parameters, model.total))
        return { sum: logLikelihood, weight: test.data.total }
      } finally {
        await test.close()
      }
    } finally {
      await training.close()
    }
  }
  const parts = foldValues(data, folds, options.seed ?? 1)
  const judged: ({ sum: number; weight: number } | undefined)[] = []
  if (runner.concurrent) judged.push(...(await Promise.all(parts.map(judge))))
  else for (const part of parts) judged.push(await judge(part))
  if (judged.length === 0 || options.signal?.aborted) return undefined
  const [sum, weight] = judged.reduce(([sums, weights], each) => [sums + each!.sum, weights + each!.weight], [0, 0] as [
    number,
    number,
  ])
  return sum / weight
}

/**
 * The model with one more count in every class, spread over the labels: a label that the training data happens not to
 * have would otherwise make the rest of the fold worthless.
 */
const withOneCount = ({ rank, shares, factors }: Parameters, total: number): Parameters => ({
  rank,
  shares,
  factors: factors.map(factor => {
    const labels = factor.length / rank
    return factor.map((p, i) => {
      const weight = shares[i % rank] * total
      return (weight * p + 1 / labels) / (weight + 1)
    })
  }),
})
