import { DataError } from '@polyad/core'
import { defined, omit, type Read, reader } from '@polyad/core/options'
import { isNumber } from './labels.ts'

/** What people call a variable and its values. Results are shown with it; models, data and options know names and values only. */
export interface VariableLabels {
  /** The variable label. */
  readonly title?: string
  /** The wording of the question. */
  readonly question?: string
  /** The label of each value that has one. */
  readonly values?: Readonly<Record<string, string>>
}

/** Labels by the name of the variable. */
export type Codebook = Readonly<Record<string, VariableLabels>>

/** What the columns of a codebook may be called. */
const COLUMNS: Readonly<Record<'variable' | 'value' | 'label' | 'question', readonly string[]>> = {
  variable: ['variable', 'name', 'column', 'item'],
  value: ['value', 'code', 'category'],
  label: ['label', 'text', 'title', 'meaning'],
  question: ['question', 'wording'],
}

/** What was read of a variable. */
interface Found {
  title?: string
  question?: string
  readonly values: Map<string, string>
}

/**
 * The codebook in the rows of a table with the columns variable, value, label and question; a row without a value has the label of the variable.
 * @example
 * const codebook = codebookOf('codes.csv', ['variable', 'value', 'label'], [['q1', null, 'Trust in police'], ['q1', '1', 'low']])
 * codebook.q1.title // 'Trust in police'
 */
export const codebookOf = (
  file: string,
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): Codebook => {
  const find = (of: keyof typeof COLUMNS) => columns.findIndex(name => COLUMNS[of].includes(name.trim().toLowerCase()))
  const at = { variable: find('variable'), value: find('value'), label: find('label'), question: find('question') }
  if (at.variable < 0 || (at.label < 0 && at.question < 0))
    throw new DataError(
      `${file} is not a codebook: it needs the columns variable, value and label (it has ${columns.join(', ')})`,
    )
  const found = new Map<string, Found>()
  let last = ''
  for (const row of rows) {
    const cell = (column: number) => row[column]?.trim() ?? ''
    // As people write codebooks: the name of a variable in its first row only.
    last = cell(at.variable) || last
    if (last === '') continue
    const own: Found = found.get(last) ?? { values: new Map() }
    found.set(last, own)
    const [value, label, question] = [cell(at.value), cell(at.label), cell(at.question)]
    if (question !== '') own.question = question
    if (label === '') continue
    if (value === '') own.title = label
    else own.values.set(value, label)
  }
  return Object.fromEntries(
    [...found].map(([name, { values, ...own }]) => [
      name,
      { ...own, ...(values.size > 0 && { values: Object.fromEntries(values) }) },
    ]),
  )
}

/** Two codebooks in one; what both say is as the second says. */
export const joinedCodebook = (first: Codebook | undefined, second: Codebook | undefined): Codebook | undefined => {
  if (first === undefined || second === undefined) return second ?? first
  const names = new Map(Object.keys(first).map(name => [name.toLowerCase(), name]))
  const joined = new Map(Object.entries(first))
  for (const [name, own] of Object.entries(second)) {
    const known = names.get(name.toLowerCase()) ?? name
    const before = joined.get(known)
    const values = { ...before?.values, ...own.values }
    joined.set(known, { ...before, ...own, ...(Object.keys(values).length > 0 && { values }) })
  }
  return Object.fromEntries(joined)
}

/** A codebook as files have it. */
export const readCodebook: Read<Codebook> = reader.record(
  reader.fields<VariableLabels>({
    title: reader.optional(reader.text()),
    question: reader.optional(reader.text()),
    values: reader.optional(reader.record(reader.text())),
  }),
)

/**
 * The labels that the record of a model has; undefined if it has none.
 * @example
 * const run = { recipe: { labels: { q1: { title: 'Trust in police' } } } }
 * labelsIn(recordedLabels(run)).title('q1') // 'Trust in police'
 */
export const recordedLabels = (run: Readonly<Record<string, unknown>>): Codebook | undefined =>
  reader.tried(readCodebook, reader.fieldsOf(run.recipe).labels) ?? undefined

/**
 * The record of a model with labels besides its own; `off`: with none.
 * @example
 * labelsIn(recordedLabels(withLabels({}, { q1: { title: 'Trust in police' } }))).title('q1') // 'Trust in police'
 */
export const withLabels = (
  run: Readonly<Record<string, unknown>>,
  more: Codebook | 'off' | undefined,
): Readonly<Record<string, unknown>> => {
  if (more === undefined) return run
  const labels = more === 'off' ? undefined : joinedCodebook(recordedLabels(run), more)
  return { ...run, recipe: { ...omit(reader.fieldsOf(run.recipe), 'labels'), ...defined({ labels }) } }
}

/** Names and values as results show them. */
export interface Labels {
  /** Whether there is any label. */
  readonly any: boolean
  /** The label of a variable, or its question; undefined if it has neither. */
  readonly title: (name: string) => string | undefined
  /** The name with the label: `q1: Trust in police`. */
  readonly name: (name: string) => string
  /** The label of a value, or the value. */
  readonly value: (name: string, value: unknown) => string
}

/** Numbers are found however they are written. */
const keyOf = (value: string): string => (isNumber(value) ? String(Number(value)) : value)

/** The label of each value, with the value if several have the same label. */
const distinctTexts = (values: readonly (readonly [value: string, text: string])[]): ReadonlyMap<string, string> => {
  const times = new Map<string, number>()
  for (const [, text] of values) times.set(text, (times.get(text) ?? 0) + 1)
  return new Map(values.map(([value, text]) => [keyOf(value), times.get(text) === 1 ? text : `${text} (${value})`]))
}

/**
 * Looks labels up by the names of variables, in any case.
 * @example
 * const labels = labelsIn({ q1: { title: 'Trust in police', values: { 1: 'low' } } })
 * labels.name('q1') // 'q1: Trust in police'
 * labels.value('q1', 1) // 'low'
 */
export const labelsIn = (codebook: Codebook = {}): Labels => {
  const byName = new Map(
    Object.entries(codebook).map(([name, { title, question, values = {} }]) => [
      name.toLowerCase(),
      {
        ...defined({ title: title ?? question }),
        values: distinctTexts(Object.entries(values)),
      },
    ]),
  )
  const title = (name: string) => {
    const own = byName.get(name.toLowerCase())?.title
    return own === undefined || own.toLowerCase() === name.toLowerCase() ? undefined : own
  }
  return {
    any: byName.size > 0,
    title,
    name: name => {
      const own = title(name)
      return own === undefined ? name : `${name}: ${own}`
    },
    value: (name, value) => byName.get(name.toLowerCase())?.values.get(keyOf(String(value))) ?? String(value),
  }
}

/** Without labels. */
export const NO_LABELS: Labels = labelsIn()
