import { Mode, Model, principalComponent, type StandardErrors, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import type { FitFigures } from '../figures/fit-figures.ts'
import { profiles } from '../figures/fit-figures.ts'
import { count, fixed, whole } from '../numbers.ts'
import { modelRecordOf } from '../record/model-record.ts'
import { classesText } from './classes-text.ts'
import { fitText } from './fit-text.ts'
import { fold, shownWidth } from './fold-text.ts'
import { independenceFigures, independenceText } from './independence-text.ts'
import { modelText } from './model-text.ts'
import { profileTable } from './profile-table.ts'
import { rankText } from './rank-text.ts'
import { plain, textTable } from './text-table.ts'

/** What the terminal shows, at three widths: made of figures that are given, so that only the form is looked at. */

const page = (columns: number) => ({ style: plain, columns })
const folded = (lines: readonly string[], columns: number) => lines.flatMap(line => fold(line, columns))

const model = new Model(
  [
    new Mode('favourite colour of the sky', ['blue', 'grey', 'a shade that nobody has a name for yet']),
    new Mode('age', [18, 30, 45], true),
  ],
  {
    rank: 2,
    sizes: Float64Array.of(70, 30),
    factors: [Float64Array.of(0.7, 0.1, 0.2, 0.3, 0.1, 0.6), Float64Array.of(0.5, 0.2, 0.25, 0.2, 0.25, 0.6)],
  },
)

const figures = (rank: number, bic: number, heldOut: number): FitFigures => ({
  rank,
  cells: 9,
  total: 100,
  modes: ['favourite colour of the sky', 'age'],
  shape: [3, 3],
  loss: -1234.5678,
  logLikelihood: -2345.6789,
  logDensity: null,
  shares: [0.7, 0.3],
  parameters: 9,
  degreesOfFreedom: 1.234e150,
  identification: {
    parameters: 9,
    rank: 8,
    degreesOfFreedom: 1.234e150,
    verdict: 'not identified',
  } as FitFigures['identification'],
  criteria: {
    aic: bic - 20,
    aic3: bic - 11,
    bic,
    caic: bic + 9,
    sabic: bic - 12,
    icl: bic + 31,
    awe: bic + 90,
    heldOut,
  },
  gSquared: 3.25,
  chiSquared: 3.5,
  cressieRead: 3.4,
  pValue: 0.1972,
  sparse: true,
  entropy: 12.34,
  relativeEntropy: rank === 1 ? null : 0.81,
  classificationError: 0.05,
  averagePosteriors: [
    [0.95, 0.05],
    [0.05, 0.95],
  ],
  smallestClass: 0.3,
  converged: true,
  stationarity: 1e-9,
  reason: 'stationary',
  estimatedGain: 0,
  passes: 31,
  totalPasses: 1200,
  starts: 20,
  optima: [
    { loss: -1234.5678, reached: 20, shares: [0.7, 0.3], converged: true },
    { loss: -1230.5, reached: 4, shares: [0.6, 0.4], converged: false },
  ] as unknown as FitFigures['optima'],
  verdict: {
    text: '20 of 24 starts reached the best solution; estimated chance that a better one exists: 0.2%; stationary to 1e-9',
    reached: 20,
    attempts: 24,
    startsReached: 20,
    starts: 24,
    unseen: 0.04,
    chanceOfBetter: 0.002,
    ambiguous: false,
    advice: ['the data does not determine this many classes: try fewer'],
  } as unknown as FitFigures['verdict'],
  seconds: 1.25,
})

const table = tensorFromRows(
  [
    { hair: 'black', eye: 'brown', n: 68 },
    { hair: 'black', eye: 'blue', n: 20 },
    { hair: 'blond', eye: 'brown', n: 7 },
    { hair: 'blond', eye: 'blue', n: 94 },
  ],
  { modes: ['hair', 'eye'], count: 'n' },
)
const component = principalComponent(table)
const againstIndependence = await independenceFigures(table, component, 4)

const interval = [0.0123, 0.9876] as const
const errors: StandardErrors = {
  kind: 'observed',
  confidence: 0.95,
  reason: undefined,
  stopped: false,
  shares: [0.0456, 0.0456],
  factors: model.modes.map(({ size }) =>
    model.shares.map((_, k) => new Array(size).fill(k === 0 ? 0.0321 : undefined)),
  ),
  intervals: {
    shares: [interval, interval],
    factors: model.modes.map(({ size }) =>
      model.shares.map((_, k) => new Array(size).fill(k === 0 ? interval : undefined)),
    ),
  },
  profile: { computed: 2, left: 1, reason: 'profiling was stopped early' },
  boundary: [{ mode: 'age', label: 45, class: 1, value: 1, interval: undefined }],
  free: 7,
  shortfall: 0.5,
  covariance: undefined,
}

const reports: [string, (columns: number) => string[]][] = [
  ['fit', columns => fitText(model, figures(2, 5000, -2.5), page(columns))],
  ['fit-errors', columns => fitText(model, figures(2, 5000, -2.5), page(columns), { errors })],
  [
    'rank',
    columns => {
      const fits = [figures(1, 5100.25, -2.75), figures(2, 5000, -2.5), figures(3, 5030.5, -2.4375)]
      const reason = 'the held-out log-likelihood is best with 3 classes, 0.0625 ahead of 2 classes'
      return rankText(fits, { by: 'heldOut', recommended: 3, reason }, page(columns))
    },
  ],
  ['independence', columns => independenceText(againstIndependence, component, page(columns))],
  [
    'show',
    columns =>
      modelText(
        'model.npz',
        model,
        {
          program: 'polyad',
          programVersion: '0.1.0',
          command: 'fit',
          options: { rank: 2, seed: 4, starts: 24, pseudoCounts: 0.5 },
          source: { files: ['a-survey-with-a-long-name.csv', 'another-wave-of-the-same.csv'] },
          result: { loss: -1234.5678, logLikelihood: -2345.6789, verdict: { text: figures(2, 5000, 0).verdict.text } },
        },
        { labels: 2, marks: 3 },
        page(columns),
      ),
  ],
]

describe.each(reports)('the text of polyad %s', (name, report) => {
  it.each([60, 80, 120])('at %i columns', async columns => {
    const lines = folded(report(columns), columns)
    for (const line of lines) expect(shownWidth(line), line).toBeLessThanOrEqual(columns)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`snapshots/${name}-${columns}.txt`)
  })
})

it('a line is broken between words, but not within a comparison or before a percent sign', () => {
  expect(fold('  the test says χ² = 54.258, p < 0.001', 33)).toEqual(['  the test says χ² = 54.258,', '    p < 0.001'])
  expect(fold('  the chance of a better one is 12%', 34)).toEqual(['  the chance of a better one is', '    12%'])
})

it('a model whose record is not one is shown without it', () => {
  const shown = (run: Record<string, unknown>) => modelText('model.npz', model, run, { labels: 2, marks: 3 }, page(80))
  const last = shown({}).at(-1)
  expect(last).toContain('does not record how the model was fitted')
  expect(shown({ options: null, source: null, result: 5 }).at(-1)).toBe(last)
  expect(shown({ options: [], source: 'x', result: { verdict: null, loss: '1' } }).at(-1)).toBe(last)
  // Figures without criteria are no figures of a fit.
  const { criteria: _, ...lacking } = { ...figures(2, 5000, 0) }
  expect(modelRecordOf({ result: figures(2, 5000, 0) }, 2).statistics).not.toBeNull()
  expect(modelRecordOf({ result: lacking }, 2).statistics).toBeNull()
})

describe('a table that is too wide', () => {
  it('clips its text first, and its numbers never', () => {
    const lines = textTable(
      [
        { title: 'name', most: 60 },
        { title: 'value', align: 'right' },
      ],
      [['a name that goes on and on and on', '1,234,567']],
      page(40),
    )
    expect(lines).toEqual(['  name                             value', '  a name that goes on and on…  1,234,567'])
  })

  it('comes in parts, each with the columns that tell the rows apart', () => {
    const columns = [
      { title: 'k', repeated: true },
      ...['first', 'second', 'third'].map(title => ({ title: title.padEnd(14, '-') })),
    ]
    const lines = textTable(columns, [['1', 'a', 'b', 'c']], page(40))
    expect(lines).toEqual([
      '  k  first---------  second--------',
      '  1  a               b',
      '',
      '  k  third---------',
      '  1  c',
    ])
  })
})

describe('profiles and marks', () => {
  const monthly = (size: number) =>
    new Model([new Mode('month', size)], {
      rank: 1,
      sizes: Float64Array.of(5),
      factors: [new Float64Array(size).fill(1 / size)],
    })

  it('show all labels where only a few would be left out', () => {
    const shown = (size: number) => profileTable(monthly(size), { labels: 10, spare: 2, modes: 1 }, page(80)).join('\n')
    expect(shown(12)).not.toContain('more categor')
    expect(shown(13)).toContain('… 3 more categories')
  })

  it('call a class without marks close to the average', () => {
    expect(classesText(monthly(3), page(80))[1]).toContain('close to the average')
  })
})

describe('numbers', () => {
  it('of any size are short', () => {
    expect(whole(-3)).toBe('−3')
    expect(whole(1.234e150)).toBe('1.2 × 10¹⁵⁰')
    expect(count(2 ** 70)).toBe('1.2 × 10²¹')
    expect(fixed(-1e20, 2)).toBe('−1.0 × 10²⁰')
    expect(whole(Number.POSITIVE_INFINITY)).toBe('–')
  })
})

describe('the profiles of --json', () => {
  it('leave out what is too much to print, and say so', () => {
    const size = 60_000
    const factor = new Float64Array(size * 2).fill(1 / size)
    const large = new Model([new Mode('a', size), new Mode('b', 2)], {
      rank: 2,
      sizes: Float64Array.of(1, 1),
      factors: [factor, Float64Array.of(0.5, 0.5, 0.5, 0.5)],
    })
    const [a, b] = profiles(large)
    expect(a).toMatchObject({ name: 'a', size, leftOut: expect.stringContaining('100000 numbers') })
    expect(b).toMatchObject({
      name: 'b',
      labels: [0, 1],
      probabilities: [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
    })
  })
})
