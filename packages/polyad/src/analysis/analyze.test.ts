import { EngineError, evaluate, fit, type Session, standardErrors } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { describe, expect, it } from 'vitest'
import { carcinoma, values } from '../../../../test/tables.ts'
import { analyze, type FittedFirst } from './analyze.ts'
import { prepare } from './prepare.ts'
import type { AnalysisRequest } from './request.ts'

const REQUEST: AnalysisRequest = { rank: 2, fit: { seed: 1, starts: 3, threads: 1 } }

/** A session that can fit but not measure: everything after the fit fails. */
const unmeasurable = async (): Promise<Session> => {
  const session = await wasmEngine({ threads: 1 }).open(values)
  return new Proxy(session, {
    get: (target, name) => {
      if (name === 'measure' || name === 'information')
        return () => Promise.reject(new EngineError('the connection was lost'))
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('an analysis', () => {
  it('has what the library gives when it is asked step by step', async () => {
    const request = { ...REQUEST, errors: { kind: 'observed' as const }, bootstrap: { replicates: 5 }, residuals: 4 }
    const found = await analyze(prepare({ tensor: carcinoma }, request), request)
    const result = await fit(carcinoma, { rank: 2, seed: 1, starts: 3, threads: 1 })
    expect(found.result.loss).toBe(result.loss)
    expect(found.evaluation.bic).toBe((await evaluate(carcinoma, result.model)).bic)
    expect(found.figures.criteria.bic).toBe(found.evaluation.bic)
    const { shares } = await standardErrors(carcinoma, result.model, { kind: 'observed' })
    expect(found.errors?.shares).toEqual(shares)
    expect(found.bootstrap?.replicates).toBe(5)
    expect(found.residuals?.cells).toHaveLength(4)
    expect(found.warnings).toEqual([])
  })

  it('hands over the fit before anything else is computed, and keeps it if a statistic fails', async () => {
    const session = await unmeasurable()
    const request = { ...REQUEST, errors: {} }
    let first: FittedFirst | undefined
    const found = await analyze(prepare({ tensor: values, session }, request), request, {
      onFitted: fitted => {
        first = fitted
      },
    })
    expect(first?.result.logLikelihood).toBeCloseTo(-504.46767, 4)
    expect(found.result).toBe(first?.result)
    expect(found.warnings).toEqual([
      'goodness of fit and criteria could not be computed: the connection was lost',
      'standard errors could not be computed: the connection was lost',
    ])
    expect(found.figures).toMatchObject({ parameters: 9, gSquared: null, logLikelihood: found.result.logLikelihood })
    expect(found.figures.criteria.bic).toBeNaN()
    expect(found.errors).toBeUndefined()
    await session.close()
  })

  it('tells after every step what is known and what is missing, and lists what a signal has ended it before', async () => {
    const request = { ...REQUEST, errors: {}, residuals: 4, bootstrap: { replicates: 5 } }
    const missing: (readonly string[])[] = []
    const controller = new AbortController()
    const found = await analyze(prepare({ tensor: carcinoma }, request), request, {
      signal: controller.signal,
      onFound: ({ figures, notComputed }) => {
        expect(figures.criteria.bic).toBeGreaterThan(0)
        missing.push(notComputed)
        if (!notComputed.includes('standardErrors')) controller.abort()
      },
    })
    const statistics = ['standardErrors', 'bootstrap', 'residuals']
    expect(missing[0]).toEqual(expect.arrayContaining(['chiSquared', 'relativeEntropy', ...statistics]))
    expect(missing[1]).toEqual(statistics)
    expect(found.figures.chiSquared).toBeGreaterThan(0)
    expect(found.errors).toBeDefined()
    expect(found.notComputed).toContain('bootstrap')
    expect(found.notComputed).not.toContain('standardErrors')
    expect(found.warnings).toContain('no bootstrap replicate was drawn: the run was stopped first')
  })

  it('does not begin statistics after an engine has failed', async () => {
    const session = await wasmEngine({ threads: 1 }).open(values)
    let passes = 0
    const failing = new Proxy(session, {
      get: (target, name) => {
        if (name === 'pass' && passes++ > 40) throw new EngineError('the connection was lost')
        if (name === 'parallelRuns' || name === 'parallelRuns') return undefined
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const request = { ...REQUEST, errors: {} }
    const found = await analyze(prepare({ tensor: values, session: failing }, request), request)
    expect(found.failure?.message).toBe('the connection was lost')
    expect(found.result.model.rank).toBe(2)
    expect(found.errors).toBeUndefined()
    expect(found.figures.criteria.aic).toBeNaN()
    await session.close()
  })
})
