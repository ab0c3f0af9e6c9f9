import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { count, normal, ordinal } from '../../model/items/choices.ts'
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

describe('naiveBayes of numbers, counts and scales', () => {
  const columns = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width']
  const [head, ...lines] = readFileSync(new URL('../../../../polyad/data/iris.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(','))
  const flowers = lines.map(line => Object.fromEntries(head.map((name, i) => [name, line[i]])))
  const tensor = tensorFromRows(
    flowers.map(flower => ({
      ...Object.fromEntries(columns.map(name => [name, Number(flower[name])])),
      species: flower.species,
    })),
    { modes: [...columns, 'species'] },
  )
  const items = (step: number) => Object.fromEntries(columns.map(name => [name, normal({ step })]))

  it('has the means, deviations and posteriors of GaussianNB of scikit-learn, if the step is fine', () => {
    const { model } = naiveBayes(tensor, { class: 'species', items: items(0.001) })
    expect(model.classNames).toEqual(['setosa', 'versicolor', 'virginica'])
    const values = (name: string) => model.itemParameters(name).map(({ value }) => value)
    expect(values('petal_width').slice(0, 3)).toEqual([0.246, 1.326, 2.026].map(mean => expect.closeTo(mean, 8)))
    // GaussianNB(var_smoothing=0) of version 1.9.1.
    const deviations = {
      sepal_length: [0.34894699, 0.51098337, 0.62948868],
      petal_length: [0.17191859, 0.46518813, 0.54634787],
      petal_width: [0.10432641, 0.19576517, 0.27188968],
    }
    for (const [name, expected] of Object.entries(deviations))
      expect(values(name).slice(3)).toEqual(expected.map(sd => expect.closeTo(sd, 5)))
    const right = flowers.filter(
      flower =>
        model.classify(Object.fromEntries(columns.map(name => [name, Number(flower[name])]))) === flower.species,
    )
    expect(right).toHaveLength(144)
    const { probabilities } = model.posterior(
      Object.fromEntries(columns.map(name => [name, Number(flowers[133][name])])),
    )
    expect(probabilities[1]).toBeCloseTo(0.712645155, 4)
  })

  it('takes rounding to the step off the deviations (Sheppard)', () => {
    const { model } = naiveBayes(tensor, { class: 'species', items: items(0.1) })
    const [, , , sd] = model.itemParameters('sepal_length').map(({ value }) => value)
    expect(sd ** 2).toBeCloseTo(0.34894699 ** 2 - 0.01 / 12, 5)
  })

  it('has rates, and the frequencies of a scale that one class alone has', () => {
    const data = tensorFromRows(
      [0, 1, 1, 2, 4, 7, 9].map((visits, i) => ({ visits, mood: i % 3, kind: i < 4 ? 'few' : 'many' })),
      { modes: ['visits', 'mood', 'kind'] },
    )
    const { model } = naiveBayes(data, { class: 'kind', items: { visits: count(), mood: ordinal() } })
    expect(model.itemParameters('visits').map(({ value }) => value)).toEqual(
      [1, 20 / 3].map(rate => expect.closeTo(rate, 10)),
    )
    // The slopes make the mean score of each class that of its rows.
    const scores = [0, 1].map(k => model.profile('mood', k).reduce((sum, p, j) => sum + p * j, 0))
    expect(scores).toEqual([0.75, 1].map(mean => expect.closeTo(mean, 8)))
  })

  it('gives a class whose numbers are all alike the deviation within the others', () => {
    const rows = [1, 2, 3, 4, 10].map((x, i) => ({ x, kind: i < 4 ? 'a' : 'b' }))
    const data = tensorFromRows(rows, { modes: ['x', 'kind'] })
    const { model } = naiveBayes(data, { class: 'kind', items: { x: normal({ step: 0.01 }) } })
    const values = model.itemParameters('x').map(({ value }) => value)
    expect(values[1]).toBeCloseTo(10, 8)
    expect(values[2]).toBeCloseTo(Math.sqrt(1.25), 4)
    expect(values[3]).toBe(values[2])
  })

  it('rejects the class as such a variable', () => {
    expect(() => naiveBayes(tensor, { class: 'species', items: { species: ordinal() } })).toThrow(
      'has "species", which is the class',
    )
  })
})
