import { describe, expect, it } from 'vitest'
import { checkCombination } from './combinations.ts'
import {
  checkAvailable,
  DECIDING_STRUCTURES,
  excludedBy,
  STRUCTURE_NAMES,
  STRUCTURES,
  type StructurePart,
  structuresOf,
} from './structures.ts'

describe('the table of structures', () => {
  it('has a name for each, and a reason for everything that is not available with it', () => {
    for (const name of STRUCTURE_NAMES) {
      const { name: text, without, needs }: StructurePart = STRUCTURES[name] as StructurePart
      expect(text.length, name).toBeGreaterThan(3)
      for (const [feature, reason] of Object.entries(without))
        expect(reason.length, `${feature} with ${name}`).toBeGreaterThan(10)
      for (const other of needs?.oneOf ?? []) expect(STRUCTURE_NAMES).toContain(other)
    }
  })

  it('says what decides classes, and which structures a feature is available with', () => {
    const linking = ['person', 'time', 'waves', 'within']
    expect(DECIDING_STRUCTURES).toEqual(['covariates', 'groups', 'free', 'direct', 'known', ...linking])
    expect(structuresOf('ranks').filter(name => DECIDING_STRUCTURES.includes(name))).toEqual([
      'covariates',
      'groups',
      'free',
      'direct',
      ...linking,
    ])
    expect(structuresOf('update')).toContain('covariates')
    expect(structuresOf('update')).not.toContain('known')
  })

  it('names the first structure that excludes a feature', () => {
    expect(excludedBy('database', { join: [['a', 'b']], groups: 'g' })).toEqual({
      name: 'groups',
      reason: 'it needs the cells in memory',
    })
    expect(excludedBy('database', { complete: false, constraints: {} })).toBeUndefined()
    expect(() => checkAvailable('init', 'init', { known: 'k' })).toThrow(
      'init cannot be combined with known: its search begins at the model without it',
    )
    expect(() => checkAvailable('init', 'init', { constraints: {} })).not.toThrow()
  })

  it('is what combinations are checked by', () => {
    expect(() => checkCombination({ smoothing: 1, groups: 'g' })).toThrow(
      'smoothing cannot be combined with groups: smoothed models have no likelihood to compare',
    )
    expect(() => checkCombination({ smoothing: 1, join: [['b', 'c']] })).not.toThrow()
  })
})
