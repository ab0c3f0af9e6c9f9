import { describe, expect, it } from 'vitest'
import { asCommand, asProgram } from '../fitting/same-as-code.ts'
import { openOptions } from './open-options.ts'

const read = { modes: ['a', 'b'], count: 'none' }
const fit = { from: 1, to: 2, seed: 1, prior: 0, smoothing: null, maxSeconds: null, covariates: [] }

describe('a delimiter that was chosen', () => {
  it('is in every command and in the program', () => {
    expect(asCommand('a.csv', { ...read, delimiter: '|' }, fit)).toMatch(/^polyad rank a\.csv .* --delimiter "\|" /)
    const two = asCommand('a.csv', { modes: ['a', 'b'], weights: 'w', delimiter: 'tab' }, fit)
    expect(two.match(/^polyad rank a\.csv .* --delimiter tab /gm)).toHaveLength(1)
    expect(asProgram('a.csv', { ...read, delimiter: '|' }, fit)).toContain("delimiter: '|'")
  })

  it('is nowhere where it was found out', () => {
    const file = { from: 'bytes', name: 'a.csv', bytes: new Uint8Array() } as const
    expect([openOptions(null), openOptions(file), openOptions({ ...file, delimiter: ';' })]).toEqual([
      {},
      {},
      { delimiter: ';' },
    ])
  })
})

it('a sheet and an encoding that were chosen are in the command', () => {
  const file = { from: 'bytes', name: 'a.xlsx', bytes: new Uint8Array(), sheet: 'Wave 2', encoding: 'latin1' } as const
  expect(asCommand('a.xlsx', { ...read, ...openOptions(file) }, fit)).toContain('--encoding latin1 --sheet "Wave 2"')
})
