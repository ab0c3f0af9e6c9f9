import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** Files of SPSS and Stata at the command line. */
const scratch = scratchFolder()
afterAll(scratch.remove)
const survey = (name: string) => fileURLToPath(new URL(`data/survey/${name}`, import.meta.url))
const fit = ['-k', '2', '--starts', '2', '--json']

it('a model of an SPSS file classifies the rows of another by their labels', async () => {
  const model = scratch.path('model.npz')
  const ended = await polyad(['fit', survey('pspp-bytes.sav'), ...fit, '-m', 'trust,party', '-o', model])
  const fitted = objectOf(ended, 'fit')
  expect(fitted.shape).toEqual([5, 3])
  expect(ended.stderr).toContain('use --weights wt')
  const rows = scratch.path('rows.csv')
  const classified = await polyad(['classify', model, survey('pspp-zlib.zsav'), '--json', '-o', rows])
  const found = objectOf(classified, 'classify')
  expect(found).toMatchObject({ rows: 7, unseen: {}, absent: [] })
  expect(found.logLikelihood).toBeCloseTo(fitted.logLikelihood, 8)
  expect(readFileSync(rows, 'utf8')).toMatch(/^trust,party,region,.*\nnone,Zebra,north,1200.5,0.5,2024-02-28,/)
})

it('the number of classes is chosen, weights are used as asked, and standard input is recognized', async () => {
  const ranked = await polyad([
    'rank',
    survey('pspp-none.sav'),
    '-k',
    '1..2',
    '--starts',
    '2',
    '-m',
    'trust,party',
    '--json',
  ])
  expect(objectOf(ranked, 'rank').fits).toHaveLength(2)
  const weighted = await polyad(['fit', survey('pspp-none.sav'), ...fit, '-m', 'trust,party', '--weights', 'wt'])
  expect(weighted.stderr).not.toContain('declares wt')
  expect(objectOf(weighted, 'fit').shape).toEqual([5, 3])
  const input = readFileSync(survey('pandas-114-big.dta'))
  const piped = await polyad(['fit', '-', ...fit, '-m', 'vote'], { input })
  expect(objectOf(piped, 'fit').shape).toEqual([3])
  expect(piped.stderr).toContain('categories are value labels, in the order of their codes: vote')
})

it('a file that is cut short is refused in one line', async () => {
  const ended = await polyad(['fit', '-', ...fit], { input: readFileSync(survey('haven.zsav')).subarray(0, 5000) })
  expect(ended.code).not.toBe(0)
  expect(ended.stderr).toMatch(
    /^error: standard input is damaged or cut short at byte 5000: a variable needs 4 bytes, and 0 are left\n$/,
  )
})

it('outcomes have the order of their codes', async () => {
  const model = scratch.path('election.npz')
  const modes = ['-m', 'MORALG,CARESG,MORALB,CARESB']
  expect((await polyad(['fit', survey('election.zsav'), ...fit, ...modes, '-o', model])).code).toBe(0)
  const ended = await polyad(['distal', model, survey('election.zsav'), '--outcome', 'PARTY', '--json'])
  const [{ probabilities }] = objectOf(ended, 'distal').classes
  const labels = probabilities.map(({ label }: { label: string }) => label)
  expect(labels.slice(0, 3)).toEqual(['Strong Democrat', 'Weak Democrat', 'Independent, lean Democrat'])
})
