import { isAlways, isWhole, STATISTIC_KEYS, STATISTICS, type StatisticKey } from '../../report/figures/statistics.ts'
import { isTableFormat, writtenExtensions } from '../../table/formats/formats.ts'
import { REMARK_FORMATS } from '../terminal/remark.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import { CRITERIA_TYPES, INTERVAL, SOURCE } from './field-types.ts'
import { fitOption } from './fit-options.ts'

/** The options that every command has. */
export const OUTPUT: OptionGroup = {
  title: 'Output',
  options: [
    { flags: '--json', text: 'print one JSON object on standard output' },
    { flags: '-q, --quiet', text: 'print no progress and no notes' },
    {
      flags: '--progress <format>',
      text: 'progress, notes and warnings on standard error as text, or as one JSON object a line',
      choices: REMARK_FORMATS,
    },
  ],
}

/** Of the commands that work on data, and have no other limit: with a time limit on all that they do. */
export const TIMED_OUTPUT: OptionGroup = {
  ...OUTPUT,
  options: [
    ...OUTPUT.options,
    fitOption(
      'maxSeconds',
      'time limit for the whole command, reading included; ends with an error if there is no result by then',
    ),
  ],
}

/** Where a model goes. */
export const MODEL_OUTPUT: CommandOption = {
  flags: '-o, --output <file>',
  text: 'file to save the model to: .npz or .json',
  writes: true,
}

/** The endings of files of rows. */
export const ROWS_ENDINGS = writtenExtensions(isTableFormat).join(', ')

/** For those who want every figure. */
export const DETAILS: CommandOption = {
  flags: '--details',
  text: 'print every figure of the fit and of the search (as --json always does)',
}

/** Where the rows of a table go. */
export const ROWS_OUTPUT: CommandOption = {
  flags: '-o, --output <file>',
  text: `file to write the rows to: ${ROWS_ENDINGS}; -: standard output, as CSV; for data in a database: address of a new table in it`,
  writes: true,
}

export const SOURCE_FIELD: Field = ['source', 'the files or the query, the column of counts, and the rows read', SOURCE]
export const WARNINGS_FIELD: Field = [
  'warnings',
  'statistics that could not be computed, and why; left out if there are none',
  'string[]?',
]
export const STOPPED_FIELD: Field = [
  'stopped',
  'true if a time limit or a signal ended the work before its end; left out if it did not',
  'boolean?',
]
export const NOT_COMPUTED_FIELD: Field = [
  'notComputed',
  'with stopped: the names of the figures that there was no time for',
  'string[]?',
]
export const CHECKPOINT_FIELD: Field = [
  'checkpoint',
  'with --checkpoint: file, resumed (whether the work began from it), units (of work that were done before)',
  '{ file: string, resumed: boolean, units: integer }?',
]
export const OUTPUT_FIELD: Field = ['output', 'the file written, if any', 'string?']

/** What is said of a model in words, by every command that has one to judge. */
export const FINDINGS_FIELDS: readonly Field[] = [
  [
    'summary, cautions',
    'what was found, in sentences, and what to be careful about: the same as in the report',
    'string[]?',
  ],
  [
    'judgements',
    'for each question that the figures answer: subject (search, groups, assignment, fit), question, answer, level (good, fair, poor), evidence (sentences)',
    "{ subject: 'search' | 'groups' | 'assignment' | 'fit', question: string, answer: string, level: 'good' | 'fair' | 'poor', evidence: string[] }[]?",
  ],
]

/** Statistics that are no numbers. */
const OTHER_STATISTICS: Readonly<Partial<Record<StatisticKey, string>>> = {
  identification:
    '{ parameters: integer, rank: integer | null, degreesOfFreedom: integer | null, verdict: string, method: string, atFit?: { rank: integer, gap: number | null, classes: integer[], modes: string[], boundary: integer } }',
  criteria: `{ ${CRITERIA_TYPES}, heldOut?: number | null }`,
  sparse: 'boolean',
  averagePosteriors: '(number[] | null)[]',
}

const statisticType = (key: StatisticKey): string =>
  OTHER_STATISTICS[key] ?? `${isWhole(key) ? 'integer' : 'number'}${isAlways(key) ? '' : ' | null'}`

/** The fields of a fit: by themselves in `fit`, in a list in `rank`. */
export const FIT_FIELDS: readonly Field[] = [
  ['rank', 'the number of classes', 'integer'],
  [
    'cells, total, modes, shape',
    'distinct cells, the sum of the counts, the variables, and the number of categories of each',
    'integer, number, string[], integer[]',
  ],
  ['shares', 'the size of each class, descending', 'number[]'],
  ...STATISTIC_KEYS.map((key): Field => [key, STATISTICS[key].help, statisticType(key)]),
  [
    'converged, stationarity',
    'whether the run converged, and how far the solution is from stationary',
    'boolean, number | null',
  ],
  [
    'reason, estimatedGain',
    'why the best run ended; how much lower the loss might still have become, in nats (extrapolated from the last steps, not a bound), or null',
    'string, number | null',
  ],
  ['passes, totalPasses', 'of the best run; of the whole search', 'integer'],
  ['starts', 'number of independent starts', 'integer'],
  [
    'optima',
    'the distinct optima found, best first: loss, reached, shares, converged',
    '{ loss: number, reached: integer, shares: number[], converged: boolean }[]',
  ],
  [
    'verdict',
    'text; reached of attempts: runs that reached the best solution, of all runs (starts and recombinations); startsReached of starts: the same of independent starts only; unseen; chanceOfBetter (the chance of a better optimum); ambiguous; advice',
    '{ text: string, reached: integer, attempts: integer, startsReached: integer, starts: integer, unseen: number | null, chanceOfBetter: number | null, ambiguous: boolean, advice: string[] }',
  ],
  ['seconds', 'time of the fit, without reading', 'number'],
  [
    'oneClass',
    'logLikelihood, parameters and criteria of one class on the same data; omitted with covariates, groups, known classes, joined variables or constraints',
    `{ logLikelihood: number, parameters: integer, ${CRITERIA_TYPES} }?`,
  ],
]

/** The test of a number of classes against a larger one: by itself in `test`, in every fit of `rank`. */
export const RANK_TEST_FIELDS: readonly Field[] = [
  ['rank, against', 'the two numbers of classes', 'integer'],
  ['statistic', 'the likelihood ratio, 2(L₁ − L₀)', 'number'],
  [
    'pValue, interval',
    '(b + 1)/(B + 1) (null without a replicate), and its 95% interval for infinitely many replicates',
    `number | null, ${INTERVAL}`,
  ],
  ['replicates, converged', 'number of replicates, and in how many of them both fits converged', 'integer'],
  [
    'reason',
    'why it ended: all (replicates done), clear (the conclusion would not change), or stopped',
    "'all' | 'clear' | 'stopped'",
  ],
  ['stopped', 'whether it was interrupted or reached a limit', 'boolean?'],
  [
    'loMendellRubin',
    'adjusted Lo–Mendell–Rubin: statistic, degreesOfFreedom; no p-value, because χ² is not its distribution',
    '{ statistic: number, degreesOfFreedom: integer } | null',
  ],
  ['observationsPerParameter', 'observations for each parameter of the larger model', 'number | null'],
  ['warnings', 'with fewer than 5 observations per parameter: that the test may reject too often', 'string[]?'],
]
