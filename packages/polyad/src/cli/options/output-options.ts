import { CRITERIA } from '@polyad/core/stats'
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
    fitOption('maxSeconds', 'time limit for the whole command, reading included; ends with an error if there is no result by then'), // biome-ignore format: one call
  ],
}

/** Where a model goes. */
export const MODEL_OUTPUT: CommandOption = {
  flags: '-o, --output <file>',
  text: 'file to save the model to: .npz or .json',
}

/** Where the rows of a table go. */
export const ROWS_OUTPUT: CommandOption = {
  flags: '-o, --output <file>',
  text: 'file to write the rows to: .csv, .tsv, .parquet, .json, .ndjson; -: standard output, as CSV; for data in a database: address of a new table in it',
}

export const SOURCE_FIELD: Field = ['source', 'the files or the query, the column of counts, and the rows read']
export const WARNINGS_FIELD: Field = [
  'warnings',
  'statistics that could not be computed, and why; left out if there are none',
]
export const CHECKPOINT_FIELD: Field = [
  'checkpoint',
  'with --checkpoint: file, resumed (whether the work began from it), units (of work that were done before)',
]
export const OUTPUT_FIELD: Field = ['output', 'the file written, if any']

/** The fields of a fit: by themselves in `fit`, in a list in `rank`. */
export const FIT_FIELDS: readonly Field[] = [
  ['rank', 'the number of classes'],
  [
    'cells, total, modes, shape',
    'distinct cells, the sum of the counts, the variables, and the number of categories of each',
  ],
  ['loss', 'Σλ − Σ y·log m, the generalized KL divergence up to a constant'],
  ['logLikelihood', 'Σ y·log p, with p the probability of a cell'],
  ['shares', 'the size of each class, descending'],
  [
    'parameters, degreesOfFreedom',
    'free parameters; cells of the table minus 1 minus the parameters that it identifies (with --covariates, of one table for each combination that occurs)',
  ],
  [
    'identification',
    'parameters, rank (the number that the table identifies), degreesOfFreedom, verdict, method; atFit: rank, gap, boundary (how many are at 0), and the classes (numbered from 0) and modes that are not determined',
  ],
  [
    'criteria',
    `${CRITERIA.map(({ key }) => key).filter(key => key !== 'heldOut').join(', ')}: lower is better; heldOut, if folds were fitted: higher is better`, // biome-ignore format: one text
  ],
  ['gSquared, chiSquared, cressieRead, pValue', 'goodness of fit; null if values are missing; pValue is that of G²'],
  ['sparse', 'whether the table is too sparse for pValue: fewer than 5 observations per cell'],
  ['entropy', 'of the posteriors, summed over the observations, in nats; null if a cell is impossible'],
  ['relativeEntropy', 'how certain the classification is, 0 to 1; null for one class'],
  [
    'classificationError, averagePosteriors',
    'expected fraction of misclassified observations; mean posteriors of those assigned to each class',
  ],
  ['smallestClass', 'the share of the smallest class'],
  ['converged, stationarity', 'whether the run converged, and how far the solution is from stationary'],
  [
    'reason, estimatedGain',
    'why the best run ended; how much lower the loss might still have become, in nats (extrapolated from the last steps, not a bound), or null',
  ],
  ['passes, totalPasses', 'of the best run; of the whole search'],
  ['starts', 'independent starts; verdict.attempts counts recombined models too'],
  ['optima', 'the distinct optima found, best first: loss, reached, shares, converged'],
  ['verdict', 'text, reached, attempts, unseen, chanceOfBetter (the chance of a better optimum), ambiguous, advice'],
  ['seconds', 'time of the fit, without reading'],
]
