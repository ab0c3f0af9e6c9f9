import { numberOf } from '@polyad/charts'
import { type Model, OptionError, type StandardErrors } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { type Labels, labelsIn, recordedLabels } from '../../table/values/codebook.ts'
import { counted, percent } from '../numbers.ts'
import { type ModelRecord, modelRecordOf } from '../record/model-record.ts'
import { errorsFor, type RecordedErrors } from '../record/read-structure.ts'
import { errorRecord } from '../text/error-table.ts'
import { type ItemRow, itemRows } from '../text/profile-table.ts'
import { ERROR_KINDS, sampleSentences } from '../text/sample-text.ts'
import {
  fixedCell,
  type PaperCell,
  type PaperRow,
  type PaperTable,
  percentCell,
  type TablePart,
  wholeCell,
} from './formats/paper-table.ts'
import { classTitles, type PaperTableOptions, variablesOf } from './options.ts'

/** A model with what its file says of its fit. */
export interface ModelSource {
  readonly model: Model
  readonly run?: Readonly<Record<string, unknown>>
}

/** The probabilities of the categories and the means of the numbers within each class, with their standard errors where these are known. */
export const profilesTable = (
  { model, run = {} }: ModelSource,
  given: StandardErrors | undefined,
  options: PaperTableOptions,
  titles = classTitles(model, options),
): PaperTable => {
  const record = modelRecordOf(run, model.rank)
  const labels = headsOf(model, labelsIn(recordedLabels(run)))
  const errors = given === undefined ? errorsFor(model, record.errors) : errorRecord(given)
  const factors = errors?.factors ?? null
  const digits = options.decimals ?? (options.percent === true ? 1 : 3)
  const shown = variablesOf(model, options).filter(n => model.modes[n].name !== record.groups?.mode)
  const numberCell = (value: number | null): PaperCell =>
    options.percent === true && value !== null ? fixedCell(100 * value, digits) : fixedCell(value, digits)
  const heads = titles.map((title, k) => `${title} (${percent(model.shares[k])})`)
  const measure = options.percent === true ? '%' : 'Prob.'
  if (options.category !== undefined && !shown.some(n => positionOf(model, n, options.category) >= 0))
    throw new OptionError('category', 'must be of a variable that is shown', options.category)
  const numbers = shown.filter(n => numberOf(model, n) !== undefined)
  const onlyNumbers = numbers.length > 0 && numbers.length === shown.length
  const rows = shown.flatMap(n =>
    numbers.includes(n)
      ? numberRows(model, n, options.decimals ?? 2, errors, labels)
      : variableRows(model, n, options.category, labels, j =>
          model.shares.flatMap((_, k) => [
            numberCell(model.parameters.factors[n][j * model.rank + k]),
            ...(factors === null ? [] : [numberCell(factors[n][k][j])]),
          ]),
        ),
  )
  const parts: TablePart[] = [
    {
      stub: 'Variable',
      columns: heads.flatMap(head =>
        factors === null
          ? [{ title: head }]
          : [
              { title: numbers.length === 0 ? measure : 'Est.', group: head },
              { title: 'SE', group: head },
            ],
      ),
      rows,
    },
    ...groupPart(record, titles),
  ]
  const total = record.total ?? model.total
  return {
    title:
      options.title ??
      `Class profiles: ${onlyNumbers ? '' : `${options.percent === true ? 'percentages' : 'probabilities'} of categories`}${numbers.length === 0 ? '' : onlyNumbers ? 'means of variables' : ' and means of numbers'} within ${counted(model.rank, 'class', 'classes')}`,
    ...defined({ number: options.number }),
    parts:
      parts.length === 1
        ? parts
        : parts.map((part, i) => ({ ...part, caption: ['Profiles', 'Class sizes by group'][i] })),
    notes: [
      `Class sizes are in parentheses.${onlyNumbers ? '' : ` ${options.percent === true ? 'Percentages' : 'Probabilities'} of the categories of a variable sum to ${options.percent === true ? '100' : '1'} within a class.`}`,
      ...(numbers.length === 0 ? [] : ['M = mean, SD = standard deviation, of the model within a class.']),
      ...(options.category === undefined
        ? []
        : [`Of variables with the category ${options.category}, only that one is shown.`]),
      ...(given?.reason == null ? errorNotes(model, errors) : [`There are no standard errors: ${given.reason}.`]),
      ...sampleSentences(record, total),
    ],
  }
}

/** A paper prints the label of a variable alone, unless others have the same. */
const headsOf = ({ modes }: Model, labels: Labels): Labels => {
  const titles = modes.map(({ name }) => labels.title(name))
  return {
    ...labels,
    name: name => {
      const title = labels.title(name)
      return title !== undefined && titles.filter(each => each === title).length < 2 ? title : labels.name(name)
    },
  }
}

/** A heading, the mean and the standard deviation; an error stands beside those that are parameters themselves. */
const numberRows = (
  model: Model,
  n: number,
  digits: number,
  errors: RecordedErrors | null,
  labels: Labels,
): PaperRow[] => {
  const { classes = [] } = numberOf(model, n) ?? {}
  const rows = itemRows(model, n, labels) ?? []
  if (model.items[n]?.spec.kind === 'multivariate-normal') return joinedRows(rows, digits, errors, n)
  const cellsOf = (key: 'mean' | 'sd', names: readonly string[]): PaperCell[] => {
    const at = rows.find(({ name }) => names.includes(name))?.at
    return classes.flatMap((each, k) => [
      fixedCell(each[key], digits),
      ...(errors === null || errors.factors === null
        ? []
        : [fixedCell(errors.items?.[n]?.[at?.[k] ?? -1]?.error, digits)]),
    ])
  }
  return [
    { head: labels.name(model.modes[n].name), cells: [] },
    // The rate of a Poisson distribution is its mean.
    { head: 'M', cells: cellsOf('mean', ['mean', 'rate']), indented: true },
    { head: 'SD', cells: cellsOf('sd', ['SD']), indented: true },
  ]
}

/** Of joined numbers, each with its mean and standard deviation, and their correlations. */
const joinedRows = (rows: readonly ItemRow[], digits: number, errors: RecordedErrors | null, n: number): PaperRow[] =>
  rows.flatMap(({ head, name, values, at }) => {
    const cells = values.flatMap((value, k) => [
      fixedCell(value, digits),
      ...(errors === null || errors.factors === null
        ? []
        : [fixedCell(errors.items?.[n]?.[at[k] ?? -1]?.error, digits)]),
    ])
    const isMean = name === 'mean'
    return [
      ...(head === '' ? [] : [{ head: isMean ? head : 'Correlations', cells: [] }]),
      { head: isMean ? 'M' : name, cells, indented: true },
    ]
  })

/** Where a category is among those of a variable, by its text; -1 if it is not. */
const positionOf = (model: Model, n: number, category: string | undefined): number => {
  const mode = model.modes[n]
  if (category === undefined) return -1
  for (let j = 0; j < mode.size; j++) if (String(mode.label(j)) === category) return j
  return -1
}

/** A heading and a row for each category; one row if there is but one to show. */
const variableRows = (
  model: Model,
  n: number,
  category: string | undefined,
  labels: Labels,
  cells: (j: number) => PaperCell[],
): PaperRow[] => {
  const mode = model.modes[n]
  const one = positionOf(model, n, category)
  if (one >= 0) return [{ head: labels.name(mode.name), cells: cells(one) }]
  return [
    { head: labels.name(mode.name), cells: [] },
    ...Array.from({ length: mode.size }, (_, j) => ({
      head: labels.value(mode.name, mode.label(j)),
      cells: cells(j),
      indented: true,
    })),
  ]
}

const errorNotes = (model: Model, errors: RecordedErrors | null): string[] => {
  if (errors === null || errors.factors === null) return []
  const lacking = errors.factors.some((factor, n) => model.modes[n].size > 1 && factor.flat().includes(null))
  return [
    `SE = standard error, ${ERROR_KINDS[errors.kind]}.`,
    ...(lacking
      ? ['A dash marks a probability that is estimated as exactly 0 or 1, which has no standard error.']
      : []),
  ]
}

const groupPart = ({ groups }: ModelRecord, titles: readonly string[]): TablePart[] =>
  groups === null
    ? []
    : [
        {
          stub: groups.mode,
          columns: [{ title: 'N' }, ...titles.map(title => ({ title }))],
          rows: groups.shares.map(({ group, total, shares }) => ({
            head: String(group),
            cells: [wholeCell(total), ...shares.map(share => percentCell(share, 1))],
          })),
        },
      ]
