import type { Criteria, Criterion, Evaluation } from '@polyad/core'
import { CRITERIA, type FitTest, whereText } from '@polyad/core/stats'
import { formatted, type NumberFormat } from '../numbers.ts'
import type { WithNulls } from '../with-nulls.ts'
import type { GlossaryTerm } from './glossary.ts'

/** Every statistic of a fit, once: the terminal, `--json` and its reference, records, reports, tables and the studio read this table. */

/** Where statistics are shown: of one fit (the answer of `fit`, the report, the studio), or of several beside each other. */
export type Surface =
  | 'terminal'
  | 'report'
  | 'studio'
  /** The terminal's answer about independence, and the studio's figures against one class. */
  | 'independence'
  | 'against'
  /** The terminal's table of numbers of classes; the studio's of fits, and of their criteria; the table for papers. */
  | 'ranks'
  | 'fits'
  | 'criteria'
  | 'paper'

/** What is known of a fit by its data, as `--json` has it: what is not defined is null, and so is a criterion of a record that is not finite. */
export type FitStatistics = { readonly [K in FigureKey]: WithNulls<Evaluation[K]> } & {
  readonly criteria: Readonly<Partial<Record<Criterion, number | null>>>
}

type FigureKey = Exclude<keyof Evaluation, keyof Criteria | 'divergence' | 'logProbability'>

/** The fields of `--json`. */
export type StatisticKey = keyof FitStatistics

type Group = 'likelihood' | 'criteria' | 'test' | 'freedom' | 'p' | 'certainty'

/** The groups in the order of most surfaces, and of those that have another. */
const GROUPS: readonly Group[] = ['likelihood', 'criteria', 'test', 'freedom', 'p', 'certainty']
const ARRANGED: Readonly<Partial<Record<Surface, readonly Group[]>>> = {
  terminal: ['likelihood', 'freedom', 'certainty', 'criteria', 'test', 'p'],
  independence: ['test', 'freedom', 'p', 'likelihood'],
}

interface Row {
  /** What the reference of `--json` says. */
  readonly help: string
  /** What it is called beside its value, and over a column; if there is no name, it has no line of its own. */
  readonly name?: string
  readonly title?: string
  readonly format?: NumberFormat
  /** In place of a number. */
  readonly text?: (figures: Partial<FitStatistics>) => string
  readonly term?: GlossaryTerm
  readonly on?: readonly Surface[]
  readonly group: Group
  /** What it means nothing without: cells enough for the observations, G², or several classes. */
  readonly needs?: 'table' | 'G²' | 'classes'
  /** Whether it is never null, in the records of all versions too. */
  readonly always?: true
  /** What must be scanned for it once the likelihood is known: by an engine, or the cells in memory. */
  readonly scan?: 'pass' | 'cells'
  /** Whether the terminal shows it with --details only. */
  readonly detail?: true
  /** Whether its bootstrap test keeps its level in a sparse table. */
  readonly reliableIfSparse?: true
}

const ONE_FIT = ['terminal', 'report', 'studio'] as const satisfies readonly Surface[]

/** By their fields in `--json`, in the order in which they are shown within their group. */
export const STATISTICS = {
  logLikelihood: {
    group: 'likelihood',
    help: 'Σ y·log p, with p the probability of a cell',
    name: 'log-likelihood',
    title: 'LL',
    format: 4,
    term: 'logLikelihood',
    always: true,
    on: [...ONE_FIT, 'independence', 'against', 'ranks', 'fits', 'criteria', 'paper'],
  },
  logDensity: {
    group: 'likelihood',
    help: 'of models with continuous variables, the log-likelihood as a density: less the logarithm of the step of every value; comparable with other programs',
    name: 'log-density',
    format: 4,
    on: ONE_FIT,
  },
  loss: {
    group: 'likelihood',
    help: 'Σλ − Σ y·log m, the generalized KL divergence up to a constant',
    name: 'loss f',
    detail: true,
    format: 4,
    always: true,
    on: ['terminal'],
  },
  parameters: {
    group: 'likelihood',
    help: 'number of free parameters',
    name: 'parameters',
    format: 'whole',
    always: true,
    on: [...ONE_FIT, 'ranks', 'criteria', 'paper'],
  },
  identification: {
    group: 'likelihood',
    help: 'parameters, rank (the number that the table identifies), degreesOfFreedom, verdict, method; atFit: rank, gap, boundary (how many are at 0), and the classes (numbered from 0) and modes that are not determined',
    name: 'identification',
    on: ['report'],
    text: ({ identification: { verdict, atFit } = { verdict: 'not checked' } }) =>
      `${verdict}${atFit !== undefined && atFit.classes.length > 0 ? `: ${whereText(atFit)}` : ''}`,
  },
  criteria: {
    group: 'criteria',
    help: `${CRITERIA.flatMap(({ key }) => (key === 'heldOut' ? [] : [key])).join(', ')}: lower is better; heldOut, if folds were fitted: higher is better`,
  },
  gSquared: {
    group: 'test',
    help: 'G², the likelihood-ratio statistic of the table; null if values are missing',
    name: 'G²',
    format: 4,
    term: 'gSquared',
    needs: 'G²',
    on: [...ONE_FIT, 'independence', 'against', 'paper'],
  },
  chiSquared: {
    group: 'test',
    help: 'X², the Pearson statistic of the table; null if values are missing',
    name: 'X²',
    format: 4,
    term: 'gSquared',
    needs: 'G²',
    scan: 'pass',
    reliableIfSparse: true,
    on: [...ONE_FIT, 'independence'],
  },
  cressieRead: {
    group: 'test',
    help: 'the Cressie–Read statistic of the table; null if values are missing, or the cells are not in memory',
    name: 'Cressie–Read',
    detail: true,
    format: 4,
    term: 'gSquared',
    needs: 'G²',
    scan: 'cells',
    on: ONE_FIT,
  },
  degreesOfFreedom: {
    group: 'freedom',
    help: 'cells of the table minus 1 minus the parameters that it identifies (with --covariates, of one table for each combination that occurs)',
    name: 'degrees of freedom',
    title: 'df',
    format: 'whole',
    term: 'degreesOfFreedom',
    needs: 'table',
    on: [...ONE_FIT, 'independence', 'paper'],
  },
  pValue: {
    group: 'p',
    help: 'p of G² by χ²; null without G² or degrees of freedom',
    name: 'p of G²',
    format: 'p',
    term: 'pValue',
    needs: 'G²',
    on: [...ONE_FIT, 'independence', 'ranks', 'fits'],
  },
  sparse: { group: 'p', help: 'whether the table is too sparse for pValue: fewer than 5 observations per cell' },
  entropy: {
    group: 'certainty',
    help: 'of the posteriors, summed over the observations, in nats; null if a cell is impossible',
    name: 'entropy',
    detail: true,
    format: 4,
    needs: 'classes',
    scan: 'pass',
    on: ['terminal'],
  },
  relativeEntropy: {
    group: 'certainty',
    help: 'how certain the classification is, 0 to 1; null for one class',
    name: 'relative entropy',
    title: 'entropy',
    format: 'proportion',
    term: 'entropy',
    needs: 'classes',
    scan: 'pass',
    on: [...ONE_FIT, 'ranks', 'fits', 'paper'],
  },
  classificationError: {
    group: 'certainty',
    help: 'expected fraction of misclassified observations',
    name: 'classification error',
    detail: true,
    format: 4,
    term: 'classificationError',
    always: true,
    needs: 'classes',
    scan: 'pass',
    on: ONE_FIT,
  },
  averagePosteriors: { help: 'mean posteriors of those assigned to each class', group: 'certainty', scan: 'pass' },
  smallestClass: {
    group: 'certainty',
    help: 'the share of the smallest class',
    name: 'smallest class',
    detail: true,
    format: 'percent',
    always: true,
    on: ['terminal', 'studio', 'fits', 'paper'],
  },
} as const satisfies Record<StatisticKey, Row>

export const STATISTIC_KEYS = Object.keys(STATISTICS) as readonly StatisticKey[]

const row = (key: StatisticKey): Row => STATISTICS[key]

/** Those that are numbers, and whether every record has them. */
export const NUMBERS = STATISTIC_KEYS.flatMap(key =>
  row(key).format === undefined ? [] : [{ key, always: row(key).always === true }],
)

/** Those that a scan tells after the likelihood, with what a person calls them. */
export const SCANNED = STATISTIC_KEYS.filter(key => key !== 'criteria').flatMap(key => {
  const { scan, group, name = key } = row(key)
  return scan === undefined ? [] : [{ key, scan, name: group === 'certainty' ? 'certainty of the classes' : name }]
})

/** Those of several numbers of classes beside each other, which the record of a comparison keeps. */
export const isCompared = (key: StatisticKey): key is ComparedKey =>
  row(key).on?.some(surface => surface === 'ranks' || surface === 'paper') === true

export type ComparedKey = {
  [K in keyof typeof STATISTICS]: (typeof STATISTICS)[K] extends { readonly on: readonly (infer S)[] }
    ? Extract<S, 'ranks' | 'paper'> extends never
      ? never
      : K
    : never
}[keyof typeof STATISTICS]

/** A statistic with a line or a column of its own: a criterion is one by itself. */
export interface Statistic extends Pick<Row, 'group' | 'format' | 'term' | 'needs' | 'detail'> {
  readonly key: StatisticKey | Criterion
  readonly name: string
  /** Over a column. */
  readonly title: string
  readonly on: readonly Surface[]
  readonly value: (figures: Partial<FitStatistics>) => number | null | undefined
  readonly text: (figures: Partial<FitStatistics>) => string
}

const statistic = (key: Statistic['key'], row: Omit<Row, 'help'>, value: Statistic['value']): Statistic => ({
  ...row,
  key,
  name: row.name ?? key,
  title: row.title ?? row.name ?? key,
  on: row.on ?? [],
  value,
  text: row.text ?? (figures => formatted(value(figures), row.format ?? 0)),
})

const CRITERION = [...ONE_FIT, 'ranks', 'criteria'] as const satisfies readonly Surface[]

/** What criteria have that are not like all others. */
const SPECIAL: Readonly<Partial<Record<Criterion, Pick<Row, 'name' | 'term' | 'on' | 'detail'>>>> = {
  aic: { term: 'aic', on: [...CRITERION, 'fits', 'paper'] },
  bic: { term: 'bic', on: [...CRITERION, 'against', 'fits', 'paper'] },
  sabic: { on: [...CRITERION, 'paper'] },
  heldOut: { name: 'held-out log-likelihood', term: 'heldOut' },
}

const SHOWN: readonly Statistic[] = STATISTIC_KEYS.flatMap(key =>
  key === 'criteria'
    ? CRITERIA.map(({ key: by, name, title, digits }) =>
        statistic(
          by,
          {
            group: key,
            name,
            title,
            format: digits,
            term: 'criteria',
            on: CRITERION,
            ...(SPECIAL[by] ?? { detail: true }),
          },
          figures => figures.criteria?.[by],
        ),
      )
    : statistic(key, row(key), figures => figures[key] as number | null | undefined),
)

/** Those that a surface shows, in their order. */
export const statisticsOn = (surface: Surface): readonly Statistic[] =>
  (ARRANGED[surface] ?? GROUPS).flatMap(group =>
    SHOWN.filter(each => each.group === group && each.on.includes(surface)),
  )

/** Whether p of G² means little, because the table is sparse. */
export const isDoubtful = (key: Statistic['key'], { sparse, pValue }: Partial<FitStatistics>): boolean =>
  key === 'pValue' && sparse === true && typeof pValue === 'number'

/** Those that count something, which are whole numbers. */
export const isWhole = (key: StatisticKey): boolean => row(key).format === 'whole'

/** Whether it is a number in every object. */
export const isAlways = (key: StatisticKey): boolean => row(key).always === true

export const isReliableIfSparse = (test: FitTest): boolean => row(test).reliableIfSparse === true

type Figures<C> = Omit<FitStatistics, 'criteria'> & { readonly criteria: C }

/** The statistics of a fit as `--json` has them. */
export const statisticFigures = <C extends object>(
  found: Pick<Evaluation, FigureKey> & { readonly criteria: C },
): Figures<C> => {
  const value = (key: StatisticKey) =>
    key === 'averagePosteriors' ? found.averagePosteriors.map(each => each ?? null) : (found[key] ?? null)
  return Object.fromEntries(STATISTIC_KEYS.map(key => [key, value(key)])) as unknown as Figures<C>
}
