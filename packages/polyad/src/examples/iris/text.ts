import { decimals } from '@polyad/core/numeric'
import type { Style } from '../../report/text/text-table.ts'
import { type Clustering, FEATURES, type IrisExperiment, LOWEST_KNOWN, type Unsupervised } from './experiment.ts'
import { widthOf } from './figure.ts'

const thousands = (value: number): string => decimals(value, 0, 3)

/** The table a person reads at the end of the Iris example. */
export const irisText = (experiment: IrisExperiment, style: Style): string => {
  const { flowers, tensor, supervised, unsupervised, smoothed, normal, species } = experiment
  const { result } = unsupervised
  const cells = tensor.shape.reduce((product, size) => product * size, 1)
  const line = (name: string, value: string, note = '') =>
    `  ${name.padEnd(34)}${style('bold', value.padStart(10))}${note === '' ? '' : `   ${style('dim', note)}`}`
  const agreement = ({ agreement }: Clustering) =>
    line('agreement with the species', agreement.toFixed(3), 'by the best matching of classes to species')
  const tableOf = (found: Unsupervised) => [
    ...confusionTable(
      found,
      species,
      found.order.map(k => `class ${k + 1}`),
      style,
    ),
    `  ${'class size'.padEnd(14)}${found.order.map(k => found.model.sizes[k].toFixed(1).padStart(12)).join('')}`,
  ]
  return [
    '',
    style('bold', 'Iris: finding the species without being told them'),
    `${flowers} flowers × ${FEATURES.length} measurements in steps of 0.1 cm: a ${tensor.shape.join('×')} tensor, ` +
      `${thousands(tensor.cells)} of ${thousands(cells)} cells filled`,
    '',
    `${style('bold', 'Species known')}   Theorem 2 for each species: the exact optimum, in closed form`,
    line('classifies its own flowers', supervised.agreement.toFixed(3)),
    '',
    ...confusionTable(supervised, species, species, style),
    '',
    `${style('bold', 'Species hidden')}   ${species.length} classes by maximum likelihood`,
    line('lowest loss found', result.loss.toFixed(4), `lowest known before: ${LOWEST_KNOWN}`),
    agreement(unsupervised),
    line('runs that reached it', `${result.verdict.reached}`, `of ${thousands(result.attempts.length)}`),
    line(
      'passes over the data',
      thousands(result.totalPasses),
      `in all runs; ${thousands(result.passes)} in the one kept`,
    ),
    line(
      'stationarity residual',
      result.stationarity.toExponential(1),
      result.converged ? 'converged' : 'not converged',
    ),
    '',
    ...tableOf(unsupervised),
    '',
    `${style('bold', 'Species hidden, with smoothing')}   each distribution smoothed over neighbouring measurements`,
    line('width', `${widthOf(smoothed)}`, 'bins of 0.1 cm, chosen by the held-out likelihood'),
    agreement(smoothed),
    line('runs that reached the best', `${smoothed.result.verdict.reached}`, `of ${smoothed.result.attempts.length}`),
    '',
    ...tableOf(smoothed),
    '',
    `${style('bold', 'Species hidden, normal distributions')}   a mean and a standard deviation in place of free probabilities`,
    line('loss', normal.result.loss.toFixed(4), 'each measurement stands for 0.1 cm'),
    agreement(normal),
    line('runs that reached the best', `${normal.result.verdict.reached}`, `of ${normal.result.attempts.length}`),
    '',
    ...tableOf(normal),
    '',
  ].join('\n')
}

const confusionTable = (
  { confusion }: Clustering,
  species: readonly string[],
  columns: readonly string[],
  style: Style,
): string[] => [
  style('dim', `  ${''.padEnd(14)}${columns.map(name => name.padStart(12)).join('')}`),
  ...species.map(
    (name, i) =>
      `  ${name.padEnd(14)}${confusion[i].map(count => (count === 0 ? '·' : `${count}`).padStart(12)).join('')}`,
  ),
]
