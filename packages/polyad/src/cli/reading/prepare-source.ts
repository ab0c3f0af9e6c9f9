import type { Model } from '@polyad/core'
import { hasCells, withoutModes, withTotal } from '@polyad/core/model'
import { explainingColumns } from '@polyad/core/stats'
import { columnOf } from '../../analysis/named-columns.ts'
import { type Prepared, prepare } from '../../analysis/prepare.ts'
import type { AnalysisRequest, Structure } from '../../analysis/request.ts'
import { count, counted } from '../../report/numbers.ts'
import type { Call } from '../framework/define-command.ts'
import type { SampleOptions } from '../options/sample-options.ts'
import { type Source, sourceLine } from './open-source.ts'

/** Chooses the rows that are analyzed and sets the design of the sample apart, and says what came of it. */
export const prepareSource = (
  { terminal }: Pick<Call, 'terminal'>,
  source: Source,
  request: Pick<AnalysisRequest, 'structure' | 'design'>,
): Prepared => {
  const prepared = prepare(source, request)
  if (prepared.renamed)
    terminal.note('clusters with the same name in different strata are treated as different clusters')
  terminal.note(linkedLine(source, prepared, request.structure) ?? sourceLine(source, prepared.tensor))
  const { data: drawn, options } = prepared.sample
  if (drawn !== undefined || options.squares !== undefined) terminal.note(criteriaNote(prepared, request.structure))
  const { left, unusable } = prepared
  if (left > 0)
    terminal.note(
      `${count(left)} of ${count(source.tensor.total)} observations have missing values and are omitted (--complete)`,
    )
  // Of what explains the classes the fit itself says what is missing.
  if (unusable > 0 && !explains(request.structure))
    terminal.warn('rows-left-out', `${counted(unusable, 'observation')} omitted: every variable is missing`)
  return prepared
}

/** The same of rows that belong together: the rows without what links them, and how many persons or groups there are. */
const linkedLine = (
  source: Source,
  { tensor }: Prepared,
  { person, time, waves: patterns, within, ...explaining }: Structure = {},
): string | undefined => {
  if (patterns !== undefined) return `${counted(patterns.length, 'wave')} in columns; ${sourceLine(source, tensor)}`
  const linking = [person, time, within].flatMap(name => (name === undefined ? [] : [columnOf(tensor, name)]))
  const modes = linking.map(name => tensor.modes.find(mode => mode.name === name))
  if (linking.length === 0 || modes.includes(undefined) || !hasCells(tensor) || tensor.modes.length <= linking.length)
    return undefined
  const [units, waves] = modes.map(mode => mode!.size)
  const who = within === undefined ? `${counted(units, 'person')}, ${counted(waves, 'wave')}` : counted(units, 'group')
  const { covariates = [], transitionCovariates = [], groupCovariates = [], groups } = explaining
  const texts = [...covariates, ...transitionCovariates, ...groupCovariates, ...(groups === undefined ? [] : [groups])]
  const beside = explainingColumns(tensor, { covariates: texts.map(text => columnOf(tensor, text)) })
  const known = beside.filter(name => tensor.modes.some(mode => mode.name === name))
  return `${who}; ${sourceLine(source, withoutModes(tensor, [...linking, ...known]))}`
}

const explains = ({ covariates, groups }: Structure = {}): boolean => covariates !== undefined || groups !== undefined

/** What the design of a sample does not enter, and how much the weights vary: Kish's design effect, n·Σw²/(Σw)². */
const criteriaNote = (
  { rowWeights }: Pick<Prepared, 'rowWeights'>,
  { person, waves, within }: Structure = {},
): string => {
  const units = person !== undefined || waves !== undefined ? 'persons' : within !== undefined ? 'groups' : 'rows'
  const note = `the likelihood and criteria such as AIC and BIC treat ${units} as independent: they ignore the sample design`
  if (rowWeights === undefined) return note
  const { weights, counts } = rowWeights
  const [rows, squares] = counts.reduce(([n, sum], count, i) => [n + count, sum + count * weights[i] ** 2], [0, 0])
  // In a table with a row for each wave, those of persons are divided by their own mean.
  return `weights average 1${person === undefined ? '' : ' over persons'}, with a design effect of ${(squares / rows).toFixed(2)} (Kish); ${note}`
}

/** The model whose class sizes are those of the population, if that is asked for, and what --json says of it. */
export const inPopulation = (
  model: Model,
  { population, tensor }: Pick<Prepared, 'population' | 'tensor'>,
  { weightsAsTotals }: SampleOptions,
): { readonly model: Model; readonly figures: { population?: { total: number; sizes: readonly number[] } } } => {
  if (weightsAsTotals !== true || population === undefined) return { model, figures: {} }
  const scaled = withTotal(model, (model.total * population) / tensor.total)
  return { model: scaled, figures: { population: { total: scaled.total, sizes: scaled.sizes } } }
}
