import { readFileSync, writeFileSync } from 'node:fs'
import { modelFromNpz } from '@polyad/core/file'
import { random } from '@polyad/core/numeric'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { polyad, scratchFolder } from './run-polyad.ts'

/** Rows drawn from models with covariates and groups. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const [data, model, plain] = ['survey.csv', 'model.npz', 'plain.npz'].map(scratch.path)

const { uniform } = random(4, 'data')
const rows = Array.from({ length: 600 }, (_, i) => {
  const region = i % 3 === 0 ? 'north' : 'south'
  const age = 20 + 10 * Math.floor(4 * uniform())
  const second = uniform() < 1 / (1 + Math.exp(3 - age / 12))
  const says = (first: number, other: number) => (uniform() < (second ? other : first) ? 'yes' : 'no')
  const q1 = region === 'north' ? says(0.1, 0.9) : says(0.5, 0.7)
  return [
    q1,
    says(0.2, 0.8),
    says(0.1, 0.7),
    says(0.3, 0.9),
    region,
    i % 50 === 7 ? '' : age,
    region === 'north' ? 4 : 1,
  ]
})

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').map(line => line.split(',')) // biome-ignore format: one chain
const draw = async (name: string, ...args: string[]) => {
  const output = scratch.path(name)
  const ended = await polyad(['sample', ...args, '-o', output])
  expect(ended.code, ended.stderr).toBe(0)
  return { said: ended.stderr, rows: lines(output) }
}

beforeAll(async () => {
  writeFileSync(data, `q1,q2,q3,q4,region,age,wt\n${rows.map(row => row.join()).join('\n')}\n`)
  const fit = ['fit', data, '-k', '2', '-m', 'q1,q2,q3,q4', '--starts', '2', '-q', '-o']
  for (const args of [[model, '--covariates', 'age', '--groups', 'region', '--free', 'q1'], [plain]]) {
    const ended = await polyad([...fit, ...args])
    expect(ended.code, ended.stderr).toBe(0)
  }
})

describe('polyad sample of a model with covariates', () => {
  it('has the columns of the data, covariates as in its rows, and answers as the model says', async () => {
    const { rows: drawn, said } = await draw('drawn.csv', model, data, '-n', '20000', '--class', '--weights', 'wt')
    expect(drawn[0]).toEqual(['class', 'age', 'region', 'q1', 'q2', 'q3', 'q4'])
    expect(said).toContain('12 left out: a covariate has no value that the model knows')
    const north = drawn.slice(1).filter(row => row[2] === 'north')
    const used = rows.filter(row => row[5] !== '')
    const weight = (region: string) => used.reduce((sum, row) => (row[4] === region ? sum + Number(row[6]) : sum), 0)
    const share = weight('north') / (weight('north') + weight('south'))
    expect(Math.abs(north.length / 20_000 - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / 20_000))
    const { model: stored } = modelFromNpz(readFileSync(model))
    const own = stored.modes.find(({ name }) => name.startsWith('q1') && name.includes('north'))!
    for (const k of [0, 1]) {
      const members = north.filter(row => row[0] === String(k + 1))
      const yes = members.filter(row => row[3] === 'yes').length / members.length
      const p = stored.profile(own.name, k)[own.indexOf('yes')!]
      expect(Math.abs(yes - p)).toBeLessThan(4.5 * Math.sqrt(0.25 / members.length))
    }
  })

  it('draws the same rows from a table in DuckDB, and needs no variables in it', async () => {
    const bare = scratch.path('bare.csv')
    writeFileSync(bare, 'age,region\n70,south\n70,south\n25,north\n')
    const [{ rows: here, said }, { rows: there }] = await Promise.all([
      draw('here.csv', model, bare, '-n', '50'),
      draw('there.csv', model, bare, '-n', '50', '--sql', 'SELECT * FROM data'),
    ])
    expect(here).toEqual(there)
    expect(new Set(here.slice(1).map(row => `${row[0]} ${row[1]}`))).toEqual(new Set(['70 south', '25 north']))
    expect(said).not.toContain('q1')
  })

  it.each([
    ['no data', () => [model], 'the classes of this model depend on age, region: name a file with these columns'],
    ['data for another model', () => [plain, data], 'data is only for models with covariates'],
    ['a file without a covariate', () => [model, scratch.path('other.csv')], 'no column "region"'],
    ['no usable row', () => [model, scratch.path('none.csv')], 'no row with a known value of every covariate'],
    [
      'a database',
      () => [model, data, '-o', 'duckdb:///x.duckdb/t'],
      'can be applied inside a database: read the rows from files',
    ],
  ])('says what is wrong with %s', async (_, args, message) => {
    writeFileSync(scratch.path('other.csv'), 'age,q1\n30,yes\n')
    writeFileSync(scratch.path('none.csv'), 'age,region\nold,north\n30,east\n')
    const ended = await polyad(['sample', ...args(), ...(args().includes('-o') ? [] : ['-o', scratch.path('x.csv')])])
    expect(ended.stderr).toContain(message)
    expect([1, 2]).toContain(ended.code)
  })
})
