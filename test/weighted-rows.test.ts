import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { random } from '@polyad/core/numeric'
import { afterAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** Rows that an option leaves out, and the same rows taken out of the file beforehand: the figures are the same. */

const scratch = scratchFolder()
afterAll(scratch.remove)

/** An object that a command has printed. */
type Json = ReturnType<typeof objectOf>

const { uniform } = random(31, 'data')
const HEAD = ['q1', 'q2', 'q3', 'q4', 'age', 'party', 'school', 'wt']
const ANSWERS = [0, 1, 2, 3]
const rows = Array.from({ length: 320 }, (_, i): (string | number)[] => {
  const side = i % 2
  const in1 = uniform() < (side === 0 ? 0.3 : 0.7)
  const answers = ANSWERS.map(() => (uniform() < 0.08 ? '' : uniform() < (in1 ? 0.85 : 0.2) ? 'yes' : 'no'))
  // Some answer nothing, and what lacks something weighs more than the rest.
  const all = i % 60 === 9 ? ANSWERS.map(() => '') : answers
  const age = uniform() < 0.1 ? '' : String(20 + 10 * Math.floor(5 * uniform()))
  const party = uniform() < 0.1 ? '' : side === 0 ? 'left' : 'right'
  const weight = (all.includes('') || age === '' ? 3.3 : 0.7) + Math.round(1000 * uniform()) / 1000
  return [...all, age, party, `s${i % 20}`, i % 50 === 3 ? 0 : weight]
})

const write = (name: string, keep: (row: readonly (string | number)[]) => boolean) => {
  const used = rows.filter(keep)
  const weighing = used.filter(row => Number(row[7]) > 0)
  const path = scratch.path(name)
  writeFileSync(path, `${[HEAD, ...used].map(row => row.join()).join('\n')}\n`)
  return { path, used: weighing }
}
const answered = (row: readonly (string | number)[]) => ANSWERS.some(n => row[n] !== '')
const files = {
  all: write('all.csv', () => true),
  answered: write('answered.csv', answered),
  complete: write('complete.csv', row => ANSWERS.every(n => row[n] !== '')),
  aged: write('aged.csv', row => answered(row) && row[4] !== ''),
  grouped: write('grouped.csv', row => answered(row) && row[5] !== ''),
  joined: write('joined.csv', row => [row[0] !== '' && row[1] !== '', row[2] !== '', row[3] !== ''].includes(true)),
}

const FIT = ['-m', 'q1,q2,q3,q4', '-k', '2', '--weights', 'wt', '--starts', '3', '--seed', '1', '--threads', '1']

/** What differs between two runs of the same fit: files, and how long it took. */
const figuresOf = ({
  seconds: _s,
  source: _f,
  output: _o,
  left: _l,
  cautions = [],
  ...rest
}: Record<string, unknown>) => ({
  ...rest,
  cautions: (cautions as string[]).filter(text => !text.includes('left out')),
})

const fitted = async (path: string, asked: readonly string[]) => {
  const model = scratch.path(`${basename(path)}${asked.join('').replace(/\W/g, '')}.npz`)
  const ended = await polyad(['fit', path, ...FIT, ...asked, '--json', '-o', model])
  return { model, said: ended.stderr, found: objectOf(ended, 'fit') }
}

const report = async (model: string, path: string) => {
  const html = scratch.path('report.html')
  const found = objectOf(await polyad(['report', model, path, '-o', html, '--json']), 'report')
  return { found, page: readFileSync(html, 'utf8') }
}

/** The weighted log-likelihood by its definition, from the printed probabilities: P[row] = Σ share·Π P[answer | class]. */
const logLikelihoodOf = (found: Json, used: readonly (readonly (string | number)[])[]): number => {
  const mean = used.reduce((sum, row) => sum + Number(row[7]), 0) / used.length
  const probability = (row: readonly (string | number)[]) =>
    found.shares.reduce((sum: number, share: number, k: number) => {
      const own = found.profiles.map((profile: Json, n: number) =>
        row[n] === '' ? 1 : profile.probabilities[k][profile.labels.indexOf(row[n])],
      )
      return sum + share * own.reduce((product: number, p: number) => product * p, 1)
    }, 0)
  return used.reduce((sum, row) => sum + (Number(row[7]) / mean) * Math.log(probability(row)), 0)
}

describe('weights are scaled over the rows that are used', () => {
  it('and rows that --complete leaves out are counted as rows', async () => {
    const by = await fitted(files.all.path, ['--complete', '--weights-as-totals'])
    const before = await fitted(files.complete.path, ['--weights-as-totals'])
    expect(figuresOf(by.found)).toEqual(figuresOf(before.found))
    const n = files.complete.used.length
    const left = files.answered.used.length - n
    expect(by.found.left).toBe(left)
    expect(by.said).toContain(`${left} of ${files.answered.used.length} observations have missing values`)
    // By the definitions, from the rows.
    expect(by.found.total).toBeCloseTo(n, 9)
    const logLikelihood = logLikelihoodOf(by.found, files.complete.used)
    expect(by.found.logLikelihood).toBeCloseTo(logLikelihood, 7)
    expect(by.found.criteria.bic).toBeCloseTo(9 * Math.log(n) - 2 * logLikelihood, 6)
    const people = files.complete.used.reduce((sum, row) => sum + Number(row[7]), 0)
    expect(by.found.population.total).toBeCloseTo(people, 8)
  })

  it('wherever the model is told of: the report, its data, and the tables', async () => {
    const { model } = await fitted(files.all.path, ['--complete'])
    const n = files.complete.used.length
    const { found, page } = await report(model, files.all.path)
    expect(found.data).toMatchObject({ same: true, left: files.answered.used.length - n })
    expect(found.data.total).toBeCloseTo(n, 9)
    expect(found.summary[0]).toContain(`Two classes describe ${n} observations on 4 variables, weighted by wt.`)
    expect(found.methods[0]).toContain(`was fitted to ${n} observations of 4 categorical variables`)
    expect(found.cautions.join('\n')).toContain(`${files.answered.used.length - n} observations were left out`)
    expect(page).not.toMatch(/sum of (the )?weights/)
    const filtered = await report(model, files.complete.path)
    expect(filtered.found.data).toMatchObject({ same: true })
    const table = await polyad(['table', model, '--kind', 'fit'])
    expect(table.stdout.replace(/\s+/g, ' ')).toContain(
      `N = ${n} (weighted by wt; weights scaled to N). ${files.answered.used.length - n} observations were left out`,
    )
  })

  it.each([
    ['a covariate', 'aged', ['--covariates', 'age']],
    ['a covariate, in clusters', 'aged', ['--covariates', 'age', '--cluster', 'school']],
    ['the group', 'grouped', ['--groups', 'party']],
    ['the group, if variables are free', 'grouped', ['--groups', 'party', '--free', 'q2']],
    ['joined answers', 'joined', ['--join', 'q1,q2']],
    ['every answer, in clusters', 'answered', ['--cluster', 'school']],
  ] as const)('and rows that lack %s are left out first', async (_, kind, asked) => {
    const [by, before] = await Promise.all([fitted(files.all.path, asked), fitted(files[kind].path, asked)])
    const n = files[kind].used.length
    expect(by.found.total).toBeCloseTo(n, 9)
    const { covariates, groups, join } = by.found
    const dropped = [covariates, groups].flatMap(each => (each === undefined ? [] : [each.dropped]))
    for (const each of dropped) expect(Number.isInteger(each) && each > 0).toBe(true)
    if (join !== undefined) expect(Number.isInteger(join.partial) && join.partial > 0).toBe(true)
    const plain = ({ covariates: c, groups: g, join: j, standardErrors, ...rest }: Json) => ({
      ...figuresOf(rest),
      covariates: c && { ...c, dropped: 0 },
      groups: g && { ...g, dropped: 0 },
      join: j && { ...j, partial: 0 },
      errors: standardErrors?.shares,
    })
    expect(plain(by.found)).toEqual(plain(before.found))
    if (covariates === undefined || groups === undefined) {
      const { found } = await report(by.model, files.all.path)
      expect(found.data).toMatchObject({ same: true })
    }
  })

  it('and rows whose class is known are counted as rows', async () => {
    const { found, model } = await fitted(files.answered.path, ['--known', 'party'])
    const known = files.answered.used.filter(row => row[5] !== '')
    expect(found.known.totals).toEqual(
      found.known.labels.map((label: string) => known.filter(row => row[5] === label).length),
    )
    const { found: told } = await report(model, files.answered.path)
    expect(told.methods.join(' ')).toContain(`The class of ${known.length} observations was taken as known (party).`)
  })

  it('also where they are no variables, as in rank, test and independence', async () => {
    for (const [command, ...asked] of [
      ['rank', '-k', '1..2', '--starts', '2', '--folds', '0'],
      ['independence'],
    ] as const) {
      const options = [...asked, '-m', 'q1,q2,q3,q4', '--weights', 'wt', '--json']
      const by = objectOf(await polyad([command, files.all.path, ...options, '--complete']), command)
      const before = objectOf(await polyad([command, files.complete.path, ...options]), command)
      const bare = (found: Json) => ({
        ...figuresOf(found),
        fits: found.fits?.map(figuresOf),
      })
      expect(bare(by)).toEqual(bare(before))
    }
  })

  it('and in three steps observations are counted whatever they weigh', async () => {
    const { model } = await fitted(files.answered.path, [])
    const { aged } = files
    const regressed = objectOf(await polyad(['regress', model, files.answered.path, '--covariates', 'age', '--json']), 'regress') // biome-ignore format: one line
    expect(regressed.observations).toBe(aged.used.length)
    expect(regressed.covariates.dropped).toBe(files.answered.used.length - aged.used.length)
    const outcome = ['distal', model, files.answered.path, '--outcome', 'age', '--as', 'number', '--json']
    for (const asked of [outcome, [...outcome, '--covariates', 'school']]) {
      const found = objectOf(await polyad(asked), 'distal')
      expect([found.rows, found.missing]).toEqual([aged.used.length, files.answered.used.length - aged.used.length])
    }
  })
})
