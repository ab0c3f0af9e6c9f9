import { describe, expect, it } from 'vitest'
import { labelOrder } from './label-order.ts'

/** The labels of a table, which sorts texts, in the order that is found for them. */
const ordered = (...labels: string[]): string[] | undefined => {
  const sorted = [...labels].sort()
  return labelOrder(sorted)?.map(j => sorted[j])
}

describe('the order of labels', () => {
  it.each([
    [['Monday', 'Tuesday', 'Sunday']],
    [['jan', 'feb', 'mar', 'dec']],
    [['2023-12', '2024-01', '2024-11']],
    [['1 never', '2 sometimes', '10 always']],
    [['under 18', '18–29', '30–64', '65+']],
    [['<5', '5-9', '10-19', '>=20']],
    [['0', '1–5', '6–10', 'more than 10']],
    [['$0–9,999', '$10,000–49,999', '$100,000 or more']],
    [['1st', '2nd', '3rd', '11th']],
    [['0,5 mg', '1,5 mg', '10 mg']],
    [['(1) low', '(2) medium', '(3) high']],
    [['Never', 'Rarely', 'Sometimes', 'Often', 'Always']],
    [['Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree']],
    [['strongly-disagree', 'somewhat_disagree', 'neutral', 'somewhat_agree', 'strongly-agree']],
    [['very low', 'low', 'medium', 'high', 'very high']],
    [['hardly any', 'only some', 'a great deal']],
    [['Poor', 'Fair', 'Good', 'Excellent']],
    [['nie', 'selten', 'oft', 'immer']],
    [['S', 'M', 'L', 'XL']],
  ])('is what they say of it: %j', labels => {
    expect(ordered(...labels)).toEqual(labels)
  })

  it('is not the alphabet', () => {
    expect(ordered('cat', 'dog', 'fish')).toBeUndefined()
    expect(ordered('conservative', 'labour', 'other party')).toBeUndefined()
    // Of two that mean the same, neither is first.
    expect(ordered('rarely', 'seldom', 'always')).toBeUndefined()
    expect(ordered('18–29 men', '18–29 women', '30+ men')).toBeUndefined()
    // Units that differ are not compared: a million is more than 500 thousand.
    expect(ordered('1m', '10k', '500k')).toBeUndefined()
    expect(ordered('never', 'always', 'refused')).toBeUndefined()
  })

  it('is kept where the data had one, or where there are two', () => {
    expect(labelOrder(['small fish', 'dog', 'elephant'])).toEqual([0, 1, 2])
    expect(labelOrder(['no', 'yes'])).toEqual([0, 1])
    expect(labelOrder(['high', 'low', 'medium', '(other)'])).toEqual([1, 2, 0, 3])
    expect(labelOrder(['cat', 'dog', 'fish', '(other)'])).toBeUndefined()
  })
})
