import { readFileSync, writeFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { loadModel } from 'polyad'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { polyad, scratchFolder } from '../run-polyad.ts'

/** Commands that read or draw rows by a model of persons over time, or of groups. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const [panel, pupils, model, schools] = ['panel.csv', 'pupils.csv', 'model.npz', 'schools.npz'].map(scratch.path)

const { uniform } = random(6, 'data')
const says = (k: number) => [0.9, 0.8, 0.7].map(p => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no')).join()

beforeAll(async () => {
  const rows = Array.from({ length: 150 }, (_, id) => {
    let k = uniform() < 0.7 ? 0 : 1
    return ['1 spring', '2 summer', '3 winter'].map((wave, t) => {
      if (t > 0 && uniform() < 0.2) k = 1 - k
      return `p${id},${wave},${says(k)}`
    })
  })
  writeFileSync(panel, `id,wave,a,b,c\n${rows.flat().join('\n')}\n`)
  const members = Array.from({ length: 20 }, (_, school) =>
    Array.from({ length: 15 }, () => `school ${school},${says(uniform() < (school % 2 === 0 ? 0.8 : 0.2) ? 0 : 1)}`),
  )
  writeFileSync(pupils, `school,a,b,c\n${members.flat().join('\n')}\n`)
  const starts = ['--starts', '3']
  await json('fit', panel, '-k', '2', '--person', 'id', '--time', 'wave', ...starts, '-o', model)
  await json('fit', pupils, '-k', '2', '--within', 'school', '--group-classes', '2', ...starts, '-o', schools)
})

const json = async (...args: string[]) => {
  const ended = await polyad([...args, '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  return JSON.parse(ended.stdout)
}

describe('polyad classify', () => {
  it('gives persons the classes of all paths, the same in memory and in DuckDB', async () => {
    // New persons, with a gap, a wave without answers, an unknown wave and a row of nobody.
    const rows = [
      ['x', '3 winter', 'no', 'no', ''],
      ['x', '1 spring', 'yes', 'yes', 'no'],
      ['y', '2 summer', '', '', ''],
      ['z', '9 autumn', 'yes', 'yes', 'yes'],
      ['', '1 spring', 'no', 'perhaps', 'no'],
    ]
    const file = scratch.path('new.csv')
    writeFileSync(file, `id,wave,a,b,c,note\n${rows.map((row, i) => `${row.join()},n${i}`).join('\n')}\n`)
    const small = await polyad(['classify', model, file, '--posterior', '--path', '-o', '-'])
    expect(small.code, small.stderr).toBe(0)
    const lines = small.stdout.trim().split('\n')
    expect(lines[0]).toBe('id,wave,a,b,c,note,class,class_probability,log_likelihood,posterior_1,posterior_2,path')
    const found = lines.slice(1).map(line => line.split(','))
    expect(found.map(line => line[5])).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    const fitted = loadModel(model).model
    const { structure, modes, rank, parameters } = fitted
    if (structure.kind !== 'chain') throw new Error('a chain was asked for')
    const likelihood = (row: readonly string[], k: number) =>
      modes.reduce((p, mode, n) => {
        const j = mode.indexOf(row['abc'.indexOf(mode.name) + 2])
        return j === undefined ? p : p * parameters.factors[n][j * rank + k]
      }, 1)
    // Person x, at waves 1 and 3: the sum over all paths of three waves.
    const paths = [0, 1, 2, 3, 4, 5, 6, 7].map(code => {
      const path = [code & 1, (code >> 1) & 1, code >> 2]
      const moves = structure.transitions.map((step, t) => step[path[t]][path[t + 1]])
      const p =
        structure.initial[path[0]] * moves[0] * moves[1] * likelihood(rows[1], path[0]) * likelihood(rows[0], path[2])
      return { path, p }
    })
    const total = paths.reduce((sum, { p }) => sum + p, 0)
    const best = paths.reduce((most, each) => (each.p > most.p ? each : most))
    for (const [line, t] of [
      [found[1], 0],
      [found[0], 2],
    ] as const) {
      const first = paths.reduce((sum, { path, p }) => (path[t] === 0 ? sum + p : sum), 0) / total
      expect(Number(line[9])).toBeCloseTo(first, 10)
      expect(Number(line[8])).toBeCloseTo(Math.log(total), 10)
      expect(line[11]).toBe(`${best.path[t] + 1}`)
    }
    // Nothing is known of y, so that the class sizes of its wave are left; the wave of z is unknown.
    expect(Number(found[2][9])).toBeCloseTo(structure.sizes(1)[0], 10)
    expect(found[3][11]).toBe('')
    expect(Number(found[3][9])).toBeCloseTo(fitted.posterior({ a: 'yes', b: 'yes', c: 'yes' }).probabilities[0], 10)
    const figures = await json('classify', model, file)
    expect(figures).toMatchObject({ rows: 5, persons: 3, unseen: { b: 1 } })
    expect(figures.waves.map((each: { persons: number }) => each.persons)).toEqual([2, 1, 1])
    expect(figures.paths[0].persons).toBe(1)
    expect(figures.logLikelihood).toBeCloseTo(Math.log(total) + Number(found[3][8]) + Number(found[4][8]), 8)
    const written = scratch.path('classified.csv')
    const large = await polyad(['classify', model, file, '--posterior', '--path', '--memory', '1GB', '-o', written])
    expect(large.code, large.stderr).toBe(0)
    expect(readFileSync(written, 'utf8')).toBe(small.stdout)
    expect(await json('classify', model, file, '--memory', '1GB')).toEqual(figures)
    const shown = await polyad(['classify', model, file])
    expect(shown.stdout).toContain('3 persons by wave')
    expect(shown.stdout).toContain('most frequent sequences of classes')
    for (const option of ['--anomalies', '--explain'])
      expect((await polyad(['classify', model, file, option, '3'])).stderr).toContain(
        `${option} judges rows one by one, and the rows of this model belong together`,
      )
    writeFileSync(file, `id,wave,a,b,c\nx,1 spring,yes,no,no\nx,1 spring,no,no,no\n`)
    expect((await polyad(['classify', model, file])).stderr).toContain('has two rows in wave "1 spring"')
  })

  it('gives groups their class, and their members classes that depend on it', async () => {
    const found = await json('classify', schools, pupils)
    expect(found.groups).toHaveLength(20)
    expect(found.groupClasses).toHaveLength(2)
    const class0 = found.groups.find((each: { group: string }) => each.group === 'school 0').class
    const right = found.groups.filter((each: { group: string; rows: number; class: number }) => {
      expect(each.rows).toBe(15)
      return (each.class === class0) === (Number(each.group.slice(7)) % 2 === 0)
    })
    expect(right.length).toBeGreaterThan(17)
    const file = scratch.path('pupil.csv')
    // A pupil of no school, and two of a new one.
    writeFileSync(file, 'school,a,b,c\n,yes,yes,yes\nnew,no,,no\nnew,no,no,no\n')
    const small = await polyad(['classify', schools, file, '--posterior', '-o', '-'])
    const lines = small.stdout
      .trim()
      .split('\n')
      .map(line => line.split(','))
    expect(lines[0].slice(7)).toEqual([
      'posterior_1',
      'posterior_2',
      'group_class',
      'group_probability',
      'group_posterior_1',
      'group_posterior_2',
    ])
    const { structure, parameters, modes } = loadModel(schools).model
    if (structure.kind !== 'nested') throw new Error('groups were asked for')
    const { groupSizes, mixes } = structure
    const likelihood = (row: readonly string[], k: number) =>
      modes.reduce((p, mode, n) => {
        const j = mode.indexOf(row['abc'.indexOf(mode.name) + 1])
        return j === undefined ? p : p * parameters.factors[n][j * 2 + k]
      }, 1)
    const ofGroup = (members: readonly (readonly string[])[]) => {
      const p = groupSizes.map((size, g) =>
        members.reduce((all, row) => all * (mixes[g][0] * likelihood(row, 0) + mixes[g][1] * likelihood(row, 1)), size),
      )
      return p[0] / (p[0] + p[1])
    }
    expect(Number(lines[1][11])).toBeCloseTo(ofGroup([lines[1]]), 10)
    for (const line of lines.slice(2)) expect(Number(line[11])).toBeCloseTo(ofGroup(lines.slice(2)), 10)
    const written = scratch.path('pupils-classified.csv')
    await polyad(['classify', schools, file, '--posterior', '--memory', '1GB', '-o', written])
    expect(readFileSync(written, 'utf8')).toBe(small.stdout)
    expect((await polyad(['classify', schools, pupils])).stdout).toContain('20 groups by class')
    const path = await polyad(['classify', schools, file, '--path', '-o', '-'])
    expect(path.stderr).toContain('--path is only for models of persons over time')
  })
})

it('polyad sample draws persons with all waves, and groups with their members', async () => {
  const persons = await polyad(['sample', model, '-n', '2', '--class'])
  expect(persons.code, persons.stderr).toBe(0)
  const lines = persons.stdout
    .trim()
    .split('\n')
    .map(line => line.split(','))
  expect(lines[0]).toEqual(['class', 'id', 'wave', 'a', 'b', 'c'])
  expect(lines.slice(1).map(([, ...line]) => line.slice(0, 2).join())).toEqual(
    [1, 2].flatMap(id => ['1 spring', '2 summer', '3 winter'].map(wave => `${id},${wave}`)),
  )
  const groups = await json('sample', schools, '-n', '3', '--members', '4', '--class')
  expect(groups.columns).toEqual(['group_class', 'class', 'school', 'a', 'b', 'c'])
  expect(groups.rows).toHaveLength(12)
  expect((await polyad(['sample', model, '--members', '4'])).stderr).toContain('only for models of groups')
})

it('replicates of whole persons and groups test the number of classes, and say how tables vary', async () => {
  const person = ['--person', 'id', '--time', 'wave', '--starts', '2']
  const tested = await json('test', panel, '-k', '1', ...person, '--replicates', '9', '--replicate-starts', '2')
  expect(tested).toMatchObject({ rank: 1, against: 2, replicates: 9, pValue: 0.1 })
  const { bootstrap } = await json('fit', panel, '-k', '2', ...person, '--bootstrap', '5')
  expect(bootstrap).toMatchObject({ replicates: 5, pValue: null })
  expect(bootstrap.transitions).toHaveLength(2)
  expect(bootstrap.initial[0].standardError).toBeGreaterThan(0)
  const within = ['--within', 'school', '--group-classes', '2', '--starts', '2']
  const groups = await json(
    'fit',
    pupils,
    '-k',
    '2',
    ...within,
    '--bootstrap',
    '5',
    '--bootstrap-kind',
    'nonparametric',
  )
  expect(groups.bootstrap.mixes).toHaveLength(2)
  expect((await polyad(['fit', panel, '-k', '2', ...person, '--bootstrap', '5'])).stdout).toContain('bootstrap')
})

it('polyad rank compares numbers of classes and of group classes in steps', async () => {
  const call = ['rank', pupils, '-k', '1..3', '--within', 'school', '--group-classes', '1..2', '--starts', '2']
  const found = await json(...call)
  expect(found).toMatchObject({ recommended: 2, recommendedGroupClasses: 2 })
  expect(found.fits.map((fit: Record<string, number>) => [fit.rank, fit.numberOfGroupClasses])).toEqual([
    [1, 1],
    [2, 1],
    [2, 2],
    [3, 1],
    [3, 2],
  ])
  const one = await json('rank', pupils, '-k', '2..2', '--within', 'school', '--group-classes', '2', '--starts', '2')
  expect(found.fits[2].logLikelihood).toBeCloseTo(one.fits[0].logLikelihood, 6)
  const text = await polyad(call)
  expect(text.stdout).toContain('Recommended: 2 classes, and 2 classes of groups.')
  expect(text.stdout).toContain('2 × 2')
  const many = await polyad(['rank', pupils, '-k', '1..2', '--within', 'school', '--group-classes', '1..30'])
  expect(many.stderr).toContain('--group-classes must be at most the number of groups, 20 (got 30)')
})

it('polyad impute fills answers from all rows of a person or group, the same in memory and in DuckDB', async () => {
  const file = scratch.path('gaps.csv')
  const written = scratch.path('filled.csv')
  // One answer of x is missing at the second wave: the others say which class x is in there.
  writeFileSync(file, 'id,wave,a,b,c\nx,1 spring,no,no,no\nx,2 summer,,,\nx,3 winter,no,no,no\ny,2 summer,yes,,yes\n')
  const { structure, parameters, modes } = loadModel(model).model
  if (structure.kind !== 'chain') throw new Error('a chain was asked for')
  const classified = await polyad(['classify', model, file, '--posterior', '-o', '-'])
  const posteriors = classified.stdout
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(',').slice(8, 10).map(Number))
  const probable = (name: string, row: number) => {
    const n = modes.findIndex(mode => mode.name === name)
    const p = modes[n].labels!.map((_, j) =>
      posteriors[row].reduce((sum, each, k) => sum + each * parameters.factors[n][j * 2 + k], 0),
    )
    return { label: String(modes[n].label(p.indexOf(Math.max(...p)))), p }
  }
  const filled = await polyad(['impute', model, file, '-o', '-'])
  expect(filled.code, filled.stderr).toBe(0)
  const lines = filled.stdout.trim().split('\n')
  expect(lines[2]).toBe(['x', '2 summer', ...['a', 'b', 'c'].map(name => probable(name, 1).label)].join())
  expect(lines[2]).toBe('x,2 summer,no,no,no')
  expect(lines[4]).toBe(`y,2 summer,yes,${probable('b', 3).label},yes`)
  const likely = await polyad(['impute', model, file, '--distribution', '-o', '-'])
  expect(Number(likely.stdout.split('\n')[1].split(',')[3])).toBeCloseTo(probable('a', 1).p[0], 10)
  const draws = ['--draws', '400', '--seed', '3']
  const drawn = await polyad(['impute', model, file, ...draws, '-o', '-'])
  const values = drawn.stdout
    .trim()
    .split('\n')
    .map(line => line.split(','))
    .filter(line => line[1] === '2')
  const [no] = probable('a', 1).p
  const share = values.filter(line => line[4] === 'no').length / 400
  expect(Math.abs(share - no)).toBeLessThan(4 * Math.sqrt((no * (1 - no)) / 400))
  for (const [options, expected] of [
    [[], filled],
    [['--distribution'], likely],
    [draws, drawn],
  ] as const) {
    await polyad(['impute', model, file, ...options, '--memory', '1GB', '-o', written])
    expect(readFileSync(written, 'utf8')).toBe(expected.stdout)
  }
  expect((await polyad(['impute', model, file, '--score'])).stderr).toContain('--score hides values in rows one by one')
})

it('models with covariates classify, fill and draw rows by them, the same in memory and in DuckDB', async () => {
  const file = scratch.path('covariates.csv')
  const { uniform: own } = random(8, 'data')
  const rows = Array.from({ length: 120 }, (_, id) => {
    const sex = own() < 0.5 ? 'f' : 'm'
    const k = own() < (sex === 'f' ? 0.8 : 0.3) ? 0 : 1
    return [1, 2].map(wave => `p${id},${wave},${id === 3 ? '' : sex},${Math.round(10 * own())},${says(k)}`)
  }).flat()
  writeFileSync(file, `id,wave,sex,x,a,b,c\n${rows.join('\n')}\n`)
  const saved = scratch.path('covariates.npz')
  const person = ['--person', 'id', '--time', 'wave', '--covariates', 'sex', '--transition-covariates', 'x']
  const fitted = await json('fit', file, '-k', '2', ...person, '--starts', '2', '-o', saved)
  const found = await json('classify', saved, file)
  // The person without a sex is not in the fit, and has a class all the same.
  expect(fitted.persons).toBe(119)
  expect(found).toMatchObject({ rows: 240, persons: 120 })
  const complete = scratch.path('complete.csv')
  writeFileSync(complete, `id,wave,sex,x,a,b,c\n${rows.filter(row => !row.includes(',,')).join('\n')}\n`)
  expect((await json('classify', saved, complete)).logLikelihood).toBeCloseTo(fitted.logLikelihood, 6)
  const gaps = scratch.path('covariates-gaps.csv')
  writeFileSync(gaps, `id,wave,sex,x,a,b,c\n${rows.slice(0, 8).join('\n')}\nq,1,f,2,,,\nr,2,,,yes,,no\n`)
  const written = scratch.path('covariates-written.csv')
  for (const [command, ...options] of [
    ['classify', '--posterior', '--path'],
    ['impute', '--draws', '3'],
  ]) {
    const small = await polyad([command, saved, gaps, ...options, '-o', '-'])
    expect(small.code, small.stderr).toBe(0)
    await polyad([command, saved, gaps, ...options, '--memory', '1GB', '-o', written])
    expect(readFileSync(written, 'utf8')).toBe(small.stdout)
  }
  const drawn = await polyad(['sample', saved, gaps, '-n', '5', '--class'])
  expect(drawn.code, drawn.stderr).toBe(0)
  expect(drawn.stderr).toContain('3 of 10 rows left out')
  expect(drawn.stdout.split('\n')[0]).toBe('class,id,wave,sex,x,a,b,c')
  expect(drawn.stdout.trim().split('\n')).toHaveLength(1 + 5 * 2)
  const parquet = scratch.path('gaps.parquet')
  await polyad(['impute', saved, gaps, '-o', parquet])
  expect((await polyad(['sample', saved, parquet, '-n', '5', '--class'])).stdout).toBe(drawn.stdout)
  expect((await polyad(['sample', saved])).stderr).toContain('the classes of this model depend on sex, x')
})
