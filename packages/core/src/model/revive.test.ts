import { expect, it } from 'vitest'
import { fit, imputeRows, principalComponent, tensorFromRows } from '../index.ts'
import { evaluate } from '../stats/fit-statistics/evaluate.ts'
import { reviveModel, reviveTensor } from './revive.ts'

/** Copies that threads get of tensors and models. */

interface Answer {
  readonly q1: string
  readonly q2: number | null
}
const answers: Answer[] = Array.from({ length: 60 }, (_, i) => ({ q1: 'abc'[i % 3], q2: i % 7 === 0 ? null : i % 4 }))
const tensor = tensorFromRows(answers)

it('are made whole again, to the last bit', async () => {
  const found = await fit(tensor, { rank: 2, seed: 3 })
  const again = reviveTensor(structuredClone(tensor))
  expect(again).toEqual(tensor)
  expect(again.marginals).toEqual(tensor.marginals)
  expect((await fit(again, { rank: 2, seed: 3 })).model.parameters).toEqual(found.model.parameters)
  const model = reviveModel(structuredClone(found.model))
  expect(model).toEqual(found.model)
  expect(model.posterior(answers[0])).toEqual(found.model.posterior(answers[0]))
  expect(await evaluate(again, model)).toEqual(await evaluate(tensor, found.model))
  const named = tensorFromRows([{ a: 1 }, { a: 2 }])
  expect(reviveTensor(structuredClone(named)).modes[0].indexOf(2)).toBe(1)
})

it('are refused before that, with what to do', async () => {
  const copy = structuredClone(tensor)
  const advice = /a copy of a tensor that has lost its methods.*reviveTensor\(copy\) of @polyad\/core\/model/
  await expect(fit(copy, { rank: 2 })).rejects.toThrow(advice)
  expect(() => principalComponent(copy)).toThrow(advice)
  const model = structuredClone(principalComponent(tensor))
  await expect(evaluate(tensor, model as never)).rejects.toThrow(
    /model must be a Model \(got a copy .* reviveModel\(copy\)/,
  )
  await expect(fit(tensor, { rank: 1, init: model as never })).rejects.toThrow(/init must be a Model \(reviveModel/)
  expect(() => imputeRows(model as never, answers)).toThrow(/reviveModel\(copy\)/)
  expect(() => reviveTensor(model as never)).toThrow('this is no copy of a tensor: it has no indices')
  expect(() => reviveModel('model' as never)).toThrow('the copy of a model must be an object (got "model")')
})
