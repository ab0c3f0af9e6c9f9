import { advise, inWords, mention, term, words } from '@polyad/core/options'
import { describe, expect, it } from 'vitest'
import { DATA } from './data-options.ts'
import { FIT } from './fit-options.ts'
import { flagNaming } from './naming.ts'

describe('options of the library, as flags', () => {
  const naming = flagNaming([
    { flags: '-k, --rank <n>', text: '', library: ['rank', 'to', 'from'] },
    ...DATA.options,
    ...FIT.options,
  ])

  it.each([
    [words`it was still moving: ${advise('raise', 'maxPasses')}`, 'it was still moving: raise --max-passes'],
    [words`${advise('fit again with', 'seed')} 2, 3, … and keep`, 'fit again with --seed 2, 3, … and keep'],
    [words`${mention('to')} must be a whole number`, '--rank must be a whole number'],
    [words`${mention('bins', 'age:x')}: there is no such cut`, '--bin age:x: there is no such cut'],
    [words`${advise('cut it with', 'bins', 'a:month', 'b:q5')}`, 'cut it with --bin a:month, --bin b:q5'],
    [words`${advise('add', 'missing', '-99', 'Not asked')}`, 'add --missing=-99, --missing "Not asked"'],
    [words`${advise('add', 'missing', "don't know")}`, `add --missing "don't know"`],
    [words`${advise('add', 'missing', '10,978')}`, `add --missing '"10,978"'`],
    [words`${advise('add', 'missing', '12:30')}`, `add --missing '"12:30"'`],
    [words`${advise('add', 'missingIn', 'q1:8,9')}`, 'add --missing q1:8,9'],
    [words`${advise('as in', 'delimiter', ';')}`, 'as in --delimiter ";"'],
    [words`${advise('keep the most frequent with', 'top', 1000)}`, 'keep the most frequent with --top 1000'],
    [words`${advise('go on from it with', 'init')}`, 'go on from it with init'],
    [words`${advise('use', 'replicateWeights', 'rw*')}`, 'use --replicate-weights "rw*" with polyad fit'],
    [words`both must have the same ${term('modes')}`, 'both must have the same variables'],
    ['rows with missing values, by count and rank', 'rows with missing values, by count and rank'],
  ])('%j', (text, wanted) => {
    expect(inWords(text, naming)).toBe(wanted)
  })
})
