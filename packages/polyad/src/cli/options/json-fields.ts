import type { Command } from 'commander'

/** A key of the object that a command gives with --json, and what it holds. */
export type Field = readonly [key: string, text: string]

const fieldsOfCommand = new WeakMap<Command, readonly Field[]>()

export const fieldsOf = (command: Command): readonly Field[] => fieldsOfCommand.get(command) ?? []

/** Says what the object of a command is made of: the reference prints it, and tests hold the commands to it. */
export const withFields = (command: Command, fields: readonly Field[]): Command => {
  fieldsOfCommand.set(command, fields)
  return command
}

export const SOURCE: Field = ['source', 'the files or the query, the count column, and the rows read']
export const OUTPUT: Field = ['output', 'the file written, where one was asked for']

/** What a fit is told by: alone in `fit`, in a list in `rank`. */
export const FIT_FIELDS: readonly Field[] = [
  ['rank', 'the number of classes'],
  ['cells, total, modes, shape', 'distinct cells, the sum of the counts, the modes and how many labels each has'],
  ['loss', 'Σλ − Σ y·log m, the reduced generalized KL divergence'],
  ['logLikelihood', 'Σ y·log of the probability'],
  ['shares', 'the size of each class, descending'],
  ['parameters, degreesOfFreedom', 'free parameters; cells of the table less 1 less those it can tell apart'],
  ['identification', 'parameters, rank (those the table can tell apart), degreesOfFreedom, verdict, method'],
  ['criteria', 'aic, bic, caic, sabic: lower is better'],
  ['gSquared, chiSquared, pValue', 'fit to the table; null where values are missing'],
  ['sparse', 'whether the table is too sparse for pValue: fewer than 5 observations per cell'],
  ['relativeEntropy', 'how certain the classification is, 0 to 1; null for one class'],
  [
    'classificationError, averagePosteriors',
    'expected part misclassified; mean posteriors of those assigned to each class',
  ],
  ['converged, stationarity', 'whether the optimum is stationary, and the residual'],
  ['passes, totalPasses', 'of the run that was kept; of the whole search'],
  ['starts', 'independent starts; verdict.attempts counts recombined models too'],
  ['optima', 'the distinct optima met, best first: loss, reached, shares, converged'],
  ['verdict', 'text, reached, attempts, unseen, ambiguous, advice: how far to trust it'],
  ['seconds', 'for the fit, without reading'],
]
