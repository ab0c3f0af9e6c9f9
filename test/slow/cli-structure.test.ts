import { readFileSync, writeFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { values } from '../tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}

/** Answers of two classes; who is in which depends on age and on the country, and two answers on each other. */
const survey = (): string => {
  const { uniform, below } = random(7, 'data')
  const lines = Array.from({ length: 1500 }, (_, i) => {
    const [age, country] = [20 + below(50), ['at', 'ch', 'de'][below(3)]]
    const odds = Math.exp(-2 + 0.05 * age - (country === 'ch' ? 1 : 0))
    const k = uniform() < odds / (1 + odds) ? 1 : 0
    const item = (p: number) => (uniform() < (k === 1 ? p : 1 - p) ? 'yes' : 'no')
    const q4 = item(0.8)
    const answers = [item(0.9), item(0.85), i % 40 === 0 ? '' : item(0.8), q4, uniform() < 0.5 ? q4 : item(0.8)]
    return [...answers, i % 50 === 0 ? '' : age, country].join(',')
  })
  return ['q1,q2,q3,q4,q5,Age,country', ...lines].join('\n')
}
const data = at('survey.csv', survey())
const items = ['--modes', 'q1,q2,q3,q4,q5']

describe('polyad fit --covariates', () => {
  it('takes a column whose name ends in a star, and asks for what is missing beside one', async () => {
    const starred = scratch.path('starred.csv')
    const [head, ...rest] = readFileSync(data, 'utf8').split('\n')
    writeFileSync(starred, [head.replace('Age', 'age*'), ...rest].join('\n'))
    const fit = (covariate: string) => polyad(['fit', starred, '-k', '2', ...items, '--covariates', covariate, '--starts', '2', '--json']) // biome-ignore format: one call
    const { covariates } = objectOf(await fit('AGE*'), 'fit')
    expect(covariates.names).toEqual(['age*'])
    expect((await fit('countr*')).stderr).toContain(
      'a name is missing beside * in "countr*", and no column has that name',
    )
  })

  it('has standard errors of the answers beside those of the coefficients', async () => {
    const args = ['fit', data, '-k', '2', ...items, '--covariates', 'age', '--se', '--confidence', '0.9']
    const { standardErrors, covariates, profiles } = objectOf(await polyad([...args, '--json']), 'fit')
    expect(standardErrors).toMatchObject({ kind: 'empirical', confidence: 0.9, reason: null, free: 12 })
    expect(covariates.confidence).toBe(0.9)
    const [, age] = covariates.coefficients
    expect(age.interval[1]).toBeCloseTo(Math.exp(age.estimate + 1.644854 * age.standardError), 6)
    const [low, high] = standardErrors.intervals.factors[0][0][0]
    expect(low).toBeLessThan(profiles[0].probabilities[0][0])
    expect(high).toBeGreaterThan(profiles[0].probabilities[0][0])
    const { stdout } = await polyad(args)
    expect(stdout).toMatch(/odds ratio +90%/)
    const observed = objectOf(await polyad([...args.slice(0, -2), 'observed', '--json']), 'fit')
    expect(observed.standardErrors).toMatchObject({ kind: 'observed', reason: null })
    const [, own] = observed.covariates.coefficients
    expect(own.estimate).toBe(age.estimate)
    expect(Math.abs(own.standardError / age.standardError - 1)).toBeLessThan(0.2)
    expect(own.standardError).not.toBe(age.standardError)
  })

  it('takes the weights, clusters and strata of a sample', async () => {
    // Every row twice, in the same household: nothing more is known than from half of the rows.
    const [head, ...lines] = survey().split('\n').slice(0, 801)
    const twice = lines.flatMap((line, i) => [1, 2].map(() => `${line},h${i},${i % 4 === 0 ? 'north' : 'south'},2.5`))
    const file = at('households.csv', [`${head},household,region,w`, ...twice].join('\n'))
    const once = at('once.csv', [head, ...lines].join('\n'))
    const args = ['-k', '2', ...items, '--covariates', 'age', '--json']
    const plain = objectOf(await polyad(['fit', once, ...args, '--se', 'sandwich']), 'fit')
    const drawn = objectOf(await polyad(['fit', file, ...args, '--weights', 'w', '--cluster', 'household', '--strata', 'region']), 'fit') // biome-ignore format: one call
    const [, slope] = drawn.covariates.coefficients
    expect(slope.estimate).toBeCloseTo(plain.covariates.coefficients[1].estimate, 5)
    expect(slope.standardError / plain.covariates.coefficients[1].standardError).toBeCloseTo(1, 1)
    const { design } = objectOf(await polyad(['fit', file, ...args, '--cluster', 'household', '--se']), 'fit').standardErrors // biome-ignore format: one call
    expect(design.clusters).toBeGreaterThan(700)
    const copies = objectOf(await polyad(['fit', file, ...args, '--se', 'sandwich']), 'fit')
    // And with constraints on the answers, all at once.
    const equal = [1, 2].map(k => ['q1', 'q2'].map(mode => ({ mode, class: k })))
    const more = ['--weights', 'w', '--se', '--pseudo-counts', '0.5', '--constraints', at('pair.json', JSON.stringify({ equal }))] // biome-ignore format: one list
    const together = objectOf(await polyad(['fit', file, ...args, ...more]), 'fit')
    expect(together.profiles[0].probabilities).toEqual(together.profiles[1].probabilities)
    expect(together.standardErrors.factors[0]).toEqual(together.standardErrors.factors[1])
    expect(together.parameters).toBe(drawn.parameters - 2)
    expect(slope.standardError / copies.covariates.coefficients[1].standardError).toBeCloseTo(Math.SQRT2, 1)
  })

  it('refuses a covariate of hundreds of categories, such as amounts that are no numbers', async () => {
    const { below } = random(9, 'data')
    const lines = Array.from(
      { length: 400 },
      (_, i) => `${below(2)};${below(2)};${below(2)};"${i},${1 + below(9)} a month"`,
    )
    const path = at('commas.csv', ['a;b;c;income', ...lines].join('\n'))
    const { stderr, code } = await polyad(['fit', path, '-k', '2', '--modes', 'a,b,c', '--covariates', 'income'])
    expect(stderr).toMatch(/covariate "income" has 400 categories, and at most 50 can be fitted: merge rare categories/)
    expect(code).toBe(2)
  })

  it('names the reference category and the unit, which can be chosen', async () => {
    const args = ['fit', data, '-k', '2', ...items, '--covariates', 'age,country', '--starts', '1']
    const chosen = [...args, '--reference-category', 'Country=de', '--per', 'AGE=10']
    const { stdout } = await polyad(chosen)
    expect(stdout).toMatch(/Age, per 10 [\s\S]* country = at [\s\S]* reference category: country = de/)
    const { covariates } = objectOf(await polyad([...chosen, '--json']), 'fit')
    expect(covariates.referenceCategories).toEqual({ country: 'de' })
    expect(covariates.units).toMatchObject([{ covariate: 'Age', unit: 10, by: 'given' }])
    const [, age] = covariates.coefficients
    expect(age.shown).toMatchObject({ unit: 10, estimate: 10 * age.estimate })
    expect((await polyad([...args, '--per', 'age=ten'])).stderr).toMatch(/the unit must be a number > 0/)
    expect((await polyad([...args, '--reference-category', 'de'])).stderr).toMatch(/as in party=Independent/)
  })

  it('explains the classes, and keeps how with the model', async () => {
    const model = scratch.path('explained.npz')
    const args = ['fit', data, '-k', '2', ...items, '--covariates', 'age,country', '-o', model]
    const ended = await polyad([...args, '--json'])
    const { covariates, modes, parameters, gSquared } = objectOf(ended, 'fit')
    expect(ended.stderr).toContain('30 of 1,500 observations left out: a covariate is missing')
    expect(modes).toEqual(['q1', 'q2', 'q3', 'q4', 'q5'])
    expect([parameters, gSquared]).toEqual([2 * 5 + 4, null])
    expect(covariates.names).toEqual(['Age', 'country'])
    expect(covariates.coefficients.map(({ term }: { term: string }) => term)).toEqual([
      'intercept',
      'Age',
      'country = ch',
      'country = de',
    ])
    const [, age] = covariates.coefficients
    expect(Math.abs(age.estimate)).toBeCloseTo(0.05, 1)
    expect(age.oddsRatio).toBeCloseTo(Math.exp(age.estimate), 10)
    expect(age.interval[0]).toBeCloseTo(Math.exp(age.estimate - 1.959964 * age.standardError), 6)
    expect(covariates.curves.map(({ points }: { points: unknown[] }) => points.length)).toEqual([9, 3])
    for (const { probabilities } of covariates.curves[0].points)
      expect(probabilities[0] + probabilities[1]).toBeCloseTo(1, 12)

    const shown = await polyad(['show', model])
    expect(shown.stdout).toContain('class membership   multinomial logit; reference: class 1')
    expect(shown.stdout).toContain('country = ch')
    expect(shown.stdout).toMatch(/covariate +χ² +df +p\n +Age /)
    expect(covariates.tests.map(({ test }: { test: { degreesOfFreedom: number } }) => test.degreesOfFreedom)).toEqual([
      1, 2,
    ])

    // New rows: the prior is their own membership; P[class] of one that has not answered is the logit itself.
    const rows = at('new.csv', 'q1,q2,q3,q4,q5,Age,country\n,,,,,40,ch\nyes,no,yes,no,no,60.5,de\n,,,,,,at\n')
    const output = scratch.path('classified.csv')
    expect((await polyad(['classify', model, rows, '--posterior', '-o', output])).code).toBe(0)
    const classified = readFileSync(output, 'utf8').trim().split('\n').slice(1).map(line => line.split(',')) // biome-ignore format: one chain
    const [b0, b1, ch] = covariates.coefficients.map(({ estimate }: { estimate: number }) => estimate)
    const odds = Math.exp(b0 + 40 * b1 + ch)
    expect(Number(classified[0].at(-1))).toBeCloseTo(odds / (1 + odds), 8)
    expect(Number(classified[1].at(-1)) + Number(classified[1].at(-2))).toBeCloseTo(1, 12)

    const lacking = at('lacking.csv', 'q1,q2,q3,q4,q5,Age\nyes,yes,no,no,no,40\n')
    const refused = await polyad(['classify', model, lacking])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('no column "country", a covariate of the model')
  })

  it('prints the coefficients and the curve; multiplies; leaves incomplete rows out', async () => {
    const args = ['fit', data, '-k', '2', ...items, '--covariates', 'Age*country', '--complete', '--reference', '2']
    const { stdout, stderr, code } = await polyad(args)
    expect(code).toBe(0)
    expect(stdout).toContain('class membership   multinomial logit; reference: class 2')
    expect(stdout).toContain('Age × country = de')
    expect(stdout).toContain('P[class] by country')
    expect(stdout).toContain('G² and X² are not defined, because covariates explain the classes')
    expect(stderr).toContain('observations have missing values and are omitted (--complete)')
  })

  it('refuses a column that is not there', async () => {
    const { code, stderr } = await polyad(['fit', data, '-k', '2', ...items, '--covariates', 'nothing'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('no column "nothing"')
  })
})

it('polyad fit --groups compares what groups have in common', async () => {
  const args = ['fit', data, '-k', '2', ...items, '--groups', 'country']
  const { groups, modes } = objectOf(await polyad([...args, '--json']), 'fit')
  expect(modes).toEqual(['q1', 'q2', 'q3', 'q4', 'q5'])
  expect(groups.models.map(({ name, parameters }: Record<string, unknown>) => [name, parameters])).toEqual([
    ['pooled', 11],
    ['probabilities equal', 13],
    ['free', 33],
  ])
  expect(groups.tests.map(({ degreesOfFreedom }: Record<string, unknown>) => degreesOfFreedom)).toEqual([2, 20])
  expect(groups.shares.map(({ group }: Record<string, unknown>) => group)).toEqual(['at', 'ch', 'de'])
  const { stdout } = await polyad(args)
  expect(stdout).toContain('probabilities equal within free: χ² = ')
})

it('polyad fit combines groups, covariates, free variables, joined ones and known classes; its model classifies by the group', async () => {
  const [head, ...lines] = survey().split('\n')
  // The class of every tenth row is known: yes to the first two questions is one, no is the other.
  const known = lines.map((line, i) => {
    const [q1, q2] = line.split(',')
    return `${line},${i % 10 === 0 && q1 === q2 ? (q1 === 'yes' ? 'keen' : 'cool') : ''}`
  })
  const file = at('known.csv', [`${head},expert`, ...known].join('\n'))
  const model = scratch.path('structured.npz')
  const structure = ['--covariates', 'age', '--groups', 'country', '--free', 'q1@2', '--join', 'q4,q5', '--known', 'expert'] // biome-ignore format: one list
  const args = ['fit', file, '-k', '2', ...items, ...structure, '--se', '--starts', '3', '-o', model]
  const ended = await polyad([...args, '--json'])
  const found = objectOf(ended, 'fit')
  const parts = ['at', 'ch', 'de'].map(country => `q1 (country = ${country})`)
  expect(found.modes).toEqual([...parts, 'q2', 'q3', 'q4 / q5'])
  expect(found.parts.map(({ name }: { name: string }) => name)).toEqual(parts)
  expect(found.groups.models.map(({ name, parameters }: Record<string, unknown>) => [name, parameters])).toEqual([
    ['pooled', 14],
    ['probabilities equal', 16],
    ['partial', 18],
    ['free', 40],
  ])
  expect(found.join.models.map(({ parameters }: Record<string, unknown>) => parameters)).toEqual([16, 18])
  expect(found.known.labels).toEqual(['cool', 'keen'])
  expect(found.covariates.names).toEqual(['Age', 'country'])
  expect(found.standardErrors).toMatchObject({ kind: 'empirical', reason: null, free: 18 })
  // The profiles of the first class are those of all groups, and of the second one's are not.
  const [one, two] = [0, 1].map(k => found.profiles.slice(0, 3).map((each: { probabilities: number[][] }) => each.probabilities[k][0])) // biome-ignore format: one list
  expect(new Set(one).size).toBe(1)
  expect(new Set(two).size).toBe(3)
  expect(ended.stderr).toContain('a covariate or the group is missing')

  const shown = (await polyad(['show', model])).stdout
  for (const text of ['known classes: expert', 'partial within free', 'joined: q4 and q5', '"class":2'])
    expect(shown).toContain(text)
  // A row that answers q1 alone: P[class] by its own country's probabilities.
  const rows = at('one.csv', 'q1,q2,q3,q4,q5,Age,country\nyes,,,,,40,de\nyes,,,,,40,at\n')
  const output = scratch.path('one-classified.csv')
  expect((await polyad(['classify', model, rows, '--posterior', '-o', output])).code).toBe(0)
  const posteriors = readFileSync(output, 'utf8').trim().split('\n').slice(1).map(line => Number(line.split(',').at(-1))) // biome-ignore format: one chain
  const [b0, b1, , de] = found.covariates.coefficients.map(({ estimate }: { estimate: number }) => estimate)
  const odds = (logit: number, part: number) => {
    const [p, q] = [0, 1].map(k => found.profiles[part].probabilities[k][1])
    return (Math.exp(logit) * q) / p
  }
  ;[odds(b0 + 40 * b1 + de, 2), odds(b0 + 40 * b1, 0)].forEach((each, i) => {
    expect(posteriors[i]).toBeCloseTo(each / (1 + each), 8)
  })
  expect((await polyad(['impute', model, rows, '-o', output])).stderr).toContain(
    'the probabilities of q1 depend on country',
  )
})

it('polyad fit --covariates has replicates and residuals given the covariates', async () => {
  const args = ['fit', data, '-k', '2', '--modes', 'q1,q2,q4', '--covariates', 'country', '--bootstrap', '40', '--residuals', '2'] // biome-ignore format: one list
  const { bootstrap, residuals, covariates } = objectOf(await polyad([...args, '--json']), 'fit')
  expect(bootstrap.coefficients.map(({ term }: { term: string }) => term)).toEqual(['intercept', 'country = ch', 'country = de']) // biome-ignore format: one claim
  expect(bootstrap.coefficients[1].standardError / covariates.coefficients[1].standardError).toBeCloseTo(1, 0)
  // Nothing is missing: G² has a test.
  expect(bootstrap.pValue).toBeGreaterThan(0)
  expect(residuals.cells[0].labels).toHaveLength(3)
  // Pairs of variables have a test; those with a covariate are compared with its χ² alone.
  const tested = residuals.pairs.filter(({ modes }: { modes: string[] }) => !modes.includes('country'))
  expect(tested).toHaveLength(3)
  for (const { pValue } of tested) expect(pValue).toBeGreaterThan(0)
  const { stdout } = await polyad(args)
  expect(stdout).toMatch(/class +coefficient of +s\.e\. +interval/)
  expect(stdout).toMatch(/combinations that deviate most.*\n +q1 +q2 +q4 +observed/)
})

it('polyad fit --direct lets a covariate affect an answer, and refuses numbers', async () => {
  const args = ['fit', data, '-k', '2', ...items, '--covariates', 'age,country']
  const plain = objectOf(await polyad([...args, '--json']), 'fit')
  const direct = objectOf(await polyad([...args, '--direct', 'Country->q2', '--json']), 'fit')
  expect(direct.parameters).toBe(plain.parameters + 4)
  expect(direct.logLikelihood).toBeGreaterThan(plain.logLikelihood)
  expect(direct.direct.models[0].logLikelihood).toBeCloseTo(plain.logLikelihood, 4)
  expect(direct.direct.test).toMatchObject({ degreesOfFreedom: 4, model: 'without direct effects' })
  // The country affects no answer within a class.
  expect(direct.direct.test.pValue).toBeGreaterThan(0.001)
  const { stderr, code } = await polyad([...args, '--direct', 'age->q2'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('and "Age" is a number: cut it with --bin, or name it in --categories')]) // biome-ignore format: one claim
})

it('polyad fit --join compares with the items apart, and its model classifies', async () => {
  const model = scratch.path('joined.json')
  const args = ['fit', data, '-k', '2', ...items, '--join', 'q4,q5', '-o', model]
  const { join, modes, criteria } = objectOf(await polyad([...args, '--json']), 'fit')
  expect(modes).toEqual(['q1', 'q2', 'q3', 'q4 / q5'])
  expect(join.models[1].bic).toBeCloseTo(criteria.bic, 8)
  expect(join.models[1].bic).toBeLessThan(join.models[0].bic)
  const { total } = objectOf(await polyad(['classify', model, data, '--json']), 'classify')
  expect(total).toBe(1500)
  expect((await polyad(['impute', model, data])).stderr).toContain('q4 / q5 was joined from several columns')
})

it('polyad fit --constraints holds to a file, and says where it is wrong', async () => {
  const table = at('values.csv', csvOf(values))
  const modes = values.modes.map(({ name }) => name)
  const equal = [1, 2].map(k => [1, 2].map(n => ({ mode: modes[n], class: k })))
  const file = at('parallel.json', JSON.stringify({ equal }))
  const { parameters, profiles, constraints, logLikelihood } = objectOf(
    await polyad(['fit', table, '-k', '2', '--constraints', file, '--json']),
    'fit',
  )
  expect(parameters).toBe(7)
  expect(constraints).toEqual({ equal })
  expect(profiles[1].probabilities).toEqual(profiles[2].probabilities)
  expect(logLikelihood).toBeCloseTo(-504.550571, 5)
  const more = ['--se', 'observed', '--bootstrap', '60', '--json']
  const known = objectOf(await polyad(['fit', table, '-k', '2', '--constraints', file, ...more]), 'fit')
  expect(known.standardErrors).toMatchObject({ reason: null, free: 7 })
  expect(known.standardErrors.factors[1]).toEqual(known.standardErrors.factors[2])
  const { name: _, ...spread } = known.bootstrap.profiles[1]
  expect(known.bootstrap.profiles[2]).toMatchObject(spread)
  const wrong = at('wrong.json', JSON.stringify({ fixed: [{ mode: modes[0], label: 7, probability: 0.5 }] }))
  const { stderr, code } = await polyad(['fit', table, '-k', '2', '--constraints', wrong])
  expect(code).not.toBe(0)
  expect(stderr).toContain('fixed[0]: mode')
  expect(stderr).toContain('has no label 7')
})
