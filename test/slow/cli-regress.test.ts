import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, polyadProcess, scratchFolder } from '../run-polyad.ts'
import { threeStepRows } from '../three-step-rows.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const [model, data] = [scratch.path('model.npz'), scratch.path('survey.csv')]

beforeAll(async () => {
  const lines = threeStepRows.map(({ answers, x, g, w, y, cluster, stratum }) =>
    [...answers, x, g, w, 1000 * y, cluster, `r${stratum}`, `r${stratum}`].map(each => each ?? '').join(','),
  )
  writeFileSync(data, `q1,q2,q3,q4,Age,party,w,income,school,region,Region2\n${lines.join('\n')}\n`)
  await polyad(['fit', data, '-k', '2', '--modes', 'q1,q2,q3,q4', '--weights', 'w', '--starts', '4', '-o', model])
})

const regress = (...args: string[]) => polyad(['regress', model, data, ...args])
const errors = (object: { covariates: { coefficients: { standardError: number }[] } }) =>
  object.covariates.coefficients.map(({ standardError }) => expect.closeTo(standardError, 3))

describe('polyad regress', () => {
  it('explains the classes of a model that was fitted without covariates', async () => {
    const ended = await regress('--covariates', 'age,Party', '--json')
    expect(ended.stderr).toContain("weighted by column w, as for the model's own data")
    const object = objectOf(ended, 'regress')
    expect(object).toMatchObject({ method: 'ml', weights: 'w', measurement: 'estimated here', measurementReason: null })
    const { names, coefficients, tests, referenceCategories } = object.covariates
    expect(names).toEqual(['Age', 'party'])
    expect(referenceCategories).toEqual({ party: 'a' })
    // By numpy, as in the tests of the library.
    const expected = [-0.89261659, 0.37262543, 0.71156856, -0.57572682]
    coefficients.forEach(({ estimate }: { estimate: number }, i: number) => {
      expect(estimate).toBeCloseTo(expected[i], 3)
    })
    expect([0.28706296, 0.0917752, 0.28493991, 0.32183023]).toEqual(errors(object))
    expect(tests[1].test.statistic).toBeCloseTo(13.966, 1)
    const { stdout } = await regress('--covariates', 'age,party', '--reference-category', 'party=c', '--standardize')
    expect(stdout).toMatch(/Age, per s\.d\. [\s\S]* reference category: party = c/)
    expect(stdout).toContain('allow for the uncertainty of the model')
  })

  it('takes weights and clusters of its own, interactions, units, and other corrections', async () => {
    const bch = objectOf(await regress('--covariates', 'age,party', '--method', 'bch', '--cluster', 'school', '--strata', 'region', '--json'), 'regress') // biome-ignore format: one call
    expect(bch).toMatchObject({ method: 'bch', clusters: 40, strata: 2 })
    expect([0.28902222, 0.07867778, 0.29678018, 0.35189002]).toEqual(errors(bch))
    const product = objectOf(
      await regress('--covariates', 'age*party,income', '--weights', 'none', '--json'),
      'regress',
    )
    expect(product).toMatchObject({ weights: null, measurement: 'estimated elsewhere' })
    expect(product.covariates.terms).toHaveLength(7)
    expect(product.covariates.units[1]).toMatchObject({ covariate: 'income', unit: 1000, by: 'automatic' })
    const known = objectOf(await regress('--covariates', 'age,party', '--measurement', 'known', '--json'), 'regress')
    expect([0.24817255, 0.09075967, 0.28593112, 0.30897166]).toEqual(errors(known))
  })

  it('answers with all but the bootstrap, or with the replicates so far, if the time is over', async () => {
    for (const args of [
      ['regress', model, data, '--covariates', 'age'],
      ['distal', model, data, '--outcome', 'income'],
    ]) {
      const asked = [...args, '--bootstrap', '100000', '--max-seconds', '6']
      const { code, stdout, stderr } = await polyadProcess([...asked, '--json'])
      expect(code, stderr).toBe(0)
      const found = objectOf({ code, stdout, stderr }, args[0])
      expect(found).toMatchObject({ stopped: true })
      expect(found.covariates ?? found.classes).toBeDefined()
      if (found.bootstrap === undefined) expect(found.notComputed).toEqual(['bootstrap'])
      else expect(found.bootstrap).toMatchObject({ stopped: true })
      expect(stderr).toContain('stopped early: ')
    }
  })

  it('makes all three steps again with drawn rows or clusters', async () => {
    for (const drawn of [[], ['--cluster', 'school', '--strata', 'region']]) {
      const ended = await regress('--covariates', 'age', '--bootstrap', '60', '--seed', '3', ...drawn, '--json')
      const { bootstrap, covariates } = objectOf(ended, 'regress')
      expect(bootstrap).toMatchObject({ replicates: 60, failed: 0, stopped: false, seed: 3 })
      bootstrap.coefficients.forEach((each: { standardError: number; finite: number }, i: number) => {
        expect(each.finite).toBe(60)
        expect(Math.abs(each.standardError / covariates.coefficients[i].standardError - 1)).toBeLessThan(0.4)
      })
    }
    const { stdout } = await polyad(['distal', model, data, '--outcome', 'income', '--bootstrap', '20'])
    expect(stdout).toMatch(/bootstrap of all three steps {3}20 replicates\n.*bootstrap s\.e\./)
    const adjusted = await polyad(['distal', model, data, '--outcome', 'income', '--covariates', 'age', '--bootstrap', '20', '--json']) // biome-ignore format: one call
    expect(objectOf(adjusted, 'distal').bootstrap).toMatchObject({ classes: [{ class: 1 }, { class: 2 }], coefficients: [{ term: 'Age' }] }) // biome-ignore format: one call
  })

  it('takes a column that strata are in as a covariate, too', async () => {
    const drawn = ['--cluster', 'school', '--strata', 'region', '--json']
    for (const command of [['regress'], ['distal', '--outcome', 'income']]) {
      const [own, other] = await Promise.all(
        ['region', 'Region2'].map(async name => {
          const ended = await polyad([...command, model, data, '--covariates', `age,${name}`, ...drawn])
          return JSON.parse(JSON.stringify(objectOf(ended, command[0])).replaceAll('Region2', 'region'))
        }),
      )
      expect(own).toEqual(other)
    }
  })

  it('names the stratum that has one cluster', async () => {
    for (const command of [
      ['regress', '--covariates', 'age'],
      ['distal', '--outcome', 'income'],
    ]) {
      const said = async (...args: string[]) => (await polyad([...command, model, data, ...args])).stderr
      expect(await said('--cluster', 'region', '--strata', 'Region2')).toMatch(/stratum "r[01]" has one cluster/)
    }
  })

  it('says what is wrong', async () => {
    const said = async (...args: string[]) => (await regress(...args)).stderr
    expect(await said()).toContain('no covariates were given: name their columns, as in --covariates age,party')
    expect(await said('--covariates', 'q1')).toContain('the classes were made from "q1": the covariate must be another')
    expect(await said('--covariates', 'parti')).toContain('no column "parti" for the covariate; did you mean "party"?')
    expect(await said('--covariates', 'income', '--categories', 'income')).toMatch(
      /"income" has \d+ categories, and at most 50 can be fitted: let it enter as a number/,
    )
    const explained = scratch.path('explained.npz')
    await polyad([
      'fit',
      data,
      '-k',
      '2',
      '--modes',
      'q1,q2,q3',
      '--covariates',
      'age',
      '--starts',
      '1',
      '-o',
      explained,
    ])
    const { stderr } = await polyad(['regress', explained, data, '--covariates', 'party'])
    expect(stderr).toContain('was fitted with covariates, which explain its classes already')
    const ended = await polyad(['distal', explained, data, '--outcome', 'income'])
    expect(ended.stderr).toContain(
      'standard errors treat the model as known, so intervals are too short: it was fitted',
    )
  })
})

describe('polyad distal --covariates', () => {
  const distal = (...args: string[]) => polyad(['distal', model, data, '--outcome', 'income', ...args])

  it('compares an outcome other things being equal', async () => {
    const [alone, adjusted] = await Promise.all([distal('--json'), distal('--covariates', 'age,Party', '--json')])
    const [plain, object] = [objectOf(alone, 'distal'), objectOf(adjusted, 'distal')]
    expect(plain).not.toHaveProperty('adjusted')
    expect(object).toMatchObject({ kind: 'number', method: 'bch', measurement: 'estimated here' })
    expect(object.adjusted).toMatchObject({ names: ['Age', 'party'], referenceCategories: { party: 'a' } })
    // Of the 2 that the classes differ by, and 0.5 per year of age, which differs between them too.
    expect(plain.pairs[0].difference).toBeLessThan(-2300)
    expect(Math.abs(object.pairs[0].difference + 2000)).toBeLessThan(250)
    expect(Math.abs(object.adjusted.coefficients[0].estimate - 500)).toBeLessThan(150)
    const { stdout } = await distal('--covariates', 'age', '--as', 'number')
    expect(stdout).toMatch(/income by class, adjusted for Age [\s\S]*effects of the covariates/)
  })

  it('says what is wrong', async () => {
    const said = async (...args: string[]) => (await distal(...args)).stderr
    expect(await said('--covariates', 'age', '--method', 'ml')).toContain('--covariates needs --method bch (got ml)')
    expect(await said('--categories', 'age')).toContain('"age", which is neither the outcome nor a covariate')
    expect(await said('--reference-category', 'party=a')).toContain('--reference-category needs --covariates')
    expect(await said('--covariates', 'income')).toContain('column "income" is named twice')
  })
})
