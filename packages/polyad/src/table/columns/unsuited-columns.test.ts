import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { twoReaders } from '../../../../../test/two-readers.ts'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from '../reading/inspect-table.ts'
import { readView, type TableOptions } from '../reading/read-view.ts'
import { looksDemographic } from './unsuited-columns.ts'

const fileOf = (path: string) => readFileSync(fileURLToPath(new URL(`../../../../../${path}`, import.meta.url)), 'utf8')

const read = async (text: string, options: TableOptions = {}) => {
  const { tensor, notes } = await readView(await openTable({ name: 'x.csv', text }), options)
  return { names: tensor.modes.map(({ name }) => name), said: notes.map(note => note.text) }
}

/** Rows of columns that are functions of the number of the row. */
const table = (columns: Readonly<Record<string, (i: number) => string | number>>, rows = 600) =>
  [
    Object.keys(columns).join(),
    ...Array.from({ length: rows }, (_, i) =>
      Object.values(columns)
        .map(value => value(i))
        .join(),
    ),
  ].join('\n')

/** Answers that have nothing to do with each other. */
const answer =
  (q: number, categories = ['never', 'sometimes', 'often']) =>
  (i: number) =>
    categories[(((i + 1) * (q * 7919 + 104_729)) % 1_000_003) % categories.length]
const battery = { q1: answer(1), q2: answer(2), q3: answer(3), q4: answer(4), q5: answer(5) }
const schoolOf = (i: number) => (i * 7) % 30
const school = (i: number) => `s${schoolOf(i)}`
const region = (i: number) => ['north', 'south', 'west'][schoolOf(i) % 3]

describe('columns that cannot be items', () => {
  it('clusters, what they determine, and demographics beside a battery', async () => {
    const { names, said } = await read(fileOf('examples/survey/survey.csv'))
    const items = ['smoking', 'drinking', 'truancy', 'homework', 'exercise', 'breakfast', 'worry', 'sleepless']
    expect(names).toEqual(items)
    expect(said.slice(1, 6)).toEqual([
      `variables: ${items.join(', ')} (8 of 14 columns; choose others with modes)`,
      "school not used: 56 different values, which determine region. If whole groups were sampled, use cluster 'school'",
      'region not used: determined by school',
      'sex, age not used: demographics, beside 8 items with the same categories',
      "points not used: 70 different values in 1,721 rows. Use them as numbers with items 'points', or group them with bins 'points:q5'",
    ])
  })

  it('are used if they are named, and what they determine is not', async () => {
    const text = table({ school, region, ...battery })
    expect((await read(text)).names).toEqual(['q1', 'q2', 'q3', 'q4', 'q5'])
    expect((await read(text, { modes: ['school', 'region', 'q1'] })).names).toEqual(['school', 'region', 'q1'])
    expect((await read(text, { include: ['region'] })).names).toEqual(['region', 'q1', 'q2', 'q3', 'q4', 'q5'])
    const { names, said } = await read(text, { include: ['school'] })
    expect(names).toEqual(['school', 'q1', 'q2', 'q3', 'q4', 'q5'])
    expect(said).toContain('region not used: determined by school')
    const drawn = await read(text, { design: { cluster: 'school' } })
    expect(drawn.names).toEqual(['school', 'q1', 'q2', 'q3', 'q4', 'q5'])
    expect(drawn.said[0]).toBe('variables: q1, q2, q3, q4, q5 (5 of 7 columns; choose others with modes)')
  })

  it('are not suggested by the studio, which gives the reason', async () => {
    const { columns, notes } = await inspectTable(
      await openTable({ name: 'x.csv', text: table({ school, region, ...battery }) }),
    )
    expect(columns.slice(0, 3).map(({ proposal, reason }) => [proposal.use, reason])).toEqual([
      ['cluster', "30 different values, which determine region. If whole groups were sampled, use cluster 'school'"],
      ['strata', 'determined by school'],
      ['mode', '3 different values in 600 rows'],
    ])
    expect(notes.map(({ text }) => text)[0]).toContain('5 of 7 columns')
  })

  it.each([
    ['numbers of schools that determine their area', { ward: i => schoolOf(i), x: i => schoolOf(i) % 4 }, 'cluster'],
    ['whose rows stand together', { code: (i: number) => Math.floor(i / 20) }, 'cluster'],
    ['that are called after groups', { clinic_id: schoolOf }, 'cluster'],
    ['that are amounts, although they determine others', { income: schoolOf, x: i => schoolOf(i) % 4 }, 'mode'],
    ['that determine the groups made of them', { dose: schoolOf, dose_3: i => Math.floor(schoolOf(i) / 10) }, 'mode'],
    ['whose rows stand anywhere', { code: schoolOf }, 'mode'],
  ] satisfies [string, Readonly<Record<string, (i: number) => number>>, string][])(
    'are suggested as clusters by their values: %s',
    async (_, columns, use) => {
      const { columns: seen } = await inspectTable(
        await openTable({ name: 'x.csv', text: table({ ...columns, ...battery }) }),
      )
      expect(seen[0].proposal.use).toBe(use)
    },
  )

  it('of two columns that say the same, the first is used, or the one that is named', async () => {
    const text = table({ ...battery, code: i => (answer(2)(i) === 'often' ? 3 : 1) + answer(2)(i).length })
    expect((await read(text)).names).toEqual(['q1', 'q2', 'q3', 'q4', 'q5'])
    expect((await read(text, { include: ['code'] })).names).toEqual(['q1', 'q3', 'q4', 'q5', 'code'])
  })

  it('a number of many values beside short scales may also be grouped', async () => {
    const inspected = await inspectTable(
      await openTable({ name: 'x.csv', text: table({ ...battery, years: i => 18 + ((i * 11) % 40) }) }),
    )
    expect(inspected.columns[5]).toMatchObject({ guess: 'ignore', proposal: { use: 'mode', bins: 'q5' } })
    const { said } = await read(table({ ...battery, years: i => 18 + ((i * 11) % 40) }))
    expect(said).toContain(
      "years not used: 40 different values beside short scales. Group them with bins 'years:q5', or if whole groups were sampled, use cluster 'years'",
    )
  })

  it('a log of events keeps the columns with many categories', async () => {
    const log = {
      user: (i: number) => `u${(i * i) % 83}`,
      page: (i: number) => `p${(i * 31) % 47}`,
      device: answer(1),
      plan: (i: number) => ['free', 'paid'][((i * i) % 83) % 2],
    }
    const { names, said } = await read(table(log))
    expect(names).toEqual(['user', 'page', 'device'])
    expect(said).toContain('plan not used: determined by user')
  })

  it('everything stays if less than two columns would be left, or little is known', async () => {
    expect((await read(table({ code: i => i % 3, label: i => 'abc'[i % 3] }))).names).toEqual(['code', 'label'])
    expect((await read(table({ ...battery, copy: answer(1) }, 30))).names).toHaveLength(6)
  })

  it('demographics are no variables, however many values they have', async () => {
    const { said } = await read(table({ ...battery, age: i => 18 + ((i * 11) % 40) }))
    expect(said).toContain('age not used: demographics, beside 5 items with the same categories')
  })

  it('demographics stay if there is no battery', async () => {
    expect(
      (await read(table({ sex: answer(1, ['f', 'm']), q1: answer(2), q2: answer(3), q3: answer(4) }))).names,
    ).toEqual(['sex', 'q1', 'q2', 'q3'])
    expect((await read(table({ sex: answer(1, ['f', 'm']), ...battery }))).names).not.toContain('sex')
  })

  it.each(
    'sex Gender AGE age_group agegrp Altersgruppe Geschlecht EDUC education marital_status sexe edad region country district Kanton birth_year'.split(
      ' ',
    ),
  )('%s is a demographic', name => expect(looksDemographic({ name })).toBe(true))
  it.each('sexism agency aged party vote trust image language stage regional page'.split(' '))('%s is none', name =>
    expect(looksDemographic({ name })).toBe(false),
  )
})

describe('the columns of published examples', () => {
  it.each([
    ['packages/studio/public/examples/carcinoma.csv', ['A', 'B', 'C', 'D', 'E', 'F', 'G']],
    ['packages/studio/public/examples/hair-eye-colour.csv', ['hair', 'eye', 'sex']],
    ['packages/studio/public/examples/event-log.csv', ['reader', 'page']],
    ['packages/polyad/data/iris.csv', ['sepal_length', 'sepal_width', 'petal_length', 'petal_width', 'species']],
    ['examples/events/events.csv', ['account', 'service', 'action', 'incident']],
    ['examples/topics/words.csv', ['section', 'word']],
    [
      'packages/studio/public/examples/election.csv',
      [
        'MORALG',
        'CARESG',
        'KNOWG',
        'LEADG',
        'DISHONG',
        'INTELG',
        'MORALB',
        'CARESB',
        'KNOWB',
        'LEADB',
        'DISHONB',
        'INTELB',
        'VOTE3',
        'PARTY',
      ],
    ],
  ])('%s', async (path, names) => expect((await read(fileOf(path))).names).toEqual(names))
})

describe('both readers', () => {
  const readBoth = twoReaders()
  it.each([
    ['a survey', table({ school, region, ...battery, sex: answer(9, ['f', 'm']) })],
    [
      'with missing values',
      table({ school: i => (i % 9 === 0 ? '' : school(i)), region: i => (i % 7 === 0 ? 'NA' : region(i)), ...battery }),
    ],
  ])('say the same of %s', async (_, text) => {
    const { readings, inspections } = await readBoth('x.csv', text, {})
    expect(readings[0]).toEqual(readings[1])
    expect(inspections[0]).toEqual(inspections[1])
    expect(JSON.stringify(readings[0])).toContain('region not used: determined by school')
  })
})
