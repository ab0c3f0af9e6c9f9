import type { Model } from '@polyad/core'

/** The sums of a classification. */
export interface ScoreSummary {
  readonly rows: number
  /** The sum of the counts, weighed; the number of rows where every row counts once. */
  readonly total: number
  /** For each class: the rows it is the most probable for, and the sum of their counts, weighed. */
  readonly classes: readonly { readonly rows: number; readonly total: number }[]
  readonly meanProbability: number
  /** Of all rows that the model thinks possible. */
  readonly logLikelihood: number
  /** Rows of probability zero under the model. */
  readonly impossible: number
  /** For each mode, rows with a label the model has never seen. */
  readonly unseen: readonly number[]
}

/**
 * The sums of a classification: of every class how many rows were given it and how much they count, then sums of probabilities,
 * logarithms, impossible rows, and unseen labels by mode. A class may come several times, once from every server.
 */
export const tallied = (found: readonly (readonly unknown[])[], rank: number, modes: number): ScoreSummary => {
  const rows = found.map(row => row.map(Number))
  const sum = (column: number) => rows.reduce((total, row) => total + row[column], 0)
  const classes = Array.from({ length: rank }, () => ({ rows: 0, total: 0 }))
  for (const [k, number, total] of rows) {
    classes[k].rows += number
    classes[k].total += total
  }
  return {
    rows: sum(1),
    total: sum(2),
    classes,
    meanProbability: sum(3) / sum(2),
    logLikelihood: sum(4),
    impossible: sum(5),
    unseen: Array.from({ length: modes }, (_, n) => sum(6 + n)),
  }
}

/** A classification as the terminal, `--json` and a page have it. */
export interface ClassifiedRows extends Omit<ScoreSummary, 'classes' | 'unseen'> {
  /** The column of counts; null where every row counts once. */
  readonly count: string | null
  readonly classes: readonly {
    readonly class: string | number
    readonly rows: number
    readonly total: number
    readonly share: number
  }[]
  /** By mode: how many rows have a label the model has never seen. */
  readonly unseen: Readonly<Record<string, number>>
  /** Columns that the model knows and the table has not. */
  readonly absent: readonly string[]
}

/**
 * The sums of a classification by the names of the classes and modes.
 * @param count the column of counts, if there is one @param scale of totals: of a population, or 1
 * @example
 * const sums = { rows: 3, total: 3, meanProbability: 0.9, logLikelihood: -5, impossible: 0, unseen: model.modes.map(() => 0) }
 * const classes = [{ rows: 2, total: 2 }, { rows: 1, total: 1 }]
 * classifiedRows({ ...sums, classes }, model, { count: undefined, absent: [] }).classes.length // 2
 */
export const classifiedRows = (
  { classes, unseen, total, ...sums }: ScoreSummary,
  { classNames, modes }: Pick<Model, 'classNames' | 'modes'>,
  {
    count,
    absent,
    scale = 1,
  }: {
    readonly count: string | undefined
    readonly absent: readonly string[]
    readonly scale?: number
  },
): ClassifiedRows => ({
  ...sums,
  total: total * scale,
  count: count ?? null,
  classes: classes.map((each, k) => ({
    class: classNames?.[k] ?? k + 1,
    rows: each.rows,
    total: each.total * scale,
    share: each.total / total,
  })),
  unseen: byMode(modes, unseen),
  absent,
})

/** The numbers of modes that are not zero, by their names. */
export const byMode = (
  modes: readonly { readonly name: string }[],
  numbers: readonly number[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(modes.map(({ name }, n) => [name, numbers[n]] as const).filter(([, number]) => number !== 0))
