import { describe, expect, it } from 'vitest'
import { DEFAULTS } from '../store/settings.ts'
import { asCommand, asProgram } from './same-as-code.ts'

const fit = { ...DEFAULTS.fit, from: 3, to: 3, covariates: [] }

describe('asCommand', () => {
  it('says all that is not usual', () => {
    const read = {
      modes: ['a', 'b'],
      include: ['age'],
      weights: 'w',
      bins: ['b:q5'],
      top: 20,
      missing: ['-9', 'n/a'],
      trim: true,
      ignoreCase: true,
      timeZone: 'Europe/Berlin',
    }
    const asked = { ...fit, covariates: ['age'], prior: 0.5, smoothing: 'auto' as const, maxSeconds: 9 }
    expect(asCommand('x.csv', read, asked)).toBe(
      'polyad fit x.csv -k 3 --variables a,b --covariates age --weights w --bin b:q5 --top 20 --missing=-9,n/a --trim --ignore-case --time-zone Europe/Berlin --seed 1 --pseudo-counts 0.5 --smoothing auto --max-seconds 9',
    )
  })

  it('says codes for missing values of all variables, and of some', () => {
    const read = { modes: ['a'], missing: ['99', '12:30'], missingIn: ['a:8,9', '"a:b":7'] }
    expect(asCommand('x.csv', read, fit)).toContain(`--missing '99,"12:30"' --missing a:8,9 --missing '"a:b":7'`)
    expect(asProgram('x.csv', read, fit)).toContain(`missingIn: ['a:8,9', '"a:b":7'],`)
  })

  it('names columns with the same codes by a pattern, if all that begin so have them', () => {
    const others: string[] = []
    const codes = (...missingIn: string[]) =>
      asCommand('x.csv', { modes: ['q1', 'age', ...others], missingIn }, fit).replace(
        /^.*--count none | --seed 1$/g,
        '',
      )
    expect(codes('q1:8,9', 'q2:8,9', 'q3:8,9', 'age:99')).toBe('--missing "q*:8,9" --missing age:99')
    expect(codes('q1:8,9', 'q2:8,9', 'q3:8,9', 'q4:99')).not.toContain('*')
    expect(codes('q1:8,9', 'q2:8,9')).toBe('--missing q1:8,9 --missing q2:8,9')
    // 8 may be an answer to another one.
    others.push('quality')
    expect(codes('q1:8,9', 'q2:8,9', 'q3:8,9')).not.toContain('*')
  })

  it('has what links rows, with covariates of transitions and persons who never change', () => {
    const links = { person: 'id', time: 'wave', transitionCovariates: ['age'], stayers: true }
    const command = asCommand('x.csv', { modes: ['a'] }, { ...fit, links, covariates: ['age'] })
    expect(command).toContain(' --person id --time wave --transition-covariates age --stayers ')
  })

  it('names the design of the sample for one model, of which standard errors are', () => {
    const read = { modes: ['a'], design: { cluster: 'a school', stratum: 'region' } }
    expect(asCommand('x.csv', read, fit)).toContain(' --cluster "a school" --strata region --seed 1')
    expect(asCommand('x.csv', read, { ...fit, to: 4 })).not.toContain('--cluster')
    expect(asProgram('x.csv', read, fit)).not.toContain('design')
  })

  it('compares several, with whatever the models have besides', () => {
    expect(asCommand('x.csv', { modes: ['a'] }, { ...fit, from: 1, to: 4 })).toMatch(/^polyad rank x\.csv -k 1\.\.4 /)
    const explained = { ...fit, from: 2, to: 3, covariates: ['age'] }
    expect(asCommand('x.csv', { modes: ['a'], weights: 'w' }, explained)).toBe(
      'polyad rank x.csv -k 2..3 --variables a --covariates age --weights w --seed 1',
    )
    expect(asProgram('x.csv', { modes: ['a'] }, explained)).toContain("covariates: ['age'],")
  })

  it('says what variables are taken for', () => {
    const items = [
      { column: 'height', item: { kind: 'normal', step: 0.5, variances: 'equal' } },
      { column: 'a,b', item: { kind: 'normal', variances: 'equal' } },
      { column: 'q1', item: { kind: 'ordinal' } },
      { column: 'visits', item: { kind: 'count', distribution: 'negative-binomial' } },
    ] as const
    expect(asCommand('x.csv', { modes: ['q1'] }, { ...fit, items })).toBe(
      `polyad fit x.csv -k 3 --variables q1 --count none --continuous 'height:0.5,"a,b"' --ordinal q1 --counts visits:nb --variances equal --seed 1`,
    )
    expect(
      asProgram('x.csv', { modes: ['q1'] }, { ...fit, items }),
    ).toBe(`import { fit, normal, ordinal, count } from '@polyad/core'
import { readTensor } from 'polyad'

const { tensor } = await readTensor('x.csv', {
  modes: ['q1'],
})
const { model, verdict } = await fit(tensor, {
  rank: 3,
  seed: 1,
  items: { height: normal({ step: 0.5, variances: 'equal' }), 'a,b': normal({ variances: 'equal' }), q1: ordinal(), visits: count({ distribution: 'negative-binomial' }) },
})
console.log(verdict.text, model.shares)
`)
  })

  it('names the graphics device', () => {
    const asked = { ...fit, graphics: true }
    expect(asCommand('x.csv', { modes: ['a'] }, asked)).toMatch(/ --seed 1 --engine gpu$/)
    expect(asCommand('x.csv', { modes: ['a'] }, { ...asked, to: 4 })).toMatch(/^polyad rank .* --engine gpu$/)
    expect(asProgram('x.csv', { modes: ['a'] }, asked)).toBe(`import { fit } from '@polyad/core'
import { graphicsEngine, readTensor } from 'polyad'

const { tensor } = await readTensor('x.csv', {
  modes: ['a'],
})
const { model, verdict } = await fit(tensor, {
  rank: 3,
  seed: 1,
  engine: await graphicsEngine(),
})
console.log(verdict.text, model.shares)
`)
  })

  it.each([
    ['my file.csv', '"my file.csv"'],
    [`it's.csv`, `"it's.csv"`],
    ['$(rm -rf ~).csv', `'$(rm -rf ~).csv'`],
    ['-o.csv', './-o.csv'],
    ['--help', './--help'],
    ['`x`', `'\`x\`'`],
    ['a\nb', '"a\nb"'],
    ['', '""'],
    ['été.csv', 'été.csv'],
  ])('quotes the file %j', (file, word) =>
    expect(asCommand(file, { modes: ['a'] }, fit)).toBe(`polyad fit ${word} -k 3 --variables a --count none --seed 1`),
  )
})

describe('asProgram', () => {
  it.each(['plain.csv', `it's "quoted"\\.csv`, 'a\nb\u2028.csv', '\x24{x}`y`'])('writes %j as a literal', name => {
    const program = asProgram(name, { modes: [name], count: 'none' }, fit)
    const literal = /readTensor\(([\s\S]*?), \{$/m.exec(program)?.[1] ?? ''
    // biome-ignore lint/security/noGlobalEval: the text must mean what it was made from.
    expect(globalThis.eval(literal)).toBe(name)
  })
})
