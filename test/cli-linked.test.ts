import { writeFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { polyad, scratchFolder } from './run-polyad.ts'

/** Waves of persons, and members of groups. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const [panel, pupils, model] = ['panel.csv', 'pupils.csv', 'model.npz'].map(scratch.path)

const { uniform } = random(6, 'data')
const says = (k: number) => [0.9, 0.8, 0.7].map(p => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no')).join()

beforeAll(() => {
  const rows = Array.from({ length: 150 }, (_, id) => {
    let k = uniform() < 0.7 ? 0 : 1
    return ['spring', 'summer', 'winter'].map((wave, t) => {
      if (t > 0 && uniform() < 0.2) k = 1 - k
      return `p${id},${t + 1} ${wave},${says(k)}`
    })
  })
  writeFileSync(panel, `id,wave,a,b,c\n${rows.flat().join('\n')}\n,1 spring,yes,no,no\n`)
  const members = Array.from({ length: 20 }, (_, school) =>
    Array.from({ length: 15 }, () => `school ${school},${says(uniform() < (school % 2 === 0 ? 0.8 : 0.2) ? 0 : 1)}`),
  )
  writeFileSync(pupils, `school,a,b,c\n${members.flat().join('\n')}\n`)
})

const json = async (...args: string[]) => {
  const ended = await polyad([...args, '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  return { ...JSON.parse(ended.stdout), said: ended.stderr }
}

const sum = (figures: readonly { probability: number }[]) =>
  figures.reduce((all, { probability }) => all + probability, 0)

describe('patterns of waves', () => {
  it.each([
    ['*_t1,*_t4', '--waves "*_t1": no column of'],
    ['t1,t2', `--waves: "t1" must have one star, for the name of the variable, as in '*_t1'`],
  ])('that match nothing are named as such: %s', async (waves, message) => {
    const ended = await polyad(['fit', panel, '-k', '2', '--waves', waves])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain(message)
    expect(ended.stderr).not.toContain('--variables')
  })
})

describe('waves of persons', () => {
  it('have class sizes by wave, initial sizes and transitions, with standard errors', async () => {
    const fit = ['fit', panel, '-k', '2', '--person', 'id', '--time', 'wave', '--starts', '3']
    const found = await json(...fit, '-o', model)
    expect(found.said).toContain('150 persons, 3 waves')
    expect(found.said).toContain('1 of 451 observations omitted: the person, the wave or the group is missing')
    expect(found).toMatchObject({
      persons: 150,
      unlinked: 1,
      parameters: 6 + 1 + 4,
      identification: { verdict: 'identified' },
    })
    expect(found.waves.map(({ wave }: { wave: string }) => wave)).toEqual(['1 spring', '2 summer', '3 winter'])
    expect(found.transitions).toMatchObject([
      { from: '1 spring', to: '2 summer' },
      { from: '2 summer', to: '3 winter' },
    ])
    expect(sum(found.initial)).toBeCloseTo(1, 10)
    for (const { probabilities } of found.transitions)
      for (const row of probabilities) {
        expect(sum(row)).toBeCloseTo(1, 10)
        expect(row[0].standardError).toBeGreaterThan(0)
        expect(row[0].interval[0]).toBeLessThan(row[0].probability)
      }
    const text = await polyad([...fit, '--transitions', 'same', '--se'])
    expect(text.stdout).toContain('transitions (the same at every step)')
    expect(text.stdout).toContain('G² and X² are not defined, because rows belong together.')
    // The model is as it was when it is read again.
    const shown = await json('show', model)
    expect(shown.rank ?? shown.classes).toBeDefined()
    // The same persons again: the model stays, and counts twice as many.
    const updated = scratch.path('u.npz')
    const more = await json('update', model, panel, '-o', updated)
    expect(more).toMatchObject({ added: 450, total: expect.closeTo(900, 8) })
    expect(more.said).toContain('all persons are taken for new ones')
    expect(more.logLikelihood.before).toBeCloseTo(found.logLikelihood, 4)
    for (const { share, shareBefore } of more.classes) expect(share).toBeCloseTo(shareBefore, 2)
    expect((await json('update', updated, panel)).total).toBeCloseTo(1350, 8)
  })

  it('have covariates, persons who never change, and variables that differ between waves', async () => {
    const fit = ['fit', panel, '-k', '2', '--person', 'id', '--time', 'wave', '--starts', '2']
    const file = scratch.path('covariates.npz')
    const found = await json(...fit, '--covariates', 'c', '--transition-covariates', 'c', '-o', file)
    expect(found.parameters).toBe(4 + 2 + 2 * 3)
    expect(found.effects.map(({ on }: { on: string }) => on)).toEqual(['initial', 'transitions'])
    expect(found.effects[1].coefficients[0]).toMatchObject({ from: 1, class: 2, term: 'intercept', of: 1, stays: null })
    expect(found.effects[0].tests[0]).toMatchObject({ covariate: 'c', test: { degreesOfFreedom: 1 } })
    const text = await polyad([...fit, '--stayers', '--free', 'a', '--transitions', 'same'])
    expect(text.stdout).toContain('persons who never change')
    expect(text.stdout).toContain('a (wave = 2 summer)')
    const grouped = await polyad([...fit, '--groups', 'c'])
    expect(grouped.stdout).toContain('class at the first wave')
    expect(grouped.stdout).toContain('reference: the class that is left')
  })

  it('are compared for several numbers of classes', async () => {
    const ranked = scratch.path('ranked.npz')
    const call = ['rank', panel, '-k', '1..2', '--person', 'id', '--time', 'wave', '--starts', '3', '-o', ranked]
    const found = await json(...call)
    expect(found.recommended).toBe(2)
    expect((await json('update', ranked, panel)).total).toBeCloseTo(900, 8)
  })

  it('may be in columns of one row', async () => {
    const wide = scratch.path('wide.csv')
    const header = [1, 2].flatMap(t => ['a', 'b', 'c'].map(name => `${name}_t${t}`)).join()
    const lines = Array.from({ length: 150 }, () => {
      const k = uniform() < 0.7 ? 0 : 1
      return `${says(k)},${says(uniform() < 0.2 ? 1 - k : k)}`
    })
    writeFileSync(wide, `id,${header}\n${lines.map((line, id) => `${id},${line}`).join('\n')}\n`)
    const saved = scratch.path('wide.npz')
    const found = await json('fit', wide, '-k', '2', '--waves', '*_t1,*_t2', '--starts', '2', '-o', saved)
    expect(found).toMatchObject({
      persons: 150,
      waves: [
        { wave: 't1', persons: 150 },
        { wave: 't2', persons: 150 },
      ],
    })
    expect(found.profiles.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c'])
    // Commands read the wide table as the fit did, and rows are those of waves.
    const classified = await json('classify', saved, wide, '--path', '-o', scratch.path('wide-classes.csv'))
    expect(classified).toMatchObject({ rows: 300, persons: 150 })
    expect(classified.logLikelihood).toBeCloseTo(found.logLikelihood, 6)
    expect(classified.said).toContain('it is read as one with a row for each person and wave')
    const report = await json('report', saved, wide, '-o', scratch.path('wide.html'))
    expect(report.data).toMatchObject({ given: true, same: true, total: 300 })
    expect((await json('update', saved, wide)).added).toBe(300)
    const refused = await polyad(['fit', wide, '-k', '2', '--waves', '*_t1,*_t7'])
    expect(refused.stderr).toContain('no column of')
  })

  it.each([
    [['--person', 'id'], '--person needs --time'],
    [['--person', 'id', '--time', 'wave', '--known', 'a'], '--person cannot be combined with --known'],
    [
      ['--person', 'id', '--time', 'wave', '--covariates', 'a', '--per', 'a=2'],
      '--per cannot be combined with --person',
    ],
    [['--transition-covariates', 'a'], '--transition-covariates needs --person'],
    [['--group-covariates', 'a'], '--group-covariates needs --within'],
    [['--group-classes', '2'], '--group-classes needs --within'],
  ])('are rejected with a reason if the options do not fit: %j', async (args, reason) => {
    const ended = await polyad(['fit', panel, '-k', '2', ...args])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain(reason)
  })
})

it('a saved model has a report, charts and tables from its data, given all waves of a person', async () => {
  const fit = ['fit', panel, '-k', '2', '--person', 'id', '--time', 'wave', '--starts', '2']
  const fitted = await json(...fit, '-o', model)
  const report = await json('report', model, panel, '--se', '-o', scratch.path('panel.html'))
  expect(report.data).toMatchObject({ given: true, same: true, total: 450 })
  expect(report.said).toContain('1 left out: the person, the wave, the group or a covariate is missing')
  expect(report.statistics.relativeEntropy).toBe(fitted.relativeEntropy)
  expect(report.leftOut).toEqual([])
  expect(report.methods.join(' ')).toContain('A latent transition model')
  const table = await json('table', model, panel, '--se', '--kind', 'transitions')
  expect(table.parts[1].rows[1].cells[1].value).toBeCloseTo(fitted.transitions[0].probabilities[0][0].standardError, 10)
  const certain = await json('plot', model, panel, '--kind', 'certainty', '-o', scratch.path('certainty.svg'))
  certain.table.rows.forEach((row: number[], k: number) => {
    expect(row[k + 1]).toBeCloseTo(fitted.averagePosteriors[k][k], 10)
  })
})

it('members of groups have class sizes by the class of their group', async () => {
  const found = await json('fit', pupils, '-k', '2', '--within', 'school', '--group-classes', '2', '--starts', '3')
  expect(found.said).toContain('20 groups')
  expect(found.groupClasses).toMatchObject({ within: 'school', groups: 20 })
  expect(sum(found.groupClasses.sizes)).toBeCloseTo(1, 10)
  for (const mix of found.groupClasses.mixes) expect(sum(mix)).toBeCloseTo(1, 10)
})
