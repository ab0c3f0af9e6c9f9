import type { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import { checkCounted, firstFaultError, noBinRule, valueError } from './value-fault.ts'
import type { Fault } from './view.ts'

const fault: Fault = { test: 1, where: 'x.csv, line 7', line: 7, row: 6, value: '?' }
const rule = (shown: string | null) => `${shown} is wrong`

describe('a value that cannot be used', () => {
  it('has its place', () => {
    const error = valueError(fault, 'a', rule)
    expect(error.message).toBe('x.csv, line 7, column "a": ? is wrong')
    expect(error.place).toEqual({ line: 7, column: 'a' })
    expect(valueError({ ...fault, line: undefined }, 'a', rule).place).toEqual({ row: 6, column: 'a' })
    expect(valueError({ ...fault, line: undefined, row: undefined }, 'a', rule).place).toEqual({ column: 'a' })
  })

  it('is the first that a test finds', async () => {
    const tests = ['a', 'b'].map(name => ({ column: looked(name), is: 'no count' as const, rule }))
    const error = (found: Fault | undefined): Promise<DataError> =>
      firstFaultError({ name: 'x.csv', firstFault: async () => found }, tests, { missing: [] })
    expect((await error(fault)).message).toBe('x.csv, line 7, column "b": ? is wrong')
    expect((await error(undefined)).message).toBe('x.csv has values that cannot be used')
  })

  it('in no bin is no number, or no date', () => {
    const said = (kind: 'date' | 'int', shown: string | null) =>
      valueError(fault, 'a', () => noBinRule(kind === 'int' ? { kind } : { kind, part: 'day' })(shown)).message
    const place = 'x.csv, line 7, column "a": '
    expect(said('int', 'x')).toBe(
      `${place}"x" is not a number, so it cannot be cut; if it means missing, add missing 'x'`,
    )
    expect(said('date', 'x')).toBe(
      `${place}"x" is not a date or time such as 2024-05-31 13:45, so it cannot be cut; if it means missing, add missing 'x'`,
    )
    expect(said('int', null)).toBe(
      `${place}null is not a number, so it cannot be cut; if it means missing, add missing ''`,
    )
  })
})

it('a table has rows, and something in them', async () => {
  expect(await refusal(() => checkCounted('x.csv', 0, 0))).toBe('DataError: x.csv has no rows')
  expect(await refusal(() => checkCounted('x.csv', 3, 3))).toBe(
    'DataError: x.csv: every variable is missing in all of its 3 rows',
  )
  expect(await refusal(() => checkCounted('x.csv', 3, 2))).toBeUndefined()
})
