import type { Label } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import {
  checkKnown,
  checkOrders,
  isOrdered,
  type OrderedSource,
  orderNotes,
  orderOfRecoded,
  recognizedScale,
} from './label-order.ts'

const AGREE = ['Agree', 'Disagree', 'Neutral']
const steps = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1} x`)

describe('a scale', () => {
  it.each<[readonly Label[], readonly string[], number]>([
    [AGREE, ['Disagree', 'Neutral', 'Agree'], 3],
    [['high', 'low'], ['low', 'high'], 2],
    [['10 often', '2 rarely', '1 never'], ['1 never', '2 rarely', '10 often'], 3],
    [['18-29', '65+', 'under 18', '30-64'], ['under 18', '18-29', '30-64', '65+'], 4],
    // Answers that mean missing stand after it, in the order of their letters, if three steps are left.
    [[...AGREE, 'Refused', "Don't know"], ['Disagree', 'Neutral', 'Agree', "Don't know", 'Refused'], 3],
  ])('of %j is %j', (labels, order, count) => {
    expect(recognizedScale(labels)).toEqual({ order, steps: count, whole: count === labels.length })
  })

  it.each<readonly Label[][]>([
    [['red', 'green', 'blue']],
    [['low']],
    [[]],
    [['low', 'high', 'Refused']],
    [[3, 1, 2]],
    [['3', '1', '2']],
    [['007', '008', '009']],
    [['1,234', '2,000']],
    [['1.200,50', '2']],
    [['$5', '$7']],
    [['1', '2', '3', 'Refused']],
    [steps(51)],
  ])('is not in %j', labels => expect(recognizedScale(labels)).toBeUndefined())

  it('has fifty steps at most, and whatever missing values are called stands after it', () => {
    expect(recognizedScale(steps(50).reverse())).toEqual({ order: steps(50), steps: 50, whole: true })
    expect(recognizedScale([...AGREE, '(NONE)'], '(none)')?.order).toEqual(['Disagree', 'Neutral', 'Agree', '(NONE)'])
    expect(recognizedScale([...AGREE, '(none)'])).toBeUndefined()
  })
})

describe('the order of recoded labels', () => {
  it.each<
    [
      string,
      readonly Label[],
      readonly { from: string[]; to: string }[],
      { order: string[]; ordered: boolean } | undefined,
    ]
  >([
    [
      'numbers',
      ['high', 'low', '3'],
      [
        { from: ['1', '2'], to: 'low' },
        { from: ['10', '9'], to: 'high' },
      ],
      { order: ['low', '3', 'high'], ordered: true },
    ],
    ['numbers with a gap', ['ends', '3'], [{ from: ['1', '5'], to: 'ends' }], { order: ['ends', '3'], ordered: false }],
    [
      'a scale',
      ['not agree', 'Agree'],
      [{ from: ['Disagree', 'Neutral'], to: 'not agree' }],
      { order: ['not agree', 'Agree'], ordered: true },
    ],
    [
      'a scale with refusals',
      [...AGREE, 'none'],
      [{ from: ['Refused'], to: 'none' }],
      { order: ['Disagree', 'Neutral', 'Agree', 'none'], ordered: false },
    ],
    [
      'names',
      ['warm', 'green'],
      [{ from: ['red', 'orange'], to: 'warm' }],
      { order: ['green', 'warm'], ordered: false },
    ],
    [
      'names that become a scale',
      ['high', 'low'],
      [
        { from: ['red'], to: 'low' },
        { from: ['blue'], to: 'high' },
      ],
      undefined,
    ],
    [
      'anything that becomes numbers',
      [2, 1],
      [
        { from: ['red'], to: '1' },
        { from: ['blue'], to: '2' },
      ],
      undefined,
    ],
  ])('that were %s', (_, labels, recode, expected) => expect(orderOfRecoded(labels, recode)).toEqual(expected))

  it('knows what missing values are called', () => {
    const recode = [{ from: ['Agree'], to: 'yes' }]
    expect(orderOfRecoded(['yes', 'Disagree', 'Neutral', '(none)'], recode, '(None)')?.order).toEqual([
      'Disagree',
      'Neutral',
      'yes',
      '(none)',
    ])
    // New names are a scale beside it too.
    const named = [
      { from: ['red'], to: 'low' },
      { from: ['blue'], to: 'medium' },
      { from: ['grey'], to: 'high' },
    ]
    expect(orderOfRecoded(['high', 'low', 'medium', '(none)'], named, '(none)')).toBeUndefined()
    expect(orderOfRecoded(['high', 'low', 'medium', '(none)'], named)).toEqual({
      order: ['(none)', 'medium', 'high', 'low'],
      ordered: false,
    })
  })
})

describe('whether neighbours are alike', () => {
  const source = (column: Partial<OrderedSource['column']> = {}, more: Partial<OrderedSource> = {}): OrderedSource => ({
    column: { name: 'q', ...column },
    binning: undefined,
    ...more,
  })
  it.each<[string, OrderedSource, readonly Label[], boolean]>([
    ['bins', source({ nominal: true }, { binning: { kind: 'int' } }), ['x'], true],
    ['what is told to be', source({ ordered: true, nominal: true }), ['x', 'y'], true],
    ['numbers', source(), [1, 2], true],
    ['numbers that are names', source({ nominal: true }), [1, 2], false],
    ['names', source(), ['x', 'y'], false],
    ['numbers and a name', source(), [1, 'x'], false],
    ['a scale', source(), AGREE, true],
    ['a scale that is called nominal', source({ nominal: true }), AGREE, false],
    ['a scale in another order', source({ order: AGREE }), AGREE, false],
    ['numbers in an order', source({ order: ['2', '1'] }), [1, 2], true],
    ['a scale with refusals', source(), [...AGREE, 'Refused'], false],
    ['recoded numbers', source({ recode: [{ from: ['1', '2'], to: 'low' }] }), ['low', '3'], true],
    ['recoded numbers with gaps', source({ recode: [{ from: ['1', '3'], to: 'odd' }] }), ['odd', '2'], false],
    ['names recoded to a scale', source({ recode: [{ from: ['red'], to: 'low' }] }), ['low', 'high'], true],
  ])('%s', (_, given, labels, ordered) => expect(isOrdered(given, labels)).toBe(ordered))
})

describe('what is said of orders', () => {
  const mode = (
    name: string,
    labels: readonly Label[],
    column: Partial<OrderedSource['column']> = {},
    more: Partial<OrderedSource> = {},
  ) => ({
    column: { name, ...column },
    labels,
    binning: undefined,
    ...more,
  })
  const said = (...modes: ReturnType<typeof mode>[]) => orderNotes(modes).map(({ kind, text }) => `${kind}: ${text}`)

  it('of scales that were recognized, those with the same steps together', () => {
    expect(said(mode('a', AGREE), mode('b, c', AGREE), mode('d', ['low', 'high']), mode('e', ['x', 'y']))).toEqual([
      'choice: recognized as a scale, in this order: a, "b, c" (Disagree < Neutral < Agree); choose another with order',
      'choice: recognized as a scale, in this order: d (low < high); choose another with order',
    ])
    expect(said(mode('a', [...AGREE, 'Refused', 'dk']))).toEqual([
      'choice: recognized as a scale, in this order: a (Disagree < Neutral < Agree; Refused, dk after it); choose another with order',
    ])
    expect(said(mode('a', [...AGREE, '(none)'], {}, { missingAs: '(none)' }))[0]).toContain('; (none) after it)')
    expect(said(mode('a', steps(9)))[0]).toContain(`(${steps(9).join(' < ')})`)
    expect(said(mode('a', steps(10)))[0]).toContain(`(${steps(8).join(' < ')} < … < 10 x)`)
    expect(said(...'abcdefgh'.split('').map(name => mode(name, AGREE)))[0]).toContain(
      'order: a, b, c, d, e, f and 2 more (',
    )
  })

  it('nothing of bins, of orders that a file states and of recoded numbers', () => {
    expect(said(mode('a', AGREE, {}, { binning: { kind: 'int' } }))).toEqual([])
    expect(said(mode('a', AGREE, { order: AGREE }))).toEqual([])
    expect(
      said(
        mode('a', ['low', 'high'], {
          recode: [
            { from: ['1'], to: 'low' },
            { from: ['2'], to: 'high' },
          ],
        }),
      ),
    ).toEqual([])
    expect(said(mode('a', ['low', 'high'], { recode: [{ from: ['red'], to: 'low' }] }))).toHaveLength(1)
  })

  it('of orders that were given, and of categories in them that no row has', async () => {
    const order = ['no', 'perhaps', 'yes', 'sure']
    const given = (name: string, labels: readonly Label[]) => mode(name, labels, { order, orderGiven: true })
    expect(said(given('a', ['no', 'Yes ']), given('b, c', ['perhaps']))).toEqual([
      'choice: categories in the order that was given: a, "b, c"',
      'choice: no row that meets the filter has "sure" in a, "b, c"; order is used without it',
    ])
    expect(said(given('a', order))).toEqual(['choice: categories in the order that was given: a'])
    const seven = 'abcdefg'.split('')
    expect(said(...seven.map(name => given(name, order)))[0]).toContain('given: a, b, c, d, e, f and 1 more')
    expect(said(mode('a', [], { order: seven, orderGiven: true }))[1]).toContain(
      'has "a", "b", "c", "d", "e", "f" and 1 more in a;',
    )
    expect(said(...seven.map(name => given(name, order.slice(1))))[1]).toContain(
      'has "no" in a, b, c, d, e, f and 1 more;',
    )

    const refused = (filtered: boolean, ...modes: ReturnType<typeof mode>[]) =>
      refusal(() => checkOrders(modes, filtered))
    expect(await refused(false, given('a', ['no', 'perhaps']))).toBe(
      'OptionError: order: no row has "yes", "sure" in a; check how it is written',
    )
    expect(await refused(true, given('a', ['no', 'perhaps']))).toBeUndefined()
    expect(await refused(false, given('a', ['no', 'perhaps']), given('b', ['YES', ' sure']))).toBeUndefined()
    expect(await refused(false, mode('a', ['no'], { order }))).toBeUndefined()
    expect(await refused(false, mode('a', ['no'], { orderGiven: true }))).toBeUndefined()
  })

  it('labels without a place in an order are refused', async () => {
    const known = (labels: readonly Label[]) => refusal(() => checkKnown('q', ['low', 'High'], labels))
    expect(await known(['LOW', ' high '])).toBeUndefined()
    expect(await known([3, 'low', 'x'])).toBe(
      'OptionError: order: "q" has categories that are not in the order given: "3", "x"; add them, or make them missing',
    )
    expect(await known('abcdefgh'.split(''))).toContain('"a", "b", "c", "d", "e", "f" and 2 more; add')
  })
})
