import { count, counted, fixed, percent } from './numbers.ts'
import { type Style, textTable } from './text-table.ts'

/** What was found when rows were given their classes. */
export interface Classification {
  readonly model: string
  readonly rows: number
  readonly classes: readonly { readonly class: string | number; readonly rows: number; readonly share: number }[]
  /** The mean probability of the class given. */
  readonly meanProbability: number
  readonly logLikelihood: number
  readonly impossible: number
  /** By mode: how many rows have a label the model has never seen. */
  readonly unseen: Readonly<Record<string, number>>
  readonly absent: readonly string[]
  readonly anomalyColumns: readonly string[]
  readonly anomalies: readonly {
    readonly row: number
    readonly class: string
    readonly probability: number
    readonly logLikelihood: number
    readonly values: readonly (string | null)[]
  }[]
  /** Where the table also has the true classes: how often each was given to each. */
  readonly truth?: { readonly column: string; readonly table: ReadonlyMap<string, ReadonlyMap<string, number>> }
  readonly output?: string
}

export const classificationText = (found: Classification, style: Style): string[] => [
  '',
  style('bold', `${counted(found.rows, 'row')}`),
  ...textTable(
    [{ title: 'class' }, { title: 'rows', align: 'right' }, { title: 'share', align: 'right' }],
    found.classes.map(each => [`${each.class}`, count(each.rows), percent(each.share)]),
    style,
  ),
  `  mean probability of the class given   ${found.meanProbability.toFixed(4)}`,
  `  log-likelihood                        ${fixed(found.logLikelihood, 4)}`,
  ...(found.impossible === 0
    ? []
    : [
        `  ${style('yellow', `${counted(found.impossible, 'row')} the model gives no chance`)}: their class follows the shares alone`,
      ]),
  ...Object.entries(found.unseen).map(
    ([mode, rows]) =>
      `  ${style('yellow', `${mode}: ${counted(rows, 'row')} with a label the model has never seen`)}, taken as missing`,
  ),
  ...(found.truth === undefined ? [] : truthText(found.truth, style)),
  ...(found.anomalies.length === 0 ? [] : anomaliesText(found, style)),
  ...(found.output === undefined ? [] : ['', `The rows are in ${found.output}`]),
]

/** The share of rows given their true class, and the table of both. */
export const truthText = ({ column, table }: NonNullable<Classification['truth']>, style: Style): string[] => {
  const given = [...new Set([...table.values()].flatMap(row => [...row.keys()]))].sort()
  const sum = (row: ReadonlyMap<string, number>) => [...row.values()].reduce((total, value) => total + value, 0)
  const right = [...table].reduce((total, [truth, row]) => total + (row.get(truth) ?? 0), 0)
  const all = [...table.values()].reduce((total, row) => total + sum(row), 0)
  return [
    '',
    `${style('bold', `${column}, given the class`)}   ${percent(right / all)} right (${count(right)} of ${count(all)})`,
    ...textTable(
      [{ title: '' }, ...given.map(title => ({ title, align: 'right' as const })), { title: 'right', align: 'right' }],
      [...table].map(([truth, row]) => [
        truth,
        ...given.map(name => (row.has(name) ? count(row.get(name) as number) : '·')),
        percent((row.get(truth) ?? 0) / sum(row)),
      ]),
      style,
    ),
  ]
}

const anomaliesText = ({ anomalies, anomalyColumns }: Classification, style: Style): string[] => [
  '',
  style('bold', 'least likely rows'),
  ...textTable(
    [
      { title: 'row', align: 'right' },
      ...anomalyColumns.map(title => ({ title, most: 20 })),
      { title: 'log-likelihood', align: 'right' },
      { title: 'class', align: 'right' },
    ],
    anomalies.map(({ row, values, logLikelihood, class: given }) => [
      count(row),
      ...values.map(value => value ?? '·'),
      Number.isFinite(logLikelihood) ? fixed(logLikelihood, 3) : 'no chance',
      given,
    ]),
    style,
  ),
]
