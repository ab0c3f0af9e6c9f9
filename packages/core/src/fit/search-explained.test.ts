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
import { withMemberships } from './search/replicate.ts'
import { TaskRunner } from './search/task-runner.ts'
import { type ExplainedSearchOptions, searchExplained } from './search-explained.ts'

const { items, tensor, design } = covariateData(hairEyeColor, { covariates: ['sex'] })
/** For all tests: none of them ends it. */
const session: Session = { ...(await referenceEngine.open(tensor)), close: async () => {} }
const { model } = await fit(items, { rank: 2, starts: 3, engine: referenceEngine })
const answers = { steps: mStepSettings(items.modes, {}) }
const searched = async (more: Partial<ExplainedSearchOptions> = {}, own: Session = session) =>
  searchExplained(await TaskRunner.of(own), design, model.parameters, { rank: 2, starts: 3, maxPasses: 1e6, answers, ...more }) // biome-ignore format: one call

describe('the search for a model whose membership is explained', () => {
  it('begins with the model without covariates, and is never worse', async () => {
    const { best, attempts, verdict, cost } = await searched()
    expect(attempts.map(({ origin }) => origin)).toEqual(['given', 'random', 'random'])
    expect(cost).toBe(attempts.reduce((sum, { passes }) => sum + passes, 0))
    expect([verdict.attempts, best.reason]).toEqual([3, 'stationary'])
    expect(best.loss).toBe(Math.min(...attempts.map(({ loss }) => loss)))
    // The loss is that of its memberships, as a pass over all combinations says.
    const passed = withMemberships(best.parameters, design)
    expect(best.loss).toBeCloseTo(lossOffset(tensor.total) - (await session.pass(passed)).logLikelihood, 8)
    const without = withMemberships({ ...model.parameters, factors: model.parameters.factors }, undefined)
    const same = { ...without, factors: [...model.parameters.factors, new Float64Array(2 * design.patterns).fill(1)] }
    expect(best.loss).toBeLessThanOrEqual(lossOffset(tensor.total) - (await session.pass(same)).logLikelihood)
  })

  it('is of the first seed unless another is asked for', async () => {
    const brief = { starts: 2, tolerance: 1e-3, stationarity: 1 }
    const [usual, first, second] = [await searched(brief), await searched({ ...brief, seed: 1 }), await searched({ ...brief, seed: 2 })] // biome-ignore format: one list
    expect(first.attempts).toEqual(usual.attempts)
    expect(second.attempts).not.toEqual(usual.attempts)
  })

  it('is the search of plain fits unless a number of starts is asked for; forty of them with constraints', async () => {
    const auto = async (more: Pick<ExplainedSearchOptions, 'answers' | 'maxPasses'>) => searchExplained(await TaskRunner.of(session), design, model.parameters, { rank: 2, tolerance: 1e-3, stationarity: 1, ...more }) // biome-ignore format: one call
    const usual = await auto({ answers, maxPasses: 700 })
    expect(usual.attempts[0].origin).toBe('given')
    expect(usual.attempts.some(({ origin }) => origin === 'wide')).toBe(true)
    const constraints = constraintSetting(items.modes, 2, { zero: [{ mode: 'hair', label: 'Red', class: 1 }] })
    const known = { steps: mStepSettings(items.modes, {}, constraints), constraints }
    const forty = await auto({ answers: known, maxPasses: 1e6 })
    expect(forty.attempts).toHaveLength(40)
    expect(forty.attempts.every(({ origin }, i) => origin === (i === 0 ? 'given' : 'random'))).toBe(true)
    expect((await searched({ answers: known, starts: 2 })).attempts).toHaveLength(2)
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
    expect(stopped.attempts).toHaveLength(1)
    expect(stopped.verdict.advice).toContain('the search was cut short: give it more time')
  })
})
