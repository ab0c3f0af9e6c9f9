import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { explainRow, Mode, Model } from '@polyad/core'
import { modelFileFromJson, modelFromNpz, modelToJson } from '@polyad/core/file'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readNpy, writeNpy } from '../packages/core/src/file/npy.ts'
import { readZip, writeZip } from '../packages/core/src/file/zip.ts'
import { saveModel } from '../packages/polyad/src/output/model-store.ts'
import { csvOf, objectOf, polyad, scratchFolder } from './run-polyad.ts'
import { carcinoma } from './tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const iris = fileURLToPath(new URL('../packages/polyad/data/iris.csv', import.meta.url))
const data = scratch.path('carcinoma.csv')
const model = scratch.path('model.npz')
writeFileSync(data, csvOf(carcinoma))

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n')
const run = async (...args: string[]) => {
  const ended = await polyad(args)
  expect(ended.code, ended.stderr).toBe(0)
  return ended
}

beforeAll(async () => {
  await run('fit', data, '-k', '3', '-o', model, '-q')
})

describe('polyad show, convert, compare', () => {
  it('show everything about a model', async () => {
    const { stdout } = await run('show', model)
    for (const text of ['3 classes', '0.9427', 'carcinoma.csv', '−293.704979']) expect(stdout).toContain(text)
    const object = objectOf(await polyad(['show', model, '--json']), 'show')
    expect(object).toMatchObject({ format: 'polyad-model', rank: 3, run: { command: 'fit' } })
  })

  it('convert a model to JSON and back without losing a bit', async () => {
    const [json, back] = [scratch.path('model.json'), scratch.path('back.npz')]
    objectOf(await polyad(['convert', model, json, '--json']), 'convert')
    await run('convert', json, back)
    const original = modelFromNpz(readFileSync(model))
    expect(modelToJson(modelFileFromJson(readFileSync(json, 'utf8')).model)).toEqual(modelToJson(original.model))
    expect(readFileSync(back)).toEqual(readFileSync(model))
  })

  it('match the classes of two models', async () => {
    const other = scratch.path('four.npz')
    await run('fit', data, '-k', '4', '-o', other, '-q')
    const same = JSON.parse((await run('compare', model, model, '--json')).stdout)
    expect(same.score).toBeCloseTo(1, 12)
    const { score, classes } = objectOf(await polyad(['compare', model, other, '--json']), 'compare')
    expect(score).toBeLessThan(0.9)
    expect(classes).toHaveLength(4)
    expect(classes[3]).toMatchObject({ a: null, similarity: null })
    // Days whose most frequent users are not the same: categories are matched by what they are called.
    const day = (name: string, users: string) => {
      const lines = [...users].flatMap((user, i) => Array.from({ length: 8 - i }, (_, j) => `${user},${(i + j) % 2}`))
      writeFileSync(scratch.path(`${name}.csv`), `user,act\n${lines.join('\n')}\n`)
      return run('fit', scratch.path(`${name}.csv`), '-k', '1', '--top', '3', '-o', scratch.path(`${name}.npz`), '-q')
    }
    for (const [name, users] of [['monday', 'abcxyz'], ['tuesday', 'bcdefg'], ['sunday', 'tuvwkl']]) await day(name, users) // biome-ignore format: a table
    const days = (a: string, b: string) =>
      polyad(['compare', ...[a, b].map(name => scratch.path(`${name}.npz`)), '--json'])
    const apart = await days('monday', 'tuesday')
    expect(apart.stderr).toContain('user (1 category of the first, 1 of the second)')
    expect(objectOf(apart, 'compare').unshared).toEqual([{ mode: 'user', onlyA: ['a'], onlyB: ['d'] }])
  })
})

describe('polyad classify', () => {
  it('appends class, probability and log-likelihood, in the order of the rows', async () => {
    const output = scratch.path('out.csv')
    const object = objectOf(
      await polyad(['classify', model, data, '-o', output, '--anomalies', '2', '--json']),
      'classify',
    )
    const [header, first, ...rest] = lines(output)
    expect(header).toBe('A,B,C,D,E,F,G,n,class,class_probability,log_likelihood')
    expect(rest).toHaveLength(19)
    const stored = modelFromNpz(readFileSync(model)).model
    const fields = first.split(',')
    const posterior = stored.posterior({
      A: fields[0],
      B: fields[1],
      C: fields[2],
      D: fields[3],
      E: fields[4],
      F: fields[5],
      G: fields[6],
    })
    expect(Number(fields[8])).toBe(posterior.class + 1)
    expect(Number(fields[9])).toBe(posterior.probability)
    expect(Number(fields[10])).toBe(posterior.logLikelihood)
    expect(object.rows).toBe(20)
    expect(object.anomalies).toHaveLength(2)
    expect(object.anomalies[0].logLikelihood).toBe(
      Math.min(
        ...lines(output)
          .slice(1)
          .map(line => Number(line.split(',')[10])),
      ),
    )
  })

  it('explains which rows surprise the model, and by which answers', async () => {
    const { stdout } = await run('classify', model, data, '--explain', '2')
    expect(stdout).toContain('most surprising rows')
    expect(stdout).toMatch(/because of \(bits\)/)
    const { surprises } = objectOf(await polyad(['classify', model, data, '--explain', '--json']), 'classify')
    expect(surprises).toHaveLength(10)
    const { model: own } = modelFromNpz(readFileSync(model))
    const row = lines(data)[surprises[0].row].split(',')
    const expected = explainRow(own, Object.fromEntries('ABCDEFG'.split('').map((name, n) => [name, row[n]])))
    expect(surprises[0].score).toBeCloseTo(expected.score, 9)
    expect(surprises[0].contributions[0]).toMatchObject({ mode: expected.contributions[0].mode, unseen: false })
    const refused = await polyad(['classify', model, 'duckdb:///nowhere.duckdb/t', '--explain'])
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('--explain shows rows, and rows do not leave their database')
  })

  it('writes Parquet, and takes labels it has never seen for missing', async () => {
    const input = scratch.path('strange.csv')
    writeFileSync(input, 'G,A,B,class\n2,2,9,x\n1,1.0,1,y\nNA,,,z\n')
    const [output, back] = [scratch.path('strange.parquet'), scratch.path('strange-back.ndjson')]
    const { stdout, stderr } = await run('classify', model, input, '-o', output, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ unseen: { B: 1 }, absent: ['C', 'D', 'E', 'F'], impossible: 0 })
    expect(stderr).toContain('no column C, D, E, F')
    await run('classify', model, '--sql', `SELECT * FROM '${output}'`, '-o', back, '-q')
    const rows = lines(back).map(line => JSON.parse(line))
    expect(rows.map(row => row.class)).toEqual(['x', 'y', 'z'])
    expect(rows.map(row => row.polyad_class)).toEqual([1, 2, 1])
    expect(rows[2].log_likelihood).toBeCloseTo(0, 12)
  })

  it('cuts new measurements where the old ones were cut', async () => {
    const binned = scratch.path('binned.npz')
    const bins = ['--bin', 'petal_length:0.5', '--bin', 'petal_width:q4', '--bin', 'sepal_length:int']
    await run('fit', iris, '-k', '2', '--modes', 'species', ...bins, '-o', binned, '-q', '--starts', '3')
    const figures = JSON.parse((await run('show', binned, '--json')).stdout).run.result
    const { stdout } = await run('classify', binned, iris, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ rows: 150, unseen: {}, impossible: 0 })
    expect(JSON.parse(stdout).logLikelihood).toBeCloseTo(figures.logLikelihood, 8)
  })
})

describe('polyad train', () => {
  it('learns known classes, with accuracy by cross-validation, for classify', async () => {
    const species = scratch.path('species.npz')
    const args = ['train', iris, '--class', 'species', '--pseudo-counts', '1', '-o', species, '--json']
    const trained = objectOf(await polyad(args), 'train')
    expect(trained.classes).toEqual(['setosa', 'versicolor', 'virginica'])
    expect(trained.accuracy).toBeGreaterThan(0.9)
    expect(Object.keys(trained.confusion)).toEqual(['setosa', 'versicolor', 'virginica'])
    const text = (await run('classify', species, iris)).stdout
    expect(text).toContain('species, by assigned class')
    expect(text).toContain('each row counts only for its most probable class')
    expect(text).toMatch(/9\d\.\d% right \(14\d of 150\)/)
  })
})

it('polyad train says its accuracy once, and how it was found', async () => {
  const { stdout } = await run('train', iris, '--class', 'species', '--pseudo-counts', '1')
  expect(stdout).toContain('species, by 10-fold cross-validation')
  expect(stdout).toContain('rows: the true species; columns: the assigned class')
  expect(stdout.match(/\d% right/g)).toHaveLength(1)
  expect(stdout).not.toContain('accuracy')
})

describe('polyad sample and impute', () => {
  it('draw the same rows from the same seed', async () => {
    const one = await run('sample', model, '-n', '5', '--seed', '7', '--class')
    expect((await run('sample', model, '-n', '5', '--seed', '7', '--class')).stdout).toBe(one.stdout)
    expect(one.stdout.split('\n')[0]).toBe('class,A,B,C,D,E,F,G')
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(6)
    expect(objectOf(await polyad(['sample', model, '-n', '2', '--json']), 'sample').rows).toHaveLength(2)
    const many = scratch.path('many.parquet')
    await run('sample', model, '-n', '2000', '-o', many, '-q')
    const refit = JSON.parse((await run('fit', many, '-k', '3', '--starts', '3', '--json')).stdout)
    expect(refit.total).toBe(2000)
    expect(refit.shares[0]).toBeGreaterThan(0.4)
    expect(refit.shares[0]).toBeLessThan(0.5)
  })

  it('refuse more rows than memory holds', async () => {
    const { code, stdout, stderr } = await polyad(['sample', model, '-n', '1000000000000'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: --rows must be at most 4,411,764 for 7 variables.*another --seed\n$/)
    expect(stdout).toBe('')
  })

  it('fill what is missing and nothing else', async () => {
    const [input, output, chances] = [scratch.path('gaps.csv'), scratch.path('filled.csv'), scratch.path('chances.csv')]
    writeFileSync(input, 'id,A,B,C,D,E,F,G\nr1,2,2,,2,2,NA,2\nr2,1,1,1,1,1,1,1\n')
    const imputed = objectOf(await polyad(['impute', model, input, '-o', output, '--json']), 'impute')
    expect(imputed).toMatchObject({ rows: 2, total: 2, missing: { C: 1, F: 1, A: 0 } })
    expect(lines(output)).toEqual(['id,A,B,C,D,E,F,G', 'r1,2,2,2,2,2,1,2', 'r2,1,1,1,1,1,1,1'])
    writeFileSync(scratch.path('odd.csv'), 'A,B\n7,1\n,2\n')
    const odd = await run('impute', model, scratch.path('odd.csv'))
    expect(odd.stderr).toContain('A: 1 row with a category that the model does not know, left as it is')
    await run('impute', model, input, '--distribution', '-o', chances, '-q')
    const [header, ...rows] = lines(chances)
    expect(header).toBe('row,mode,label,probability')
    expect(rows.map(row => row.split(',').slice(0, 3).join(','))).toEqual(['1,C,1', '1,C,2', '1,F,1', '1,F,2'])
    expect(Number(rows[0].split(',')[3]) + Number(rows[1].split(',')[3])).toBeCloseTo(1, 12)
  })
})

describe('model files that are not to be trusted', () => {
  const members = () => readZip(readFileSync(model))
  const described = (change: (json: Record<string, unknown>) => void) => {
    const all = members()
    const [text] = readNpy(all.get('model.json.npy') as Uint8Array).data as string[]
    const json = JSON.parse(text)
    change(json)
    return writeZip(all.set('model.json.npy', writeNpy({ shape: [], data: [JSON.stringify(json)] })))
  }
  it.each<[string, () => Uint8Array, string]>([
    ['newer', () => described(json => void Object.assign(json, { version: 99 })), 'newer Polyad'],
    ['cut short', () => readFileSync(model).subarray(0, 900), 'its end is missing'],
    ['no archive', () => new TextEncoder().encode('hello'), 'not a usable zip archive'],
    [
      'a recipe with SQL in it',
      () =>
        described(
          json =>
            void Object.assign((json.run as { recipe: { modes: object[] } }).recipe.modes[0], {
              binning: { kind: 'width', width: '1); DROP TABLE x; --' },
            }),
        ),
      'recipe.modes[0].binning.width must be a number > 0',
    ],
    [
      'a recipe that does not fit',
      () => described(json => void Object.assign((json.run as { recipe: object }).recipe, { modes: [] })),
      'does not fit',
    ],
  ])('%s', async (name, make, reason) => {
    const path = scratch.path(`${name}.npz`)
    writeFileSync(path, make())
    const { code, stderr, stdout } = await polyad(['show', path])
    expect(code).toBe(1)
    expect(stderr).toContain(path)
    expect(stderr).toContain(reason)
    expect(stdout).toBe('')
  })
})

describe('polyad drift', () => {
  it('compares two models in a table, an object and a chart', async () => {
    const write = async (name: string, labels: string[], sizes: number[], city: number[]) => {
      const path = scratch.path(`${name}.json`)
      // The classes of a label lie side by side.
      const factors = [Float64Array.from(city), Float64Array.of(0.9, 0.2, 0.1, 0.8)]
      const modes = [new Mode('city', labels), new Mode('sex', ['f', 'm'])]
      await saveModel(path, new Model(modes, { rank: 2, sizes: Float64Array.from(sizes), factors }), {})
      return path
    }
    const models = [
      await write('before', ['Bonn', 'Ulm'], [600, 400], [0.5, 0.1, 0.5, 0.9]),
      await write('after', ['Ulm', 'Kiel'], [300, 500], [0.7, 0.9, 0.3, 0.1]),
    ]
    const chart = scratch.path('drift.svg')
    const found = objectOf(await polyad(['drift', ...models, '--json', '-o', chart]), 'drift')
    expect(found.classes.map((each: { before: number; after: number }) => [each.before, each.after])).toEqual([[1, 1], [2, 2]]) // biome-ignore format: pairs
    // By hand: Bonn 0.5 → 0, Ulm 0.5 → 0.7, Kiel 0 → 0.3; half of their sum.
    expect(found.classes[0].modes[0].distance).toBeCloseTo(0.5, 12)
    expect(found.modes[0]).toMatchObject({ mode: 'city', gone: ['Bonn'], added: ['Kiel'] })
    expect(readFileSync(chart, 'utf8')).toContain('Class sizes, with a tick where they were')
    const { stdout } = await run('drift', ...models)
    expect(stdout).toMatch(/city +\S+ +50\.0 +10\.0 /)
    expect(stdout).toMatch(/class 1 +Bonn +50\.0% +0\.0%/)
    const plotted = scratch.path('plotted.svg')
    await run('plot', models[1], '--kind', 'drift', '--before', models[0], '-o', plotted)
    expect(readFileSync(plotted, 'utf8')).toBe(readFileSync(chart, 'utf8'))
    const alone = await polyad(['plot', models[1], '--kind', 'drift', '-o', plotted])
    expect(alone.stderr).toContain('drift needs two models: name the earlier one with --before')
    const misplaced = await polyad(['plot', models[1], '--before', models[0], '-o', plotted])
    expect(misplaced.stderr).toContain('it is for drift')
    expect((await polyad(['drift', ...models, '-o', models[0]])).code).toBe(2)
  })
})

describe('polyad train of numbers', () => {
  it('learns means and deviations, which new rows are classified by', async () => {
    const [model, classified] = [scratch.path('flowers.npz'), scratch.path('flowers-classified.csv')]
    const args = ['train', iris, '--class', 'species', '--continuous', '*_*']
    const { stdout } = await polyad([...args, '-o', model])
    expect(stdout).toMatch(/setosa +versicolor +virginica/)
    expect(stdout).toMatch(/petal_width +mean +0.2462 +1.326 +2.026/)
    expect(stdout).toContain('143 of 150')
    expect(stdout).not.toContain('--pseudo-counts')
    await run('classify', model, iris, '-o', classified)
    const right = lines(classified).filter(line => line.split(',')[4] === line.split(',')[5])
    expect(right).toHaveLength(144)
    expect((await polyad([...args, '--ordinal', 'species'])).stderr).toContain('which is the class')
  })
})
