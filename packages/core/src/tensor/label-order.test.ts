import { expect, it } from 'vitest'
import { areTimes, statedOrder } from './label-order.ts'

const ordered = (...labels: readonly string[]) => statedOrder(labels)?.map(i => labels[i])

it('the order that labels state is found, in four languages', () => {
  for (const scale of [
    ['never', 'rarely', 'sometimes', 'often', 'always'],
    ['Not well at all', 'Not too well', 'Quite well', 'Extremely well'],
    ['trifft nicht zu', 'trifft eher nicht zu', 'trifft eher zu', 'trifft voll und ganz zu'],
    ['sehr unzufrieden', 'unzufrieden', 'zufrieden', 'sehr zufrieden'],
    ['muy en desacuerdo', 'en desacuerdo', 'de acuerdo', 'muy de acuerdo'],
    ['nada', 'poco', 'bastante', 'mucho'],
    ['jamais', 'rarement', 'parfois', 'souvent', 'toujours'],
    ['très insatisfait', 'plutôt insatisfait', 'plutôt satisfait', 'très satisfait'],
    ['0–4', '5–9', '10 or more'],
  ]) {
    expect(ordered(...scale)).toEqual(scale)
    expect(ordered(...scale.toReversed())).toEqual(scale)
  }
})

it('labels that state none have none', () => {
  expect(ordered('cat', 'dog')).toBeUndefined()
  expect(ordered('never', 'always', 'maybe')).toBeUndefined()
  expect(ordered('rarely', 'seldom')).toBeUndefined()
  expect([areTimes(['Mon', 'Sun']), areTimes(['low', 'high'])]).toEqual([true, false])
})
