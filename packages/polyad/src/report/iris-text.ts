import { type Clustering, FEATURES, type IrisExperiment, LOWEST_KNOWN } from './iris-experiment.ts'

/** How a piece of text is set off where the terminal can: the caller knows. */
export type Style = (kind: 'bold' | 'dim', text: string) => string

const thousands = (value: number): string => value.toLocaleString('en-US')

/** The table a person reads at the end of the Iris example. */
export const irisText = (experiment: IrisExperiment, style: Style): string => {
  const { flowers, tensor, supervised, unsupervised, species } = experiment
  const { search, result, order, model } = unsupervised
  const cells = tensor.shape.reduce((product, size) => product * size, 1)
  const line = (name: string, value: string, note = '') =>
    `  ${name.padEnd(34)}${style('bold', value.padStart(10))}${note === '' ? '' : `   ${style('dim', note)}`}`
  return [
    '',
    style('bold', 'Iris: what can be learned of the species without being told them'),
    `${flowers} flowers × ${FEATURES.length} measurements in steps of 0.1 cm: a ${tensor.shape.join('×')} tensor, ` +
      `${thousands(tensor.cells)} of ${thousands(cells)} cells filled`,
    '',
    `${style('bold', 'Species known')}   Theorem 2 for each species: the exact optimum, in closed form`,
    line('classifies its own flowers', supervised.agreement.toFixed(3)),
    '',
    ...confusionTable(supervised, species, species, style),
    '',
    `${style('bold', 'Species hidden')}   EM for ${species.length} classes from ${thousands(search.starts.length)} random starts`,
    line('lowest loss found', result.loss.toFixed(4), `lowest known: ${LOWEST_KNOWN}`),
    line('agreement with the species', unsupervised.agreement.toFixed(3), 'by the best matching of classes to species'),
    line('starts that reached the lowest', `${search.verdict.reached}`, `of ${thousands(search.starts.length)}`),
    line(
      'passes over the data',
      thousands(search.totalPasses + result.passes),
      `${thousands(search.passes + result.passes)} of them by the start that was kept`,
    ),
    line(
      'stationarity residual',
      result.stationarity.toExponential(1),
      result.converged ? 'converged' : 'not converged',
    ),
    '',
    ...confusionTable(unsupervised, species, species.map((_, k) => `class ${order[k] + 1}`), style), // biome-ignore format: one call
    `  ${'class size'.padEnd(14)}${order.map(k => model.weights[k].toFixed(1).padStart(12)).join('')}`,
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
