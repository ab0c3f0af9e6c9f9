import { readFileSync, writeFileSync } from 'node:fs'
import { Mode, Model } from '@polyad/core'
import { random } from '@polyad/core/numeric'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveModel } from '../../packages/polyad/src/output/model-store.ts'
import { objectOf, polyad, scratchFolder } from '../run-polyad.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const [model, data] = [scratch.path('model.npz'), scratch.path('survey.csv')]

const YES = [
  [0.85, 0.2],
  [0.8, 0.25],
  [0.75, 0.2],
]

beforeAll(async () => {
  const { uniform } = random(7, 'data')
  const lines = Array.from({ length: 600 }, (_, i) => {
    const k = uniform() < 0.6 ? 0 : 1
    const answers = YES.map(yes => (uniform() < yes[k] ? 'yes' : 'no'))
    const income = i % 10 === 0 ? 'NA' : (20 + 10 * k + 4 * (uniform() + uniform() - 1)).toFixed(2)
    const vote = uniform() < [0.7, 0.2][k] ? 'left' : 'right'
    // The logarithm of a uniform number to the third: as skewed as wealth, and the same in both classes.
    const wealth = (-Math.log(uniform())) ** 3
    return [...answers, income, vote, (0.5 + uniform()).toFixed(3), wealth.toFixed(3)].join(',')
  })
  writeFileSync(data, `q1,q2,q3,income,vote,w,wealth\n${lines.join('\n')}\n`)
  const truth = new Model(
    YES.map((_, n) => new Mode(`q${n + 1}`, ['no', 'yes'])),
    { rank: 2, sizes: Float64Array.of(360, 240), factors: YES.map(([a, b]) => Float64Array.of(1 - a, 1 - b, a, b)) },
  )
  await saveModel(model, truth, {})
})

const distal = (...args: string[]) => polyad(['distal', model, data, ...args])

describe('polyad distal', () => {
  it('makes no bootstrap of a model that was fitted with more than its classes', async () => {
    const explained = scratch.path('explained.npz')
    await polyad(['fit', data, '-k', '2', '-m', 'q1,q2,q3', '--covariates', 'vote', '--starts', '2', '-o', explained])
    const ended = await polyad(['distal', explained, data, '--outcome', 'income', '--bootstrap', '50'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(
      '--bootstrap fits the classes again, which is not supported for a model with covariates: leave --bootstrap out',
    )
  })

  it('compares the means of a number, corrected by weights unless told otherwise', async () => {
    const object = objectOf(await distal('--outcome', 'income', '--json'), 'distal')
    expect(object).toMatchObject({
      outcome: 'income',
      kind: 'number',
      method: 'bch',
      confidence: 0.95,
      rows: 540,
      missing: 60,
    })
    const [first, second] = object.classes
    for (const [{ mean }, truth] of [
      [first, 20],
      [second, 30],
    ] as const) {
      // biome-ignore format: a table
      expect(Math.abs(mean.estimate - truth)).toBeLessThan(4 * mean.standardError)
      expect(mean.interval[0]).toBeLessThan(mean.estimate)
    }
    expect(object.overall).toMatchObject({ degreesOfFreedom: 1 })
    expect(object.pairs).toHaveLength(1)
    expect(object.pairs[0].test).toEqual(object.overall)
    const none = objectOf(await distal('--outcome', 'income', '--method', 'none', '--json'), 'distal')
    expect(none.classes[0].mean.estimate).toBeGreaterThan(first.mean.estimate + 0.5)
    expect(none.classes[1].mean.estimate).toBeLessThan(second.mean.estimate - 0.5)
    const { stdout } = await distal('--outcome', 'income', '--method', 'ml', '--confidence', '0.9')
    expect(stdout).toMatch(/income by class +corrected by maximum likelihood/)
    expect(stdout).toContain('540 rows; left out: 60 without income or any answer')
    expect(stdout).toContain('90%')
  })

  it('compares the distributions of a category, and writes the posteriors beside the rows', async () => {
    const output = scratch.path('rows.csv')
    const object = objectOf(await distal('--outcome', 'vote', '--weights', 'w', '-o', output, '--json'), 'distal')
    expect(object).toMatchObject({ kind: 'category', method: 'ml', weights: 'w', output })
    const { probabilities } = object.classes[0]
    expect(probabilities.map(({ label }: { label: string }) => label)).toEqual(['left', 'right'])
    expect(Math.abs(probabilities[0].estimate - 0.7)).toBeLessThan(4 * probabilities[0].standardError)
    const [head, first] = readFileSync(output, 'utf8').split('\n')
    expect(head).toBe('q1,q2,q3,income,vote,w,wealth,class,class_probability,log_likelihood,posterior_1,posterior_2')
    const [a, b] = first.split(',').slice(-2).map(Number)
    expect(a + b).toBeCloseTo(1, 12)
    // Numbers may be categories too.
    const numbers = objectOf(await distal('--outcome', 'w', '--as', 'number', '--json'), 'distal')
    expect(numbers.kind).toBe('number')
  })

  it('warns of a number that is not normal within the classes, where that matters', async () => {
    const ended = await distal('--outcome', 'wealth', '--method', 'ml', '--json')
    expect(ended.stderr).toMatch(/wealth is not normal within the classes \(skewness [\d.]+, .* Use --method bch/)
    expect(objectOf(ended, 'distal').normality).toMatchObject({ doubtful: true })
    expect((await distal('--outcome', 'wealth')).stderr).not.toContain('not normal')
  })

  it('says what is wrong', async () => {
    const said = async (...args: string[]) => (await distal(...args)).stderr
    expect(await said()).toContain('no outcome was given: add its column, as in --outcome income')
    expect(await said('--outcome', 'incom')).toContain('no column "incom" for the outcome; did you mean "income"?')
    expect(await said('--outcome', 'q1')).toContain('the classes were made from "q1"')
    expect(await said('--outcome', 'vote', '--as', 'number')).toMatch(
      /line 2, column "vote": .* say so with --as category/,
    )
    expect(await said('--outcome', 'income', '--as', 'category')).toMatch(
      /has \d+ categories, more than the 100 allowed/,
    )
    expect(await said('--outcome', 'income', '--weights', 'vote')).toMatch(
      /column "vote": a weight must be a number ≥ 0/,
    )
  })
})
