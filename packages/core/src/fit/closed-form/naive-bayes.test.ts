import { describe, expect, it } from 'vitest'
import { tensorFromRows } from '../../tensor/rows.ts'
import { naiveBayes } from './naive-bayes.ts'
import { principalComponent } from './principal-component.ts'

const rows = [
  { kind: 'cat', size: 'small', sound: 'meow', n: 8 },
  { kind: 'cat', size: 'large', sound: 'meow', n: 2 },
  { kind: 'dog', size: 'large', sound: 'bark', n: 6 },
  { kind: 'dog', size: 'small', sound: null, n: 4 },
  { kind: null, size: 'small', sound: 'bark', n: 3 },
]

describe('naiveBayes', () => {
  it('is the principal component of each class, and names the classes', () => {
    const { model, unlabelled } = naiveBayes(tensorFromRows(rows, { count: 'n' }), { class: 'kind' })
    expect(model.classNames).toEqual(['cat', 'dog'])
    expect(model.sizes).toEqual([10, 10])
    expect(unlabelled).toBe(3)
    const cats = principalComponent(
      tensorFromRows(rows.slice(0, 2), { modes: [{ name: 'size', labels: ['large', 'small'] }], count: 'n' }),
    )
    expect(model.profile('size', 0)).toEqual(cats.profile('size', 0))
    expect(model.profile('sound', 1)).toEqual([1, 0])
    expect(model.classify({ size: 'small', sound: 'meow' })).toBe('cat')
    expect(model.classify({ size: 'large' })).toBe('dog')
    expect(model.posterior({ size: 'small' }).probabilities[0]).toBeCloseTo(0.8 / 1.2, 14)
  })

  it('smooths when asked, so that nothing is impossible', () => {
    const { model } = naiveBayes(tensorFromRows(rows, { count: 'n' }), { class: 'kind', pseudoCounts: 1 })
    expect(model.profile('sound', 0)).toEqual([1 / 12, 11 / 12])
  })

  it('refuses a class that is not there, and data of nothing else', () => {
    const tensor = tensorFromRows(rows, { count: 'n' })
    expect(() => naiveBayes(tensor, { class: 'species' })).toThrow(/no mode "species".*kind, size, sound/)
    expect(() => naiveBayes(tensorFromRows([['a']]), { class: 'mode1' })).toThrow(/besides the class/)
    expect(() => naiveBayes(tensor, { class: 'kind', pseudoCounts: -1 })).toThrow(/pseudoCounts must be a number ≥ 0/)
  })

  it('has only classes that were seen, and what a class never shows as it is over all of them', () => {
    const modes = [{ name: 'kind', labels: ['cat', 'dog', 'cow'] }, 'size', 'sound']
    const { model } = naiveBayes(tensorFromRows(rows, { modes, count: 'n' }), { class: 'kind' })
    expect(model.classNames).toEqual(['cat', 'dog'])
    const silent = rows.map(row => (row.kind === 'dog' ? { ...row, sound: null } : row))
    const some = [...silent, { kind: 'cow', size: 'large', sound: 'moo', n: 30 }]
    const { model: taken } = naiveBayes(tensorFromRows(some, { count: 'n' }), { class: 'kind' })
    expect(taken.classNames).toEqual(['cat', 'cow', 'dog'])
    // Of 40 that were heard with a class, 10 say meow and 30 moo; who has no class is not among them.
    expect(taken.profile('sound', 2)).toEqual([0, 0.25, 0.75])
    const unheard = tensorFromRows(rows, { modes: ['kind', 'size', { name: 'x', labels: ['p', 'q'] }], count: 'n' })
    expect(naiveBayes(unheard, { class: 'kind' }).model.profile('x', 1)).toEqual([0.5, 0.5])
  })

  it('refuses data in which no row has a class', () => {
    const none = tensorFromRows(rows.slice(4), { modes: [{ name: 'kind', labels: ['cat'] }, 'size'], count: 'n' })
    expect(() => naiveBayes(none, { class: 'kind' })).toThrow('no row has a class in "kind"')
  })
})
