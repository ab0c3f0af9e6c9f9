import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { type Comparison, type Condition, conditionOf, conditionText, isPlainName, testsOf } from './condition.ts'
import { parseCondition } from './parse-condition.ts'

const name = fc.oneof(
  fc.constantFrom('age', 'q_1', 'größe', 'x.y', 'and', 'Missing', 'two words', '1st', 'a"b', "it's"),
  fc.string({ minLength: 1, maxLength: 5 }),
)
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(x => x + 0),
  fc.string({ maxLength: 5 }),
  fc.constantFrom("it's", '5'),
)
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
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('part'), { minLength: 2, maxLength: 3 }),
    }),
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

  const signs = 'a comparison is expected here: =, !=, <, <=, >, >=, in (…), is missing'
  const afterName = 'a number or a text is expected here; put texts in single quotes, as in '
  const strange = '"%" means nothing here; put a name with such characters in double quotes'
  const long = `${'x'.repeat(45)} = 1 and`
  it.each([
    ['', 'a column is expected here (at the beginning)'],
    ['  ', 'a column is expected here (at the beginning)'],
    ['= 1', 'a column is expected here (at the beginning)'],
    ['a = 1 and', 'a column is expected here (at the end)'],
    ['a = 1 and ) ', 'a column is expected here (at character 11, after "a = 1 and")'],
    ['a', `${signs} (at the end)`],
    ['a b', `${signs} (at character 3, after "a")`],
    ["a '=' 1", `${signs} (at character 3, after "a")`],
    ['a = 1, b5', 'and, or, or the end is expected here (at character 6, after "a = 1")'],
    ['a (1)', `${signs} (at character 3, after "a")`],
    ['a missing', `${signs} (at character 3, after "a")`],
    ['a =', 'a number or a text in single quotes is expected here (at the end)'],
    ['a = )', 'a number or a text in single quotes is expected here (at character 5, after "a =")'],
    ['a = b', `${afterName}'b' (at character 5, after "a =")`],
    ['a = missing', `${afterName}'missing' (at character 5, after "a =")`],
    ['a = 1 b', 'and, or, or the end is expected here (at character 7, after "a = 1")'],
    ['a = 1 , b', 'and, or, or the end is expected here (at character 7, after "a = 1")'],
    ['a = 1,b', 'and, or, or the end is expected here (at character 6, after "a = 1")'],
    ["a = 'x',5", 'and, or, or the end is expected here (at character 8, after "a = \'x\'")'],
    ['a = 1,5', 'decimals are written with a point here, as in 1.5 (at character 6, after "a = 1")'],
    ["'a' = 1", 'a column is expected here; put its name in double quotes, or in none (at the beginning)'],
    ['a is 3', 'missing is expected here, as in: is missing, is not missing (at character 6, after "a is")'],
    ['a is not', 'missing is expected here, as in: is missing, is not missing (at the end)'],
    ['a not 3', 'in is expected here, as in: not in (1, 2) (at character 7, after "a not")'],
    ['a in 3', "a list is expected here, as in: in ('a', 'b') (at character 6, after \"a in\")"],
    ['a in (3', 'a comma or a closing parenthesis is expected here (at the end)'],
    ['a in (3 4)', 'a comma or a closing parenthesis is expected here (at character 9, after "a in (3")'],
    ['a in ()', 'a number or a text in single quotes is expected here (at character 7, after "a in (")'],
    ['(a = 1', 'a closing parenthesis is expected here (at the end)'],
    ['"a = 1', 'this double quote is never closed (at the beginning)'],
    ["a = 'x", 'this single quote is never closed (at character 5, after "a =")'],
    ['1a = 2', 'put a name that begins with a digit in double quotes (at the beginning)'],
    ['a = 1x', 'put a name that begins with a digit in double quotes (at character 5, after "a =")'],
    ['a % 2', `${strange} (at character 3, after "a")`],
    [`${long} %`, `${strange} (at character ${long.length + 2}, after "…${long.slice(-40)}")`],
    [`${'x'.repeat(36)} = 1 %`, `${strange} (at character 42, after "${'x'.repeat(36)} = 1")`],
  ])('%s is refused', async (text, reason) => {
    const shown = text.includes("'") ? JSON.stringify(text) : `'${text}'`
    expect(await refusal(() => parseCondition(text))).toBe(`OptionError: where ${shown}: ${reason}`)
  })

  it('may be nested a hundred times', async () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a = 1${')'.repeat(depth)}`
    expect(parseCondition(nested(99))).toEqual({ kind: 'compare', column: 'a', operator: '=', value: 1 })
    expect(parseCondition(Array(150).fill(nested(3)).join(' and ')).kind).toBe('and')
    expect(await refusal(() => parseCondition(nested(100)))).toContain(
      ': the condition is nested too deeply (at character 101, after "…',
    )
    expect(await refusal(() => parseCondition(`${'not '.repeat(100)}a = 1`))).toContain('nested too deeply')
  })

  it.each<[string, Condition]>([
    ['a = 1', { kind: 'compare', column: 'a', operator: '=', value: 1 }],
    ['a < -1.5e3', { kind: 'compare', column: 'a', operator: '<', value: -1500 }],
    ["a.b_1 > 'it''s'", { kind: 'compare', column: 'a.b_1', operator: '>', value: "it's" }],
    ['"two ""words""" <= +.5', { kind: 'compare', column: 'two "words"', operator: '<=', value: 0.5 }],
    ["größe ≥ ''", { kind: 'compare', column: 'größe', operator: '>=', value: '' }],
    ['"" ≠ 5.', { kind: 'compare', column: '', operator: '!=', value: 5 }],
    ['_x>=10E+2', { kind: 'compare', column: '_x', operator: '>=', value: 1000 }],
    ["a NOT IN (1,'x' , 2)", { kind: 'not', part: { kind: 'in', column: 'a', values: [1, 'x', 2] } }],
    ['a Is Missing', { kind: 'missing', column: 'a' }],
    ['"missing" is not missing', { kind: 'not', part: { kind: 'missing', column: 'missing' } }],
    ['not not a is missing', { kind: 'not', part: { kind: 'not', part: { kind: 'missing', column: 'a' } } }],
  ])('%s is understood', (text, condition) => expect(parseCondition(text)).toEqual(condition))

  it.each([
    'a = 1 and (b = 2 or c = 3) and not (d = 4)',
    '(a = 1 and b = 2) or c is missing',
    'not (a = 1 or b = 2)',
    '"x in y" not in (1, 2)',
    "a not in ('x in y')",
    'a is not missing',
    'not not (a = 1)',
    '"a ""in"" b" in (1) or "and" is missing or "1a" < 2',
  ])('%s is written as it was', text => expect(conditionText(parseCondition(text))).toBe(text))

  it('have columns, which may be replaced', () => {
    const given = parseCondition("a = 1 and not (b in ('x') or c is missing)")
    expect(testsOf(given).map(({ column }) => column)).toEqual(['a', 'b', 'c'])
    expect(conditionText(conditionOf(given, column => column.toUpperCase()))).toBe(
      "A = 1 and not (B in ('x') or C is missing)",
    )
    expect(['a', 'a_1', 'é.x', '_'].map(isPlainName)).toEqual([true, true, true, true])
    for (const name of ['1a', 'a b', '', 'a-b', 'And', 'or', 'NOT', 'in', 'is', 'missing'])
      expect(isPlainName(name), name).toBe(false)
  })
})
