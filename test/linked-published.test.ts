import { readFileSync } from 'node:fs'
import { evaluate, fitStructured, standardErrors, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { nyts, nytsRows, psid } from './linked-tables.ts'

describe('women in seven waves, as LMest prints them', () => {
  const data = psid()

  it('two classes with transitions free per step', async () => {
    const found = await fitStructured(data, { rank: 2, person: 'id', time: 'wave', starts: 2, kind: 'observed' })
    const { linked, result } = found
    expect(result.logLikelihood).toBeCloseTo(-6900.447, 3)
    expect(linked?.evaluation).toMatchObject({ parameters: 17 })
    expect(linked?.evaluation.aic).toBeCloseTo(13834.89, 2)
    expect(linked?.evaluation.bic).toBeCloseTo(13924.6, 1)
    const { chain, factors } = linked!.standardErrors!
    // Printed: of the initial share, the first transitions and both answers.
    expect(chain!.initial[0].error).toBeCloseTo(0.01541, 4)
    expect(chain!.transitions[0][1][0].error).toBeCloseTo(0.02212323, 4)
    expect(chain!.transitions[0][0][1].error).toBeCloseTo(0.01311762, 4)
    const errors = factors!.map(ofMode => ofMode.map(([error]) => error!).sort((a, b) => a - b))
    const close = (found: number[], printed: number[]) =>
      printed.forEach((each, i) => {
        expect(found[i]).toBeCloseTo(each, 4)
      })
    close(errors[0], [0.002822, 0.005557])
    close(errors[1], [0.004149, 0.010663])
    // The same by the functions that take a model and data.
    const { model } = result
    expect((await evaluate(data, model)).logLikelihood).toBeCloseTo(result.logLikelihood, 8)
    const again = await standardErrors(linked!.data, model, { kind: 'observed' })
    expect(again.chain).toEqual(linked!.standardErrors!.chain)
    expect(model.structure).toMatchObject({ kind: 'chain', person: 'id', time: 'wave', waves: [1, 2, 3, 4, 5, 6, 7] })
  })

  it('has a lower likelihood if all steps have the same transitions', async () => {
    const options = { rank: 2, person: 'id', time: 'wave', transitions: 'same', starts: 2 } as const
    const { linked, result } = await fitStructured(data, options)
    expect(result.logLikelihood).toBeCloseTo(-6903.6455, 3)
    expect(linked?.evaluation.parameters).toBe(7)
  })
})

describe('pupils within schools, as glca prints them', () => {
  const data = nyts()

  it.each([
    [2, -1955.49, 20, 4060.14],
    [3, -1938.73, 23, 4049.0],
  ])('three classes, and %d classes of schools', async (groupClasses, logLikelihood, parameters, bic) => {
    const { linked, result } = await fitStructured(data, { rank: 3, within: 'school', groupClasses, starts: 8 })
    expect(result.logLikelihood).toBeCloseTo(logLikelihood, 2)
    expect(linked?.evaluation.parameters).toBe(parameters)
    expect(linked?.evaluation.bic).toBeCloseTo(bic, 1)
    expect(linked?.standardErrors?.nested?.groupSizes).toHaveLength(groupClasses)
  })
})

describe('covariates of pupils, as glca prints them', () => {
  const rows = nytsRows()
  const nested = { rank: 3, within: 'school', groupClasses: 2, starts: 4 } as const

  it('sex with equal coefficients in both classes of schools', async () => {
    const data = tensorFromRows(rows.map(({ level: _, ...row }) => row))
    const { linked, result } = await fitStructured(data, { ...nested, covariates: ['sex'] })
    expect(result.logLikelihood).toBeCloseTo(-1951.879, 3)
    expect(linked?.evaluation.parameters).toBe(22)
    const [{ coefficients }] = linked!.standardErrors!.effects!
    const slopes = coefficients.filter(({ term }) => term !== 'intercept').map(({ estimate }) => Math.abs(estimate))
    expect(slopes[0]).toBeCloseTo(0.05776, 4)
    expect(slopes[1]).toBeCloseTo(0.6576, 4)
    // numpy's standard errors of the same model; from its scores those that glca prints follow, with what glca does to them.
    const { pupils } = JSON.parse(readFileSync(new URL('./data/linked/oracles.json', import.meta.url), 'utf8'))
    for (const kind of ['sandwich', 'observed', 'empirical'] as const) {
      const { effects } = await standardErrors(linked!.data, result.model, { kind })
      const errors = effects![0].coefficients.filter(({ term }) => term !== 'intercept').map(({ error }) => error!)
      errors.forEach((error, i) => void expect(error, kind).toBeCloseTo(pupils[kind][i], 3))
    }
    expect(pupils.glca[0]).toBeCloseTo(0.16491, 5)
    expect(pupils.glca[1]).toBeCloseTo(0.2071, 4)
  })

  it('sex, and the level of the school', async () => {
    const { linked, result } = await fitStructured(tensorFromRows(rows), { ...nested, covariates: ['sex', 'level'] })
    expect(result.logLikelihood).toBeCloseTo(-1919.94, 2)
    expect(linked?.evaluation.parameters).toBe(24)
  })

  it('the level of the school may explain its class, and is the same for all of its pupils', async () => {
    const explained = { ...nested, groupCovariates: ['level'] }
    const { linked } = await fitStructured(tensorFromRows(rows), { ...explained, covariates: ['sex'] })
    expect(linked?.evaluation.parameters).toBe(23)
    // All schools of one level are in one class.
    const level = linked!.standardErrors!.effects!.find(({ part }) => part === 'groups')!
    expect(level.coefficients.every(({ limit, error }) => limit !== 'finite' && error === undefined)).toBe(true)
    const mixed = rows.map((row, i) => (i === 0 ? { ...row, level: 'other' } : row))
    await expect(fitStructured(tensorFromRows(mixed), explained)).rejects.toThrow('must be the same for all members')
  })
})
