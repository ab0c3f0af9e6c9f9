import { EngineError, OptionError } from '@polyad/core'
import { advise, defined, mention, words } from '@polyad/core/options'
import { isNumber } from '../values/labels.ts'
import { choice, grouped, listed, many, type Note, warning } from '../values/note.ts'
import { missingNumbers, missingOf, type Reading } from '../view/reading.ts'
import { firstFaultError } from '../view/value-fault.ts'
import type { CountPlan, TableView } from '../view/view.ts'
import { type Column, columnNamed, type Inspection } from './columns.ts'
import { looksLikeWeights, proposedDesign, type SetAside } from './design-columns.ts'
import { missingCodes } from './missing-codes.ts'
import { type Evidence, weighEvidence } from './table-evidence.ts'

/** The column that says how often each row was seen, or how much it weighs; how its numbers are to be added up, and what to say of it. */
export interface CountChoice extends CountPlan {
  readonly column: Column | undefined
  /** Rows with a count of zero. */
  readonly zeros: number
  /** Whether the column was found, not named by the caller. */
  readonly found: boolean
  /** Columns that may hold counts but are not used: they are no modes either, unless named. */
  readonly leftOut: readonly Column[]
  /** Columns that look like the design of a sample: they are no modes, unless named. */
  readonly aside: readonly SetAside[]
  /** The column that is proposed as sampling weights, where nothing says how rows count. */
  readonly proposedWeights?: Column
  /** Why the column is used, or those left out are not. */
  readonly reason: string
  readonly notes: readonly Note[]
}

/** What columns of counts are called, those that are hardly called so otherwise, and names that measured values share. */
const COUNTS = /^(n|nn?_?obs|obs|counts?|freqs?|frequenc(y|ies)|cases|anzahl|h(ä|ae)ufigkeit(en)?|f(ä|ae)lle)$/i
const UNMISTAKABLE = /^(counts?|freqs?|frequenc(y|ies)|anzahl|h(ä|ae)ufigkeit(en)?)$/i
const SHARED = /^(total|value)$/i

/** Every row counts once. */
export const NO_COUNT: CountChoice = {
  column: undefined,
  sampling: false,
  fractions: false,
  zeros: 0,
  found: false,
  leftOut: [],
  aside: [],
  reason: '',
  notes: [],
}

/**
 * The column of counts: as told, or found by its name and by evidence that the table is one of counted combinations. A
 * column that is named as counts are is never dropped in silence: it is used, is an error, or is mentioned in a note.
 */
export const chooseCount = async (
  view: TableView,
  seen: Inspection,
  reading: Reading,
  options: CountOptions,
): Promise<CountChoice> => {
  const found = await countOf(view, seen, reading, options)
  const { count, design = false, claimed = [] } = options
  const spoken = seen.columns.filter(({ name }) => name === view.weight)
  const counted = count !== undefined || found.column !== undefined
  const { aside, notes, weight } = proposedDesign(seen.columns, {
    claimed: [...claimed, ...found.leftOut, ...spoken, ...(found.column === undefined ? [] : [found.column])],
    counted: counted || spoken.length > 0,
    designed: design,
  })
  const proposed = counted
    ? undefined
    : [...spoken.filter(column => !claimed.includes(column)), weight].find(isUsableWeight)
  return {
    ...found,
    aside,
    ...defined({ proposedWeights: proposed }),
    notes: [...found.notes, ...notes],
  }
}

/** Whether every row has a weight, as far as it was looked at. */
const isUsableWeight = (column: Column | undefined): column is Column =>
  column?.kind === 'number' && column.missing === 0 && column.range[0] >= 0

const countOf = async (
  view: TableView,
  seen: Inspection,
  reading: Reading,
  { count, weights, claimed = [] }: CountOptions,
): Promise<CountChoice> => {
  if (weights !== undefined) {
    const column = columnNamed(seen, weights, ' of weights', view)
    return { ...(await checkedCounts(view, column, reading, false, 'weight')), sampling: true }
  }
  if (count === 'none') return NO_COUNT
  if (count !== undefined) {
    const column = columnNamed(seen, count, ' for count', view)
    return checkedCounts(view, column, reading, false)
  }
  return withDeclared(await findCount(view, seen, reading, claimed), view, seen, claimed)
}

/** Says of the weight variable that a file declares that it is not used by itself. */
const withDeclared = (
  found: CountChoice,
  { weight }: TableView,
  seen: Inspection,
  claimed: readonly Column[],
): CountChoice => {
  const column = seen.columns.find(({ name }) => name === weight)
  if (column === undefined || column === found.column || claimed.includes(column)) return found
  const others = found.leftOut.filter(other => other !== column)
  return {
    ...found,
    leftOut: [...others, column],
    reason: others.length > 0 ? found.reason : 'the file declares it as its weight variable',
    notes: [
      ...(others.length > 0 ? found.notes : []),
      warning(
        'weights-ignored',
        words`the file declares ${listed(column.name)} as its weight variable: ${advise('use', 'weights', column.name)}; until then every row counts once`,
      ),
    ],
  }
}

/** The column of counts by its name and by evidence. */
const findCount = async (
  view: TableView,
  seen: Inspection,
  reading: Reading,
  claimed: readonly Column[],
): Promise<CountChoice> => {
  const candidates = seen.columns.filter(column => isCandidate(column) && !claimed.includes(column))
  const strict = candidates.filter(({ name }) => COUNTS.test(name))
  const shared = candidates.filter(column => !looksLikeWeights(column))
  // What is called a weight is a sampling weight, unless its whole numbers count combinations.
  const rivals = strict.length > 0 ? strict : shared.length > 0 ? shared : await wholeWeights(view, candidates, reading)
  const [column, rival] = rivals
  if (column === undefined) return NO_COUNT
  if (rival !== undefined)
    return without(`both ${listed(column.name)} and ${listed(rival.name)} may hold counts`, rivals)
  const others = seen.columns.filter(other => other !== column && other.kind !== 'nested')
  const asCounts = COUNTS.test(column.name) && (await lookLikeCounts(view, column, reading))
  const weigh = async (all: boolean) => {
    const evidence = await weighEvidence(view, others, reading, all)
    return { evidence, verdict: verdictOf(evidence, column, asCounts) }
  }
  // Rows that repeat among the first settle the matter, without reading a large table to its end.
  const first = seen.all ? undefined : await weigh(false)
  const { evidence, verdict } =
    first?.verdict === 'repeated' ? first : await weigh(true).catch(error => tooManyToWeigh(error, column.name))
  if (verdict === 'counted') return checkedCounts(view, column, reading, true)
  return looksLikeWeights(column) ? NO_COUNT : without(REASONS[verdict](evidence), rivals)
}

/** A single column that is called a weight and whose numbers are whole. */
const wholeWeights = async (
  view: TableView,
  candidates: readonly Column[],
  reading: Reading,
): Promise<readonly Column[]> => {
  if (candidates.length !== 1) return []
  const [texts] = await view.firstValues(candidates, reading)
  return texts.every(text => Number.isInteger(Number(text))) ? candidates : []
}

/** All rows at once may be more than there is memory for: then it has to be said what counts. */
const tooManyToWeigh = (error: unknown, name: string): never => {
  if (!(error instanceof EngineError)) throw error
  const text = words`there are too many rows to find out in this memory whether ${listed(name)} contains counts: ${advise('if it does, use', 'count', name)}, or ${mention('count', 'none')}`
  throw Object.assign(new OptionError(text), { cause: error })
}

export interface CountOptions {
  readonly count?: string
  /** The column of sampling weights, in place of counts. */
  readonly weights?: string
  /** Columns that are wanted for something else. */
  readonly claimed?: readonly Column[]
  /** Whether clusters or replicate weights are named. */
  readonly design?: boolean
}

const isCandidate = ({ name, kind, numeric }: Column): boolean =>
  (COUNTS.test(name) || SHARED.test(name) || looksLikeWeights({ name })) &&
  (kind === 'number' || kind === 'text') &&
  numeric > 0.5

/** In a table of counts a combination may be there twice by mistake; more rows than this share are none. */
const MOST_REPEATS = 0.1

/**
 * Without repeats the evidence decides. A few are let pass where the numbers look like counts; and where the name leaves
 * no doubt either, it is enough that the other columns are categories.
 */
const verdictOf = (evidence: Evidence, { name }: Column, asCounts: boolean): 'counted' | 'repeated' | 'unclear' => {
  const { rows, repeats, combinations, categorical } = evidence
  const few = repeats <= Math.max(1, MOST_REPEATS * rows)
  if (repeats === 0 && combinations) return 'counted'
  if (few && asCounts && (combinations || (UNMISTAKABLE.test(name) && categorical))) return 'counted'
  return repeats > 0 ? 'repeated' : 'unclear'
}

/** Whether numbers are whole and leave gaps, as counts do; the codes of answers and the numbers of rows leave none. */
const lookLikeCounts = async (view: TableView, column: Column, reading: Reading): Promise<boolean> => {
  const [texts] = await view.firstValues([column], reading)
  const codes = missingCodes(texts)
  const values = texts.filter(text => !codes.includes(text)).map(Number)
  const most = values.reduce((high, value) => Math.max(high, value), 0)
  return values.every(value => Number.isInteger(value) && value >= 0) && most > 1.5 * values.length
}

const REASONS = {
  repeated: ({ rows, repeats, all }: Evidence) =>
    `${grouped(repeats)} of ${all ? '' : 'the first '}${many(rows, 'row')} ${repeats === 1 ? 'repeats' : 'repeat'} the other columns of an earlier one`,
  unclear: () => 'the other columns are not clearly a table of counted combinations',
}

const without = (reason: string, columns: readonly Column[]): CountChoice => {
  const [{ name }] = columns
  const left = columns.map(column => listed(column.name)).join(' and ')
  return {
    ...NO_COUNT,
    leftOut: columns,
    reason: `it may hold counts, but ${reason}`,
    notes: [
      warning(
        'counts-doubtful',
        words`every row counts once and ${left} ${columns.length === 1 ? 'is' : 'are'} left out, since ${reason}; ${advise('to count by it:', 'count', name)}; ${advise('to use it as a variable, name it with', 'modes')}`,
      ),
    ],
  }
}

/** Fewer fractions than this among whole numbers are mistakes. */
const FEW = 0.1

/** Reads all counts once: whether they can be used, and how they are to be added up. */
const checkedCounts = async (
  view: TableView,
  column: Column,
  reading: Reading,
  found: boolean,
  what = 'count',
): Promise<CountChoice> => {
  const { rows, bad, fractions, grouping, zeros } = await view.countFigures(column, reading)
  const advice = words`; correct it, name the column of counts, or ${advise('let every row count once with', 'count', 'none')}`
  const codes = missingNumbers(missingOf(reading, column.name)).filter(code => code >= 0)
  const rule = (shown: string | null) => {
    if (shown !== null && isNumber(shown) && codes.includes(Number(shown)))
      return words`the ${what} ${shown} means missing here, and a ${what} cannot be missing; if the code is only for some columns, ${advise('use', 'missingIn', `q1:${shown}`)} instead`
    return words`${shown === null ? `the ${what} is missing` : `a ${what} must be a number ≥ 0 (got ${JSON.stringify(shown)})`}${found ? advice : ''}`
  }
  if (bad > 0) throw await firstFaultError(view, [{ column, is: 'no count', rule }], reading)
  // A few fractions are mistakes; so are those that all have three digits, for 1.880 is how some write a large count.
  const odd = fractions > 0 && (fractions < FEW * rows || (fractions < rows && grouping === fractions))
  if (found && odd && COUNTS.test(column.name)) {
    const unlike = (shown: string | null) =>
      words`${JSON.stringify(shown)} is not whole, as other counts are; if it is right, ${advise('say so with', 'count', column.name)}`
    throw await firstFaultError(view, [{ column, is: 'a fraction', rule: unlike }], reading)
  }
  const reason = found ? 'it says how often each combination of the others was seen' : `it was named as the ${what}`
  return { ...NO_COUNT, column, fractions: fractions > 0, zeros, found, reason }
}

/** Weights whose mean is 1 but for this much need no word. */
const FAR = 0.01

/** What was counted, once it has been: in one line. */
export const countNotes = (
  { column, found, zeros, sampling }: CountChoice,
  rows: number,
  total: number,
  scale: number,
): readonly Note[] => {
  if (column === undefined) return []
  const name = listed(column.name)
  const nothing = `${grouped(zeros)} with ${name} = 0 ${zeros === 1 ? 'counts' : 'count'} for nothing`
  if (sampling) {
    const scaled = Math.abs(scale - 1) > FAR
    return [
      ...(scaled
        ? [choice(`${name}: weights are divided by their mean, so that they sum to the number of rows that are used`)]
        : []),
      ...(zeros === 0 ? [] : [choice(`of ${many(rows, 'row')}, ${nothing}`)]),
    ]
  }
  if (!found && zeros === 0) return []
  const instead = found ? words` (${advise('every row once:', 'count', 'none')})` : ''
  return [
    choice(
      words`counting by column ${name}: N = ${grouped(total)} in ${many(rows, 'row')}${zeros === 0 ? '' : `, of which ${nothing}`}${instead}`,
    ),
    ...(found && looksLikeWeights(column)
      ? [choice(words`if ${name} holds sampling weights, ${advise('use', 'weights', column.name)}`)]
      : []),
  ]
}
