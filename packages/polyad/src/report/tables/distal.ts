import { OptionError } from '@polyad/core'
import { defined, reader } from '@polyad/core/options'
import { checkNames, numberedName } from '../figures/class-names.ts'
import { count, percent } from '../numbers.ts'
import { capital } from '../prose.ts'
import type { DistalFigures } from '../text/distal-text.ts'
import { CORRECTIONS, MEASUREMENT_TEXT } from '../text/measurement-text.ts'
import {
  fixedCell,
  type PaperCell,
  type PaperRow,
  type PaperTable,
  pCell,
  type TablePart,
  wholeCell,
} from './formats/paper-table.ts'
import type { PaperTableOptions } from './options.ts'

/** Outcomes by class, from what `polyad distal --json` printed: one or several, of the same model. */

const { either, fields, fieldsAmong, finite, label, list, oneOf, orNull, vector } = reader
const estimate = { estimate: finite, standardError: orNull(finite) }
const test = orNull(fields({ statistic: finite, degreesOfFreedom: finite, pValue: finite }))
const own = { class: label, share: finite }

const distal = fieldsAmong<DistalFigures>({
  outcome: reader.text(),
  kind: oneOf(['number', 'category']),
  method: oneOf(['bch', 'ml', 'none']),
  rows: finite,
  missing: finite,
  classes: list(
    either(
      fieldsAmong({ ...own, mean: fieldsAmong(estimate) }),
      fieldsAmong({ ...own, probabilities: list(fieldsAmong({ label, ...estimate })) }),
    ),
  ),
  overall: test,
  pairs: list(fieldsAmong({ classes: vector(2, label), test })),
})

export const distalTable = (results: readonly unknown[], options: PaperTableOptions): PaperTable => {
  if (results.length === 0)
    throw new OptionError('a table of distal outcomes is made from what polyad distal --json printed')
  const found = reader.tried(list(distal), results)
  if (found === null) throw new OptionError('this JSON is not from polyad distal --json')
  const [{ classes }] = found
  if (found.some(each => each.classes.map(own => own.class).join() !== classes.map(own => own.class).join()))
    throw new OptionError('these outcomes are of models with different classes: make a table for each')
  const own = classes.map(({ class: name }) => (typeof name === 'number' ? numberedName(name - 1) : name))
  const titles = options.names === undefined ? own : checkNames(options.names, own.length)
  return {
    title: options.title ?? `Distal outcomes by class: ${found.map(({ outcome }) => outcome).join(', ')}`,
    ...defined({ number: options.number }),
    parts: [estimatesPart(found, titles, options), pairsPart(found, titles, options)],
    notes: notesOf(found),
  }
}

const testCells = (found: DistalFigures['overall'], digits: number): PaperCell[] => [
  fixedCell(found?.statistic, digits),
  wholeCell(found?.degreesOfFreedom),
  pCell(found?.pValue),
]

const estimatesPart = (
  found: readonly DistalFigures[],
  titles: readonly string[],
  options: PaperTableOptions,
): TablePart => {
  const digits = options.decimals ?? 2
  const shares = found.length === 1 ? found[0].classes.map(({ share }) => ` (${percent(share)})`) : titles.map(() => '')
  const isMean = found.every(({ kind }) => kind === 'number')
  const own = isMean ? 'M' : found.every(({ kind }) => kind === 'category') ? 'Prob.' : 'M or prob.'
  return {
    caption: 'Estimates',
    stub: 'Outcome',
    columns: [
      ...titles.flatMap((title, k) => [own, 'SE'].map(each => ({ title: each, group: `${title}${shares[k]}` }))),
      ...['χ²', 'df', 'p'].map(title => ({ title })),
    ],
    rows: found.flatMap(each => outcomeRows(each, digits, options)),
  }
}

const outcomeRows = (
  { outcome, classes, overall }: DistalFigures,
  digits: number,
  { decimals, percent: asPercent }: PaperTableOptions,
): PaperRow[] => {
  const tests = testCells(overall, digits)
  if (classes.every(({ mean }) => mean !== undefined && mean !== null))
    return [
      {
        head: outcome,
        cells: [
          ...classes.flatMap(({ mean }) => [fixedCell(mean?.estimate, digits), fixedCell(mean?.standardError, digits)]),
          ...tests,
        ],
      },
    ]
  const labels = (classes[0].probabilities ?? []).map(({ label }) => label)
  const cell = (value: number | null | undefined) =>
    asPercent === true
      ? fixedCell(typeof value === 'number' ? 100 * value : value, decimals ?? 1)
      : fixedCell(value, decimals ?? 3)
  return [
    { head: outcome, cells: [...classes.flatMap(() => ['', '']), ...tests] },
    ...labels.map((label, j) => ({
      head: String(label),
      indented: true,
      cells: [
        ...classes.flatMap(({ probabilities }) => [
          cell(probabilities?.[j]?.estimate),
          cell(probabilities?.[j]?.standardError),
        ]),
        ...['', '', ''],
      ],
    })),
  ]
}

const pairsPart = (
  found: readonly DistalFigures[],
  titles: readonly string[],
  options: PaperTableOptions,
): TablePart => {
  const digits = options.decimals ?? 2
  const numbers = found.some(({ kind }) => kind === 'number')
  const titleOf = (name: string | number) =>
    titles[found[0].classes.findIndex(({ class: own }) => own === name)] ?? String(name)
  return {
    caption: 'Pairwise tests',
    stub: 'Classes',
    columns: [...(numbers ? [{ title: 'Difference' }] : []), ...['χ²', 'df', 'p'].map(title => ({ title }))],
    rows: found.flatMap(({ outcome, pairs }) => [
      ...(found.length === 1 ? [] : [{ head: outcome, cells: [] }]),
      ...pairs.map(({ classes: [a, b], difference, test: own }) => ({
        head: `${titleOf(a)} vs. ${titleOf(b)}`,
        ...(found.length > 1 && { indented: true }),
        cells: [
          ...(numbers ? [typeof difference === 'number' ? fixedCell(difference, digits) : ''] : []),
          ...testCells(own, digits),
        ],
      })),
    ]),
  }
}

const notesOf = (found: readonly DistalFigures[]): string[] => {
  const same = found.every(({ method }) => method === found[0].method)
  const errors = [
    ...new Set(
      found.flatMap(({ measurement }) => (measurement in MEASUREMENT_TEXT ? [MEASUREMENT_TEXT[measurement]] : [])),
    ),
  ]
  const several = found.length > 1
  return [
    `${found.some(({ kind }) => kind === 'number') ? 'M = mean; ' : ''}SE = standard error; χ² = Wald test that the classes are equal. The difference is the first class minus the second.`,
    ...(same ? found.slice(0, 1) : found).map(
      ({ outcome, method }) => `${same ? 'Estimates' : `Estimates of ${outcome}`} are ${CORRECTIONS[method]}.`,
    ),
    ...errors.map(text => `${capital(text)}.`),
    ...found.map(
      ({ outcome, rows, missing, weights }) =>
        `${several ? `${outcome}: ` : ''}N = ${count(rows)}${missing === 0 ? '' : `; ${count(missing)} without ${several ? 'it' : outcome} or any answer were left out`}${weights === null || weights === undefined ? '' : `; weighted by ${weights}`}.`,
    ),
    ...(found.some(({ overall, pairs }) => overall === null || pairs.some(each => each.test === null))
      ? ['A dash marks a test that cannot be made, because a probability is 0 or 1 in one of the classes.']
      : []),
  ]
}
