import { describe, expect, it } from 'vitest'
import type { NumberStyle } from '../values/number-style.ts'
import type { Measured } from '../view/view.ts'
import { numberNotes, rangeOf, stylesOf } from './column-styles.ts'

/** Figures of ten values, of which some are numbers in one style or the other. */
const figures = (points: number, commas: number, more: Partial<Measured> = {}): Measured => ({
  present: 10,
  distinct: 3,
  numbers: 0,
  mistyped: 0,
  times: 0,
  offsets: 0,
  least: 1,
  most: 3,
  points,
  commas,
  ambiguous: 0,
  unseparated: 0,
  word: 'a',
  values: ['a', 'b', 'c'],
  ...more,
})

const styles = (measured: readonly Measured[], delimiter?: string, decimal?: ',' | '.', type = 'VARCHAR') =>
  stylesOf({ columns: measured.map((_, i) => ({ name: `c${i}`, key: `c${i}`, type })), delimiter }, measured, decimal)

const POINT = figures(10, 3)
const COMMA = figures(3, 10)
const EITHER = figures(10, 10, { ambiguous: 10 })
const [point, comma] = [{ style: 'point' }, { style: 'comma' }]
const doubtful = (style: NumberStyle) => ({ style, ambiguousNumbers: true })

describe('how the numbers of a column are written', () => {
  it.each<[string, Measured, unknown]>([
    ['plain numbers', figures(10, 10, { numbers: 10 }), undefined],
    ['points', POINT, point],
    ['commas', COMMA, comma],
    ['words', figures(9, 9), undefined],
    ['words, almost points', figures(9, 8), undefined],
    ['words, almost commas', figures(8, 9), undefined],
    ['nothing', figures(0, 0, { present: 0 }), undefined],
    ['neither points nor commas, as $5', figures(10, 10), point],
    ['1,234 beside 1234,5', figures(10, 10, { ambiguous: 9, unseparated: 1 }), comma],
    ['1,234 alone', EITHER, undefined],
  ])('%s', (_, measured, style) => expect(styles([measured])).toEqual([style]))

  it('what could be both is as other columns are, else as the fields are separated', () => {
    expect(styles([EITHER], ';')).toEqual([doubtful('comma')])
    expect(styles([EITHER], ',')).toEqual([doubtful('point')])
    expect(styles([EITHER], '\t')).toEqual([undefined])
    expect(styles([EITHER, COMMA], ',')).toEqual([doubtful('comma'), comma])
    expect(styles([POINT, EITHER], ';')).toEqual([point, doubtful('point')])
    // Columns that disagree say nothing; nor does one that has neither.
    expect(styles([POINT, COMMA, EITHER])).toEqual([point, comma, undefined])
    expect(styles([POINT, COMMA, EITHER], ';')).toEqual([point, comma, doubtful('comma')])
    expect(styles([figures(10, 10), EITHER], ';')).toEqual([point, doubtful('comma')])
    expect(styles([figures(9, 5), EITHER])).toEqual([undefined, undefined])
    expect(styles([EITHER, figures(10, 10, { ambiguous: 5 }), figures(9, 5), COMMA])).toEqual([
      doubtful('comma'),
      doubtful('comma'),
      undefined,
      comma,
    ])
    expect(styles([figures(9, 5), POINT, EITHER])).toEqual([undefined, point, doubtful('point')])
    expect(styles([POINT], ';', undefined, 'BIGINT')).toEqual([undefined])
  })

  it.each<[string, Measured, ',' | '.', unknown]>([
    ['commas', COMMA, ',', comma],
    ['commas', COMMA, '.', undefined],
    ['points', POINT, '.', point],
    ['points', POINT, ',', undefined],
    ['1,234', EITHER, ',', comma],
    ['1,234', EITHER, '.', point],
    ['plain numbers', figures(10, 10, { numbers: 10, values: ['1', '2'] }), ',', undefined],
    // With decimal commas, 1.234 has thousands.
    ['1.234', figures(10, 10, { numbers: 10, values: ['1', '1.234'] }), ',', comma],
    ['many values', figures(10, 10, { numbers: 10, values: null }), ',', comma],
    ['1.234', figures(10, 10, { numbers: 10, values: ['1', '1.234'] }), '.', undefined],
    ['words', figures(9, 9), ',', undefined],
  ])('%s, asked for with %s %s', (_, measured, decimal, style) => {
    expect(styles([measured], undefined, decimal)).toEqual([style])
  })

  it('their range is that of the values that were kept', () => {
    expect(rangeOf(figures(0, 0, { values: ['1.200,5', '7', '-3,5'] }), 'comma')).toEqual([-3.5, 1200.5])
    expect(rangeOf(figures(0, 0, { values: ['$7', 'x'] }), 'point')).toEqual([7, 7])
    expect(rangeOf(figures(0, 0, { values: ['x'] }), 'point')).toEqual([1, 3])
    expect(rangeOf(figures(0, 0, { values: null }), 'point')).toEqual([1, 3])
  })
})

describe('what is said of numbers that are not plain', () => {
  const column = (name: string, word: string | undefined, style?: NumberStyle, ambiguousNumbers?: boolean) => ({
    name,
    word,
    ...(style && { style }),
    ...(ambiguousNumbers !== undefined && { ambiguousNumbers }),
  })
  const said = (...columns: ReturnType<typeof column>[]) =>
    numberNotes(columns).map(({ kind, text }) => `${kind}: ${text}`)

  it('an example of each', () => {
    expect(said(column('price, net', ' $1,200.50 ', 'point'), column('share', '45%', 'comma'))).toEqual([
      'choice: read as numbers: "price, net" ("$1,200.50" is 1200.5), share ("45%" is 45)',
    ])
    expect(said(...'abcdefgh'.split('').map(name => column(name, '$5', 'point')))).toEqual([
      `choice: read as numbers: ${'abcdef'
        .split('')
        .map(name => `${name} ("$5" is 5)`)
        .join(', ')} and 2 more`,
    ])
  })

  it('nothing of plain decimal commas, and of columns without a style', () => {
    for (const word of ['1,5', ' -1,5 ', '+10,25']) expect(said(column('a', word, 'comma'))).toEqual([])
    for (const word of ['1.200,5', '1,5 €', '€1,5', '1,5x', 'x1,5'])
      expect(said(column('a', word, 'comma')), word).toHaveLength(1)
    expect(said(column('a', 'x'), column('b', undefined, 'comma'))).toEqual([])
  })

  it('what to do if it is meant otherwise', () => {
    expect(
      said(
        column('a', '1,234', 'comma', true),
        column('b', '1,234', 'point', true),
        column('c', '$5', 'point', false),
        column('d', '2,345', 'comma', true),
      ),
    ).toEqual([
      'choice: read as numbers: c ("$5" is 5)',
      'choice: read as numbers: a ("1,234" is 1.234), d ("2,345" is 2.345); if commas separate thousands, use decimal \'.\'',
      'choice: read as numbers: b ("1,234" is 1234); if it is a decimal comma, use decimal \',\'',
    ])
    expect(said(...'abcdefgh'.split('').map(name => column(name, '1,234', 'point', true)))[0]).toContain(
      'f ("1,234" is 1234) and 2 more; if',
    )
  })
})
