import { describe, expect, it } from 'vitest'
import { DataError } from '../../errors.ts'
import { exactBytes } from '../../file/exact-values.ts'
import { digestOf } from '../../numeric/digest.ts'
import { refuseOtherData } from './data-mark.ts'
import { refuseDifference } from './differences.ts'
import { Journal } from './journal.ts'
import { RunParts } from './run-parts.ts'

/** The bytes of a checkpoint with any content, sealed as it should be. */
const sealed = (content: unknown, format = 1): Uint8Array => {
  const body = exactBytes(content)
  const head = new Uint8Array([...new TextEncoder().encode('polyadck'), format, 0, 0, 0])
  return new Uint8Array([...head, ...new TextEncoder().encode(digestOf(body)), ...body])
}
const unit = { key: 'a', kind: 'run', within: undefined, cost: 1, bytes: exactBytes(7) }
const again = 'remove it, and the run starts from the beginning'

describe('a journal', () => {
  it('is read as it was written', () => {
    const journal = new Journal({ rank: 2, name: 'x' })
    journal.add('a', 'run', 'whole', 3, { list: [1, 2] })
    journal.add('b', 'fold', undefined, 0, Float64Array.of(1, Number.NaN))
    const read = Journal.read(journal.bytes(), 'it')
    expect(read.facts).toEqual({ rank: 2, name: 'x' })
    expect([read.find('a'), read.find('b'), read.find('c')]).toEqual([
      { list: [1, 2] },
      Float64Array.of(1, Number.NaN),
      undefined,
    ])
    expect([read.size, read.count('run'), read.count('fold'), read.count('fit')]).toEqual([2, 1, 1, 0])
    expect(Journal.read(sealed({ facts: {}, units: [unit] }), 'it').find('a')).toBe(7)
    // Bytes may lie anywhere in their memory.
    const bytes = journal.bytes()
    const shifted = new Uint8Array([9, 9, 9, ...bytes]).subarray(3)
    expect(Journal.read(shifted, 'it').size).toBe(2)
  })

  it('drops the parts of a unit that has ended, and theirs', () => {
    const journal = new Journal({})
    journal.add('whole 1', 'part', 'run', 0, 1)
    journal.add('run', 'run', 'fit', 0, 1)
    expect(journal.size).toBe(1)
    journal.add('part of run', 'part', 'run', 0, 1)
    journal.add('other', 'run', 'another', 0, 1)
    journal.add('fit', 'fit', undefined, 0, 1)
    expect([journal.find('run'), journal.find('part of run'), journal.find('other')]).toEqual([undefined, undefined, 1])
    journal.delete('other')
    expect(journal.size).toBe(1)
  })

  it('leaves out runs only, and those that cost least, until the rest has room', () => {
    const left = (most: number) => {
      const journal = new Journal({}, most)
      for (const cost of [3, 1, 2]) journal.add(`${cost}`, 'run', undefined, cost, new Float64Array(10))
      journal.add('fit', 'fit', undefined, 0, new Float64Array(1000))
      const read = Journal.read(journal.bytes(), 'it')
      return ['1', '2', '3', 'fit'].filter(key => read.find(key) !== undefined)
    }
    const each = exactBytes(new Float64Array(10)).length
    expect(left(3 * each)).toEqual(['1', '2', '3', 'fit'])
    expect(left(3 * each - 1)).toEqual(['2', '3', 'fit'])
    expect(left(2 * each)).toEqual(['2', '3', 'fit'])
    expect(left(2 * each - 1)).toEqual(['3', 'fit'])
    expect(left(0)).toEqual(['fit'])
  })

  it.each([
    ['nothing', new Uint8Array(), `it is damaged or cut short: ${again}`],
    ['the first bytes alone', sealed({}).subarray(0, 43), `it is damaged or cut short: ${again}`],
    ['another file', new TextEncoder().encode('a,b\n1,2\n'), 'it is not a checkpoint of Polyad: use another file'],
    [
      'a file that begins alike',
      new TextEncoder().encode('polyadch'),
      'it is not a checkpoint of Polyad: use another file',
    ],
    [
      'another version',
      sealed({}, 2),
      `it has format 2, and this version of Polyad reads format 1: ${again}, or use the version that wrote it`,
    ],
    ['a list', sealed([1]), `it is damaged or cut short: ${again} (it must be an object (got an array of 1))`],
    ['no units', sealed({ facts: {} }), `it is damaged or cut short: ${again} (units must be a list (it is missing))`],
    [
      'no facts',
      sealed({ units: [] }),
      `it is damaged or cut short: ${again} (facts must be an object (it is missing))`,
    ],
    ...[
      ['key', 1, 'text (got 1)'],
      ['key', undefined, 'text (it is missing)'],
      ['kind', 'walk', 'one of part, run, fit, fold, replicate, test (got "walk")'],
      ['within', 3, 'text (got 3)'],
      ['cost', '1', 'a number (got "1")'],
      ['bytes', [1], 'bytes (got an array of 1)'],
    ].map(([name, value, rule]) => [
      `a unit whose ${name} is ${value}`,
      sealed({ facts: {}, units: [unit, { ...unit, [name as string]: value }] }),
      `it is damaged or cut short: ${again} (units[1].${name} must be ${rule})`,
    ]),
  ] as [string, Uint8Array, string][])('refuses %s', (_, bytes, message) => {
    expect(() => Journal.read(bytes, 'it')).toThrow(new DataError(message))
  })
})

describe('a checkpoint of another run', () => {
  const refusal = (before: object, now: object): string | undefined => {
    try {
      refuseDifference('it', before as never, now as never)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  const rest = ': use another file, or remove it'

  it('is refused with the first difference, in the order of this run', () => {
    expect(refusal({ a: 1, b: [1, 2] }, { a: 1, b: [1, 2] })).toBeUndefined()
    expect(refusal({ a: 1, b: 2 }, { b: 3, a: 4 })).toBe(`it belongs to a run with b 2, and this run has b 3${rest}`)
    expect(refusal({ a: 1, c: 'x' }, { a: 1 })).toBe(`it belongs to a run with c x, and this run has no c${rest}`)
    expect(refusal({ a: 1 }, { a: 1, c: true })).toBe(`it belongs to a run with no c, and this run has c true${rest}`)
    expect(refusal({ a: [1, 2] }, { a: [1, 3] })).toBe(
      `it belongs to a run with a [1,2], and this run has a [1,3]${rest}`,
    )
    expect(refusal({ a: [1] }, { a: [1, 3] })).toContain('a [1], and this run has a [1,3]')
    expect(refusal({}, { constructor: 'x' })).toContain('with no constructor, and this run has constructor x')
    const long = 'x'.repeat(61)
    expect(refusal({ a: long }, { a: long.slice(1) })).toBe(
      `it belongs to a run with a ${'x'.repeat(60)}…, and this run has a ${'x'.repeat(60)}${rest}`,
    )
  })

  it('or of other data is refused', () => {
    const message =
      'it belongs to other data: the cells or the labels differ. Use another file, or remove it to start from the beginning'
    const refuses = (before: unknown, now: object) => {
      try {
        refuseOtherData('it', before, now as never)
        return false
      } catch (error) {
        expect((error as Error).message).toBe(message)
        return true
      }
    }
    expect(refuses({ digest: 'a' }, { digest: 'a' })).toBe(false)
    for (const before of [{ digest: 'b' }, undefined, null, 'a', {}])
      expect(refuses(before, { digest: 'a' })).toBe(true)
    // Passes that do not repeat to the last bit agree to nine digits.
    const probe = (before: number, now: number) => refuses({ digest: 'a', probe: before }, { digest: 'a', probe: now })
    expect([probe(-1e6, -1e6), probe(-1e6, -1e6 - 0.9e-3), probe(-1e6, -1e6 - 1.1e-3)]).toEqual([false, false, true])
    expect([probe(-1e6 - 0.9e-3, -1e6), probe(1e6, -1e6)]).toEqual([false, true])
    expect(refuses({ digest: 'a', probe: 1 }, { digest: 'a' })).toBe(true)
    expect(refuses({ digest: 'a' }, { digest: 'a', probe: 1 })).toBe(true)
  })

  it('keeps no state of more than 256 MB', () => {
    expect([RunParts.fits(2 ** 25), RunParts.fits(2 ** 25 + 1)]).toEqual([true, false])
  })
})
