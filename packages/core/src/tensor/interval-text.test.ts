import { describe, expect, it } from 'vitest'
import { intervalText } from './interval-text.ts'

describe('an interval as people read it', () => {
  it.each([
    ['[3,7)', '3 – 7'],
    ['[-1.5,-0.5)', '-1.5 – -0.5'],
    ['[1e-7,2e-7)', '1e-7 – 2e-7'],
    ['[3, 7]', '3 – 7'],
    ['<5', '< 5'],
    ['≥8.25', '≥ 8.25'],
  ])('%s reads %s', (label, text) => {
    expect(intervalText(label)).toBe(text)
  })

  it.each(['agree', '3', '[a,b)', '3,7', '[3,7', '<b>', '18–29', ''])('%s stays as it is', label => {
    expect(intervalText(label)).toBe(label)
  })
})
