import { Mode, Model } from '@polyad/core'
import { classMarks } from '@polyad/core/stats'
import { expect, it } from 'vitest'
import { withAverages } from './scale-means.ts'

const scale = (labels: readonly (string | number)[], ordered = true) =>
  new Model([new Mode('q', labels, ordered), new Mode('sex', ['m', 'f'])], {
    rank: 2,
    sizes: Float64Array.of(50, 50),
    factors: [Float64Array.of(0.8, 0.1, 0.1, 0.1, 0.1, 0.8), Float64Array.of(0.5, 0.5, 0.5, 0.5)],
  })
const averages = (model: Model, k: number) =>
  withAverages(model, k, classMarks(model, k)).map(({ mode, average }) => [mode, average])

it('scales have their average, by their steps or their numbers', () => {
  const steps = { side: 'low', mean: expect.closeTo(1.3, 12), overall: expect.closeTo(2, 12), steps: 3 }
  expect(averages(scale(['never', 'sometimes', 'often']), 0)).toEqual([['q', steps]])
  const numbers = {
    side: 'high',
    mean: expect.closeTo(0.1 * 10 + 0.1 * 20 + 0.8 * 40, 12),
    overall: expect.closeTo(24.5, 12),
  }
  expect(averages(scale([10, 20, 40]), 1)).toEqual([['q', numbers]])
})

it('categories in no order and bins have none', () => {
  expect(averages(scale(['a', 'b', 'c'], false), 0)).toEqual([['q', undefined]])
  expect(averages(scale(['[0,1)', '[1,2)', '[2,3)']), 0)).toEqual([['q', undefined]])
})
