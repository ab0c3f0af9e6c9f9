import { readFileSync, writeFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from '../run-polyad.ts'

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

/** The rows of the file, by the names of its columns. */
const rowsOf = (path: string) => {
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\n').map(line => line.split(',')) // biome-ignore format: one chain
  return lines.map(line => Object.fromEntries(head.map((name, i) => [name, line[i]])))
}

describe('replicate weights', () => {
  const table = scratch.path('replicates.csv')
  /** The rows of packages/core/src/stats/resampling/replicate-errors.test.ts, with the weights of its jackknife. */
  beforeAll(() => {
    const lines = Array.from({ length: 240 }, (_, i) => {
      const u = (s: number) =>
        ((i * (7919 + 131 * s) + i * i * (13 + 29 * s) + i * i * i * (5 + s) + s * 331) % 1009) / 1009
      const c = i % 24
      const a = Math.floor(3 * u(1))
      const b = u(2) < 0.3 + 0.1 * a + (c % 3 === 0 ? 0.2 : 0) ? 1 : 0
      const w = 1 + ((i * 5) % 4)
      const jk1 = Array.from({ length: 16 }, (_, r) => (c === r ? 0 : (w * 16) / 15))
      const jkn = Array.from({ length: 16 }, (_, r) => w * (c === r ? 0 : Math.floor(c / 2) === Math.floor(r / 2) ? 2 : 1)) // biome-ignore format: one call
      return { c, line: [`a${a}`, `b${b}`, w, ...jk1, ...jkn].join() }
    }).filter(({ c }) => c < 16)
    const names = ['rw', 'jn'].flatMap(name => Array.from({ length: 16 }, (_, r) => `${name}${r + 1}`))
    writeFileSync(table, `a,b,w,${names.join()}\n${lines.map(({ line }) => line).join('\n')}\n`)
  })
  const fit = (...args: string[]) => polyad(['fit', table, '-k', '1', '--weights', 'w', ...args, '--json'])

  it.each([
    ['rw*', ['--replicate-kind', 'jk1'], [0.0460091795461365, 0.032355379430953, 0.0521250047952733]],
    [
      'jn*',
      ['--replicate-kind', 'jkn', '--replicate-scale', '0.5'],
      [0.0395639672847769, 0.0336148875021186, 0.0590837008476078],
    ],
  ])('%s give the errors of svrepdesign', async (pattern, kind, expected) => {
    const exclude = [
      '--exclude',
      Array.from({ length: 16 }, (_, r) => `${pattern === 'rw*' ? 'jn' : 'rw'}${r + 1}`).join(),
    ]
    const { standardErrors, modes } = objectOf(await fit('--replicate-weights', pattern, ...kind, ...exclude), 'fit')
    expect(modes).toEqual(['a', 'b'])
    expect(standardErrors.factors[0][0]).toEqual(expected.map(x => expect.closeTo(x, 9)))
    expect(standardErrors).toMatchObject({ kind: 'replicates', design: { degreesOfFreedom: 15, replicates: { count: 16 } } }) // biome-ignore format: one call
  })

  it('are refused if they cannot be used', async () => {
    const said = async (...args: string[]) => (await fit(...args)).stderr
    expect(await said('--replicate-weights', 'rw*')).toContain('--replicate-weights needs --replicate-kind, one of brr')
    expect(await said('--replicate-kind', 'brr')).toContain('--replicate-kind needs --replicate-weights')
    expect(await said('--replicate-weights', 'jn*', '--replicate-kind', 'jkn')).toContain('needs --replicate-scale')
    const short = await fit('--replicate-weights', 'jn*', '--replicate-kind', 'jkn', '--replicate-scale', '0.5,0.5')
    expect(short.code).toBe(2)
    expect(short.stderr).toContain('--replicate-scale must be one number, or one for each of 16 replicates (got 2)')
    expect(await said('--replicate-weights', 'x*', '--replicate-kind', 'brr')).toContain('replicates.csv matches x*')
    expect(await said('--replicate-weights', 'a,b', '--replicate-kind', 'brr', '--modes', 'a,b')).toContain(
      'both a variable and a replicate weight',
    )
    expect(await said('--replicate-weights', 'rw*', '--replicate-kind', 'brr', '--cluster', 'a')).toContain('cannot be combined with --cluster') // biome-ignore format: one call
  })
})

describe('a model of a sample', () => {
  const model = scratch.path('model.npz')
  beforeAll(async () => {
    expect((await polyad(['fit', data, '-k', '2', ...MODES, ...SAMPLE, '--complete', '-o', model])).code).toBe(0)
  })
  const said = async (command: string, ...args: string[]) => {
    const ended = await polyad([command, model, data, ...args, '--json'])
    return { ...objectOf(ended, command), stderr: ended.stderr }
  }

  it('gives classes whose shares have errors by clusters within strata', async () => {
    const rows = scratch.path('rows.csv')
    const found = await said('classify')
    expect(found.stderr).toContain("weighted by column w, as for the model's own data (--weights none: no weights)")
    expect(found.stderr).toContain("clusters are in column school, strata in region, as for the model's own data")
    expect(found.design).toEqual({ clusters: 24, strata: 2, degreesOfFreedom: 22 })
    await polyad(['classify', model, data, '-o', rows])
    // By hand: the sums of w·(1[class 1] − share) in clusters, within strata.
    const all = rowsOf(rows).map(row => ({ ...row, w: Number(row.w), one: row.class === '1' ? 1 : 0 }))
    const total = all.reduce((sum, { w }) => sum + w, 0)
    const share = all.reduce((sum, { w, one }) => sum + w * one, 0) / total
    const variance = ['north', 'south'].reduce((sum, region) => {
      const own = all.filter(row => (row as Record<string, unknown>).region === region)
      const schools = [...new Set(own.map(row => (row as Record<string, unknown>).school))]
      const sums = schools.map(school =>
        own.reduce(
          (z, row) => z + ((row as Record<string, unknown>).school === school ? row.w * (row.one - share) : 0),
          0,
        ),
      )
      const mean = sums.reduce((a, b) => a + b, 0) / sums.length
      return sum + (12 / 11) * sums.reduce((a, z) => a + (z - mean) ** 2, 0)
    }, 0)
    expect(found.classes[0].share).toBeCloseTo(share, 10)
    expect(found.classes[0].standardError).toBeCloseTo(Math.sqrt(variance) / total, 10)
    const [weighted, plain] = [await said('classify', '--cluster', 'none'), await said('classify', '--cluster', 'none', '--weights', 'none')] // biome-ignore format: two
    expect(weighted.design).toBeNull()
    expect(weighted.classes[0].standardError).not.toBeCloseTo(found.classes[0].standardError, 4)
    expect(plain.classes[0].standardError).toBeUndefined()
    const totals = await said('classify', '--weights-as-totals')
    expect(totals.total).toBeCloseTo(total, 4)
    expect((await said('classify', '--complete')).left).toBe(8)
    expect((await polyad(['classify', model, data])).stdout).toContain('standard errors by 24 clusters in 2 strata')
  })

  it('compares outcomes by the same design', async () => {
    const found = await said('distal', '--outcome', 'income')
    expect(found.design).toEqual({ clusters: 24, strata: 2, degreesOfFreedom: 22 })
    const plain = await said('distal', '--outcome', 'income', '--cluster', 'none')
    expect(plain.design).toBeUndefined()
    expect(plain.classes[0].mean.estimate).toBeCloseTo(found.classes[0].mean.estimate, 10)
    expect(plain.classes[0].mean.standardError).not.toBeCloseTo(found.classes[0].mean.standardError, 6)
    expect((await said('distal', '--outcome', 'income', '--complete')).rows).toBe(232)
    expect((await said('distal', '--outcome', 'income', '--complete')).design.clusters).toBe(24)
  })

  it('is reported and drawn with its own data, to the last bit', async () => {
    const page = scratch.path('page.html')
    const { data: facts, stderr } = await said('report', '-o', page, '--se')
    expect(facts).toMatchObject({ same: true, weights: 'w' })
    expect(stderr).toContain('clusters are in column school')
    expect(await said('plot', '--kind', 'residuals', '-o', scratch.path('chart.svg'))).toHaveProperty('table')
    const { same } = (await said('report', '-o', page, '--weights', 'none')).data
    expect(same).toBe(false)
  })

  it('is not given clusters that are not there', async () => {
    const said = async (...args: string[]) => (await polyad(['classify', model, data, ...args])).stderr
    expect(await said('--cluster', 'village')).toContain('has no column "village" of clusters')
    expect(await said('--cluster', 'none', '--strata', 'region')).toContain('--strata needs --cluster')
    expect(await said('--cluster', 'q2')).toContain('column "q2": the cluster is missing: every row needs one')
  })
})

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
    expect(independence.designTest).toBeUndefined()
    expect(fit.stderr).toContain('they ignore the sample design')
  })

  it('corrects tests of fit by the effect of the design', async () => {
    const simple = await run('independence', '--complete')
    expect(simple.designTest).toBeUndefined()
    const { designTest, gSquared } = await run('independence', '--complete', ...SAMPLE)
    expect(designTest.degreesOfFreedom).toBe(4)
    expect(designTest.designEffect * designTest.gSquared.statistic).toBeCloseTo(gSquared, 8)
    expect(designTest.gSquared.f.degreesOfFreedom[1] / designTest.gSquared.f.degreesOfFreedom[0]).toBeCloseTo(22, 8)
    expect((await run('fit', '-k', '2', '--complete', '--modes', 'q1,q2,q3,region', '--weights', 'w')).designTest).toMatchObject({ degreesOfFreedom: 6 }) // biome-ignore format: one call
    expect((await polyad(['independence', data, ...MODES, '--complete', ...SAMPLE])).stdout).toContain('p of G² (Rao–Scott)') // biome-ignore format: one call
  })

  it('is resampled: tests keep the weights, and intervals draw clusters', async () => {
    const test = await run('test', '-k', '1', '--replicates', '19', '--all', '--starts', '2', ...SAMPLE)
    expect(test).toMatchObject({ replicates: 19, pValue: 0.05 })
    const rank = await run(
      'rank',
      '-k',
      '1..2',
      '--folds',
      '0',
      '--starts',
      '2',
      '--test',
      '--replicates',
      '19',
      ...SAMPLE,
    )
    expect(rank.fits[0].test.pValue).toBeLessThan(0.2)
    const drawn = await run('fit', '-k', '1', '--bootstrap', '120', '--bootstrap-kind', 'nonparametric', ...SAMPLE)
    const ratio = drawn.bootstrap.profiles[0].classes[0][0].standardError / drawn.standardErrors.factors[0][0][0]
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
    const tested = await polyad(['fit', data, '-k', '2', ...MODES, '--complete', '--bootstrap', '40', ...SAMPLE, '--residuals']) // biome-ignore format: one call
    expect(tested.stdout).toMatch(/no intervals: .*Use\s+--bootstrap-kind/s)
    const pairs = tested.stdout.slice(tested.stdout.indexOf('pairs of variables'))
    expect(pairs).toMatch(/q1 +q2 .*0\.\d+/)
  })

  it('leaves out incomplete rows with every command', async () => {
    for (const [command, ...args] of [['fit', '-k', '2'], ['rank', '-k', '1..2', '--folds', '0'], ['independence']]) {
      const found = await run(command, ...args, '--complete')
      expect(found.left, command).toBe(8)
      expect((found.fits?.[1] ?? found).total, command).toBe(232)
    }
  })

  it('may say that every row counts once', async () => {
    const fitted = (...args: string[]) => polyad(['fit', data, '-k', '2', ...MODES, '--weights', 'w', '--starts', '2', '--json', ...args]) // biome-ignore format: one call
    const [plain, said] = [objectOf(await fitted(), 'fit'), objectOf(await fitted('--count', 'none'), 'fit')]
    expect(said).toEqual({ ...plain, seconds: said.seconds })
    expect((await fitted('--count', 'q1')).stderr).toContain('a row has a weight or a count')
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
      /class 1 {3}[\d.]+%.*about [\d,]+ in the population/,
    )
    const component = await run('independence', '--weights', 'w', '--weights-as-totals', '--complete')
    const complete = rowsOf(data).filter(row => ['q1', 'q2', 'q3'].every(name => row[name] !== ''))
    expect(component.population.total).toBeCloseTo(complete.reduce((sum, row) => sum + Number(row.w), 0), 4) // biome-ignore format: one call
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
