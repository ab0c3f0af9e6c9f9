import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma, gss82, values } from '../tables.ts'

/** Bootstrap, residuals and tests between ranks, on the command line. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const { writeFileSync } = await import('node:fs')
const at = (name: string, text: string): string => {
  writeFileSync(scratch.path(name), text)
  return scratch.path(name)
}
const survey = at('values.csv', csvOf(values))

describe('polyad fit', () => {
  it('has all criteria, and what the certainty of the classes comes to', async () => {
    const object = objectOf(await polyad(['fit', survey, '-k', '2', '--json']), 'fit')
    expect(Object.keys(object.criteria)).toEqual(['aic', 'aic3', 'bic', 'sabic', 'caic', 'icl', 'awe'])
    expect(object.criteria.bic).toBeCloseTo(1057.3128, 3)
    expect(object.smallestClass).toBeCloseTo(0.279247, 5)
    expect(object.relativeEntropy).toBeCloseTo(1 - object.entropy / (216 * Math.log(2)), 9)
    expect(object.cressieRead).toBeGreaterThan(2.5)
    expect(object.bootstrap).toBeUndefined()
  })

  it('--bootstrap gives p-values, and intervals beside the profiles', async () => {
    const args = ['fit', survey, '-k', '2', '--bootstrap', '60', '--residuals', '3']
    const { bootstrap, residuals, profiles } = objectOf(await polyad([...args, '--json']), 'fit')
    expect(bootstrap).toMatchObject({ kind: 'parametric', replicates: 60, converged: 60, stopped: false })
    expect(bootstrap.pValue).toBeGreaterThan(0.5)
    expect(bootstrap.interval[1]).toBeGreaterThan(bootstrap.pValue - 0.02)
    expect(bootstrap.chiSquared.pValue).toBeGreaterThan(0.5)
    expect(bootstrap.shares).toHaveLength(2)
    bootstrap.profiles.forEach(({ name, classes }: { name: string; classes: object[][] }, n: number) => {
      expect(name).toBe(profiles[n].name)
      expect(classes.map(labels => labels.length)).toEqual([2, 2])
    })
    expect(residuals.cells).toHaveLength(3)
    expect(residuals.pairs).toHaveLength(6)
    expect(residuals.pairs[0].pValue).toBeGreaterThan(0)
    const { stdout } = await polyad(args)
    expect(stdout).toMatch(/size +72\.1% \(\d+\.\d–\d+\.\d\)/)
    for (const part of [
      '60 parametric replicates',
      'p of Cressie–Read',
      'pairs of variables',
      'combinations that deviate most',
    ])
      expect(stdout).toContain(part)
  })

  it('--bootstrap-kind nonparametric gives intervals only; --residuals alone has no p', async () => {
    const args = ['fit', survey, '-k', '2', '--bootstrap', '30', '--bootstrap-kind', 'nonparametric', '--json']
    expect(objectOf(await polyad(args), 'fit').bootstrap).toMatchObject({ kind: 'nonparametric', pValue: null })
    const { residuals } = objectOf(await polyad(['fit', survey, '-k', '2', '--residuals', '--json']), 'fit')
    expect(residuals.cells).toHaveLength(10)
    expect(residuals.pairs[0].pValue).toBeUndefined()
  })
})

describe('what would be ignored is refused, and what is too little is not shown', () => {
  it('--bootstrap has no intervals of few replicates, and says so', async () => {
    const args = ['fit', survey, '-k', '2', '--bootstrap', '1']
    const { bootstrap } = objectOf(await polyad([...args, '--json']), 'fit')
    expect(bootstrap.shares).toEqual(Array(2).fill({ standardError: null, interval: null }))
    const { stdout } = await polyad(args)
    expect(stdout).toContain('no intervals of 95%: they need 39 replicates')
    expect(stdout).toMatch(/size +72\.1% +27\.9%/)
  })

  it.each([
    [['fit', '-k', '2', '--bootstrap-kind', 'nonparametric'], '--bootstrap-kind needs --bootstrap'],
    [['rank', '--replicates', '20'], '--replicates needs --test'],
    [['fit', '-k', '2', '--se', 'more.csv'], 'What follows --se is read as its value: put file names before it'],
    [['fit', '-k', '1', '--covariates', 'A'], '--covariates needs two classes or more (got -k 1)'],
    [
      ['fit', '-k', '2', '--modes', 'A,B,C', '--covariates', 'A'],
      'column "A" cannot be both a variable and a covariate',
    ],
  ])('polyad %j', async ([command, ...options], message) => {
    const { code, stderr } = await polyad([command, survey, ...options])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('polyad test', () => {
  it('answers whether a number of classes is enough', async () => {
    const object = objectOf(
      await polyad(['test', at('gss.csv', csvOf(gss82)), '-k', '2', '--replicates', '60', '--json']),
      'test',
    )
    expect(object).toMatchObject({ rank: 2, against: 3, replicates: 60, converged: 60, reason: 'all' })
    expect(object.statistic).toBeCloseTo(57.44521, 3)
    expect(object.pValue).toBe(1 / 61)
    expect(object.fits.map(({ rank }: { rank: number }) => rank)).toEqual([2, 3])
    expect(object.loMendellRubin).toEqual({ statistic: expect.any(Number), degreesOfFreedom: 7 })
    const least = await polyad(['test', at('gss.csv', csvOf(gss82)), '-k', '2'])
    expect(least.stdout).toContain('p ≤ 0.009 (0 of 112 replicates; --all for more)')
    expect(least.stdout).toContain('2 classes are rejected in favour of 3')
    expect(least.stdout).toMatch(/Lo–Mendell–Rubin[\s\S]*7 degrees of freedom; no p-value/)
    const text = await polyad(['test', survey, '-k', '2', '--against', '4', '--replicates', '60'])
    for (const part of [
      '2 classes against 4',
      'the conclusion would not change',
      '2 classes are not rejected in favour of 4',
    ])
      expect(text.stdout).toContain(part)
  })

  it('keeps the replicates there are when it is interrupted', async () => {
    const data = at('carcinoma.csv', csvOf(carcinoma))
    // On a busy machine there may be none so soon.
    for (const seconds of [2.5, 10, 40, 160]) {
      const { code, stdout, stderr } = await polyad(
        ['test', data, '-k', '3', '--replicates', '100000', '--all', '--json'],
        {
          when: [{ said: 'N = ', act: pid => void setTimeout(() => process.kill(pid, 'SIGINT'), seconds * 1000) }],
        },
      )
      expect(code, stderr).toBe(130)
      if (stderr.includes('stopped before') && seconds < 160) continue
      expect(stderr).toContain('stopped early')
      const { replicates, reason, pValue } = JSON.parse(stdout)
      expect(reason).toBe('stopped')
      expect(replicates).toBeGreaterThan(0)
      expect(replicates).toBeLessThan(100_000)
      expect(pValue).toBeLessThanOrEqual(1)
      return
    }
  })

  it.each([
    ['without a number', [], 'as in -k 3'],
    ['against fewer', ['-k', '3', '--against', '2'], '--against must be greater than --rank, which is 3'],
    ['at no level', ['-k', '1', '--level', '0'], 'it must be a number between 0 and 1'],
  ])('refuses to go on %s', async (_, args, reason) => {
    const { code, stderr } = await polyad(['test', survey, ...args])
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
  })
})

it('polyad rank --test puts the test against one more beside the criteria', async () => {
  const args = ['rank', survey, '-k', '1..3', '--folds', '0', '--test', '--replicates', '30']
  const { fits } = objectOf(await polyad([...args, '--json']), 'rank')
  expect(fits[0].test).toMatchObject({ rank: 1, against: 2, pValue: 1 / 31 })
  expect(fits[2].test).toBeUndefined()
  expect((await polyad(args)).stdout).toContain('p vs next')
})
