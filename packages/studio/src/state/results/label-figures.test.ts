import { describe, expect, it } from 'vitest'
import type { Looked, LookedModel } from '../../worker/protocol.ts'
import { findLabels, labelFigures } from './label-figures.ts'

const modes: Looked['modes'] = [
  { name: 'vote', labels: ['none', 'yes', 'spoilt'], ordered: false },
  { name: 'age', labels: ['young', 'old'], ordered: true },
]

/** Two classes: 60 % and 40 %. */
const model: LookedModel = {
  rank: 2,
  shares: [0.6, 0.4],
  factors: [Float64Array.of(0.1, 0.8, 0.9, 0.2, 0, 0), Float64Array.of(0.2, 0.7, 0.8, 0.3)],
  marginals: [Float64Array.of(0.38, 0.62, 0), Float64Array.of(0.4, 0.6)],
  marks: [[], []],
  names: ['engaged', 'distant'],
  descriptions: ['', ''],
  partners: null,
  flows: null,
}
const looked: Looked = { modes, models: [model] }

describe('what a model says of a label', () => {
  it('is P of the label in each class, P of each class given it, and its lift', () => {
    const { mode, label, overall, classes } = labelFigures(looked, model, { mode: 0, label: 1 })
    expect([mode, label, overall]).toEqual(['vote', 'yes', 0.62])
    expect(classes.map(({ probability }) => probability)).toEqual([0.9, 0.2])
    expect(classes[0].posterior).toBeCloseTo(0.54 / 0.62, 12)
    expect(classes[1].lift).toBeCloseTo(0.2 / 0.62, 12)
    expect(classes.reduce((sum, { posterior }) => sum + (posterior ?? 0), 0)).toBeCloseTo(1, 12)
  })

  it('is nothing of a class given a label that never occurs', () => {
    const { classes } = labelFigures(looked, model, { mode: 0, label: 2 })
    expect(classes).toEqual([0, 1].map(() => ({ probability: 0, posterior: null, lift: null })))
  })
})

describe('a list of labels', () => {
  it('has the frequent ones of a mode first, and ordered ones in their order', () => {
    expect(findLabels(looked, model, '').map(({ name }) => name)).toEqual(['yes', 'none', 'spoilt', 'young', 'old'])
  })

  it('is searched by words of the label and of its mode, whatever their case', () => {
    expect(findLabels(looked, model, ' VOTE y').map(({ name }) => name)).toEqual(['yes'])
    expect(findLabels(looked, model, 'nobody')).toEqual([])
  })

  it('says which class a label indicates', () => {
    const [yes, none] = findLabels(looked, model, 'vote')
    expect([yes.class, none.class]).toEqual([0, 1])
    expect(none.posterior).toBeCloseTo(0.32 / 0.38, 12)
  })
})
