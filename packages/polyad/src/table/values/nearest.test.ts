import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest, someNames, suggestion } from './nearest.ts'

describe('the nearest name', () => {
  it.each([
    // One letter put in, taken out, exchanged, or swapped with its neighbour.
    ['gendr', 'gender'],
    ['genderr', 'gender'],
    ['gemder', 'gender'],
    ['egnder', 'gender'],
    ['gendre', 'gender'],
    ['GENDER', 'gender'],
    // Two, of six letters and more; three of nine.
    ['gxndxr', 'gender'],
    ['gxxder', 'gender'],
    ['gxxxer', undefined],
    ['xenderly', undefined],
    // Half of a short name is near, more is not.
    ['ab', undefined],
    ['so', 'sox'],
    ['sx', 'sox'],
    // Swaps of neighbours count once, wherever they are.
    ['osx', 'sox'],
    ['sxo', 'sox'],
    ['', undefined],
  ])('to %j is %j', (name, near) => expect(nearest(name, ['gender', 'sox', 'household'])).toBe(near))

  it('is one that begins so, if three letters are given', () => {
    expect(nearest('hou', ['x', 'household_size'])).toBe('household_size')
    expect(nearest('Household', ['household_size'])).toBe('household_size')
    expect(nearest('ho', ['household_size'])).toBeUndefined()
    expect(nearest('size', ['household_size'])).toBeUndefined()
    // Of several, the first that is nearest.
    expect(nearest('cat', ['bat', 'hat', 'category'])).toBe('bat')
    // The same name in another case is nearer than one that begins so.
    expect(nearest('cats', ['catsuit', 'bats', 'Cats'])).toBe('Cats')
    expect(nearest('variable', [])).toBeUndefined()
  })

  it('of a long name may differ by a third of it', () => {
    expect(nearest('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz')
    expect(nearest('abcdefghi', ['abcdevxyz'])).toBeUndefined()
    expect(nearest('abcdefgh', ['abcdexyz'])).toBeUndefined()
    expect(nearest('abcdefghijkl', ['abcdefgh1234'])).toBe('abcdefgh1234')
    expect(nearest('abcdefghijkl', ['abcdefg12345'])).toBeUndefined()
  })
})

describe('the nearest of some names', () => {
  it('is the one that was meant, or none', () => {
    expect(nearest('speceis', ['species', 'sepal_width'])).toBe('species')
    expect(nearest('PETAL', ['petal_length', 'species'])).toBe('petal_length')
    expect(nearest('banana', ['species', 'sepal_width'])).toBeUndefined()
    expect(nearest('sex', ['age', 'set_b', 'six'])).toBe('six')
    expect(nearest('x', ['y', 'q1'])).toBeUndefined()
    expect(nearest('age', ['ago', 'q1'])).toBe('ago')
    expect(nearest('abc', ['axx'])).toBeUndefined()
  })
})

/** Letters put in, taken out, exchanged or swapped with their neighbour, by trying all of it. */
const changes = (a: string, b: string): number => {
  if (a === '' || b === '') return a.length + b.length
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  return Math.min(
    changes(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    changes(a.slice(1), b) + 1,
    changes(a, b.slice(1)) + 1,
    swapped ? changes(a.slice(2), b.slice(2)) + 1 : Number.POSITIVE_INFINITY,
  )
}

it('a name is near if at most two letters differ, and no more than half of them', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(name, name, (given, known) => {
      const begins = given !== known && known.startsWith(given) && given.length > 2
      const distance = begins ? 1 : changes(given, known)
      expect(nearest(given, [known])).toBe(distance <= 2 && 2 * distance <= given.length ? known : undefined)
    }),
    { numRuns: 300 },
  )
})

describe('what is said of a name that does not exist', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `q${i + 1}x${i}y${i}z`)

  it('is what was meant, or what there is', () => {
    expect(suggestion('gendr', ['gender', 'age'])).toBe('; did you mean "gender"?')
    expect(suggestion('income', ['gender', 'age, in years'])).toBe('; there are gender, "age, in years"')
    expect(suggestion('income', names(12))).toBe(`; there are ${names(12).join(', ')}`)
    expect(suggestion('income', names(13))).toBe(`; there are 13: ${names(12).join(', ')}, …`)
  })

  it('names twelve at most', () => {
    expect(someNames([])).toBe('')
    expect(someNames(['a', 'b"c'])).toBe('a, "b""c"')
    expect(someNames(names(12))).toBe(names(12).join(', '))
    expect(someNames(names(40))).toBe(`${names(12).join(', ')}, …`)
  })
})
