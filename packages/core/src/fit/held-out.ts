import { lacking } from '../engine/abilities.ts'
import type { Parameters } from '../model/parameters.ts'
import { omit } from '../pick.ts'
import { reader } from '../reader.ts'
import { foldValues, withoutFold } from '../tensor/folds.ts'
import { type Counts, hasCells } from '../tensor/tensor.ts'
import { checkedFit } from './checked-fit.ts'
import type { SessionFitOptions } from './fit-options.ts'
import { fitParts } from './fit-parts.ts'
import { fitSession } from './fit-session.ts'
import type { TaskRunner } from './running/task-runner.ts'

/** Of a fold that was left out: Σ y·log p, and Σ y. */
interface Judged {
  readonly sum: number
  readonly weight: number
}

/** What the fit of a fold depends on. */
const searchKey = (data: Counts, options: SessionFitOptions) => {
  const setting = checkedFit(data, options)
  const { init, ...parts } = fitParts(data, options, setting)
  return { ...setting, ...parts, init: init?.parameters }
}

const judgedFields = reader.fields<Judged>({ sum: reader.finite, weight: reader.finite })

/**
 * The mean log-probability of an observation that was not used in the fit: the data is split into folds, each is left
 * out once, and the model of the others, with one observation more of the one-class model, is asked about it. Higher is better;
 * undefined if the data is too small to be split, its cells are not in memory, or it was stopped.
 */
export const heldOutLogLikelihood = async (
  runner: TaskRunner,
  options: SessionFitOptions,
  folds: number,
): Promise<number | undefined> => {
  const { data } = runner.session
  if (!hasCells(data) || lacking(runner.session, 'the held-out log-likelihood') !== undefined) return undefined
  const quiet = omit(options, 'onProgress')
  const { signal, tolerance, stationarity, minGain } = options
  const judge = async (part: Float64Array): Promise<Judged | undefined> => {
    if (signal?.aborted) return undefined
    const key = await runner.unitKey('fold', searchKey(data, quiet), [tolerance, stationarity, minGain], part)
    const work = () => judged(part, key)
    if (runner.units === undefined || key === undefined) return work()
    return runner.units.checkpoint.once(
      { kind: 'fold', key, within: undefined },
      { signal, check: value => judgedFields(value, 'fold') },
      work,
    )
  }
  const judged = async (part: Float64Array, within: string | undefined): Promise<Judged> => {
    const training = await runner.reweighted(withoutFold(data, part))
    try {
      const { model } = await fitSession(training, quiet, within)
      const test = await runner.session.reweight!(part)
      try {
        const { logLikelihood } = await test.pass(withOneMore(model.parameters, training.session.data))
        return { sum: logLikelihood, weight: test.data.total }
      } finally {
        await test.close()
      }
    } finally {
      await training.close()
    }
  }
  const parts = foldValues(data, folds, options.seed ?? 1)
  const all: (Judged | undefined)[] = []
  if (runner.concurrent) all.push(...(await Promise.all(parts.map(judge))))
  else for (const part of parts) all.push(await judge(part))
  if (all.length === 0 || options.signal?.aborted) return undefined
  const [sum, weight] = all.reduce(([sums, weights], each) => [sums + each!.sum, weights + each!.weight], [0, 0] as [
    number,
    number,
  ])
  return sum / weight
}

/**
 * The model with one observation more, which the model of one class describes: a further class that has 1 of total + 1 observations, with
 * the marginals of the training data, to each of which one count is added over all labels. So a label, or a combination, that the training
 * data happens not to have is improbable and not impossible. It is the same for every number of classes and every width, which it
 * must not choose between: counts that are added to every class make small classes look better than they are.
 */
const withOneMore = ({ rank, shares, factors }: Parameters, { total, marginals }: Counts): Parameters => ({
  rank: rank + 1,
  shares: Float64Array.from({ length: rank + 1 }, (_, k) => (k < rank ? total * shares[k] : 1) / (total + 1)),
  factors: factors.map((factor, n) => {
    const labels = marginals[n].length
    const sum = marginals[n].reduce((all, each) => all + each, 0)
    return Float64Array.from({ length: labels * (rank + 1) }, (_, i) => {
      const [label, k] = [Math.floor(i / (rank + 1)), i % (rank + 1)]
      return k < rank ? factor[label * rank + k] : (marginals[n][label] + 1 / labels) / (sum + 1)
    })
  }),
})
