import { describe, expect, it } from 'vitest'
import { carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { modelToJson } from '../../file/model-json.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import { fit } from '../fit.ts'

describe("the default search, starts: 'auto'", () => {
  it.each([
    ['carcinoma', 4, carcinoma, -289.285849],
    ['carcinoma', 5, carcinoma, -286.884329],
    ['survey attitudes', 4, gss82, -2746.620807],
    ['survey attitudes', 5, gss82, -2744.830827],
    ['values', 2, values, -504.46767],
  ])('%s, rank %i: finds the best known optimum for every seed', async (_, rank, tensor, best) => {
    for (let seed = 1; seed <= 3; seed++) {
      const result = await fit(tensor, { rank, seed, threads: 1 })
      expect(result.logLikelihood).toBeGreaterThan(best - 1e-5)
      expect(result.converged).toBe(true)
      expect(result.logLikelihood).toBeLessThan(best + 1e-5)
      expect(result.verdict.reached).toBeGreaterThanOrEqual(3)
      // Broods must agree before a low chance is stated, and then there is nothing to advise but fewer classes.
      const broods = result.attempts.filter(({ origin }) => origin === 'recombined')
      const atBest = broods.filter(({ loss }) => loss <= result.loss + 1e-4)
      expect(atBest.length).toBeGreaterThanOrEqual(2)
      expect(result.verdict.chanceOfBetter).toBeLessThanOrEqual((0.1 * broods.length) / atBest.length)
    }
  })

  it('lists the distinct optima, best first, and what it does not know', async () => {
    const { optima, verdict, loss } = await fit(carcinoma, { rank: 4, threads: 1 })
    expect(optima[0].loss).toBe(loss)
    expect(optima[0].reached).toBe(verdict.reached)
    expect(optima.length).toBeGreaterThan(1)
    optima.slice(1).forEach((optimum, i) => {
      expect(optimum.loss).toBeGreaterThan(optima[i].loss)
    })
    expect(optima.reduce((sum, { reached }) => sum + reached, 0)).toBe(verdict.attempts)
    for (const { shares } of optima) expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
    // A manual prints the local optimum with AIC 641.6, at −289.789: it must be among them.
    const M = carcinoma.total
    const logLikelihoods = optima.map(optimum => -optimum.loss - M * Math.log(M) + M)
    expect(logLikelihoods.some(value => Math.abs(value + 289.789) < 0.01)).toBe(true)
    expect(verdict.unseen).toBe(optima.filter(({ reached }) => reached === 1).length / verdict.attempts)
  })

  it('sees that three classes are not identified by four binary items', async () => {
    const { verdict, logLikelihood } = await fit(values, { rank: 3, threads: 1 })
    expect(logLikelihood).toBeCloseTo(-503.301137, 5)
    expect(verdict.ambiguous).toBe(true)
    expect(verdict.advice).toContain('the data does not determine this many classes: try fewer')
  })

  it('keeps to its limits, and says when they were too tight', async () => {
    for (const maxPasses of [2, 20, 100, 300, 1000]) {
      const { totalPasses, loss } = await fit(gss82, { rank: 4, maxPasses, threads: 1 })
      expect(totalPasses).toBeLessThanOrEqual(maxPasses)
      expect(Number.isFinite(loss)).toBe(true)
    }
    const one = await fit(gss82, { rank: 4, maxStarts: 1, threads: 1 })
    expect(one.attempts.length).toBe(1)
    const brief = await fit(gss82, { rank: 4, maxSeconds: 0.001, threads: 1 })
    expect(Number.isFinite(brief.loss)).toBe(true)
  })

  it('keeps to limits with room for broods, on data without classes and with more optima than it can tell', async () => {
    const draws = random(6, 'sample')
    const columns = [8, 8, 8].map(labels => Int32Array.from({ length: 200 }, () => draws.below(labels)))
    for (const maxPasses of [18_000, 19_000, 25_000]) {
      const { totalPasses } = await fit(tensorFromColumns(columns), { rank: 6, maxPasses, threads: 1 })
      expect(totalPasses).toBeLessThanOrEqual(maxPasses)
      expect(totalPasses).toBeGreaterThan(maxPasses - 100)
    }
  })

  it('fits data with a mode that no row has a label in, as if it were not there', async () => {
    const shape = [...carcinoma.shape, 3]
    const empty = new Int32Array(carcinoma.cells).fill(MISSING)
    const tensor = tensorFromColumns([...carcinoma.indices, empty], carcinoma.values, { shape })
    const { model, logLikelihood, attempts } = await fit(tensor, { rank: 3, threads: 1 })
    expect(logLikelihood).toBeCloseTo((await fit(carcinoma, { rank: 3, threads: 1 })).logLikelihood, 6)
    expect(attempts.some(({ origin }) => origin === 'recombined')).toBe(true)
    for (const { loss } of attempts) expect(loss).toBeLessThan(Number.POSITIVE_INFINITY)
    for (const factor of model.parameters.factors) expect(factor.every(Number.isFinite)).toBe(true)
  })

  it('does not mistake a time limit that is too long for a timer for a short one', async () => {
    for (const maxSeconds of [3e6, 1e10]) {
      const { converged } = await fit(values, { rank: 2, maxSeconds, threads: 1 })
      expect(converged).toBe(true)
    }
  })

  it('finds and counts the same optima in data of any size', async () => {
    const scaled = (factor: number) =>
      tensorFromColumns(
        carcinoma.indices,
        carcinoma.values.map(value => value * factor),
        { shape: carcinoma.shape },
      )
    for (const factor of [2 ** -20, 2 ** -60, 2 ** 40]) {
      const { loss, trace, optima, verdict, converged } = await fit(scaled(factor), { rank: 4, threads: 1 })
      expect(converged).toBe(true)
      expect(optima.length).toBeGreaterThan(2)
      expect(verdict.ambiguous).toBe(false)
      expect(verdict.reached).toBeLessThan(verdict.attempts)
      const total = carcinoma.total * factor
      const logLikelihood = (total - loss) / factor - carcinoma.total * Math.log(total)
      expect(logLikelihood).toBeCloseTo(-289.285849, 4)
      for (let i = 1; i < trace.length; i++) {
        expect(trace[i] - trace[i - 1]).toBeLessThanOrEqual(1e-12 * Math.max(total, Math.abs(loss)))
      }
    }
  })

  it('gives the same bits on any number of threads', async () => {
    const digests = await Promise.all(
      [1, 2, 3].map(async threads => {
        const { model, optima, trace, totalPasses } = await fit(gss82, { rank: 6, threads, maxPasses: 6000 })
        return JSON.stringify([modelToJson(model), optima, trace, totalPasses])
      }),
    )
    expect(digests[1]).toBe(digests[0])
    expect(digests[2]).toBe(digests[0])
  })
})
