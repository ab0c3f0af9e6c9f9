import type { Counts, Model, StandardErrors } from '@polyad/core'
import { whereText } from '@polyad/core/stats'
import type { FitFigures } from '../figures/fit-figures.ts'
import { INSTEAD_IF_SPARSE, SPARSE_TABLE } from '../figures/fit-tests.ts'
import { statisticPairs, whyNoTest } from '../figures/shown-statistics.ts'
import { count, counted, DASH, duration, fixed, percent, whole } from '../numbers.ts'
import { classesText } from './classes-text.ts'
import { errorTable } from './error-table.ts'
import { type Beside, profileTable } from './profile-table.ts'
import { type Page, padEnd, padStart, textTable, width } from './text-table.ts'

/** 8 variables of 3 categories, or 40 variables of 2 to 4 categories. */
export const shapeText = (shape: readonly number[]): string => {
  const [least, most] = [Math.min(...shape), Math.max(...shape)]
  return `${counted(shape.length, 'variable')} of ${least === most ? '' : `${count(least)} to `}${counted(most, 'category', 'categories')}`
}

/** One line on the data: how much of it there is, and in what. */
export const tensorLine = (tensor: Counts, rows: number | undefined): string => {
  const table = tensor.shape.reduce((product, size) => product * size, 1)
  const gaps = tensor.modes.filter((_, n) => tensor.missing[n]).map(({ name }) => name)
  const patterns =
    table <= 1e15 && gaps.length === 0
      ? `${whole(tensor.cells)} of ${whole(table)} possible patterns`
      : counted(tensor.cells, 'distinct pattern')
  const from = rows === undefined || whole(rows) === count(tensor.total) ? '' : ` in ${counted(rows, 'row')}`
  const missing =
    gaps.length === 0
      ? ''
      : `; missing values in ${gaps.length > 5 ? counted(gaps.length, 'variable') : gaps.join(', ')}`
  return `N = ${count(tensor.total)}${from}; ${patterns}; ${shapeText(tensor.shape)}${missing}`
}

/** How many labels of a mode, and how many modes, the answer of a fit shows; `polyad show` and --json have them all. */
export const SHOWN = { labels: 10, spare: 2, modes: 20 }

/** What an answer has besides the fit itself. */
export interface FitTextParts {
  readonly errors?: StandardErrors | undefined
  /** Intervals by the bootstrap. */
  readonly beside?: Beside | undefined
  /** Whether p of G² is simulated, and printed below. */
  readonly simulated?: boolean
  /** Of covariates, groups and the like. */
  readonly sections?: readonly string[]
  /** Why there is one table for each kind of row, if membership is explained: `covariates explain the classes`. */
  readonly explained?: string | undefined
  /** The sizes of the classes in the population. */
  readonly population?: readonly number[] | undefined
  /** Whether every figure is shown, also those that few need. */
  readonly details?: boolean | undefined
}

/** The classes of a model: what marks each, and their profiles. */
export const describedClasses = (model: Model, page: Page): string[] => [
  ...classesText(model, page),
  ...profileTable(model, SHOWN, page),
]

/** The whole answer of a fit, for the terminal. */
export const fitText = (
  model: Model,
  figures: FitFigures,
  page: Page,
  { errors, beside, simulated = false, sections = [], explained, population, details = false }: FitTextParts = {},
): string[] => [
  ...classesText(model, page, { sizes: population }),
  ...(errors === undefined ? profileTable(model, SHOWN, page, beside) : errorTable(model, errors, SHOWN, page)),
  '',
  ...sections,
  page.style('bold', 'fit'),
  ...figuresText(figures, page, simulated, explained, details),
  '',
  page.style('bold', 'solution'),
  ...optimumText(figures, page, details),
]

/** Pairs of names and values, two to a line where the page is wide enough. */
export const pairs = (entries: readonly (readonly [string, string])[], { columns }: Page): string[] => {
  const name = Math.max(...entries.map(([text]) => width(text)))
  const value = Math.max(...entries.map(([, text]) => width(text)))
  const show = ([label, text]: readonly [string, string]) => `${padEnd(label, name)}  ${padStart(text, value)}`
  if (2 * (name + value + 2) + 7 > columns) return entries.map(entry => `  ${show(entry)}`)
  const half = Math.ceil(entries.length / 2)
  return entries.slice(0, half).map((entry, i) => {
    const other = entries[half + i]
    return `  ${show(entry)}${other === undefined ? '' : `     ${show(other)}`}`
  })
}

const figuresText = (
  figures: FitFigures,
  page: Page,
  simulated: boolean,
  explained: string | undefined,
  details: boolean,
): string[] => {
  const lines = pairs([['N', count(figures.total)], ...statisticPairs(figures, 'terminal', [], details)], page)
  const absent = whyNoTest(figures, explained)
  if (absent !== undefined) lines.push(`  ${absent}`)
  else if (figures.degreesOfFreedom <= 0)
    lines.push('  the table has no more cells than the model has parameters: use fewer classes or fewer categories')
  else if (figures.sparse)
    lines.push(
      `  ${SPARSE_TABLE} ${simulated ? 'Rely on the bootstrap of X² and of the pairs below.' : INSTEAD_IF_SPARSE}`,
    )
  lines.push(...identificationText(figures.identification))
  return lines
}

/** What the table cannot tell of the model, where that is so. */
const identificationText = ({ verdict, rank, parameters, atFit }: FitFigures['identification']): string[] => {
  const where = atFit === undefined || atFit.classes.length === 0 ? [] : [`  Not identified: ${whereText(atFit)}`]
  if (verdict === 'not identified' && rank < parameters) {
    const told = whole(rank)
    return [
      `  not identified: the data determines ${told} of ${whole(parameters)} parameters; AIC, BIC and degrees of freedom count these ${told}`,
      ...where,
    ]
  }
  if (verdict === 'not identified')
    return ['  not identified here: classes are alike, and other parameters fit equally well', ...where]
  if (verdict === 'boundary')
    return [
      `  not identified here: ${counted(atFit?.boundary ?? 0, 'parameter')} at 0, so that others have no effect`,
      ...where,
    ]
  return verdict === 'not checked'
    ? ['  too large for its identification to be checked: all parameters are counted']
    : []
}

/** Whether the optima are those of a model within this one: effects in single classes are fitted from its solution, which fits worse. */
const isOfModelWithin = (loss: number, optima: FitFigures['optima']): boolean =>
  optima.length > 0 && optima[0].loss - loss > 1e-6 * Math.max(1, Math.abs(loss))

/** `stationary to 1e-8` says something to those who know the method. */
const withoutStationarity = (text: string): string => text.replace(/; stationary to [\de+-]+/, '')

/** What the starts found, and what to think of it. */
export const optimumText = (
  { loss, verdict, optima, passes, totalPasses, seconds, converged, reason }: FitFigures,
  page: Page,
  details: boolean,
): string[] => {
  const { style } = page
  const trust = (converged || reason === 'settled') && verdict.advice.length === 0 ? 'green' : 'yellow'
  const lines = [
    `  ${style(trust, details ? verdict.text : withoutStationarity(verdict.text))}`,
    ...verdict.advice.map(advice => `  ${style('yellow', `→ ${advice}`)}`),
    ...(isOfModelWithin(loss, optima)
      ? [
          '  these starts are for the model without effects in single classes; its solution was the only start of this model',
        ]
      : []),
  ]
  if (optima.length > 1) {
    const shown = optima.slice(0, 5)
    const rows = shown.map(({ loss, reached, shares, converged }) => [
      `${converged ? '' : '~ '}${fixed(loss, 4)}`,
      `${reached} of ${verdict.attempts}`,
      shares
        .slice(0, 8)
        .map(share => percent(share))
        .concat(shares.length > 8 ? ['…'] : [])
        .join(' '),
    ])
    const columns = [
      { title: 'loss', align: 'right' },
      { title: 'reached', align: 'right' },
      { title: 'class sizes', most: 60 },
    ] as const
    lines.push(...textTable(columns, rows, page, (_, column) => (column === 2 ? 'dim' : undefined)))
    if (shown.some(each => !each.converged))
      lines.push(style('dim', '  ~ no run that ended there converged: the optimum may be lower'))
    if (optima.length > 5)
      lines.push(style('dim', `  … and ${counted(optima.length - 5, 'other optimum', 'other optima')}`))
  }
  if (!details) return lines
  const all = totalPasses > passes ? ` to it, ${whole(totalPasses)} in the whole search` : ''
  lines.push(style('dim', `  ${counted(passes, 'pass', 'passes')}${all}; ${seconds > 0 ? duration(seconds) : DASH}`))
  return lines
}
