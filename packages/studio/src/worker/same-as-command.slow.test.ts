import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { modelFromNpz } from '@polyad/core/file'
import { afterAll, describe, expect, it } from 'vitest'
import { polyad, scratchFolder } from '../../../../test/run-polyad.ts'
import { classifyTyped } from '../state/results/typed-row.ts'
import { fitJobs } from './fit-jobs.ts'
import { modelJobs } from './models.ts'
import type { FitNews, FitRequest, ReadOptions } from './protocol.ts'
import { rowJobs } from './row-jobs.ts'
import { statisticsJobs } from './statistics-jobs.ts'
import { tableJobs } from './table-jobs.ts'

/** What the studio's worker does is what the command line does. */

const context = { signal: new AbortController().signal, progress: () => {}, store: async () => true }
const usual: FitRequest = {
  from: 2,
  to: 2,
  seed: 1,
  prior: 0,
  smoothing: null,
  maxSeconds: null,
  covariates: [],
  line: '',
}

const { path, remove } = scratchFolder()
afterAll(remove)

const given = (name: string, text: string) => {
  writeFileSync(path(name), text)
  return { from: 'bytes', name, bytes: new TextEncoder().encode(text) } as const
}

const fitted = async (name: string, text: string, read: ReadOptions, request: Partial<FitRequest>) => {
  await tableJobs.open(context, given(name, text), {})
  await tableJobs.read(context, read)
  return fitJobs.fit(context, { ...usual, ...request })
}

const table = (header: string, rows: readonly (readonly (string | number)[])[]): string =>
  `${header}\n${rows.map(row => row.join(',')).join('\n')}\n`

/** Three answers that depend on each other by a class, which depends on age and home. */
const explained = Array.from({ length: 240 }, (_, i) => {
  const old = (i * 7) % 10 > 4
  const first = (i * 3) % 10 < (old ? 8 : 3)
  const answers = [first ? 'yes' : 'no', (i * 11) % 10 < (first ? 9 : 2) ? 'x' : 'y', i % 7 < 5 === first ? 'u' : 'v']
  return [...answers, 20 + (i % 40), old ? 'city' : 'land']
})
const EXPLAINED = { modes: ['a', 'b', 'c'], include: ['age', 'home'], count: 'none' }

describe('rows', () => {
  it('that lack a covariate have the posteriors of polyad classify', async () => {
    const { fits } = await fitted('known.csv', table('a,b,c,age,home', explained), EXPLAINED, {
      covariates: ['age', 'home'],
    })
    const [{ file }] = fits
    writeFileSync(path('model.npz'), file)
    const rows = [
      ['yes', 'x', 'u', 30, 'city'],
      ['yes', 'y', 'v', '', 'city'],
      ['no', 'x', 'v', 41, ''],
      ['no', 'y', '', '', ''],
      ['', 'x', 'u', 'old', 'sea'],
    ]
    modelJobs.hold(context, 1, file)
    const own = await rowJobs.classify(context, 1, given('new.csv', table('a,b,c,age,home', rows)), null)
    const ended = await polyad(['classify', path('model.npz'), path('new.csv'), '--posterior', '-o', path('out.csv')])
    expect(ended.code, ended.stderr).toBe(0)
    const [header, ...lines] = readFileSync(path('out.csv'), 'utf8')
      .trim()
      .split('\n')
      .map(line => line.split(','))
    const at = header.indexOf('posterior_1')
    const theirs = lines.map(line => line.slice(at, at + 2).map(Number))
    const all = { by: 'row', descending: false, from: 0, count: 9 } as const
    const listed = await rowJobs.rows(context, { classified: own.id }, all)
    expect(listed.rows.map(({ posterior }) => posterior)).toEqual(theirs)
    // The file that the page writes is that of the command, to the last byte; and so are the sums.
    expect(await rowJobs.rowsCsv(context, { classified: own.id })).toBe(readFileSync(path('out.csv'), 'utf8'))
    const said = await polyad(['classify', path('model.npz'), path('new.csv'), '--count', 'none', '--json'])
    const { classes, ...sums } = JSON.parse(said.stdout)
    const { rows: number, total, meanProbability, logLikelihood, impossible, unseen, absent } = own
    expect(sums).toMatchObject({ rows: number, total, meanProbability, logLikelihood, impossible, unseen, absent })
    expect(classes).toMatchObject(own.classes)
    // Typed, they are the same.
    const { model } = modelFromNpz(file)
    const typed = rows.map(([a, b, c, age, home]) =>
      classifyTyped(model, { a, b, c, age: String(age), home } as Record<string, string>),
    )
    expect(typed.map(({ probabilities }) => probabilities)).toEqual(theirs)
    expect(typed.map(({ lacking }) => lacking.length)).toEqual([0, 1, 1, 2, 2])
  })
})

describe('a model with covariates', () => {
  const rows = explained.map(([a, b, c, age, home], i) => [
    a,
    i % 11 === 0 ? '' : b,
    c,
    i % 13 === 0 ? '' : age,
    home,
    1 + (i % 5) / 4,
  ])
  it.each([
    ['', { ...EXPLAINED, include: ['age'], exclude: ['wt'] }, ['--count', 'none']],
    [
      ', with weights and rows that are left out',
      { modes: ['a', 'b', 'c'], include: ['age'], weights: 'wt' },
      ['--weights', 'wt'],
    ],
  ])('that the page exports is recognized by polyad report%s', async (_, read, asked) => {
    const name = `covariates${asked.length}${asked[0]}.csv`
    const { fits } = await fitted(name, table('a,b,c,age,home,wt', rows), read, { covariates: ['age'] })
    const [{ file, figures }] = fits
    writeFileSync(path('page.npz'), file)
    const report = ['report', path('page.npz'), path(name), '-o', path('page.html'), '--json']
    const { data, omissions } = JSON.parse((await polyad(report)).stdout)
    const used = rows.filter(row => row[3] !== '').length
    expect(data.same).toBe(true)
    expect(data.total).toBeCloseTo(used, 9)
    expect(omissions).toMatchObject([{ total: rows.length - used }])
    const fit = ['fit', path(name), '-m', 'a,b,c', '-k', '2', '--seed', '1', '--covariates', 'age', ...asked, '--json']
    const theirs = JSON.parse((await polyad([...fit, '-o', path('theirs.npz')])).stdout)
    expect([figures.logLikelihood, figures.total]).toEqual([theirs.logLikelihood, theirs.total])
    expect(modelFromNpz(file).run.digest).toBe(modelFromNpz(readFileSync(path('theirs.npz'))).run.digest)
  })
})

describe('several numbers of classes', () => {
  it('are those that polyad rank tries, which says the same of the rest', async () => {
    const rows = Array.from({ length: 90 }, (_, i) => [i % 3, (i * 7) % 5 > 2 ? 1 : 0])
    const own = await fitted('small.csv', table('a,b', rows), { modes: ['a', 'b'], count: 'none' }, { from: 1, to: 6 })
    const ended = await polyad(['rank', path('small.csv'), '-k', '1..6', '--count', 'none', '--json'])
    expect(own.fits.map(({ rank }) => rank)).toEqual(
      JSON.parse(ended.stdout).fits.map(({ rank }: { rank: number }) => rank),
    )
    const note = own.reason.split('; ').find(part => part.includes('any table'))
    expect(note).toBe('2 classes fit any table of this size exactly: higher numbers are not tried')
    expect(ended.stderr).toContain(note)
  })

  it('are told of as they are found, each with what is recommended until then', async () => {
    const rows = explained.map(row => [...row.slice(0, 3), row[4], Number(row[3]) % 3])
    const read = { modes: ['a', 'b', 'c', 'd', 'e'], count: 'none' }
    await tableJobs.open(context, given('told.csv', table('a,b,c,d,e', rows)), {})
    await tableJobs.read(context, read)
    const told: Extract<FitNews, { readonly found: unknown }>[] = []
    const progress = (news: unknown) => void ('found' in (news as FitNews) && told.push(news as (typeof told)[number]))
    const { fits, recommended } = await fitJobs.fit({ ...context, progress }, { ...usual, from: 1, to: 3 })
    expect(told.map(({ found }) => found.rank)).toEqual([1, 2, 3])
    expect([told[0].recommended, told[2].recommended]).toEqual([1, recommended])
    // The models are those of the end; each file compares those that were known by then.
    told.forEach(({ found }, i) => {
      const [early, late] = [found.file, fits[i].file].map(file => modelFromNpz(file))
      expect(early.model.parameters).toEqual(late.model.parameters)
      expect((early.run.ranks as { fits: object[] }).fits).toHaveLength(i + 1)
    })
  })

  it('of which some were fitted before are as if all had been fitted at once, files too', async () => {
    const rows = explained.map(row => [...row.slice(0, 3), row[4], Number(row[3]) % 3])
    const [text, read] = [table('a,b,c,d,e', rows), { modes: ['a', 'b', 'c', 'd', 'e'], count: 'none' }]
    const whole = await fitted('all.csv', text, read, { from: 1, to: 3, line: 'all' })
    const part = await fitJobs.fit(context, { ...usual, from: 1, to: 2, line: 'some' })
    const grown = await fitJobs.fit(context, { ...usual, from: 1, to: 3, line: 'all' }, part.fits)
    expect([grown.recommended, grown.reason, grown.stopped]).toEqual([whole.recommended, whole.reason, whole.stopped])
    const contents = ({ fits }: typeof whole) =>
      fits.map(({ file }) => {
        const { model, run } = modelFromNpz(file)
        const { seconds: _, ...result } = run.result as { seconds: number }
        return [model.parameters, { ...run, result }]
      })
    expect(contents(grown)).toEqual(contents(whole))
    expect(grown.fits.slice(0, 2).map(({ trace }) => trace)).toEqual(part.fits.map(({ trace }) => trace))
  })

  it('with covariates are those of polyad rank, each with its coefficients', async () => {
    const text = table('a,b,c,age,home', explained)
    const read = { ...EXPLAINED, include: ['age'] }
    const { fits, recommended, reason } = await fitted('known.csv', text, read, {
      from: 1,
      to: 3,
      covariates: ['age'],
    })
    const asked = ['rank', path('known.csv'), '-k', '1..3', '-m', 'a,b,c', '--covariates', 'age', '--count', 'none']
    const ended = await polyad([...asked, '--seed', '1', '--json'])
    const theirs = JSON.parse(ended.stdout)
    expect(fits.map(({ figures }) => [figures.rank, figures.logLikelihood, figures.criteria])).toEqual(
      theirs.fits.map((each: (typeof fits)[number]['figures']) => [each.rank, each.logLikelihood, each.criteria]),
    )
    expect([recommended, reason]).toEqual([theirs.recommended, theirs.reason])
    const coefficients = ({ file }: (typeof fits)[number]) =>
      (modelFromNpz(file).run.result as { covariates?: { coefficients: object } }).covariates?.coefficients
    expect(fits.map(fit => coefficients(fit) !== undefined)).toEqual([false, true, true])
    expect(coefficients(fits[recommended! - 1])).toEqual(theirs.covariates?.coefficients)
    // Every model finds its rows again, one class too.
    for (const [i, { file }] of fits.entries()) modelJobs.hold(context, i, file)
    for (const i of fits.keys()) {
      const { data, classes } = await statisticsJobs.report(context, i, {})
      expect([data.same, classes.length]).toEqual([true, i + 1])
    }
    const one = fitted('known.csv', text, read, { from: 1, to: 1, covariates: ['age'] })
    await expect(one).rejects.toThrow('rank must be 2 or more with covariates')
  })
})

describe('variables of every kind', () => {
  const rows = Array.from({ length: 300 }, (_, i) => {
    const tall = (i * 7) % 10 > 4
    return [
      (160 + (tall ? 15 : 0) + ((i * 13) % 17) / 2).toFixed(1),
      1 + ((i * 3 + (tall ? 2 : 0)) % 5),
      (i * 11) % (tall ? 7 : 3),
      (i * 5) % 10 < (tall ? 8 : 2) ? 'yes' : 'no',
    ]
  })
  const read = { modes: ['height', 'q', 'visits', 'a'], count: 'none' }
  const items = [
    { column: 'height', item: { kind: 'normal', step: 0.5 } },
    { column: 'q', item: { kind: 'ordinal' } },
    { column: 'visits', item: { kind: 'count' } },
  ] as const

  it('have the models of polyad fit and polyad rank, and reports', async () => {
    const text = table('height,q,visits,a', rows)
    const { fits } = await fitted('mixed.csv', text, read, { from: 1, to: 3, items })
    const asked = [path('mixed.csv'), '-m', 'a', '--continuous', 'height:0.5', '--ordinal', 'q', '--counts', 'visits']
    const ended = await polyad(['rank', ...asked, '-k', '1..3', '--count', 'none', '--seed', '1', '--json'])
    const theirs = JSON.parse(ended.stdout)
    fits.forEach(({ figures }, i) => {
      expect(figures.logLikelihood).toBeCloseTo(theirs.fits[i].logLikelihood, 6)
      expect(figures.identification.parameters).toBe(theirs.fits[i].identification.parameters)
    })
    modelJobs.hold(context, 7, fits[1].file)
    const { modes, data } = await statisticsJobs.report(context, 7, {})
    expect(data.same).toBe(true)
    expect(modes.map(({ item }) => item?.kind)).toEqual(['normal', 'ordinal', 'count', undefined])
    const { statistic } = await statisticsJobs.testRank(context, 1, 9, 1, { items })
    expect(statistic).toBeCloseTo(2 * (fits[1].figures.logLikelihood - fits[0].figures.logLikelihood), 6)
  })

  it('classify a typed number that was never seen', async () => {
    const { fits } = await fitted('mixed.csv', table('height,q,visits,a', rows), read, { items })
    const { model } = modelFromNpz(fits[0].file)
    const { unseen, probabilities } = classifyTyped(model, { height: '181.3', a: 'yes' })
    expect(unseen).toEqual([])
    expect(probabilities).toEqual(model.posterior({ height: 181.3, a: 'yes' }).probabilities)
  })
})

describe('a sample of schools', () => {
  it.each([[[]], [['age']]])(
    'has the model and the standard errors of polyad fit --cluster (covariates: %s)',
    async covariates => {
      const rows = explained.map(([a, b, c, age], i) => [
        a,
        b,
        c,
        age,
        `s${(i * 7) % 24}`,
        `r${((i * 7) % 24) % 2}`,
        1 + (i % 5) / 4,
      ])
      const modes = ['a', 'b', 'c']
      const design = { cluster: 'school', stratum: 'region' }
      const read = { modes, include: covariates, weights: 'wt', design }
      const text = table('a,b,c,age,school,region,wt', rows)
      const { fits } = await fitted('schools.csv', text, read, { covariates })
      modelJobs.hold(context, 11, fits[0].file)
      const own = await statisticsJobs.errors(context, 11, 'empirical', 0.95)
      const asked = [
        'fit',
        path('schools.csv'),
        '-k',
        '2',
        '-m',
        modes.join(),
        '--weights',
        'wt',
        '--cluster',
        'school',
        '--strata',
        'region',
      ]
      const more = covariates.length > 0 ? ['--covariates', 'age'] : ['--se', 'sandwich']
      const {
        logLikelihood,
        standardErrors: theirs,
        covariates: logit,
      } = JSON.parse((await polyad([...asked, ...more, '--seed', '1', '--json', '-o', path('schools.npz')])).stdout)
      expect(fits[0].figures.logLikelihood).toBe(logLikelihood)
      const run = modelFromNpz(fits[0].file).run as { digest: string; options: object; result: { covariates?: object } }
      expect(run.digest).toBe(modelFromNpz(readFileSync(path('schools.npz'))).run.digest)
      expect(run.options).toMatchObject(design)
      expect(run.result.covariates).toEqual(logit)
      if (theirs === undefined) return
      expect(own.shares).toEqual(theirs.shares)
      expect(own.design?.degreesOfFreedom).toBe(22)
    },
  )
})

describe('sampling weights', () => {
  it('are drawn with the rows in bootstrap tests', async () => {
    const rows = explained.map(([a, b, c], i) => [a, b, c, 1 + (i % 5) / 4])
    const read = { modes: ['a', 'b', 'c'], weights: 'wt' }
    const { fits } = await fitted('weighted.csv', table('a,b,c,wt', rows), read, {})
    modelJobs.hold(context, 9, fits[0].file)
    const { replicates, tests } = await statisticsJobs.goodness(context, 9, 9, 1)
    expect([replicates, tests.length > 0]).toEqual([9, true])
    expect((await statisticsJobs.testRank(context, 1, 9, 1, {})).replicates).toBeGreaterThan(0)
  })
})

describe('an SPSS file', () => {
  it('gives the model of polyad fit, whose rows are classified by their labels', async () => {
    const name = fileURLToPath(new URL('../../../../test/data/survey/election.zsav', import.meta.url))
    const file = { from: 'bytes', name, bytes: new Uint8Array(readFileSync(name)) } as const
    const opened = await tableJobs.open(context, file, {})
    expect(opened.columns[0].title).toBe('How well does it describe Gore: moral')
    const modes = ['MORALG', 'CARESG', 'MORALB', 'CARESB']
    await tableJobs.read(context, { modes })
    const { fits } = await fitJobs.fit(context, usual)
    const args = ['fit', name, '-k', '2', '-m', modes.join(), '-o', path('election.npz')]
    expect((await polyad(args)).code).toBe(0)
    const theirs = modelFromNpz(readFileSync(path('election.npz'))).model
    const { model } = modelFromNpz(fits[0].file)
    expect(model.modes).toEqual(theirs.modes)
    expect(model.parameters).toEqual(theirs.parameters)
    modelJobs.hold(context, 1, fits[0].file)
    const { rows, unseen, confusion } = await rowJobs.classify(context, 1, file, 'PARTY')
    expect({ rows, unseen }).toEqual({ rows: 1785, unseen: {} })
    expect(confusion?.known.slice(0, 2)).toEqual(['Strong Democrat', 'Weak Democrat'])
  })
})
