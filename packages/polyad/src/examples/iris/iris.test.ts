import { describe, expect, it } from 'vitest'
import { irisExperiment, LOWEST_KNOWN } from './experiment.ts'
import { irisFigure, irisPanels } from './figure.ts'
import { irisPage } from './page.ts'
import { irisText } from './text.ts'

describe('the Iris example', async () => {
  const experiment = await irisExperiment({ maxPasses: 6000, seed: 1, threads: 1 })

  it('is the tensor of the paper', () => {
    expect(experiment.tensor.shape).toEqual([37, 25, 60, 25])
    expect(experiment.tensor.total).toBe(150)
  })

  it('supervised: the closed form per species classifies its own flowers at the published 0.967', () => {
    expect(experiment.supervised.agreement).toBeCloseTo(145 / 150, 12)
    expect(experiment.supervised.confusion).toEqual([
      [50, 0, 0],
      [0, 47, 3],
      [0, 2, 48],
    ])
  })

  it('unsupervised: converged, no lower than the lowest known, and the classes are matched to the species', () => {
    const { result, confusion, order, agreement } = experiment.unsupervised
    expect(result.converged).toBe(true)
    // 952.4534 is the lowest that any search of ours has come to.
    expect(result.loss).toBeGreaterThan(952.4533)
    expect(result.loss).toBeLessThan(960)
    expect([...order].sort()).toEqual([0, 1, 2])
    expect(confusion.flat().reduce((sum, n) => sum + n, 0)).toBe(150)
    expect(agreement).toBeGreaterThan(0.5)
    expect(result.model.total).toBeCloseTo(150, 9)
  })

  it('smoothed: a width chosen without the species agrees with them at 0.92 or more', () => {
    const { result, agreement } = experiment.smoothed
    expect(result.smoothing?.width).toBeGreaterThan(0)
    expect(agreement).toBeGreaterThanOrEqual(0.92)
    expect(result.verdict.reached).toBeGreaterThan(2)
  })

  it('normal: agrees with the species at 0.92 or more, in 26 parameters', () => {
    const { result, agreement } = experiment.normal
    expect(result.converged).toBe(true)
    expect(result.logLikelihood).toBeCloseTo(-1688.4333, 3)
    expect(agreement).toBeGreaterThanOrEqual(0.92)
  })

  it('gives the same bits every time', async () => {
    const again = await irisExperiment({ maxPasses: 6000, seed: 1, threads: 1 })
    expect(irisFigure(again.species, irisPanels(again))).toBe(irisFigure(experiment.species, irisPanels(experiment)))
    expect(again.unsupervised.result.trace).toEqual(experiment.unsupervised.result.trace)
  })

  it('draws every distribution inside its panel, with all panels and a legend', () => {
    const svg = irisFigure(experiment.species, irisPanels(experiment))
    for (const text of [
      'Species known',
      'Species hidden',
      'with smoothing',
      'normal distributions',
      'setosa',
      'versicolor',
      'virginica',
      'petal width (cm)',
    ]) {
      expect(svg).toContain(text)
    }
    expect(svg.match(/fill-opacity="0.28"/g)).toHaveLength(16 * 3)
    // Areas that were stacked on each other would rise above the chart. (Short paths are the ticks of the axes.)
    const shapes = [...svg.matchAll(/ d="([^"]{60,})"/g)].map(([, d]) => d)
    expect(shapes.length).toBe(16 * 3 * 2)
    for (const d of shapes) for (const [, y] of d.matchAll(/,(-?[\d.]+)/g)) expect(Number(y)).toBeGreaterThanOrEqual(0)
    expect(svg).not.toContain('NaN')
  })

  it('draws the closed form as it did before', async () => {
    const [known] = irisPanels(experiment)
    await expect(irisFigure(experiment.species, [known])).toMatchFileSnapshot('snapshots/species-known.svg')
  })

  it('tells both numbers, and the lowest loss found beside the lowest known', () => {
    const text = irisText(experiment, (_, plain) => plain)
    expect(text).toContain('0.967')
    expect(text).toContain(experiment.unsupervised.agreement.toFixed(3))
    expect(text).toContain(experiment.unsupervised.result.loss.toFixed(4))
    expect(text).toContain(String(LOWEST_KNOWN))
    const page = irisPage(experiment, '<svg></svg>')
    expect(page).toContain(String(LOWEST_KNOWN))
    expect(page).not.toMatch(/(src|href)=["']?http/)
  })
})
