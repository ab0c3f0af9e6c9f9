import { type Model, PER_CELL, type Tensor } from '@polyad/core'
import { classesText } from './class-marks.ts'
import type { FitFigures } from './fit-figures.ts'
import { count, counted, DASH, duration, fixed, percent, pValue, whole } from './numbers.ts'
import { padEnd, padStart, type Style, textTable, width } from './text-table.ts'

/** One line on the data: how much of it there is, and in what. */
export const tensorLine = (tensor: Tensor, rows: number | undefined): string => {
  const table = tensor.shape.reduce((product, size) => product * size, 1)
  const gaps = tensor.modes.filter((_, n) => tensor.missing[n]).map(({ name }) => name)
  const filled = table <= 1e15 && gaps.length === 0 ? ` of ${whole(table)}` : ''
  const from = rows === undefined || rows === tensor.cells ? '' : `${counted(rows, 'row')} → `
  const missing =
    gaps.length === 0 ? '' : `; missing values in ${gaps.length > 5 ? counted(gaps.length, 'mode') : gaps.join(', ')}`
  return `${from}${whole(tensor.cells)}${filled} cells, ${tensor.shape.join('×')}, total ${count(tensor.total)}${missing}`
}

/** The whole answer of a fit, for the terminal. */
export const fitText = (model: Model, figures: FitFigures, style: Style): string[] => [
  ...classesText(model, style),
  style('bold', 'fit'),
  ...figuresText(figures),
  '',
  style('bold', 'optimum'),
  ...optimumText(figures, style),
]

/** Pairs of names and values, two to a line. */
export const pairs = (entries: readonly (readonly [string, string])[]): string[] => {
  const half = Math.ceil(entries.length / 2)
  const name = Math.max(...entries.map(([text]) => width(text)))
  const value = Math.max(...entries.map(([, text]) => width(text)))
  const show = ([label, text]: readonly [string, string]) => `${padEnd(label, name)}  ${padStart(text, value)}`
  return entries.slice(0, half).map((entry, i) => {
    const other = entries[half + i]
    return `  ${show(entry)}${other === undefined ? '' : `     ${show(other)}`}`
  })
}

const figuresText = (figures: FitFigures): string[] => {
  const { criteria, degreesOfFreedom, gSquared } = figures
  const lines = pairs([
    ['log-likelihood', fixed(figures.logLikelihood, 4)],
    ['loss f', fixed(figures.loss, 4)],
    ['parameters', whole(figures.parameters)],
    ['degrees of freedom', whole(degreesOfFreedom).replace('-', '−')],
    ['relative entropy', fixed(figures.relativeEntropy, 4)],
    ['AIC', fixed(criteria.aic, 2)],
    ['BIC', fixed(criteria.bic, 2)],
    ['CAIC', fixed(criteria.caic, 2)],
    ['adjusted BIC', fixed(criteria.sabic, 2)],
    ['ICL', fixed(criteria.icl, 2)],
    ...(gSquared === null
      ? []
      : ([
          ['G²', fixed(gSquared, 4)],
          ['X²', fixed(figures.chiSquared, 4)],
          ['p of G²', pValue(figures.pValue)],
        ] as const)),
  ])
  if (gSquared === null) lines.push('  G² and X² are not defined where values are missing')
  else if (degreesOfFreedom <= 0)
    lines.push('  the table has no more cells than the model has parameters: fewer classes, or fewer labels')
  else if (figures.sparse) lines.push(`  fewer than ${PER_CELL} observations per cell of the table: do not rely on p`)
  const { identification } = figures
  if (identification.verdict === 'not identified') {
    lines.push(
      `  not identified: the table can tell ${whole(identification.rank)} of ${whole(identification.parameters)} parameters apart`,
    )
  } else if (identification.verdict === 'not checked') {
    lines.push('  too large for its identification to be checked: all parameters are counted')
  }
  return lines
}

/** What the starts found, and what to think of it. */
export const optimumText = (
  { verdict, optima, passes, totalPasses, seconds, converged }: FitFigures,
  style: Style,
): string[] => {
  const trust = converged && verdict.advice.length === 0 ? 'green' : 'yellow'
  const lines = [
    `  ${style(trust, verdict.text)}`,
    ...verdict.advice.map(advice => `  ${style('yellow', `→ ${advice}`)}`),
  ]
  if (optima.length > 1) {
    const rows = optima
      .slice(0, 5)
      .map(({ loss, reached, shares }) => [
        fixed(loss, 4),
        `${reached} of ${verdict.attempts}`,
        shares.slice(0, 8).map(percent).join(' '),
      ])
    const columns = [
      { title: 'loss', align: 'right' },
      { title: 'reached', align: 'right' },
      { title: 'shares' },
    ] as const
    lines.push(...textTable(columns, rows, style, (_, column) => (column === 2 ? 'dim' : undefined)))
    if (optima.length > 5)
      lines.push(style('dim', `  … and ${counted(optima.length - 5, 'other optimum', 'other optima')}`))
  }
  const all = totalPasses > passes ? ` to it, ${whole(totalPasses)} in the whole search` : ''
  lines.push(style('dim', `  ${counted(passes, 'pass', 'passes')}${all}; ${seconds > 0 ? duration(seconds) : DASH}`))
  return lines
}
