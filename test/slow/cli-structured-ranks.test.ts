import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { objectOf, polyad } from '../run-polyad.ts'
import { surveyRows } from '../structured-survey.ts'
import { testFolder } from '../test-folder.ts'

const { file, path: inFolder } = testFolder()
const COLUMNS = ['a', 'b', 'c', 'd', 'x', 'country'] as const
const data = () =>
  file(
    'survey.csv',
    [COLUMNS.join(), ...surveyRows().map(row => COLUMNS.map(name => row[name] ?? '').join())].join('\n'),
  )
const use = ['-m', 'a,b,c,d', '--starts', '3', '--quiet']

it('compares numbers of classes with covariates and groups, and saves the recommended model as a fit does', async () => {
  const [path, model] = [data(), inFolder('model.npz')]
  const structure = ['--covariates', 'x', '--groups', 'country', '--free', 'c']
  const found = objectOf(
    await polyad(['rank', path, '-k', '1..3', ...structure, ...use, '-o', model, '--json']),
    'rank',
  )
  const own = objectOf(await polyad(['fit', path, '-k', '2', ...structure, ...use, '--json']), 'fit')
  expect(found.recommended).toBe(2)
  expect(found.fits.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3])
  expect(found.fits[1].logLikelihood).toBeCloseTo(own.logLikelihood, 4)
  expect(found.fits[1]).toMatchObject({
    parameters: own.parameters,
    total: own.total,
    modes: own.modes,
    gSquared: null,
  })
  expect(found.covariates.coefficients).toHaveLength(own.covariates.coefficients.length)
  found.covariates.coefficients.forEach((each: { term: string; estimate: number }, i: number) => {
    expect(each.term).toBe(own.covariates.coefficients[i].term)
    expect(each.estimate).toBeCloseTo(own.covariates.coefficients[i].estimate, 2)
  })
  // The saved model takes both columns from new rows.
  const rows = inFolder('classes.csv')
  const { code } = await polyad(['classify', model, path, '-o', rows, '--quiet'])
  expect(code).toBe(0)
  expect(readFileSync(rows, 'utf8').split('\n')[0]).toContain('class_probability')
})

it('has the same in words, with coefficients, and a report with residuals', async () => {
  const page = inFolder('report.html')
  const { stdout, stderr, code } = await polyad(['rank', data(), '-k', '2..3', '--covariates', 'x', ...use.slice(0, -1), '--report', page]) // biome-ignore format: one call
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('no held-out log-likelihood: folds are not drawn with covariates')
  expect(stdout).toContain('tests of the covariates')
  expect(readFileSync(page, 'utf8')).toContain('What the classes leave unexplained')
})

it('tests a number of classes with covariates', async () => {
  const tested = objectOf(await polyad(['test', data(), '-k', '1', '--covariates', 'x', '--replicates', '20', '--all', ...use, '--json']), 'test') // biome-ignore format: one call
  expect(tested).toMatchObject({ rank: 1, against: 2, replicates: 20 })
  expect(tested.pValue).toBeCloseTo(1 / 21, 9)
})

it('refuses what has no meaning for several numbers of classes', async () => {
  const said = async (...more: string[]) => {
    const { code, stderr } = await polyad(['rank', data(), ...use, ...more])
    expect(code).not.toBe(0)
    return stderr
  }
  expect(await said('--groups', 'country', '--free', 'c@2')).toContain('--free cannot name a class (c in class 2)')
  expect(await said('--covariates', 'x', '--by', 'heldOut')).toContain('--by cannot be heldOut with --covariates')
  expect(await said('--covariates', 'nope')).toContain('has no column "nope"')
  expect(await said('--free', 'c')).toContain('--free needs --groups')
  expect(await said('--known', 'a')).toContain('unknown option')
})
