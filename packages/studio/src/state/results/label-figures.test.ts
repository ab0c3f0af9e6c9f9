import { describe, expect, it } from 'vitest'
import type { DescribedModel, DescribedModels } from '../../worker/protocol.ts'
import { findLabels, labelFigures } from './label-figures.ts'

const modes: DescribedModels['modes'] = [
  { name: 'vote', labels: ['none', 'yes', 'spoilt'], ordered: false, number: false },
  { name: 'age', labels: ['young', 'old'], ordered: true, number: false },
]

/** Two classes: 60% and 40%. */
const model: DescribedModel = {
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
const described: DescribedModels = { modes, models: [model] }

describe('what a model says of a label', () => {
  it('is P of the label in each class, P of each class given it, and its lift', () => {
    const { mode, label, overall, classes } = labelFigures(described, model, { mode: 0, label: 1 })
    expect([mode, label, overall]).toEqual(['vote', 'yes', 0.62])
    expect(classes.map(({ probability }) => probability)).toEqual([0.9, 0.2])
    expect(classes[0].posterior).toBeCloseTo(0.54 / 0.62, 12)
    expect(classes[1].lift).toBeCloseTo(0.2 / 0.62, 12)
    expect(classes.reduce((sum, { posterior }) => sum + (posterior ?? 0), 0)).toBeCloseTo(1, 12)
  })

  it('is nothing of a class given a label that never occurs', () => {
    const { classes } = labelFigures(described, model, { mode: 0, label: 2 })
    expect(classes).toEqual([0, 1].map(() => ({ probability: 0, posterior: null, lift: null })))
  })
})

describe('a list of labels', () => {
  it('has the frequent ones of a mode first, and ordered ones in their order', () => {
    expect(findLabels(described, model, '').map(({ name }) => name)).toEqual(['yes', 'none', 'spoilt', 'young', 'old'])
  })

  it('is searched by words of the label and of its mode, whatever their case', () => {
    expect(findLabels(described, model, ' VOTE y').map(({ name }) => name)).toEqual(['yes'])
    expect(findLabels(described, model, 'nobody')).toEqual([])
  })

  it('says which class a label indicates', () => {
    const [yes, none] = findLabels(described, model, 'vote')
    expect([yes.class, none.class]).toEqual([0, 1])
    expect(none.posterior).toBeCloseTo(0.32 / 0.38, 12)
  })
})
