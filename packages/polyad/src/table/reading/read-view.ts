import { type Counts, DataError, OptionError, type SurveyDesign, type Tensor } from '@polyad/core'
import type { RowWeights } from '@polyad/core/model'
import { advise, checked, defined, mention, type OptionTable, omit, words } from '@polyad/core/options'
import { chooseModes, findUnsuited, type ModeOptions, type ModeRequest } from '../columns/choose-modes.ts'
import { columnCodes, columnOrders } from '../columns/column-codes.ts'
import { columnRecodings } from '../columns/column-recodings.ts'
import { numberNotes } from '../columns/column-styles.ts'
import { type Column, columnNamed, type Inspection, inspect } from '../columns/columns.ts'
import { type CountChoice, type CountOptions, chooseCount, countNotes } from '../columns/count-column.ts'
import { type Suspect, suspects } from '../columns/missing-codes.ts'
import { missingCodesNote, unusedCodesNote } from '../columns/missing-notes.ts'
import { expandNames } from '../columns/named-lists.ts'
import { checkRecoded, knownRecode } from '../columns/recode-notes.ts'
import { designColumns, sampleDesign } from '../columns/sample-design.ts'
import { type Binning, type BinRequest, parseBin } from '../values/bins.ts'
import { checkOrders, orderNotes } from '../values/label-order.ts'
import { OTHER, sortTexts } from '../values/labels.ts'
import { choice, listed, many, type Note, warning } from '../values/note.ts'
import { parseCondition } from '../values/parse-condition.ts'
import { mergesNeighbours, type Recode, recodedOrder } from '../values/recode.ts'
import { similarLabelsNote } from '../values/similar-labels.ts'
import { checkTimeZone, UTC } from '../values/time-zones.ts'
import { type Reading, type ReadingOptions, readingOf } from '../view/reading.ts'
import type { Recipe } from '../view/recipe.ts'
import { type UncountedLabels, withoutUncounted } from '../view/seen-labels.ts'
import { tensorOfCells } from '../view/tensor-of-cells.ts'
import type { Counted, ModePlan, TableView } from '../view/view.ts'
import { type FilterOptions, filterView } from './filter-view.ts'
import { READING_OPTIONS } from './reading-options.ts'
import { type ReadReplicates, readReplicates, replicateColumns } from './replicate-weights.ts'

export interface TableOptions extends ModeOptions, FilterOptions {
  /** The column that says how often a row was seen; 'none' where every row counts once. Default: found by evidence. */
  readonly count?: string
  /**
   * The column of sampling weights, in place of counts: how many of the population a row stands for. They are divided by their mean, so that
   * they sum to the number of rows.
   */
  readonly weights?: string
  /** How the sample was drawn. Its columns are read beside the modes, and the clusters of every stratum are counted. */
  readonly design?: SurveyDesign
  /** Columns of replicate weights, beside `weights`: names, or patterns such as `rw*`. They are no modes. */
  readonly replicateWeights?: readonly string[]
  /** How to cut columns of numbers and dates: `petal_length:0.1`, `age:q5`, `score:int`, `time:hour`. */
  readonly bins?: readonly string[]
  /** Keeps this many of the most frequent labels of every mode, and merges the rest into one. */
  readonly top?: number
  /** Makes missing values a label of this name, in place of missing. */
  readonly missingAs?: string
  /** Columns whose numbers are names of categories, in no order. Default: numbers are in order. */
  readonly categories?: readonly string[]
  /** The categories of columns in their order: `q1=low,middle,high`, and `att*=…` for all that begin so. Default: as the file or the labels state. */
  readonly order?: readonly string[]
}

export interface ReadResult {
  readonly tensor: Tensor
  /** Where rows have sampling weights: the same cells with the sums of their squares, for standard errors. */
  readonly squares?: Tensor
  /** Where rows have sampling weights: the rows of every cell by weight, which resampling draws from. */
  readonly rowWeights?: RowWeights
  /** Where rows have sampling weights: what they sum to before they are divided by their mean. */
  readonly population?: number
  /** The replicate weights that were asked for. */
  readonly replicates?: ReadReplicates
  /** The design that was asked for, as standard errors take it. Its `sizes` also count clusters whose rows all have weight zero. */
  readonly design?: SurveyDesign
  /** Rows (or cells, where the data comes as cells) that were read. */
  readonly rows: number
  /** Rows left out because every mode was missing in them. */
  readonly dropped: number
  readonly notes: readonly Note[]
  readonly recipe: Recipe
  /** The files and choices, for the record. */
  readonly source: Readonly<Record<string, unknown>>
}

/** A mode with this many labels is more often a mistake than a wish. */
const MANY_LABELS = 50_000

const DEFINED: OptionTable<Omit<TableOptions, 'design' | 'replicateWeights'>> = READING_OPTIONS

/** Refuses options that are wrong or contradict each other, before anything is read. */
export const checkTableOptions = (options: TableOptions): void => {
  if (options.timeZone !== undefined) checkTimeZone(options.timeZone)
  for (const [name, { check }] of Object.entries(DEFINED)) {
    const value = options[name as keyof TableOptions]
    if (value !== undefined) checked(name, check, value)
  }
  for (const text of options.bins ?? []) parseBin(text)
  if (options.where !== undefined) parseCondition(options.where)
  if (options.missing !== undefined && options.missingOnly !== undefined)
    throw new OptionError(
      'missing',
      words`adds codes for missing values, and ${mention('missingOnly')} replaces them: use only one`,
    )
  if (options.decimal !== undefined && options.decimal === options.thousands)
    throw new OptionError('decimal', words`must differ from ${mention('thousands')}`, options.decimal)
  if (options.replicateWeights !== undefined && options.weights === undefined)
    throw new OptionError('replicateWeights', words`needs ${mention('weights')}, the weights of the whole sample`)
  if (options.replicateWeights !== undefined && options.design !== undefined)
    throw new OptionError(
      'replicateWeights',
      'cannot be combined with clusters, which replicate weights already describe',
    )
  if (options.weights !== undefined && options.count !== undefined && options.count !== 'none')
    throw new OptionError('weights', words`cannot be combined with ${mention('count')}: a row has a weight or a count`)
}

/** What is known of a table before anything is chosen, and what was asked for by name. */
export interface FirstRows {
  readonly reading: Reading
  readonly seen: Inspection
  readonly cut: ReadonlyMap<Column, BinRequest>
  readonly count: CountOptions
}

/** How the values of a table are read, with what is said of single columns. */
export const readingOfTable = (view: TableView, options: ReadingOptions): Reading => {
  const { missingIn, recode } = options
  return {
    ...readingOf(options),
    ...(missingIn === undefined ? {} : { missingIn: columnCodes(missingIn, view) }),
    ...(recode === undefined ? {} : { recode: columnRecodings(recode, view) }),
  }
}

/** The table with the rows that are used. Options are checked before. */
export const usedRows = async <V extends TableView>(view: V, options: TableOptions): Promise<V> => {
  checkTableOptions(options)
  return options.where === undefined ? view : filterView(view, options.where, readingOfTable(view, options))
}

export const readFirstRows = async (view: TableView, options: TableOptions & ModeRequest): Promise<FirstRows> => {
  checkTableOptions(options)
  const reading = readingOfTable(view, options)
  const seen = await inspect(view, reading)
  const named = (name: string, what = '') => columnNamed(seen, name, what, view)
  const cut = new Map(
    (options.bins ?? []).map(parseBin).map(({ column, request }) => [named(column, ' to bin'), request]),
  )
  const asked = [options.modes, options.include, options.exclude, options.beside].flatMap(names => names ?? [])
  const count = {
    ...defined({ count: options.count, weights: options.weights }),
    claimed: [...cut.keys(), ...asked.map(name => named(name))],
    design: options.design !== undefined || options.replicateWeights !== undefined,
  }
  return { reading, seen, cut, count }
}

/** How a table is to be read: its columns that become modes, the one that counts, and why. */
export interface ReadingPlan {
  readonly reading: Reading
  readonly count: CountChoice
  readonly chosen: { readonly notes: readonly Note[] }
  readonly modes: readonly PlannedMode[]
  readonly design: SurveyDesign | undefined
  readonly replicates: readonly Column[]
}

export interface PlannedMode extends ModePlan {
  readonly column: Column
}

/** Looks at the first rows of a table, and decides how it is read. */
export const planReading = async (view: TableView, asked: TableOptions): Promise<ReadingPlan> => {
  const { design } = asked
  const columns = (['modes', 'include', 'exclude'] as const).flatMap(option => {
    const names = asked[option]
    // Other options include columns too (covariates, groups), by their names.
    const refusing = option === 'include' ? undefined : option
    return names === undefined ? [] : [[option, expandNames(names, refusing, view)] as const]
  })
  const options: TableOptions & ModeRequest = {
    ...asked,
    ...Object.fromEntries(columns),
    beside: designColumns(design),
    ordered: [...columnOrders(asked.order ?? [], view).keys()],
  }
  const firstRows = await readFirstRows(view, options)
  const { reading, seen, cut } = firstRows
  const replicates = asked.replicateWeights === undefined ? [] : replicateColumns(seen, asked.replicateWeights, view)
  const both = replicates.find(({ name }) => asked.modes?.includes(name) || asked.include?.includes(name))
  if (both !== undefined)
    throw new OptionError(`column ${JSON.stringify(both.name)} cannot be both a variable and a replicate weight`)
  const count = await chooseCount(view, seen, reading, firstRows.count)
  const exclude = [...(options.exclude ?? []), ...replicates.map(({ name }) => name)]
  const request = { ...options, exclude }
  const chosen = chooseModes(seen, view, request, count, cut, await findUnsuited(view, firstRows, request, count))
  const unused = await unusedCodesNote(view, chosen.columns, reading, seen.all)
  checkRecoded(reading.recode ?? {}, [...cut.keys()], count.column)
  const recoded = await recodedColumns(view, chosen.columns, reading, seen.all)
  const binnings = await settleBinnings(view, chosen.columns, cut, reading)
  const ordered = inOrder(view, options, recoded.recode)
  const modes = chosen.columns.map(
    (column, n): PlannedMode => ({
      column: ordered(column),
      binning: binnings[n],
      missingAs: options.missingAs,
      // What was asked for by name is wanted with all of its values.
      top: [...(options.include ?? []), ...(options.beside ?? [])].some(
        name => name.toLowerCase() === column.name.toLowerCase(),
      )
        ? undefined
        : options.top,
    }),
  )
  return {
    reading,
    count,
    chosen: {
      notes: [
        ...chosen.notes,
        ...numberNotes(count.column === undefined ? chosen.columns : [count.column, ...chosen.columns]),
        ...unused,
        ...recoded.notes,
        ...(view.filter !== undefined && design !== undefined ? [FILTERED_DESIGN] : []),
      ],
    },
    modes,
    design,
    replicates,
  }
}

/** A sample of which rows were left out is not the sample that was drawn. */
const FILTERED_DESIGN = warning(
  'filtered-design',
  words`${mention('where')} leaves clusters without rows out of the design, so that standard errors of a subpopulation may be wrong; set the weights of the other rows to 0 instead`,
)

/** Columns with the order of their categories: as it was given, else that of the file after recoding. */
export const inOrder = (
  view: TableView,
  { order = [], categories = [] }: Pick<TableOptions, 'order' | 'categories'>,
  recoded: ReadonlyMap<string, readonly Recode[]>,
): ((column: Column) => Column) => {
  const orders = columnOrders(order, view)
  const nominal = categories.map(name => columnNamed(view, name, ' for categories', view).name)
  return column => {
    const given = orders.get(column.name)
    if (given !== undefined) return { ...column, order: given, orderGiven: true, ordered: true }
    const own = withRecode(column, recoded)
    return nominal.includes(column.name) ? { ...own, nominal: true, ordered: false } : own
  }
}

/** What the columns that are used have of the categories that are recoded. */
export const recodedColumns = async (
  view: TableView,
  columns: readonly Column[],
  reading: Reading,
  all: boolean,
): Promise<{ readonly recode: ReadonlyMap<string, readonly Recode[]>; readonly notes: readonly Note[] }> => {
  const { recode: asked = {} } = reading
  const recode = new Map<string, readonly Recode[]>()
  const notes: Note[] = []
  for (const column of columns.filter(({ name }) => Object.hasOwn(asked, name))) {
    const known = await knownRecode(view, column, asked[column.name], reading, all)
    recode.set(column.name, known.recode)
    notes.push(...known.notes)
  }
  return { recode, notes }
}

/** A column with how it was recoded; an order that the file states is that of its new categories. */
const withRecode = (column: Column, recoded: ReadonlyMap<string, readonly Recode[]>): Column => {
  const recode = recoded.get(column.name)
  if (recode === undefined) return column
  const { order } = column
  if (order === undefined) return { ...column, recode }
  const now = recodedOrder(order, recode)
  return {
    ...column,
    recode,
    order: now,
    ...(column.ordered === true && { ordered: mergesNeighbours(now, recode, order) }),
  }
}

/**
 * Reads a table to a tensor: chooses the modes, counts the rows, and returns notes about its decisions.
 * @example
 * const table = await openTable({ name: 'survey.csv', text: 'age,vote,n\nold,yes,3\nold,no,1\nyoung,yes,2\nyoung,no,4\n' })
 * const { tensor, notes } = await readView(table)
 * tensor.shape // [2, 2]
 * tensor.total // 10
 */
export const readView = async (view: TableView, options: TableOptions = {}): Promise<ReadResult> => {
  const rows = await usedRows(view, options)
  return readPlanned(rows, await planReading(rows, options))
}

/** The tensor of a table of which it is known how it is to be read. */
export const readPlanned = async (view: TableView, plan: ReadingPlan): Promise<ReadResult> => {
  const { reading, count, modes } = plan
  const { counted, uncounted } = withoutUncounted(
    await view.countCells(modes, count, reading),
    n => plan.replicates.length > 0 || isDesign(modes[n].column.name, plan.design),
    n => {
      const { name } = modes[n].column
      const text = `column ${JSON.stringify(name)} has values only in rows of ${count.sampling ? 'weight' : 'count'} 0; leave the column out`
      throw new DataError(text, { column: name })
    },
  )
  const { rows, dropped, labels } = counted
  checkOrders(
    modes.map((mode, n) => ({ ...mode, labels: labels[n] })),
    view.filter !== undefined,
  )
  const codes = await suspectedCodes(view, modes, labels, reading)
  // Without replicates the table has done its part; its memory is better used for the tensor.
  if (plan.replicates.length === 0) await view.release?.()
  const { tensor, squares, rowWeights, population, merged, scale } = tensorOfCells(counted, modes)
  const replicates =
    plan.replicates.length === 0
      ? undefined
      : await readReplicates(view, plan.replicates, modes, reading, tensor, scale)
  if (replicates !== undefined) await view.release?.()
  const drawn = plan.design && sampleDesign(plan.design, counted, modes, count, view)
  return {
    tensor,
    ...defined({ squares }),
    ...(rowWeights !== undefined && { rowWeights, population }),
    ...defined({ replicates }),
    ...(drawn !== undefined && { design: drawn.design }),
    rows,
    dropped,
    notes: [
      ...readingNotes(view, plan, { tensor, rows, dropped, labels, merged, codes, scale }),
      ...uncountedNotes(modes, uncounted),
      ...(drawn?.notes ?? []),
    ],
    recipe: recipeOf(modes, reading, merged),
    source: sourceOf(view, count, rows),
  }
}

const uncountedNotes = (modes: readonly ModePlan[], uncounted: readonly UncountedLabels[]): readonly Note[] =>
  uncounted.map(({ mode, labels }) =>
    choice(
      `${modes[mode].column.name}: ${labels
        .slice(0, 5)
        .map(label => listed(String(label)))
        .join(
          ', ',
        )}${labels.length > 5 ? ` and ${labels.length - 5} more` : ''} ${labels.length === 1 ? 'occurs' : 'occur'} only in rows that count for nothing, and ${labels.length === 1 ? 'is' : 'are'} left out`,
    ),
  )

/** What came of reading, as far as something is to be said of it. */
export interface Outcome extends Pick<Counted, 'rows' | 'dropped' | 'labels'> {
  readonly tensor: Counts
  /** For each mode, how many labels were merged. */
  readonly merged: readonly number[]
  /** For each mode, codes that may mean missing. */
  readonly codes: readonly Suspect[]
  /** What sampling weights were multiplied by. */
  readonly scale: number
}

/** Everything that is to be said of how a table was read. */
export const readingNotes = (
  view: Pick<TableView, 'notes'>,
  { reading, count, chosen, modes, design }: ReadingPlan,
  { tensor, rows, dropped, labels, merged, codes, scale }: Outcome,
): readonly Note[] => [
  ...view.notes,
  ...count.notes,
  ...countNotes(count, rows, tensor.total, scale),
  ...chosen.notes,
  ...dateNotes(
    modes.map(({ column, binning }) => [column, binning]),
    reading,
  ),
  ...orderNotes(
    modes.map((mode, n) => ({ ...mode, labels: labels[n] })).filter(({ column }) => !isDesign(column.name, design)),
  ),
  ...missingCodesNote(codes.filter(({ name }) => !isDesign(name, design))),
  ...modes.flatMap(({ column }, n) => (isDesign(column.name, design) ? [] : similarLabelsNote(column.name, labels[n]))),
  ...tensorNotes(tensor, dropped, merged),
]

/** Names of clusters may be alike, and their numbers look like codes: nothing is to be said of that. */
const isDesign = (name: string, design: SurveyDesign | undefined): boolean =>
  designColumns(design).some(own => own.toLowerCase() === name.toLowerCase())

/** How new data is read in the same way. */
export const recipeOf = (modes: readonly ModePlan[], reading: Reading, merged: readonly number[]): Recipe => ({
  modes: modes.map(({ column, binning, missingAs }, n) => ({
    column: column.name,
    ...defined({ binning, missingAs, style: column.style }),
    ...(merged[n] > 0 ? { other: OTHER } : {}),
  })),
  ...omit(reading, 'timeZone', 'decimal'),
  ...labelsOf(modes),
})

/** What the file says of its columns, for people. */
const labelsOf = (modes: readonly ModePlan[]): Pick<Recipe, 'labels'> => {
  const labels = modes.flatMap(({ column: { name, title, texts } }) =>
    title === undefined && texts === undefined ? [] : [[name, { ...defined({ title, values: texts }) }] as const],
  )
  return labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }
}

/** Where data came from, for the record. */
export const sourceOf = (
  { files, sql, filter }: Pick<TableView, 'files' | 'sql' | 'filter'>,
  { column, sampling }: CountChoice,
  rows: number,
): ReadResult['source'] => ({
  files,
  ...defined({ sql }),
  ...(filter === undefined ? {} : { where: filter.where, rowsBefore: filter.rows }),
  ...(column === undefined ? {} : { [sampling ? 'weights' : 'count']: column.name }),
  rows,
})

export const tensorNotes = ({ modes }: Counts, dropped: number, merged: readonly number[]): Note[] => [
  ...(dropped === 0
    ? []
    : [
        warning(
          'rows-left-out',
          `${many(dropped, 'row')} left out: every variable is missing in ${dropped === 1 ? 'it' : 'them'}`,
        ),
      ]),
  ...modes.flatMap(({ name, size }, n) => [
    ...(merged[n] > 0
      ? [choice(`${name}: ${many(merged[n], 'rare category', 'rare categories')} merged into ${OTHER}`)]
      : []),
    ...(size >= MANY_LABELS
      ? [
          warning(
            'many-categories',
            words`${name} has ${many(size, 'category', 'categories')}: is it an identifier? Leave it out, or ${advise('keep the most frequent with', 'top', 1000)}`,
          ),
        ]
      : []),
  ]),
]

/** What is said of dates that are cut: how they are read where they read both ways, and by the clocks of which zone. */
export const dateNotes = (
  cuts: readonly (readonly [Column, { readonly kind: string } | undefined])[],
  { timeZone }: Reading,
): Note[] => {
  const dates = cuts.flatMap(([column, cut]) => (cut?.kind === 'date' ? [column] : []))
  const named = (columns: readonly Column[]) => columns.map(({ name }) => listed(name)).join(', ')
  const ambiguous = dates
    .filter(({ ambiguousDates }) => ambiguousDates === true)
    .map(({ name, dates: format }) =>
      choice(`${listed(name)} is read as ${format}; its dates would also read with day and month exchanged`),
    )
  const [all, some, none] = (['all', 'some', undefined] as const).map(kind =>
    dates.filter(({ zoned }) => zoned === kind),
  )
  const zone = timeZone ?? UTC
  const another = timeZone === undefined ? words`; ${advise('for another zone, use', 'timeZone', 'Europe/Berlin')}` : ''
  if (timeZone !== undefined && dates.length === 0)
    return [
      warning(
        'option-without-effect',
        words`${mention('timeZone')} has no effect, because no date is cut; cut one with ${mention('bins')}, ${advise('as in', 'bins', 'time:hour')}`,
      ),
    ]
  return [
    ...ambiguous,
    ...(all.length === 0 ? [] : [choice(words`times are read in ${zone}: ${named(all)}${another}`)]),
    ...(some.length === 0
      ? []
      : [
          warning(
            'time-zones',
            words`times with a UTC offset are read in ${zone}, and times without one as written; ${named(some)} ${some.length === 1 ? 'has' : 'have'} both${another}`,
          ),
        ]),
    ...(none.length === 0 || timeZone === undefined
      ? []
      : [choice(`no UTC offset, so taken as written whatever the time zone: ${named(none)}`)]),
  ]
}

/** Codes for missing values among the labels; of columns that are cut, among the values of the first rows. */
export const suspectedCodes = async (
  view: TableView,
  modes: readonly ModePlan[],
  labels: Counted['labels'],
  reading: Reading,
): Promise<readonly Suspect[]> => {
  const cut = modes.filter(({ binning }) => binning !== undefined && binning.kind !== 'date')
  const values =
    cut.length === 0
      ? []
      : await view.firstValues(
          cut.map(({ column }) => column),
          reading,
        )
  return suspects(
    modes.map((mode, n) => {
      const { name } = mode.column
      if (mode.binning === undefined) return { name, values: labels[n] }
      return { name, values: sortTexts(values[cut.indexOf(mode)] ?? []) }
    }),
  )
}

/** Quantiles depend on the data, and how dates are written on the column; the rest was said by the caller. */
export const settleBinnings = async (
  view: TableView,
  columns: readonly Column[],
  bins: ReadonlyMap<Column, BinRequest>,
  reading: Reading,
): Promise<readonly (Binning | undefined)[]> => {
  const asked = columns.flatMap(column => {
    const request = bins.get(column)
    if (request?.kind !== 'quantiles') return []
    return [{ column, steps: Array.from({ length: request.groups - 1 }, (_, i) => (i + 1) / request.groups) }]
  })
  const edges = asked.length === 0 ? [] : await view.quantiles(asked, reading)
  return columns.map((column): Binning | undefined => {
    const request = bins.get(column)
    if (request?.kind === 'date')
      return {
        ...request,
        ...defined({ format: column.dates, zone: reading.timeZone }),
      }
    if (request?.kind !== 'quantiles') return request
    const own = edges[asked.findIndex(each => each.column === column)]
    return { kind: 'quantiles', edges: [...new Set(own.filter(Number.isFinite))] }
  })
}
