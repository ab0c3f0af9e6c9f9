import { STATISTIC_KEYS, STATISTICS } from '../../report/figures/statistics.ts'
import { isTableFormat, writtenExtensions } from '../../table/formats/formats.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import { fitOption } from './fit-options.ts'

/** The options that every command has. */
export const OUTPUT: OptionGroup = {
  title: 'Output',
  options: [
    { flags: '--json', text: 'print one JSON object on standard output' },
    { flags: '-q, --quiet', text: 'print no progress and no notes' },
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
}

/** The endings of files of rows. */
export const ROWS_ENDINGS = writtenExtensions(isTableFormat).join(', ')

/** Where the rows of a table go. */
export const ROWS_OUTPUT: CommandOption = {
  flags: '-o, --output <file>',
  text: `file to write the rows to: ${ROWS_ENDINGS}; -: standard output, as CSV; for data in a database: address of a new table in it`,
}

export const SOURCE_FIELD: Field = ['source', 'the files or the query, the column of counts, and the rows read']
export const WARNINGS_FIELD: Field = [
  'warnings',
  'statistics that could not be computed, and why; left out if there are none',
]
export const STOPPED_FIELD: Field = [
  'stopped',
  'true if a time limit or a signal ended the work before its end; left out if it did not',
]
export const NOT_COMPUTED_FIELD: Field = [
  'notComputed',
  'with stopped: the names of the figures that there was no time for',
]
export const CHECKPOINT_FIELD: Field = [
  'checkpoint',
  'with --checkpoint: file, resumed (whether the work began from it), units (of work that were done before)',
]
export const OUTPUT_FIELD: Field = ['output', 'the file written, if any']

/** What is said of a model in words, by every command that has one to judge. */
export const FINDINGS_FIELDS: readonly Field[] = [
  ['summary, cautions', 'what was found, in sentences, and what to be careful about: the same as in the report'],
  [
    'judgements',
    'for each question that the figures answer: subject (search, groups, assignment, fit), question, answer, level (good, fair, poor), evidence (sentences)',
  ],
]

/** The fields of a fit: by themselves in `fit`, in a list in `rank`. */
export const FIT_FIELDS: readonly Field[] = [
  ['rank', 'the number of classes'],
  [
    'cells, total, modes, shape',
    'distinct cells, the sum of the counts, the variables, and the number of categories of each',
  ],
  ['shares', 'the size of each class, descending'],
  ...STATISTIC_KEYS.map((key): Field => [key, STATISTICS[key].help]),
  ['converged, stationarity', 'whether the run converged, and how far the solution is from stationary'],
  [
    'reason, estimatedGain',
    'why the best run ended; how much lower the loss might still have become, in nats (extrapolated from the last steps, not a bound), or null',
  ],
  ['passes, totalPasses', 'of the best run; of the whole search'],
  ['starts', 'number of independent starts'],
  ['optima', 'the distinct optima found, best first: loss, reached, shares, converged'],
  [
    'verdict',
    'text; reached of attempts: runs that reached the best solution, of all runs (starts and recombinations); startsReached of starts: the same of independent starts only; unseen; chanceOfBetter (the chance of a better optimum); ambiguous; advice',
  ],
  ['seconds', 'time of the fit, without reading'],
  [
    'oneClass',
    'logLikelihood, parameters and criteria of one class on the same data; omitted with covariates, groups, known classes, joined variables or constraints',
  ],
]
