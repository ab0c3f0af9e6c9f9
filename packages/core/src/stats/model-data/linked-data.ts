import { DataError, OptionError, show } from '../../errors.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import type { Split, SplitPart } from '../../model/structures/structure.ts'
import { cellPositions } from '../../tensor/cell-positions.ts'
import { type Label, labelsOf, MISSING, type Mode } from '../../tensor/mode.ts'
import { modeNamed, occurringLabels, selectCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { term, words } from '../../wording.ts'
import type { LinkEffect } from './link-effects.ts'
import { explainingColumns } from './model-data.ts'

/** Covariates of rows that belong together, which are then no answers. */
export interface LinkCovariates {
  /** Modes that explain the class at the first wave, or the class of a member: as those of other models. */
  readonly covariates?: readonly string[]
  /** Covariates whose labels are numbers, but are to be taken as categories. */
  readonly categories?: readonly string[]
  /** The reference category of a covariate, by its mode. Default: the first label. */
  readonly referenceCategories?: Readonly<Record<string, Label>>
}

/** Linked rows prepared for a model, for fits and statistics. */
export interface LinkedData {
  /** The distinct rows of answers. */
  readonly items: Tensor
  readonly links: LinkSetting
  /** The mode of persons or groups. */
  readonly units: Mode
  /** For every unit its label's position. */
  readonly labels: Int32Array
  /** The mode of waves; undefined for groups. */
  readonly time: Mode | undefined
  /** For every row of the links its cell of the tensor; MISSING for a wave without a row. */
  readonly sources: Int32Array
  /** Persons, or members of groups: the sample size of criteria. */
  readonly observations: number
  /** How much of the data lacks the person, the wave, the group, a covariate, or all answers. */
  readonly dropped: number
  /** What covariates explain. */
  readonly effects: readonly LinkEffect[]
  /** The variables whose probabilities differ between waves, and the modes that they have become. */
  readonly splits?: readonly Pick<Split, 'mode'>[]
  readonly parts?: readonly SplitPart[]
  /** The patterns of the waves' columns, if the data had a row for each person. */
  readonly wide?: readonly string[]
  /** What a person should know of how the rows were read. */
  readonly notes: readonly string[]
}

/** The names of the columns that covariates name. */
export const covariateNames = (tensor: Tensor, ...lists: readonly (readonly string[] | undefined)[]): string[] => {
  const names = explainingColumns(tensor, { covariates: lists.flatMap(list => list ?? []) })
  for (const name of names) modeNamed(tensor, name, 'covariates')
  return names
}

/** The rows that say which unit they are of, and the distinct answers among them. @param beside modes that are no answers */
export const linkedRows = (
  tensor: Tensor,
  linking: readonly string[],
  ordered: string,
  beside: readonly string[] = [],
) => {
  const both = beside.find(name => linking.includes(name))
  if (both !== undefined)
    throw new OptionError('covariates', `names ${show(both)}, which says whose the rows are: name other columns`)
  const columns = linking.map(name => tensor.indices[modeNamed(tensor, name, 'person')])
  const isLinked = (cell: number) => columns.every(column => column[cell] !== MISSING)
  const known = selectCells(tensor, isLinked)
  if (known.cells === 0) throw new DataError(`no row has ${linking.map(show).join(' and ')}: there is nothing to fit`)
  const rows = occurringLabels(known, [ordered])
  const apart = [...linking, ...beside]
  const names = rows.modes.filter(({ name }) => !apart.includes(name)).map(({ name }) => name)
  if (names.length === 0) throw new OptionError(words`there is no ${term('mode')} left to be explained by classes`)
  const answers = names.map(name => rows.indices[modeNamed(rows, name, 'data')])
  const answered = (row: number) => answers.some(column => column[row] !== MISSING)
  if (!rows.values.some((_, row) => answered(row)))
    throw new DataError('no row has an answer that can be used: its variables are missing or unknown throughout')
  const some = selectCells(rows, answered)
  const items = withoutModes(some, apart)
  const positions = cellPositions(items, answers)
  const cells = positions.map((position, row) => (answered(row) ? position : MISSING))
  /** The cells of the tensor that the rows are, which keep their order. */
  const source = Array.from({ length: tensor.cells }, (_, cell) => cell).filter(isLinked)
  return { rows, items, cells, source, dropped: tensor.total - some.total }
}

/** For every row the position of a covariate's value; a category that a model has never seen is an error. */
export const covariateColumn = (
  { modes, indices }: Tensor,
  name: string,
  known: { readonly labels: readonly Label[]; readonly numeric: boolean } | undefined,
): { readonly mode: Mode; readonly column: Int32Array } => {
  const n = modeNamed({ modes }, name, 'covariates')
  const mode = modes[n]
  if (known !== undefined && !known.numeric) {
    const labels = new Set(known.labels.map(String))
    const unseen = labelsOf(mode).find((label, j) => !labels.has(String(label)) && indices[n].includes(j))
    if (unseen !== undefined)
      throw new DataError(`the data has ${show(unseen)} in ${show(name)}, a category that the model has never seen`)
  }
  return { mode, column: indices[n] }
}
