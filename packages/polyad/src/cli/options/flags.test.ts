import { describe, expect, it } from 'vitest'
import { DATA } from './data-options.ts'
import { FIT } from './fit-options.ts'
import { flagsOf } from './flags.ts'

describe('options of the library, as flags', () => {
  const flags = flagsOf([
    { flags: '-k, --rank <n>', text: '', library: ['rank', 'to', 'from'] },
    ...DATA.options,
    ...FIT.options,
  ])

  it.each([
    ['it was still moving at the limit of passes: raise maxPasses', '… raise --max-passes'],
    [
      'a better optimum may have been missed: fit again with seed 2, 3, … and keep the best',
      '… fit again with --seed 2, 3, … and keep the best',
    ],
    ['one start says nothing about other optima: raise starts', '… raise --starts'],
    ['rank must be a whole number from 1 to 32 (got 999)', '--rank must be a whole number from 1 to 32 (got 999)'],
    ["bins 'age:x': there is no such cut", '--bin age:x: there is no such cut'],
    ["it holds dates: cut it with bins 'day:month' (or hour)", '… with --bin day:month (or hour)'],
    ["every row counts once (count 'none')", '… (--count none)'],
    ["-99 looks missing: add missing '-99', missing 'Not asked'", "… add --missing=-99, --missing 'Not asked'"],
    [`looks missing: add missing "don't know"`, `… add --missing "don't know"`],
    ["say by what, as in delimiter ';'", "… as in --delimiter ';'"],
    ['keep the most frequent with top: 1000', '… with --top 1000'],
    ['count is for tables, and x.npy is a .npy file', '--count is for tables, and x.npy is a .npy file'],
    ['use missingAs, or write .csv', 'use --missing-as, or write .csv'],
  ])('%s', (message, wanted) => {
    const end = wanted.replace(/^… /, '')
    expect(flags(message).slice(-end.length)).toBe(end)
    expect(flags(flags(message))).toBe(flags(message))
  })

  it.each([
    'rows with missing values, by count and rank',
    'top: 5 rare labels merged into other',
    'the best optimum was reached by 3 of 20 starts',
    'count is left out: every value is different',
    'missing values in age, count',
    'counted as labels, but may mean missing: "NA" in party',
    'there is no format "xlsx"',
  ])('leaves words alone: %s', text => {
    expect(flags(text)).toBe(text)
  })
})
