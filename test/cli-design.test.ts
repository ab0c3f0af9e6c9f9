import { writeFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** Weights, clusters, strata and incomplete rows: every command takes them alike. */
const scratch = scratchFolder()
afterAll(scratch.remove)
const data = scratch.path('survey.csv')

/** Rows of 24 schools in two regions; weights say how many of a population of about 480,000 a row stands for. */
beforeAll(() => {
  const { uniform } = random(21, 'data')
  const lines = Array.from({ length: 240 }, (_, i) => {
    const school = i % 24
    const k = uniform() < 0.25 + 0.5 * (school % 2) ? 0 : 1
    const answers: string[] = [0.9, 0.85, 0.8].map(p => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no'))
    if (i % 30 === 3) answers[1] = ''
    const weight = Math.round(1000 + 2000 * uniform())
    return [...answers, `s${school}`, school < 12 ? 'north' : 'south', weight, (50 + 10 * k + uniform()).toFixed(2)]
  })
  writeFileSync(data, `q1,q2,q3,school,region,w,income\n${lines.map(line => line.join(',')).join('\n')}\n`)
})

const MODES = ['--modes', 'q1,q2,q3']
const SAMPLE = ['--weights', 'w', '--cluster', 'school', '--strata', 'region']
const run = async (command: string, ...args: string[]) => {
  const ended = await polyad([command, data, ...MODES, ...args, '--json'])
  return { ...objectOf(ended, command), stderr: ended.stderr }
}

describe('the design of a sample', () => {
  it('is taken by fit, rank, test and independence alike', async () => {
    const fit = await run('fit', '-k', '2', ...SAMPLE)
    // Clusters change standard errors alone, so they are there without --se.
    expect(fit.standardErrors.design).toMatchObject({ clusters: 24, strata: 2, degreesOfFreedom: 22 })
    const rank = await run('rank', '-k', '1..2', '--folds', '0', ...SAMPLE)
    expect(rank.fits[1].logLikelihood).toBeCloseTo(fit.logLikelihood, 6)
    expect(rank.fits[1].modes).toEqual(['q1', 'q2', 'q3'])
    const independence = await run('independence', ...SAMPLE)
    expect(independence.logLikelihood).toBeCloseTo(rank.fits[0].logLikelihood, 8)
    expect(independence.modes).toEqual(['q1', 'q2', 'q3'])
  })

  it('leaves out incomplete rows with every command', async () => {
    for (const [command, ...args] of [['fit', '-k', '2'], ['rank', '-k', '1..2', '--folds', '0'], ['independence']]) {
      const found = await run(command, ...args, '--complete')
      expect(found.left, command).toBe(8)
      expect((found.fits?.[1] ?? found).total, command).toBe(232)
    }
  })

  it('gives class sizes in the population, and nothing else changes', async () => {
    const model = scratch.path('totals.json')
    const plain = await run('fit', '-k', '2', '--weights', 'w')
    const { population, stderr, ...found } = await run('fit', '-k', '2', '--weights', 'w', '--weights-as-totals', '-o', model) // biome-ignore format: one call
    expect(population.total).toBeGreaterThan(400_000)
    expect(population.sizes[0] / population.total).toBeCloseTo(found.shares[0], 12)
    expect(found.logLikelihood).toBe(plain.logLikelihood)
    expect(objectOf(await polyad(['show', model, '--json']), 'show').total).toBeCloseTo(population.total, 4)
    expect((await polyad(['fit', data, '-k', '2', ...MODES, '--weights', 'w', '--weights-as-totals'])).stdout).toMatch(
      /class 1 {3}[\d.]+ %.*about [\d,]+ in the population/,
    )
    const component = await run('independence', '--weights', 'w', '--weights-as-totals', '--complete')
    expect(component.population.sizes[0]).toBeCloseTo((population.total * component.total) / 240, 4)
  })

  it('is refused if it makes no sense, before any data is read', async () => {
    for (const command of ['rank', 'test', 'independence']) {
      const classes = command === 'independence' ? [] : ['-k', '2']
      const said = async (...args: string[]) => (await polyad([command, 'none.csv', ...classes, ...args])).stderr
      expect(await said('--strata', 'region'), command).toContain('--strata needs --cluster')
      expect(await said('--weights-as-totals'), command).toContain('--weights-as-totals needs --weights')
      expect(await said('--cluster', 'q1', '--modes', 'q1,q2'), command).toContain('cannot be both')
    }
  })
})
