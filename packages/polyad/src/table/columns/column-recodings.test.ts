import { describe, expect, it } from 'vitest'
import { columnRecodings } from './column-recodings.ts'

const view = { name: 'x.csv', columns: ['a', 'b'].map(name => ({ name, key: name, type: 'VARCHAR' })) }
const messageOf = (text: string): string => {
  try {
    columnRecodings([text], view)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it was read')
}

describe('recodings with very long categories', () => {
  const long = 'x'.repeat(5000)
  const cut = `${'x'.repeat(200)}…`

  it('are quoted in part where a category is to become two', () => {
    expect(messageOf(`a:y=first,y=${long}`)).toBe(
      `recode: "y" of "a" is to become both "first" and "${cut}"; name it once`,
    )
    expect(messageOf(`a:${long}=1,${long}=2`)).toBe(
      `recode: "${cut}" of "a" is to become both "1" and "2"; name it once`,
    )
  })

  it('are quoted in part where a category is to become missing', () => {
    const text = `a:${long}=NA`
    expect(messageOf(text)).toBe(
      `recode '${text.slice(0, 200)}…': a category cannot become missing by recoding; use missingIn '${text.slice(0, 200)}…'`,
    )
  })
})
