import { describe, expect, it } from 'vitest'
import { asCommand, asProgram } from '../fitting/same-as-code.ts'
import { commandWith, delimiterOf, optionsWith } from './delimiter.ts'

const read = { modes: ['a', 'b'], count: 'none' }
const fit = { from: 1, to: 2, seed: 1, prior: 0, smoothing: null, maxSeconds: null, covariates: [] }

describe('a delimiter that was chosen', () => {
  it('is in every command and in the program', () => {
    expect(commandWith(asCommand('a.csv', read, fit), '|')).toMatch(/^polyad rank --delimiter '\|' a\.csv -k 1\.\.2 /)
    const two = asCommand('a.csv', { modes: ['a', 'b'], weights: 'w' }, fit)
    expect(commandWith(two, 'tab').match(/^polyad fit --delimiter tab a\.csv/gm)).toHaveLength(2)
    expect(asProgram('a.csv', optionsWith(read, '|'), fit)).toContain("delimiter: '|'")
  })

  it('is nowhere where it was found out', () => {
    const file = { from: 'bytes', name: 'a.csv', bytes: new Uint8Array() } as const
    expect([delimiterOf(null), delimiterOf(file), delimiterOf({ ...file, delimiter: ';' })]).toEqual([
      undefined,
      undefined,
      ';',
    ])
    expect(commandWith('polyad fit a.csv', undefined)).toBe('polyad fit a.csv')
    expect(optionsWith(read, undefined)).toBe(read)
  })
})
