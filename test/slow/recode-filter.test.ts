import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTables, type Tables } from '../../packages/polyad/src/duckdb/client.ts'
import { openSqlTable } from '../../packages/polyad/src/engine/open-sql-table.ts'
import { readTensor } from '../../packages/polyad/src/source/read-tensor.ts'
import { readTableTo } from '../../packages/polyad/src/source/store-table.ts'
import type { TableOptions } from '../../packages/polyad/src/table/reading/read-view.ts'
import { type Condition, conditionText } from '../../packages/polyad/src/table/values/condition.ts'
import { parseCondition } from '../../packages/polyad/src/table/values/parse-condition.ts'
import { recodeText } from '../../packages/polyad/src/table/values/recode.ts'
import { testFolder } from '../test-folder.ts'
import { twoReaders } from '../two-readers.ts'

/** Categories that are recoded and rows that are filtered: by both readers alike, and as SQL that was written by hand has it. */

const both = twoReaders()
const { file } = testFolder()

let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

interface Read {
  readonly labels: readonly { readonly name: string; readonly labels: readonly unknown[]; readonly ordered: boolean }[]
  readonly notes: readonly { readonly kind: string; readonly text: string }[]
  readonly rows: number
  readonly recipe: { readonly recode?: unknown }
  readonly source: Readonly<Record<string, unknown>>
}

const read = async (content: string, options: TableOptions): Promise<Read> => {
  const { readings, inspections } = await both('answers.csv', content, options)
  expect(readings[1]).toEqual(readings[0])
  expect(inspections[1]).toEqual(inspections[0])
  return readings[0] as Read
}

/** One column of answers beside one of two letters. */
const answers = (values: readonly string[]) =>
  `q,g\n${values.map((value, i) => `${value},${'xy'[i % 2]}`).join('\n')}\n`

const labels = async (values: readonly string[], recode: string, options: TableOptions = {}) => {
  const found = await read(answers(values), { modes: ['q', 'g'], recode: [recode], ...options })
  if (typeof found === 'string') return found
  const { labels: own, ordered } = found.labels[0]
  return { labels: own, ordered }
}

const SCALE = ['1', '2', '3', '4', '5', '1', '2.0']

describe('recoding', () => {
  it('merges and renames; a merged category stands where the first of its parts did', async () => {
    expect(await labels(SCALE, 'q:4,5=high')).toEqual({ labels: ['1', '2', '3', 'high'], ordered: true })
    expect(await labels(SCALE, 'q:1,2=low,4,5=high')).toEqual({ labels: ['low', '3', 'high'], ordered: true })
    expect(await labels(SCALE, 'q:1=yes,2=no')).toEqual({ labels: ['yes', 'no', '3', '4', '5'], ordered: true })
    // What were no neighbours are in no order any more.
    expect(await labels(SCALE, 'q:1,5=ends')).toEqual({ labels: ['ends', '2', '3', '4'], ordered: false })
    // Numbers are in order by size, whatever they were.
    expect(await labels(SCALE, 'q:1=5,2=4,4=2,5=1')).toEqual({ labels: [1, 2, 3, 4, 5], ordered: true })
    expect(await labels(['a', 'b', 'c', 'd'], 'q:b,d=zebra')).toEqual({ labels: ['a', 'zebra', 'c'], ordered: false })
    // Into one that is there: it is a part too.
    expect(await labels(['a', 'b', 'c', 'd'], 'q:d=b')).toEqual({ labels: ['a', 'b', 'c'], ordered: false })
    expect(await labels(['b', 'z', 'c'], 'q:z=alpha')).toEqual({ labels: ['b', 'c', 'alpha'], ordered: false })
  })

  it('keeps to an order that is given, of the new categories', async () => {
    const options = { order: ['q=high,3,low'] }
    expect(await labels(SCALE, 'q:1,2=low,4,5=high', options)).toEqual({ labels: ['high', '3', 'low'], ordered: true })
  })

  it('comes after missing codes, and compares as they do', async () => {
    expect(await labels([...SCALE, '9'], 'q:5,9=high', { missingIn: ['q:9'] })).toMatchObject({
      labels: ['1', '2', '3', '4', 'high'],
    })
    expect(await labels(['Yes', 'YES', 'yes', 'no'], 'q:yes=Agreed', { ignoreCase: true })).toEqual({
      labels: ['no', 'Agreed'],
      ordered: false,
    })
    expect(await labels(['Yes', 'yes', 'no'], 'q:yes=no')).toMatchObject({ labels: ['Yes', 'no'] })
    expect(await labels(['007', '7', '8'], 'q:7=seven')).toMatchObject({ labels: ['007', 'seven', '8'] })
  })

  it('takes names and categories in quotes, patterns, and several columns', async () => {
    const content = 'a:b,q1,q2\n"x, y",1,1\n=,2,2\n;,1,2\n"x, y",2,1\n'
    const recode = ['"a:b":"x, y"=both,"="=equal,";"="semi;colon";q*:1=one', 'q2:2=two']
    const found = await read(content, { modes: ['a:b', 'q1', 'q2'], recode })
    expect(found.labels.map(each => each.labels)).toEqual([
      ['semi;colon', 'equal', 'both'],
      ['one', '2'],
      ['one', 'two'],
    ])
    expect(found.recipe.recode).toMatchObject({
      q2: [
        { from: ['1'], to: 'one' },
        { from: ['2'], to: 'two' },
      ],
    })
  })

  it('names categories that no row has, with the nearest', async () => {
    const found = await read(answers(['agree', 'neutral', 'disagree', 'agree']), {
      modes: ['q', 'g'],
      recode: ['q:agre,maybe=yes'],
    })
    expect(found.notes.filter(({ kind }) => kind === 'warning').map(({ text }) => text)).toEqual([
      'recode: no row has "agre" (did you mean "agree"?), "maybe" in q; check how it is written',
    ])
  })

  it.each([
    ['q:1', 'nothing says what "1" becomes; add =, as in 1=low'],
    ['q:1=', 'a category cannot become missing by recoding; use missingIn'],
    ['q:1=NA', 'a category cannot become missing by recoding; use missingIn'],
    ['q:1=a=b', '"a" is between two =; put a category that contains = in double quotes'],
    ['q:,1=a', 'a category is empty'],
    ['q:1=a,1=b', '"1" of "q" is to become both "a" and "b"; name it once'],
    ['p:1=a', 'has no column "p"'],
    ['1=a', 'must name a column, its categories and what they become, as in q1:1,2=low,3=high'],
  ])('refuses %s', async (recode, words) => {
    expect(await labels(SCALE, recode)).toContain(words)
  })

  it('refuses columns that are cut or counted', async () => {
    expect(await labels(SCALE, 'q:1=low', { bins: ['q:2'] })).toContain('is cut into intervals, which are not recoded')
    expect(await labels(SCALE, 'q:1=7', { modes: ['g'], count: 'q' })).toContain('is the column of counts or weights')
  })

  it('writes what it reads', async () => {
    const recode = [{ from: ['x, y', '='], to: 'a;b' }, { from: ['1'], to: 'one' }] // biome-ignore format: one line
    expect(recodeText('a:b', recode)).toBe('"a:b":"x, y","="="a;b",1=one')
  })
})

const PEOPLE = `age,country,trust,"years there",born
17,DE,1,2,2007-01-31
18,DE,8,3,2006-12-01
25,AT,3,1,1999-05-05
40,CH,,7,1984-02-29
61,AT,5,30,1963-11-11
,DE,2,4,
33,de,4,x,1991-01-01
29,DE,9,12,1995-08-08
`

/** Conditions as we write them, and as SQL that was written by hand has them, over texts: codes 8 and 9 of trust mean missing. */
const CONDITIONS: readonly (readonly [where: string, sql: string])[] = [
  ['age >= 18', 'CAST(age AS DOUBLE) >= 18'],
  ["age >= 18 and country in ('DE', 'AT') and trust is not missing", "CAST(age AS DOUBLE) >= 18 AND country IN ('DE', 'AT') AND trust NOT IN ('8', '9')"], // biome-ignore format: one pair
  ['not (age < 30)', 'CAST(age AS DOUBLE) >= 30'],
  ["country != 'DE' or age is missing", "country <> 'DE' OR age IS NULL"],
  ['trust not in (1, 2, 3)', "trust IN ('4', '5')"],
  ['"years there" > 3 and not country = \'CH\'', 'TRY_CAST("years there" AS DOUBLE) > 3 AND country <> \'CH\''],
  ['"years there" <> 3', '"years there" <> \'3\''],
  ["born >= '1990-01-01' and born < '2007-01-01'", "CAST(born AS DATE) >= DATE '1990-01-01' AND CAST(born AS DATE) < DATE '2007-01-01'"], // biome-ignore format: one pair
  ["AGE==25 OR country = 'de'", "age = '25' OR country = 'de'"],
  ['trust is missing', "trust IS NULL OR trust IN ('8', '9')"],
]

describe('a filter', () => {
  it.each(CONDITIONS)('%s', async (where, sql) => {
    const path = file('people.csv', PEOPLE)
    const [[kept]] = await tables.rows(
      `SELECT count(*)::INTEGER FROM read_csv('${path}', all_varchar = true) WHERE ${sql}`,
    )
    const groups = await tables.rows(
      `SELECT country FROM read_csv('${path}', all_varchar = true) WHERE ${sql} GROUP BY 1 ORDER BY 1`,
    )
    const options = { where, modes: ['country'], missingIn: ['trust:8,9'] }
    const found = await read(PEOPLE, options)
    expect(found.rows).toBe(kept)
    expect(found.labels.map(each => each.labels)).toEqual([groups.map(([country]) => country)])
    expect(found.notes[0]).toEqual({ kind: 'choice', text: `${kept} of 8 rows used: ${where}` })
    expect(found.source).toMatchObject({ where, rowsBefore: 8, rows: kept })
  })

  it('comes before recoding and everything else: quantiles, labels, places of faults', async () => {
    const options = { where: 'trust <= 3', recode: ['trust:1,2,3=low'], modes: ['trust', 'age'], bins: ['age:q2'] }
    const found = await read(PEOPLE, options)
    const values = `SELECT quantile_disc(CAST(age AS DOUBLE), 0.5) FROM read_csv('${file('people.csv', PEOPLE)}', all_varchar = true) WHERE trust IN ('1', '2', '3')` // biome-ignore format: one statement
    const [[median]] = await tables.rows(values)
    expect(found.labels[0].labels).toEqual(['low'])
    expect(found.labels[1].labels[0]).toContain(String(median))
    const fault = await read(PEOPLE, { where: 'age > 30', modes: ['years there', 'country'], bins: ['years there:1'] })
    expect(fault).toMatch(/line 8, column "years there": "x" is not a number/)
  })

  it.each([
    ['country = DE', 'put texts in single quotes, as in \'DE\' (at character 11, after "country =")'],
    ['age >', 'a number or a text in single quotes is expected here (at the end)'],
    ['age 18', 'a comparison is expected here'],
    ['(age > 1', 'a closing parenthesis is expected here (at the end)'],
    ['age > 1 age < 3', 'and, or, or the end is expected here (at character 9'],
    ['age > 1,5', 'decimals are written with a point here, as in 1.5 (at character 8'],
    ['age in 1', "a list is expected here, as in: in ('a', 'b')"],
    ["country = 'DE", 'this single quote is never closed'],
    ['age > 1; drop table x', '";" means nothing here'],
    ["'age' > 1", 'put its name in double quotes, or in none (at the beginning)'],
    ['agee > 1', 'did you mean "age"?'],
    ['age is null', 'missing is expected here'],
    ['country > 3', 'its values are not numbers'],
    ["age > '3'", 'its values are numbers; leave the quotes out'],
    ['age > 100', 'no row of'],
  ])('refuses %s', async (where, words) => {
    expect(await read(PEOPLE, { where, modes: ['country'] })).toContain(words)
  })

  it('passes nothing on to SQL as it is written', async () => {
    const where = `country = ''' OR 1=1 --' or "x"" OR 1" = 1`
    expect(parseCondition(where)).toEqual({
      kind: 'or',
      parts: [
        { kind: 'compare', column: 'country', operator: '=', value: "' OR 1=1 --" },
        { kind: 'compare', column: 'x" OR 1', operator: '=', value: 1 },
      ],
    })
  })

  it('is the same where the data stays, and for cells on disk', async () => {
    const path = file('people.csv', PEOPLE)
    const options = { where: 'age >= 18', recode: ['country:de,DE=Germany'], modes: ['country', 'trust'], missingIn: ['trust:8,9'] } // biome-ignore format: one object
    const read = await readTensor(path, options)
    const { session, source, recipe, rows } = await openSqlTable(path, options)
    const modes = session.data.modes.map(({ name, labels, ordered }) => ({ name, labels, ordered }))
    await session.close()
    expect(modes).toEqual(read.tensor.modes.map(({ name, labels, ordered }) => ({ name, labels, ordered })))
    expect([recipe, rows, source.where, source.rowsBefore]).toEqual([read.recipe, 6, 'age >= 18', 8])
    const place = { path: file('cells.polyad', ''), folder: tmpdir(), memory: 1e7 }
    const own = await openTables()
    const stored = await readTableTo({ room: () => 0, place: () => place }, own, [path], options)
    await own.close()
    expect('file' in stored).toBe(true)
    expect(stored.tensor.modes).toEqual(read.tensor.modes)
    expect([stored.recipe, stored.source, stored.rows]).toEqual([read.recipe, read.source, 6])
  })

  it('says of a design that it is not the one that was drawn', async () => {
    const content = `q,psu,w\n${Array.from({ length: 12 }, (_, i) => `${i % 2},${i % 4},1.5`).join('\n')}\n`
    const path = file('design.csv', content)
    const { notes } = await readTensor(path, {
      modes: ['q'],
      weights: 'w',
      design: { cluster: 'psu' },
      where: 'psu < 3',
    })
    expect(notes.map(({ text }) => text).join('\n')).toContain('leaves clusters without rows out of the design')
  })
})

const VALUES = ['1', '2', '2.0', '10', '-3', 'a', 'B', 'b', 'NA', '', '007', "it's", '1e1', 'nan', 'inf']
const COLUMNS = ['a', 'b c', 'd']

const value = fc.oneof(fc.constantFrom(1, 2, 10, -3, 7, 0.5), fc.constantFrom(...VALUES))
const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ kind: fc.constant('missing' as const), column: fc.constantFrom(...COLUMNS) }),
    fc.record({
      kind: fc.constant('compare' as const),
      column: fc.constantFrom(...COLUMNS),
      operator: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
      value,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constantFrom(...COLUMNS),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), part: tie('condition') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

it('any table is filtered and recoded alike by both readers, and a condition is read as it is written', async () => {
  const cell = fc.constantFrom(...VALUES)
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 })
  const recode = fc.constantFrom([], ['a:1,2=low'], ['*:2,b=B'], ['"b c":10=ten,007=7', 'd:a=A'])
  const trimmed = fc.record({ ignoreCase: fc.boolean(), missing: fc.constantFrom([], ['10'], ['a']) })
  await fc.assert(
    fc.asyncProperty(table, condition, recode, trimmed, async (rows, parsed, recodes, more) => {
      const where = conditionText(parsed)
      expect(conditionText(parseCondition(where))).toBe(where)
      const content = [COLUMNS, ...rows].map(row => row.join(',')).join('\n')
      await read(`${content}\n`, { where, modes: ['a', 'd'], ...more, ...(recodes.length > 0 && { recode: recodes }) })
    }),
    { numRuns: 10, seed: 12 },
  )
})
