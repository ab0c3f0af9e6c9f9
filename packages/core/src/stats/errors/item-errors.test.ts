import { describe, expect, it } from 'vitest'
import { gss82, values } from '../../../../../test/tables.ts'
import { fit } from '../../fit/fit.ts'
import { ordinal } from '../../model/items/choices.ts'
import { STANDARD_ERROR_KINDS } from './sandwich.ts'
import { standardErrors } from './standard-errors.ts'

const scales = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, ordinal()]))

describe('standard errors of the probabilities of a scale', () => {
  it.each(STANDARD_ERROR_KINDS)('of two categories are those of free probabilities (%s)', async kind => {
    // A slope and a threshold then say the same as two probabilities.
    const names = values.modes.map(({ name }) => name)
    const free = await fit(values, { rank: 2, seed: 1, threads: 1 })
    const scaled = await fit(values, { rank: 2, seed: 1, threads: 1, items: scales(names.slice(0, 2)) })
    const [expected, errors] = await Promise.all([
      standardErrors(values, free.model, { kind, profile: false }),
      standardErrors(values, scaled.model, { kind }),
    ])
    for (const [n] of names.entries())
      for (const k of [0, 1])
        for (const j of [0, 1]) {
          expect(errors.factors![n][k][j]! / expected.factors![n][k][j]!).toBeCloseTo(1, 4)
          errors.intervals!.factors[n][k][j]!.forEach(
            (end, i) => void expect(end).toBeCloseTo(expected.intervals!.factors[n][k][j]![i], 4),
          )
        }
  })

  it('in one class are those of proportions', async () => {
    const { model } = await fit(gss82, { rank: 1, items: scales([gss82.modes[0].name]) })
    const { factors } = await standardErrors(gss82, model)
    factors![0][0].forEach((error, j) => {
      const p = model.parameters.factors[0][j]
      expect(error).toBeCloseTo(Math.sqrt((p * (1 - p)) / gss82.total), 8)
    })
  })
})
