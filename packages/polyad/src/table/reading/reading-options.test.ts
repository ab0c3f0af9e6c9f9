import { expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { checkTableOptions, type TableOptions } from './read-view.ts'
import { flagOf, READING_OPTIONS } from './reading-options.ts'

it('options have flags', () => {
  const own = Object.fromEntries(Object.keys(READING_OPTIONS).map(name => [name, flagOf(name)]))
  expect(own).toEqual({
    where: '--where',
    modes: '--variables',
    include: '--include',
    exclude: '--exclude',
    count: '--count',
    weights: '--weights',
    bins: '--bin',
    top: '--top',
    missing: '--missing',
    missingIn: '--missing',
    missingOnly: '--missing-only',
    missingAs: '--missing-as',
    recode: '--recode',
    categories: '--categories',
    order: '--order',
    trim: '--trim',
    ignoreCase: '--ignore-case',
    timeZone: '--time-zone',
    decimal: '--decimal',
    thousands: '--thousands',
    delimiter: '--delimiter',
    header: '--header',
    skipRows: '--skip-rows',
    encoding: '--encoding',
    sheet: '--sheet',
  })
  expect(flagOf('maxPasses')).toBe('--max-passes')
  const each = Object.entries(READING_OPTIONS).filter(([, option]) => 'each' in option && option.each)
  expect(each.map(([name]) => name)).toEqual(['bins', 'missingIn', 'recode', 'order'])
  expect([READING_OPTIONS.top.unit, READING_OPTIONS.skipRows.unit]).toEqual(['labels', 'rows'])
})

const zone = 'timeZone must be the name of a time zone, such as UTC or Europe/Berlin'
it.each<[object, string | undefined]>([
  [{}, undefined],
  [
    { where: 'a = 1', modes: ['a'], count: 'n', bins: ['a:q5'], top: 5, trim: true, decimal: ',', timeZone: 'UTC' },
    undefined,
  ],
  [{ skipRows: 0, header: false, encoding: 'latin1', sheet: '2', delimiter: ';', thousands: '.' }, undefined],
  [{ where: 5 }, 'where must be text (got 5)'],
  [{ modes: 'a' }, 'modes must be a list of texts (got "a")'],
  [{ top: 0 }, 'top must be a whole number ≥ 1 (got 0)'],
  [{ trim: 1 }, 'trim must be true or false (got 1)'],
  [{ decimal: ';' }, 'decimal must be one of ,, . (got ";")'],
  [{ thousands: ';' }, 'thousands must be one of ,, . (got ";")'],
  [{ skipRows: -1 }, 'skipRows must be a whole number ≥ 0 (got -1)'],
  [{ encoding: 'x' }, 'encoding must be the name of an encoding, such as windows-1252 (got "x")'],
  [{ encoding: 5 }, 'encoding must be the name of an encoding, such as windows-1252 (got 5)'],
  [{ timeZone: 'Moon' }, `${zone} (got "Moon")`],
  [{ timeZone: 'Europe/Berlim' }, `${zone} (got "Europe/Berlim"); did you mean Europe/Berlin?`],
  [{ bins: ['age'] }, "bins must be 'column:how', as in 'age:10' (got \"age\")"],
  [{ where: 'a' }, "where 'a': a comparison is expected here: =, !=, <, <=, >, >=, in (…), is missing (at the end)"],
  [
    { missing: ['x'], missingOnly: ['y'] },
    'missing adds codes for missing values, and missingOnly replaces them: use only one',
  ],
  [{ decimal: ',', thousands: ',' }, 'decimal must differ from thousands (got ",")'],
  [{ decimal: ',', thousands: '.' }, undefined],
  [{ replicateWeights: ['rw*'] }, 'replicateWeights needs weights, the weights of the whole sample'],
  [
    { replicateWeights: ['rw*'], weights: 'w', design: { cluster: 'c' } },
    'replicateWeights cannot be combined with clusters, which replicate weights already describe',
  ],
  [{ replicateWeights: ['rw*'], weights: 'w' }, undefined],
  [{ weights: 'w', count: 'n' }, 'weights cannot be combined with count: a row has a weight or a count'],
  [{ weights: 'w', count: 'none' }, undefined],
])('%j: %s', async (options, message) => {
  expect(await refusal(() => checkTableOptions(options as TableOptions))).toBe(message && `OptionError: ${message}`)
})

it('time zones and encodings are texts', () => {
  const { timeZone, encoding } = READING_OPTIONS
  expect([timeZone.check.allows('UTC'), timeZone.check.allows('x'), timeZone.check.allows(5)]).toEqual([
    true,
    false,
    false,
  ])
  expect(timeZone.check.rule).toBe('the name of a time zone, such as UTC or Europe/Berlin')
  expect([encoding.check.allows('utf-8'), encoding.check.allows('x'), encoding.check.allows(5)]).toEqual([
    true,
    false,
    false,
  ])
})
