import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pText } from '../../packages/polyad/src/report/numbers.ts'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma, values } from '../tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = scratch.path
const read = (name: string) => readFileSync(at(name), 'utf8')
const run = (args: readonly string[]) => polyad(args, { cwd: scratch.folder })

beforeAll(async () => {
  writeFileSync(at('carcinoma.csv'), csvOf(carcinoma))
  writeFileSync(at('values.csv'), csvOf(values))
  const args = ['fit', 'carcinoma.csv', '-k', '3', '-o', 'model.npz', '--report', 'fit.html', '--json']
  const { code, stdout } = await run(args)
  expect(code).toBe(0)
  expect(objectOf({ code, stdout, stderr: '' }, 'fit')).toMatchObject({ output: 'model.npz', report: 'fit.html' })
})

describe('polyad report', () => {
  it('makes of a model and its data the page that the fit itself made', async () => {
    const ended = await run(['report', 'model.npz', 'carcinoma.csv', '-o', 'report.html', '--json'])
    expect(ended.code).toBe(0)
    const answer = objectOf(ended, 'report')
    expect(answer).toMatchObject({ output: 'report.html', data: { given: true, same: true, total: 118 } })
    expect(read('report.html')).toBe(read('fit.html'))
    expect(read('report.html')).toContain('polyad fit carcinoma.csv -k 3 -o model.npz --report fit.html --json')
  })

  it('tells what the model file alone knows, with names and a title of one’s own', async () => {
    const args = ['-o', 'alone.html', '--names', 'clear,none,"in, between"', '--title', 'Seven pathologists']
    const ended = await run(['report', 'model.npz', ...args, '--json'])
    const { classes, data, statistics } = objectOf(ended, 'report') as Record<string, never>
    expect((classes as { name: string }[]).map(({ name }) => name)).toEqual(['clear', 'none', 'in, between'])
    expect(data).toMatchObject({ given: false, same: null })
    expect(statistics).toMatchObject({ parameters: 23 })
    expect(read('alone.html')).toContain('<title>Polyad: Seven pathologists</title>')
    expect(read('alone.html')).toContain('in, between')
  })

  it('says where the data is other data, and evaluates the model on it', async () => {
    writeFileSync(at('half.csv'), csvOf(carcinoma).split('\n').slice(0, 12).join('\n'))
    const ended = await run(['report', 'model.npz', 'half.csv', '-o', 'half.html', '--json'])
    expect(ended.stderr).toContain('the model was fitted to other data than this')
    const { data, statistics, cautions } = objectOf(ended, 'report') as Record<string, never>
    expect((data as { same: boolean }).same).toBe(false)
    expect((statistics as { logLikelihood: number }).logLikelihood).toBeGreaterThan(-293)
    expect((cautions as string[])[0]).toContain('fit statistics are those of the new data')
  })

  it('counts labels that the model has never seen as missing, and says so', async () => {
    writeFileSync(at('new.csv'), csvOf(carcinoma).replace(/^1,/m, '9,'))
    const { data } = objectOf(await run(['report', 'model.npz', 'new.csv', '-o', 'new.html', '--json']), 'report') as Record<string, never> // biome-ignore format: one line
    expect(data).toMatchObject({ unseen: [{ mode: 'A', total: 34 }], missing: ['A'], total: 118 })
  })

  it('draws intervals where standard errors are asked for', async () => {
    const ended = await run(['report', 'model.npz', 'carcinoma.csv', '--se', 'observed', '-o', 'se.html'])
    expect(ended.code).toBe(0)
    expect(read('se.html')).not.toBe(read('fit.html'))
  })

  it('reads cells as well as rows', async () => {
    await run(['convert', 'carcinoma.csv', 'cells.tns'])
    const ended = await run(['report', 'model.npz', 'cells.tns', '-o', 'cells.html', '--json'])
    expect(objectOf(ended, 'report')).toMatchObject({ data: { same: true } })
    expect(read('cells.html')).toBe(read('fit.html'))
  })

  it.each([
    ['no place for the page', ['model.npz'], 2, 'no output file was given'],
    ['a page of another kind', ['model.npz', '-o', 'report.pdf'], 2, 'must end in .html'],
    ['a folder that is not there', ['model.npz', '-o', 'none/report.html'], 1, 'there is no folder'],
    ['too few names', ['model.npz', '-o', 'x.html', '--names', 'a,b'], 2, '--names must name all 3 classes'],
    ['a name twice', ['model.npz', '-o', 'x.html', '--names', 'a,b,a'], 2, 'names must differ'],
    ['data of other columns', ['model.npz', 'values.csv', '-o', 'x.html'], 2, 'no column E, F, G'],
    ['standard errors without data', ['model.npz', '-o', 'x.html', '--se'], 2, '--se needs the data'],
    ['a mode that is not there', ['model.npz', '-o', 'x.html', '--ordered', 'day'], 2, 'not a variable of the model'],
    ['no model', ['carcinoma.csv', '-o', 'x.html'], 2, '.npz or .json'],
  ])('refuses %s', async (_, args, code, reason) => {
    const ended = await run(['report', ...args])
    expect(ended.stderr).toContain(reason)
    expect(ended.code).toBe(code)
    expect(ended.stdout).toBe('')
  })

  it('refuses cells of another shape', async () => {
    await run(['convert', 'values.csv', 'other.tns'])
    const ended = await run(['report', 'model.npz', 'other.tns', '-o', 'x.html'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('the model has 7 modes, and the data has 4')
  })
})

describe('a report beside the answer', () => {
  it('of rank has the criteria of all numbers of classes, and so has the model’s own', async () => {
    const args = [
      'rank',
      'values.csv',
      '-k',
      '1..3',
      '--starts',
      '5',
      '-o',
      'rank.npz',
      '--report',
      'rank.html',
      '--json',
    ]
    expect(objectOf(await run(args), 'rank')).toMatchObject({ report: 'rank.html', recommended: 2 })
    expect(read('rank.html')).toContain('BIC is best with 2 classes')
    await run(['report', 'rank.npz', 'values.csv', '-o', 'again.html'])
    expect(read('again.html')).toBe(read('rank.html'))
  })

  it('is refused before any work where it cannot be', async () => {
    const refused = async (...args: string[]) => (await run(['fit', 'values.csv', '-k', '2', ...args])).stderr
    expect(await refused('--report', 'values.csv')).toContain('must end in .html')
    expect(await refused('--names', 'a,b')).toContain('--names needs --report')
    expect(await refused('--report', 'x.html', '--names', 'a')).toContain('--names must name all 2 classes')
  })

  it('of a model with covariates tells of them', async () => {
    writeFileSync(at('people.csv'), `age,a,b,c\n${Array.from({ length: 200 }, (_, i) => `${20 + (i % 50)},${i % 50 > 25 ? 1 : i % 2},${(i * 7) % 11 > 4 ? 1 : i % 3 > 1 ? 1 : 0},${i % 50 > 20 ? 1 : (i >> 2) % 2}`).join('\n')}\n`) // biome-ignore format: one text
    const ended = await run([
      'fit',
      'people.csv',
      '-k',
      '2',
      '-m',
      'a,b,c',
      '--covariates',
      'age',
      '--report',
      'people.html',
      '-q',
    ])
    expect(ended.code).toBe(0)
    expect(read('people.html')).toContain('The effect of age could not be tested.')
    expect(read('people.html')).toContain('Coefficients and odds ratios')
  })

  it.each([
    ['groups', ['--groups', 'region'], { total: 183, left: 17 }],
    ['covariates', ['--covariates', 'region,age'], { total: 193, left: 7 }],
    ['a variable that differs', ['--groups', 'region', '--free', 'b'], { total: 183, left: 17 }],
    ['joined columns', ['--join', 'a,b'], { total: 200, left: 0 }],
  ])(
    'of a model with %s is that of the same data again, with what was done in the methods paragraph',
    async (_, structure, data) => {
      // The group is missing in 7 rows, and nothing but the group is there in 10.
      const lines = Array.from({ length: 200 }, (_, at) => at + 1).map(i => {
        const answers = [i % 50 > 25 ? 1 : i % 2, (i * 7) % 11 > 4 ? 1 : 0, i % 50 > 20 ? 1 : (i >> 2) % 2]
        const given = structure[0] === '--groups' && i % 20 === 0 ? ['', '', ''] : answers
        return [i % 30 === 1 ? '' : 'nsw'[(i % 7) % 3], ...given, 20 + ((i * 13) % 37)].join()
      })
      writeFileSync(at('regions.csv'), `region,a,b,c,age\n${lines.join('\n')}\n`)
      const fitted = ['-k', '2', '--modes', 'a,b,c', ...structure, '--starts', '2', '-o', 'regions.npz']
      await run(['fit', 'regions.csv', ...fitted, '--report', 'regions.html'])
      const ended = await run(['report', 'regions.npz', 'regions.csv', '-o', 'regions2.html', '--json'])
      expect(objectOf(ended, 'report').data).toMatchObject({ same: true, ...data })
      expect(read('regions2.html')).toBe(read('regions.html'))
      const told: Record<string, string> = {
        '--groups': 'region was treated as a known grouping with 3 groups',
        '--covariates': 'Class membership was regressed on region and age',
        '--join': 'a and b were allowed to depend on each other',
      }
      expect(read('regions.html')).toContain(told[structure[0]])
      expect(read('regions.html')).toContain('What the classes leave unexplained')
      expect(read('regions.html')).toContain('observations on 3 variables')
    },
  )

  it('of a fit with replicates has their p-value', async () => {
    const args = [
      '-k',
      '2',
      '--starts',
      '2',
      '--bootstrap',
      '20',
      '-o',
      'drawn.npz',
      '--report',
      'drawn.html',
      '--json',
    ]
    const { bootstrap } = objectOf(await run(['fit', 'values.csv', ...args]), 'fit') as Record<
      string,
      { pValue: number }
    >
    expect(read('drawn.html').replace(/\s/g, ' ').replaceAll('&#62;', '>')).toContain(
      `${pText(bootstrap.pValue)} by the bootstrap (20 replicates)`,
    )
    await run(['report', 'drawn.npz', 'values.csv', '-o', 'drawn2.html'])
    expect(read('drawn2.html')).toBe(read('drawn.html'))
  })

  it('of a model with covariates leaves out the rows that its fit left out', async () => {
    // The number is missing in 10 rows, the category in 7 others.
    const lines = Array.from({ length: 200 }, (_, at) => at + 1).map(i => {
      const [age, region] = [i % 20 === 0 ? '' : 20 + (i % 50), i % 30 === 1 ? '' : 'nsw'[(i % 7) % 3]]
      return [age, region, i % 50 > 25 ? 1 : i % 2, (i * 7) % 11 > 4 ? 1 : 0, i % 50 > 20 ? 1 : (i >> 2) % 2].join()
    })
    writeFileSync(at('gaps.csv'), `age,region,a,b,c\n${lines.join('\n')}\n`)
    const fitted = ['-k', '2', '--modes', 'a,b,c', '--covariates', 'age,region', '--starts', '2']
    await run(['fit', 'gaps.csv', ...fitted, '-o', 'gaps.npz'])
    const ended = await run(['report', 'gaps.npz', 'gaps.csv', '-o', 'gaps.html', '--json'])
    expect(objectOf(ended, 'report').data).toMatchObject({ same: true, total: 183 })
    expect(ended.stderr).not.toContain('not the data')
  })
})
