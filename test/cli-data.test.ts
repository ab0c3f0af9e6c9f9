import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}
const fit = ['-k', '2', '--starts', '2', '--json']

describe('new data is read as the model’s was', () => {
  it('with labels joined, dates as they were written, and names exact', async () => {
    const lines = Array.from({ length: 48 }, (_, i) => {
      const label = ['Good', 'good', 'Good ', 'bad'][i % 4]
      return `${i % 3},${label},${(i % 12) + 1}/${(i % 28) + 1}/2024,${['x', 'y'][i % 2]}`
    })
    const data = at('joined.csv', `health,Health,day,g\n${lines.join('\n')}\n`)
    const model = scratch.path('joined.npz')
    const options = ['-m', 'Health,g', '--bin', 'day:month', '--trim', '--ignore-case', '--missing=-9']
    const fitted = objectOf(await polyad(['fit', data, ...fit, ...options, '-o', model]), 'fit')
    expect(fitted.shape).toEqual([2, 2, 12])
    // Alone these dates would also read with day and month exchanged, or not at all as text.
    const again = at('again.csv', 'Health,g,day\n GOOD,x,3/4/2024\nbad,y,12/11/2024\n-9,NA,1/2/2024\n')
    const classified = objectOf(await polyad(['classify', model, again, '--json']), 'classify')
    expect(classified).toMatchObject({ rows: 3, unseen: {}, absent: [] })
    const all = objectOf(await polyad(['classify', model, data, '--json']), 'classify')
    expect(all.logLikelihood).toBeCloseTo(fitted.logLikelihood, 8)
  })
})

describe('what means missing', () => {
  const data = () => at('missing.csv', `a,b\n${'x,1\nNA,2\n-99,1\ny,2\n'.repeat(5)}`)
  it('is added to, or replaced', async () => {
    expect(objectOf(await polyad(['fit', data(), ...fit]), 'fit').shape).toEqual([3, 2])
    expect(objectOf(await polyad(['fit', data(), ...fit, '--missing=-99']), 'fit').shape).toEqual([2, 2])
    expect(objectOf(await polyad(['fit', data(), ...fit, '--missing-only=-99']), 'fit').shape).toEqual([3, 2])
  })
})

describe('a code for missing values', () => {
  it('is the label it becomes; one that matches nothing is named; some are for single columns', async () => {
    const data = at('pandas.csv', `q,g\n${'1.0,x\n8.0,y\n2.0,y\n,x\n9.0,x\n1.0,y\n'.repeat(4)}`)
    const model = scratch.path('pandas.npz')
    const ended = await polyad(['fit', data, '-m', 'q,g', ...fit, '--missing', '8,9,77', '-o', model])
    expect(objectOf(ended, 'fit').shape).toEqual([2, 2])
    expect(ended.stderr).toContain('no value in the columns used matches the missing code 77')
    // New data may write them without the point.
    const plain = at('plain.csv', 'q,g\n1,x\n8,y\n9,x\n')
    expect(objectOf(await polyad(['classify', model, plain, '--json']), 'classify').unseen).toEqual({})
    // For one column, or those of a pattern; both hold beside codes of all.
    const own = await polyad(['fit', data, '-m', 'q,g', ...fit, '--missing', 'q:8', '--missing', '"*":9', '--json'])
    expect(own.stderr).toContain(`--missing '"*":9': ${data} has no column "*"`)
    const some = await polyad([
      'fit',
      data,
      '-m',
      'q,g',
      ...fit,
      '--missing',
      'q:8',
      '--missing',
      'q*:9',
      '--missing',
      'x',
    ])
    expect(objectOf(some, 'fit').shape).toEqual([2, 1])
  })
})

describe('categories that are told to be in order', () => {
  it('have one that they state, or are refused before the fit', async () => {
    const data = at('order.csv', `pet,trust\n${'cat,low\ndog,high\nfish,medium\n'.repeat(6)}`)
    const model = scratch.path('order.npz')
    const page = ['--report', scratch.path('order.html'), '-o', model]
    const refused = await polyad(['fit', data, ...fit, ...page, '--ordered', 'pet'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('the categories of "pet" have no known order')
    expect(existsSync(model)).toBe(false)
    expect((await polyad(['fit', data, ...fit, ...page, '--ordered', 'trust'])).code).toBe(0)
  })
})

describe('polyad convert to .tns', () => {
  it('keeps names and labels beside the cells', async () => {
    const data = at('votes.csv', 'region,vote\nnorth,yes\nsouth,no\nsouth,yes\n')
    const [cells, back] = [scratch.path('votes.tns'), scratch.path('back.csv')]
    const { stderr } = await polyad(['convert', data, cells])
    expect(stderr).toContain('votes.labels.json')
    expect(existsSync(scratch.path('votes.labels.json'))).toBe(true)
    expect((await polyad(['convert', cells, back])).code).toBe(0)
    expect(readFileSync(back, 'utf8')).toBe('region,vote,n\nnorth,yes,1\nsouth,no,1\nsouth,yes,1\n')
  })
})

describe('polyad convert to .polyad', () => {
  it('keeps how the table was read: a model of the cells classifies its rows', async () => {
    const ages = Array.from(
      { length: 60 },
      (_, i) => `${20 + i},${i % 3 === 0 ? 'yes' : 'no'},${i < 30 ? 'low' : 'high'}`,
    )
    const data = at('ages.csv', `age,vote,trust\n${ages.join('\n')}\n`)
    const [cells, model] = [scratch.path('ages.polyad'), scratch.path('ages.npz')]
    expect((await polyad(['convert', data, cells, '--bin', 'age:q3'])).code).toBe(0)
    expect((await polyad(['fit', cells, '-k', '2', '--starts', '2', '-o', model])).code).toBe(0)
    const direct = scratch.path('direct.npz')
    expect((await polyad(['fit', data, '--bin', 'age:q3', '-k', '2', '--starts', '2', '-o', direct])).code).toBe(0)
    const classes = async (of: string) => (await polyad(['classify', of, data, '-o', '-'])).stdout
    expect(await classes(model)).toBe(await classes(direct))
    expect(await classes(model)).toMatch(/^20,yes,low,/m)
  })
})

/** The words of a command line; those in quotes may have blanks. */
const shellWords = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain)

const docs = new URL('../docs/', import.meta.url)
const dataPages = ['data.md', ...readdirSync(new URL('data', docs)).map(name => `data/${name}`)]

describe.each(dataPages)('docs/%s', page => {
  const text = readFileSync(new URL(page, docs), 'utf8')
  copyFileSync(new URL('data/survey/election.zsav', import.meta.url), scratch.path('election.zsav'))
  for (const path of [
    'sheets/openpyxl.xlsx',
    'sheets/openpyxl-merged.xlsx',
    'r-sas/base.rds',
    'r-sas/several.rda',
    'r-sas/haven-8.xpt',
  ])
    copyFileSync(new URL(`data/${path}`, import.meta.url), scratch.path(path.replace(/.*\//, '')))
  for (const [, name, content] of text.matchAll(/^```csv (\S+)\n([\s\S]*?)^```/gm)) at(name, content)
  const commands = [...text.matchAll(/^polyad (.*)(?:\n# (.*))?/gm)]
  it.each(commands.map(([, line, said]) => [line, said]))('its example runs: polyad %s', async (line, said) => {
    const { code, stderr } = await polyad(shellWords(line), { cwd: scratch.folder })
    expect(code, stderr).toBe(0)
    if (said !== undefined) expect(stderr).toContain(said.replace(/ \(.*/, ''))
  })
})
