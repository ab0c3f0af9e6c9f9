import { describe, expect, it } from 'vitest'
import {
  inOriginalOrder,
  LAST_ZEROS,
  mergesNeighbours,
  originalLabels,
  type Recode,
  recodedOrder,
  recodeText,
} from './recode.ts'

const low: Recode = { from: ['1', '2'], to: 'low' }
const high: Recode = { from: ['4', '5'], to: 'high' }

describe('recoded categories', () => {
  it('are made of those that they were', () => {
    expect(originalLabels(['low', '3', 'high'], [low, high])).toEqual(['1', '2', '3', '4', '5'])
    // Whatever their case and outer blanks, and each once.
    expect(originalLabels([' Low', '1', '3'], [low])).toEqual(['1', '2', '3'])
    expect(originalLabels(['low'], [low, { from: ['9'], to: 'LOW ' }])).toEqual(['1', '2', '9'])
    expect(originalLabels(['a', 'b'], [])).toEqual(['a', 'b'])
  })

  it('stand where the first of their parts did', () => {
    const originals = ['1', '2', '3', '4', '5']
    expect(inOriginalOrder(['high', 'low', '3'], [low, high], originals)).toEqual(['low', '3', 'high'])
    expect(inOriginalOrder(['3', 'ends'], [{ from: ['5', '1'], to: 'ends' }], originals)).toEqual(['ends', '3'])
    // What has no place comes last, in the order of the alphabet; case and blanks do not matter.
    expect(inOriginalOrder(['z', 'x', 'y', 'LOW '], [low], originals)).toEqual(['LOW ', 'x', 'y', 'z'])
    expect(inOriginalOrder(['B', 'a'], [], [' a ', 'b'])).toEqual(['a', 'B'])
    // The first place counts, if one is named twice.
    expect(inOriginalOrder(['b', 'a'], [], ['a', 'b', 'A'])).toEqual(['a', 'b'])
  })

  it('are in order still if neighbours became one', () => {
    const originals = ['1', '2', '3', '4', '5']
    expect(mergesNeighbours(['low', '3', 'high'], [low, high], originals)).toBe(true)
    expect(mergesNeighbours(['ends', '3'], [{ from: ['1', '5'], to: 'ends' }], originals)).toBe(false)
    expect(mergesNeighbours(['x', '4'], [{ from: ['3', '1', '2'], to: 'x' }], originals)).toBe(true)
    expect(mergesNeighbours(['x', 'low'], [{ from: ['3', '5'], to: 'x' }, low], originals)).toBe(false)
    expect(mergesNeighbours(['3'], [], originals)).toBe(true)
    // A part that never occurred stands at the beginning.
    expect(mergesNeighbours(['x'], [{ from: ['9', '2'], to: 'x' }], originals)).toBe(true)
    expect(mergesNeighbours(['x'], [{ from: ['9', '3'], to: 'x' }], originals)).toBe(false)
  })

  it('take the order of the file with them', () => {
    expect(recodedOrder(['1', '2', '3', '4', '5'], [low, high])).toEqual(['low', '3', 'high'])
    expect(recodedOrder(['5', '1', '3'], [low, high])).toEqual(['high', 'low', '3'])
    expect(recodedOrder(['Yes ', 'no'], [{ from: ['yes', 'YES!'], to: 'Y' }])).toEqual(['Y', 'no'])
  })

  it.each([
    ['trust', [high], 'trust:4,5=high'],
    ['trust', [low, high], 'trust:1,2=low,4,5=high'],
    ['a:b', [{ from: ['x=y', 'a,b'], to: 'c;d' }], '"a:b":"x=y","a,b"="c;d"'],
    ['a*', [{ from: [' x', 'x ', ''], to: 'say "y"' }], '"a*":" x","x ",""="say ""y"""'],
    ['a;b', [{ from: ['two words'], to: 'x:y' }], '"a;b":two words=x:y'],
    ['a,b', [{ from: ['*'], to: 'z' }], '"a,b":*=z'],
    ['a"b', [{ from: ['1'], to: '2' }], '"a""b":1=2'],
    [' a', [{ from: ['1'], to: '2' }], '" a":1=2'],
    ['a ', [{ from: ['1'], to: '2' }], '"a ":1=2'],
    ['a b=c', [{ from: ['1'], to: '2' }], 'a b=c:1=2'],
  ])('of %s are written as the option takes them', (column, recode, text) => {
    expect(recodeText(column, recode)).toBe(text)
  })

  it.each([
    ['2.0', '2'],
    ['-10.00', '-10'],
    ['0.0', '0'],
    ['1.50', '1.5'],
    ['-0.250', '-0.25'],
    ['10.0500', '10.05'],
    ['1.05', '1.05'],
    ['100', '100'],
    ['2.', '2.'],
    ['02.0', '02.0'],
    ['x2.0', 'x2.0'],
    ['2.0x', '2.0x'],
    ['1.5.0', '1.5.0'],
  ])('%s has the same value as %s', (text, plain) => {
    expect(LAST_ZEROS.reduce((now, pattern) => now.replace(new RegExp(pattern), '$1'), text)).toBe(plain)
  })
})
