import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Comparison, type Condition, conditionOf, conditionText, isPlainName, testsOf } from './condition.ts'
import { parseCondition } from './parse-condition.ts'

const name = fc.oneof(fc.constantFrom('age', 'q_1', 'größe', 'x.y', 'and', 'Missing', 'two words', '1st', 'a"b', "it's"), fc.string({ minLength: 1, maxLength: 5 })) // biome-ignore format: one line
const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).map(x => x + 0), fc.string({ maxLength: 5 }), fc.constantFrom("it's", '5')) // biome-ignore format: one line
const operator = fc.constantFrom<Comparison>('=', '!=', '<', '<=', '>', '>=')
const test: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('compare' as const), column: name, operator, value }),
  fc.record({
    kind: fc.constant('in' as const),
    column: name,
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('missing' as const), column: name }),
)
const { whole } = fc.letrec<{ whole: Condition; part: Condition }>(tie => ({
  part: fc.oneof({ depthSize: 'small' }, test, tie('whole')),
  whole: fc.oneof(
    { depthSize: 'small' },
    test,
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), parts: fc.array(tie('part'), { minLength: 2, maxLength: 3 }) }), // biome-ignore format: one line
    fc.record({ kind: fc.constant('not' as const), part: tie('part') }),
  ),
}))

/** Series within series of the same kind are one. */
const flat = (condition: Condition): Condition => {
  if (condition.kind === 'not') return { kind: 'not', part: flat(condition.part) }
  if (condition.kind !== 'and' && condition.kind !== 'or') return condition
  const parts = condition.parts.map(flat)
  return { kind: condition.kind, parts: parts.flatMap(part => (part.kind === condition.kind ? part.parts : [part])) }
}

describe('conditions', () => {
  it('are read as they are written', () => {
    fc.assert(
      fc.property(whole, condition => {
        expect(parseCondition(conditionText(condition))).toEqual(flat(condition))
      }),
      { numRuns: 300 },
    )
  })

  it('may be written in several ways', () => {
    const same = (...texts: string[]) => new Set(texts.map(text => JSON.stringify(parseCondition(text)))).size
    expect(same('a = 1', 'a==1', ' a  =  1.0 ', '(a = 1)', '"a" = 1', 'a = +1', 'a = 10e-1')).toBe(1)
    expect(same("a != 'x'", "a <> 'x'", "a ≠ 'x'")).toBe(1)
    expect(same('a <= .5', 'a ≤ 0.5')).toBe(1)
    expect(same('a >= 5', 'a ≥ 5.')).toBe(1)
    expect(same('a = 1 AND NOT b IS MISSING', 'a = 1 and not b is missing', 'a = 1 and b is not missing')).toBe(1)
    expect(same("not a in (1, 'x')", "a not in (1, 'x')")).toBe(1)
    // "and" binds closer than "or", "not" closer than both.
    expect(same('a = 1 or b = 2 and not c = 3', 'a = 1 or (b = 2 and (not (c = 3)))')).toBe(1)
    expect(same('a = 1 or b = 2 and c = 3', '(a = 1 or b = 2) and c = 3')).toBe(2)
  })

  it.each([
    ['', 'a column is expected here (at the beginning)'],
    ['a', 'a comparison is expected here'],
    ['a =', '(at the end)'],
    ['a = 1 b', 'and, or, or the end is expected here (at character 7, after "a = 1")'],
    ['a = 1,5', 'decimals are written with a point here'],
    ["'a' = 1", 'names stand in double quotes, or in none'],
    ['a is 3', 'missing is expected here'],
    ['a not 3', 'in is expected here'],
    ['(a = 1', 'a closing parenthesis is expected here'],
    ['"a = 1', 'this double quote is never closed'],
    ["a = 'x", 'this single quote is never closed'],
    ['1a = 2', 'a name that begins with a digit stands in double quotes'],
    ['a % 2', '"%" means nothing here'],
    [`${'('.repeat(101)}a = 1${')'.repeat(101)}`, 'nested too deeply'],
  ])('%s is refused', (text, reason) => {
    expect(() => parseCondition(text)).toThrow(reason)
  })

  it('have columns, which may be replaced', () => {
    const given = parseCondition("a = 1 and not (b in ('x') or c is missing)")
    expect(testsOf(given).map(({ column }) => column)).toEqual(['a', 'b', 'c'])
    expect(conditionText(conditionOf(given, column => column.toUpperCase()))).toBe("A = 1 and not (B in ('x') or C is missing)") // biome-ignore format: one line
    expect(['a', 'a_1', 'é.x', '_'].map(isPlainName)).toEqual([true, true, true, true])
    expect(['1a', 'a b', 'in', 'NOT', '', 'a-b'].map(isPlainName)).toEqual([false, false, false, false, false, false])
  })
})
