import type { InspectedColumn } from 'polyad/table'
import { describe, expect, it } from 'vitest'
import { draftsOf, faultOf, textOfDrafts } from './filter-drafts.ts'

const columns = [
  { name: 'age', kind: 'number' },
  { name: 'home country', kind: 'text' },
] as unknown as readonly InspectedColumn[]

describe('a filter', () => {
  it('is put together from columns, comparisons and values', () => {
    const drafts = [
      { column: 'age', test: '>=', value: ' 18' },
      { column: 'home country', test: 'not in', value: 'DE, AT' },
      { column: 'age', test: 'is not missing', value: '' },
      { column: 'home country', test: '=', value: '' },
    ] as const
    const text = textOfDrafts(drafts, columns)
    expect(text).toBe(`age >= 18 and "home country" not in ('DE', 'AT') and age is not missing`)
    expect(draftsOf(text)).toEqual([{ ...drafts[0], value: '18' }, drafts[1], drafts[2]])
    expect(textOfDrafts([], columns)).toBe('')
  })

  it('stays a text where it says more', () => {
    expect(draftsOf('age < 3 or age > 5')).toBeUndefined()
    expect(draftsOf("not age = 3 and age in ('a,b')")).toBeUndefined()
    expect(draftsOf('')).toEqual([])
  })

  it('says what is wrong with it', () => {
    expect(faultOf('age >', columns)).toBe('A number or a text in single quotes is expected here (at the end).')
    expect(faultOf("age = 'a' and age > 1,5", columns)).toMatch(
      /^Decimals are written with a point here, as in 1.5 \(at/,
    )
    expect(faultOf('agee > 3', columns)).toBe('There is no column “agee”.')
    expect(faultOf('AGE > 3', columns)).toBeUndefined()
  })
})
