import { readFileSync, writeFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from '../run-polyad.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const data = scratch.path('survey.csv')

const YES = [
  [0.9, 0.2],
  [0.85, 0.25],
  [0.8, 0.2],
]

beforeAll(() => {
  const { uniform } = random(11, 'data')
  const lines = Array.from({ length: 600 }, (_, i) => {
    const [school, region] = [Math.floor((i % 60) / 3) + 1, i % 60 < 30 ? 'north' : 'south']
    const k = uniform() < 0.3 + 0.4 * (school % 2) ? 0 : 1
    const answers = YES.map(yes => (uniform() < yes[k] ? 'yes' : 'no'))
    // In the south the numbers begin again.
    const number = region === 'south' ? school - 10 : school
    return [...answers, `s${school}`, number, region, (0.5 + 2 * uniform()).toFixed(2)].join(',')
  })
  writeFileSync(data, `q1,q2,q3,school,psu,region,w\n${lines.join('\n')}\n`)
})

const fit = (...args: string[]) => polyad(['fit', data, '-k', '2', '--modes', 'q1,q2,q3', ...args])

describe('polyad fit --weights', () => {
  it('compares groups by weighted likelihoods, whose ratios are scaled, and by Wald', async () => {
    const { groups, covariates } = objectOf(await fit('--weights', 'w', '--groups', 'region', '--json'), 'fit')
    for (const { statistic, scaling, scaled, pValue } of groups.tests) {
      expect(scaled).toBeCloseTo(statistic / scaling, 10)
      expect(pValue).toBeGreaterThan(0)
    }
    for (const { scaling } of groups.models) expect(scaling).toBeGreaterThan(0.5)
    const [{ covariate, test }] = covariates.tests
    expect(covariate).toBe('region')
    expect(test.pValue).toBeGreaterThan(0)
    const clusters = await fit('--cluster', 'psu', '--strata', 'region', '--groups', 'school', '--free', 'q1', '--json')
    expect(objectOf(clusters, 'fit').groups.models).toHaveLength(4)
  })

  it('is reported with the data it was fitted to', async () => {
    const model = scratch.path('weighted.npz')
    await fit('--weights', 'w', '-o', model)
    const page = await polyad(['report', model, data, '-o', scratch.path('weighted.html'), '--json'])
    expect(objectOf(page, 'report').data).toMatchObject({ same: true, weights: 'w' })
  })

  it('calls weights weights in a report', async () => {
    const [page, model] = [scratch.path('weighted.html'), scratch.path('weighted.npz')]
    await fit('--weights', 'w', '--report', page, '-o', model)
    // Weights are scaled to the rows, which are the observations; classes are parts of the weight.
    const text = readFileSync(page, 'utf8')
    expect(text).not.toMatch(/%\sof the observations|sum of (the )?weights/)
    expect(text).toContain('observations (weighted)')
    const { data: facts, summary, cautions } = objectOf(await polyad(['report', model, '-o', page, '--json']), 'report')
    expect(facts.weights).toBe('w')
    expect(summary[0]).toMatch(/^Two classes describe \d+ observations on 3 variables, weighted by w\. Within/)
    expect(summary[1]).toMatch(/^They contain [\d.]+% and [\d.]+% of the weight\.$/)
    expect(cautions.join(' ')).toContain('Observations are weighted: criteria such as AIC and BIC treat them as')
  })

  it('gives sandwich errors that do not change with the scale of the weights', async () => {
    const plain = objectOf(await fit('--weights', 'w', '--se', '--json'), 'fit')
    expect(plain.total).toBeCloseTo(600, 8)
    expect(plain.source).toMatchObject({ weights: 'w' })
    expect(plain.standardErrors).toMatchObject({
      kind: 'sandwich',
      design: { clusters: null, degreesOfFreedom: null },
    })
    // What older scripts ask for is what is done.
    const { seconds: _, ...asked } = objectOf(await fit('--weights', 'w', '--rescale-weights', '--se', '--json'), 'fit')
    expect(plain).toMatchObject(asked)
    const counted = objectOf(await fit('--count', 'w', '--se', 'sandwich', '--json'), 'fit')
    expect(counted.shares[0]).toBeCloseTo(plain.shares[0], 8)
    expect(counted.standardErrors.shares[0]).not.toBeCloseTo(plain.standardErrors.shares[0], 4)
    const { stderr } = await fit('--weights', 'w')
    expect(stderr).toMatch(/w: weights are divided by their mean, so that they sum to the number of rows that are used/)
  })
})

describe('polyad classify of a weighted model', () => {
  it('gives shares by the weights, as the model has them', async () => {
    const [model, rows] = [scratch.path('shares.npz'), scratch.path('classified.csv')]
    await fit('--weights', 'w', '-o', model)
    const ended = await polyad(['classify', model, data, '--json'])
    const found = objectOf(ended, 'classify')
    expect(ended.stderr).toContain("weighted by column w, as for the model's own data (--weights none: no weights)")
    // From the rows themselves: the weights of those with each class, over all.
    await polyad(['classify', model, data, '-o', rows])
    const [head, ...lines] = readFileSync(rows, 'utf8').trim().split('\n').map(line => line.split(',')) // biome-ignore format: one chain
    const [w, given] = ['w', 'class'].map(name => head.indexOf(name))
    const sums = [1, 2].map(k => lines.filter(line => line[given] === `${k}`).reduce((sum, line) => sum + Number(line[w]), 0)) // biome-ignore format: one call
    found.classes.forEach(({ share, total }: { share: number; total: number }, k: number) => {
      expect(share).toBeCloseTo(sums[k] / (sums[0] + sums[1]), 10)
      expect(total).toBeCloseTo(share * 600, 6)
    })
    expect(found).toMatchObject({ weights: 'w', count: null, rows: 600 })
    const plain = objectOf(await polyad(['classify', model, data, '--weights', 'none', '--json']), 'classify')
    expect(plain.classes[0].share).toBeCloseTo(plain.classes[0].rows / 600, 12)
    expect(plain.classes[0].share).not.toBeCloseTo(found.classes[0].share, 4)
    expect((await polyad(['classify', model, data])).stdout).toContain('sizes are weighted by w')
  })
})

describe('polyad fit --cluster', () => {
  it('uses clusters within strata, which are not part of the model', async () => {
    const model = scratch.path('model.npz')
    const design = ['--cluster', 'School', '--strata', 'region', '--se', '--json', '-o', model]
    const { standardErrors, modes, profiles } = objectOf(await fit(...design), 'fit')
    expect(modes).toEqual(['q1', 'q2', 'q3'])
    expect(profiles).toHaveLength(3)
    expect(standardErrors.design).toMatchObject({ clusters: 20, strata: 2, degreesOfFreedom: 18 })
    // Schools differ in their shares, so that pupils of one tell less than as many of all.
    expect(standardErrors.design.effects.shares[0]).toBeGreaterThan(1.5)
    // New data need not have the columns of the design.
    const fresh = scratch.path('new.csv')
    writeFileSync(fresh, 'q1,q2,q3\nyes,yes,yes\nno,no,no\n')
    const classified = objectOf(await polyad(['classify', model, fresh, '--json']), 'classify')
    expect(classified).toMatchObject({ rows: 2, absent: [] })
  })

  it('takes clusters that are numbered within strata as different', async () => {
    const named = objectOf(await fit('--cluster', 'school', '--strata', 'region', '--se', '--json'), 'fit')
    const ended = await fit('--cluster', 'psu', '--strata', 'region', '--se', '--json')
    const { design, shares } = objectOf(ended, 'fit').standardErrors
    expect(design).toMatchObject({ clusters: 20, strata: 2 })
    expect(shares[0]).toBeCloseTo(named.standardErrors.shares[0], 10)
    expect(ended.stderr).toContain('clusters with the same name in different strata are treated as different clusters')
    const { stdout } = await fit('--cluster', 'school', '--strata', 'region', '--se')
    expect(stdout).toMatch(/20 clusters in 2 strata, 18 degrees of freedom; design effects from/)
  })

  it('counts clusters whose rows all have weight zero, but not their rows', async () => {
    const [part, rows] = [scratch.path('part.csv'), readFileSync(data, 'utf8').trim().split('\n')]
    const [head, ...lines] = rows.map(row => row.split(','))
    const zero = lines.map(line => (['s3', 's12'].includes(line[3]) ? [...line.slice(0, 6), '0'] : line))
    writeFileSync(part, [head, ...zero].map(line => line.join(',')).join('\n'))
    const design = ['--weights', 'w', '--cluster', 'psu', '--strata', 'region', '--se', '--json']
    const ended = await polyad(['fit', part, '-k', '2', '--modes', 'q1,q2,q3', ...design])
    const { total, standardErrors } = objectOf(ended, 'fit')
    expect(total).toBeCloseTo(540, 8)
    expect(standardErrors.design).toMatchObject({ clusters: 20, strata: 2, degreesOfFreedom: 18 })
    expect(ended.stderr).toContain('in 2 of 20 clusters every row has w = 0: they still count in the design')
  })

  it('refuses what cannot be, before any work', async () => {
    const said = async (...args: string[]) => {
      const { code, stderr } = await fit(...args)
      expect(code).not.toBe(0)
      return stderr
    }
    expect(await said('--strata', 'region', '--se')).toContain('--strata needs --cluster')
    expect(await said('--cluster', 'school', '--se', 'observed')).toContain('--se must be sandwich with --cluster')
    expect(await said('--weights', 'w', '--se', 'empirical')).toContain('--se must be sandwich with --weights')
    expect(await said('--cluster', 'q1', '--se')).toContain(
      '"q1" cannot be both a variable and part of the sample design',
    )
    expect(await said('--weights', 'w', '--count', 'w')).toContain('--weights cannot be combined with --count')
    expect(await said('--rescale-weights')).toContain('--rescale-weights needs')
    expect(await said('--weights', 'region')).toMatch(/column "region": a weight must be a number ≥ 0 \(got "north"\)/)
    expect(await said('--cluster', 'region', '--strata', 'school', '--se')).toContain('stratum "s1" has one cluster')
  })
})
