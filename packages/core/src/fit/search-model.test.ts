import { describe, expect, it } from 'vitest'
import { hairEyeColor } from '../../../../test/tables.ts'
import type { Session } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { EngineError } from '../errors.ts'
import { lossOffset } from '../model/loss.ts'
import { covariateData } from './covariates/design.ts'
import { constraintSetting } from './descent/constraints.ts'
import { mStepSettings } from './descent/m-step.ts'
import { fit } from './fit.ts'
import type { FitOptions } from './fit-options.ts'
import { TaskRunner } from './running/task-runner.ts'
import { withMemberships } from './search/replicate.ts'
import type { TaskSetting } from './search/tasks.ts'
import { searchModel } from './search-model.ts'

const { items, tensor, design } = covariateData(hairEyeColor, { covariates: ['sex'] })
/** For all tests: none of them ends it. */
const session: Session = { ...(await referenceEngine.open(tensor)), close: async () => {} }
const { model } = await fit(items, { rank: 2, starts: 3, engine: referenceEngine })
const answers = { steps: mStepSettings(items.modes, {}) }
interface Options extends Pick<FitOptions, 'seed' | 'starts' | 'tolerance' | 'stationarity' | 'signal' | 'onProgress'> {
  readonly maxPasses?: number
  readonly answers?: Pick<TaskSetting, 'steps' | 'constraints'>
}
const searched = async (
  { seed = 1, starts = 3, maxPasses = 1e6, answers: own = answers, ...options }: Options = {},
  on: Session = session,
) => {
  const { terms, patterns, values, counts } = design
  const explained = { terms, patterns, values, counts }
  const task: TaskSetting = { rank: 2, seed, algorithm: 'accelerated', ...own, explained }
  const limits = { maxStarts: 10_000, maxPasses }
  const found = await searchModel(
    await TaskRunner.of(on),
    { task, limits, options },
    { starts, from: model.parameters },
  )
  if (found.failure !== undefined) throw found.failure
  return found
}

describe('the search for a model whose classes depend on covariates', () => {
  it('begins with the model without covariates, and is never worse', async () => {
    const { best, summary } = await searched()
    const { attempts, verdict, totalPasses, reason } = summary
    const { loss, parameters } = best
    expect(attempts.map(({ origin }) => origin)).toEqual(['given', 'random', 'random'])
    expect(totalPasses).toBe(attempts.reduce((sum, { passes }) => sum + passes, 0))
    expect([verdict.attempts, reason]).toEqual([3, 'stationary'])
    expect(loss).toBe(Math.min(...attempts.map(each => each.loss)))
    // The loss is that of its memberships, as a pass over all combinations says.
    const passed = withMemberships(parameters, design)
    expect(loss).toBeCloseTo(lossOffset(tensor.total) - (await session.pass(passed)).logLikelihood, 8)
    const without = withMemberships({ ...model.parameters, factors: model.parameters.factors }, undefined)
    const same = { ...without, factors: [...model.parameters.factors, new Float64Array(2 * design.patterns).fill(1)] }
    expect(loss).toBeLessThanOrEqual(lossOffset(tensor.total) - (await session.pass(same)).logLikelihood)
  })

  it('depends on the seed alone', async () => {
    const brief = { starts: 2, tolerance: 1e-3, stationarity: 1 }
    const [first, again, second] = [
      await searched({ ...brief, seed: 1 }),
      await searched({ ...brief, seed: 1 }),
      await searched({ ...brief, seed: 2 }),
    ]
    expect(again.summary.attempts).toEqual(first.summary.attempts)
    expect(second.summary.attempts).not.toEqual(first.summary.attempts)
  })

  it('is the search of plain fits unless a number of starts is asked for; forty of them with constraints', async () => {
    const auto = (more: Pick<Options, 'answers' | 'maxPasses'>) =>
      searched({ starts: 'auto', tolerance: 1e-3, stationarity: 1, ...more })
    const usual = await auto({ maxPasses: 700 })
    expect(usual.summary.attempts[0].origin).toBe('given')
    expect(usual.summary.attempts.some(({ origin }) => origin === 'wide')).toBe(true)
    const constraints = constraintSetting(items.modes, 2, { zero: [{ mode: 'hair', label: 'Red', class: 1 }] })
    const known = { steps: mStepSettings(items.modes, {}, constraints), constraints }
    const forty = await auto({ answers: known })
    expect(forty.summary.attempts).toHaveLength(40)
    expect(forty.summary.attempts.every(({ origin }, i) => origin === (i === 0 ? 'given' : 'random'))).toBe(true)
    expect((await searched({ answers: known, starts: 2 })).summary.attempts).toHaveLength(2)
  })

  it('fails with the engine, and says if it was stopped', async () => {
    let passes = 0
    const failing: Session = {
      ...session,
      pass: async (...given) => {
        if (++passes > 30) throw new EngineError('the line is cut')
        return session.pass(...given)
      },
    }
    await expect(searched({}, failing)).rejects.toThrow(new EngineError('the line is cut'))
    const controller = new AbortController()
    const stopped = await searched({ starts: 9, signal: controller.signal, onProgress: () => controller.abort() })
    expect(stopped.summary.attempts).toHaveLength(1)
    expect(stopped.summary.verdict.advice).toContain('the search was cut short: give it more time')
  })
})
