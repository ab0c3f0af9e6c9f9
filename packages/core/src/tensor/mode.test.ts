import { expect, it } from 'vitest'
import { declaredMode, MAX_LABELS, Mode } from './mode.ts'

it('a mode has a name, and a number of labels or their texts', () => {
  for (const name of ['', 3, null, undefined])
    expect(() => new Mode(name as string, 2)).toThrow(/name must be a string/)
  for (const size of [0, -1, 1.5, Number.NaN, MAX_LABELS + 1])
    expect(() => new Mode('x', size)).toThrow(/must have from 1 to 2147483646 labels/)
  expect(new Mode('x', MAX_LABELS).size).toBe(MAX_LABELS)
  expect(() => new Mode('x', [])).toThrow(/has no labels: nothing was observed/)
  expect([new Mode('x', [1, 2]).ordered, new Mode('x', [1, 'a']).ordered, new Mode('x', 2).ordered]).toEqual([
    true,
    false,
    false,
  ])
  expect([new Mode('x', ['a'], true).ordered, new Mode('x', [1], false).ordered]).toEqual([true, false])
})

it('labels are found by index, and indices by label', () => {
  const texts = new Mode('x', ['a', 'b', 7])
  const numbers = new Mode('y', 3)
  expect([0, 1, 2].map(index => texts.label(index))).toEqual(['a', 'b', 7])
  expect(['a', 7, '7', 'c', 0].map(label => texts.indexOf(label))).toEqual([0, 2, 2, undefined, undefined])
  expect([0, 2, '1', 3, -1, 0.5, '01', '-1', 'a', ''].map(label => numbers.indexOf(label))).toEqual([
    0,
    2,
    1,
    undefined,
    undefined,
    undefined,
    1,
    undefined,
    undefined,
    undefined,
  ])
  for (const index of [-1, 3, 0.5, Number.NaN]) {
    expect(() => texts.label(index)).toThrow(/has labels 0 to 2/)
    expect(() => numbers.label(index)).toThrow(/has labels 0 to 2/)
  }
  expect(() => declaredMode({ name: 'x', labels: ['a', 'b', 'a'] })).toThrow(/has the label "a" twice/)
  expect(() => declaredMode({ name: 'x', labels: ['1', 1] })).toThrow(/twice/)
  for (const label of [Number.NaN, Number.POSITIVE_INFINITY, null, {}])
    expect(() => declaredMode({ name: 'x', labels: ['a', label as string] })).toThrow(
      /label 2 of mode "x" must be a string or a finite number/,
    )
})
