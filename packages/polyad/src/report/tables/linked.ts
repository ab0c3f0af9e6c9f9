import { type Model, OptionError, type StandardErrors } from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { LinkedFigures, ProbabilityFigure } from '../figures/linked-figures.ts'
import { count, counted, percent } from '../numbers.ts'
import { type ModelRecord, modelRecordOf } from '../record/model-record.ts'
import { linkedFiguresFor } from '../record/read-linked.ts'
import { ERROR_KINDS, sampleSentences } from '../text/sample-text.ts'
import { fixedCell, type PaperCell, type PaperColumn, type PaperTable, wholeCell } from './formats/paper-table.ts'
import { classTitles, type PaperTableOptions } from './options.ts'
import type { ModelSource } from './profiles.ts'

/** How the cells of probabilities look, and whether a column of standard errors stands beside each. */
interface Look {
  readonly percent: boolean
  readonly digits: number
  readonly errors: boolean
  /** Whether some probability has none. */
  readonly lacking: boolean
}

const lookOf = (figures: readonly ProbabilityFigure[], { percent = false, decimals }: PaperTableOptions): Look => ({
  percent,
  digits: decimals ?? (percent ? 1 : 3),
  errors: figures.some(({ standardError }) => standardError !== null),
  lacking: figures.some(({ standardError }) => standardError === null),
})

const columnsOf = (titles: readonly string[], { percent, errors }: Look): PaperColumn[] =>
  titles.flatMap(title =>
    errors
      ? [
          { title: percent ? '%' : 'Prob.', group: title },
          { title: 'SE', group: title },
        ]
      : [{ title }],
  )

const cellsOf = (figures: readonly ProbabilityFigure[], { percent, digits, errors }: Look): PaperCell[] => {
  const cell = (value: number | null) => fixedCell(percent && value !== null ? 100 * value : value, digits)
  return figures.flatMap(({ probability, standardError }) => [
    cell(probability),
    ...(errors ? [cell(standardError)] : []),
  ])
}

/** What every table of linked rows begins with: the figures of the model, and what is known of its fit. */
const sourceOf = ({ model, run = {} }: ModelSource, errors: StandardErrors | undefined) => {
  const record = modelRecordOf(run, model.rank)
  return { record, figures: linkedFiguresFor(model, record.linked, record.updates, errors) }
}

const notesOf = (
  model: Model,
  record: ModelRecord,
  errors: StandardErrors | undefined,
  look: Look,
  units: string,
): string[] => {
  const kind = errors?.kind ?? record.errors?.kind
  return [
    ...(look.errors
      ? [`SE = standard error${kind === undefined ? '' : `, ${ERROR_KINDS[kind]}`}; clusters are the ${units}.`]
      : []),
    ...(look.errors && look.lacking
      ? ['A dash marks a probability that is estimated as exactly 0 or 1, which has no standard error.']
      : []),
    ...sampleSentences(record, record.total ?? model.total),
  ]
}

/** The class sizes at every wave, and the transitions between waves. */
export const transitionsTable = (
  source: ModelSource,
  errors: StandardErrors | undefined,
  options: PaperTableOptions,
  titles = classTitles(source.model, options),
): PaperTable => {
  const { record, figures } = sourceOf(source, errors)
  const { waves, transitions, persons, stayers } = figures ?? {}
  if (waves === undefined || transitions === undefined)
    throw new OptionError('transitions need a model of classes that change over time: polyad fit --person --time')
  const look = lookOf([...waves[0].sizes, ...transitions.flatMap(step => step.probabilities.flat())], options)
  const isCounted = waves.every(({ persons: rows }) => rows !== undefined)
  return {
    title:
      options.title ?? `Class sizes by wave and transitions between ${counted(source.model.rank, 'class', 'classes')}`,
    ...defined({ number: options.number }),
    parts: [
      {
        caption: 'Class sizes',
        stub: 'Wave',
        columns: [...(isCounted ? [{ title: 'n' }] : []), ...columnsOf(titles, look)],
        rows: waves.map(({ wave, persons: rows, sizes }) => ({
          head: String(wave),
          cells: [...(isCounted ? [wholeCell(rows)] : []), ...cellsOf(sizes, look)],
        })),
      },
      {
        caption: 'Transitions',
        stub: 'From',
        columns: columnsOf(
          titles.map(title => `To ${title}`),
          look,
        ),
        rows: transitions.flatMap(({ from, to, probabilities }) => [
          ...(from === null ? [] : [{ head: `${from} to ${to}`, cells: [] }]),
          ...probabilities.map((row, k) => ({ head: titles[k], cells: cellsOf(row, look), indented: from !== null })),
        ]),
      },
    ],
    notes: [
      ...(persons === undefined ? [] : [`${count(persons)} persons at ${counted(waves.length, 'wave')}.`]),
      ...(stayers === undefined
        ? []
        : [`${percent(stayers.share.probability)} of the persons never change; transitions are those of the others.`]),
      `Each row of transitions sums to ${look.percent ? '100' : '1'}.${transitions[0].from === null ? ' Transitions are the same at every step.' : ''}`,
      ...notesOf(source.model, record, errors, look, 'persons'),
    ],
  }
}

/** The class sizes within each class of groups. */
export const mixesTable = (
  source: ModelSource,
  errors: StandardErrors | undefined,
  options: PaperTableOptions,
  titles = classTitles(source.model, options),
): PaperTable => {
  const { record, figures } = sourceOf(source, errors)
  const groups: LinkedFigures['groupClasses'] = figures?.groupClasses
  if (groups === undefined)
    throw new OptionError('mixes need a model with classes of groups: polyad fit --within --group-classes')
  const look = lookOf([...groups.sizes, ...groups.mixes.flat()], options)
  return {
    title: options.title ?? `Class sizes within ${counted(groups.mixes.length, 'class', 'classes')} of groups`,
    ...defined({ number: options.number }),
    parts: [
      {
        stub: 'Group class',
        columns: columnsOf(['Of the groups', ...titles], look),
        rows: groups.mixes.map((mix, g) => ({ head: String(g + 1), cells: cellsOf([groups.sizes[g], ...mix], look) })),
      },
    ],
    notes: [
      `Groups are those of ${groups.within}${groups.groups === undefined ? '' : ` (${count(groups.groups)})`}. Class sizes within a group class sum to ${look.percent ? '100' : '1'}.`,
      ...notesOf(source.model, record, errors, look, 'groups'),
    ],
  }
}
