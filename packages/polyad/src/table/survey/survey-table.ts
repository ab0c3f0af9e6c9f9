import { isNumber } from '../values/labels.ts'
import type { Note } from '../values/note.ts'
import type { ColumnMeaning } from '../view/view.ts'
import type { Code, SurveyFile, SurveyVariable } from './survey-file.ts'

/** A survey file as a table of texts: value labels in place of codes, and nothing where the file says that a value is missing. */
export interface SurveyTable {
  readonly rows: number
  readonly columns: readonly SurveyColumn[]
  readonly weight: string | undefined
  readonly notes: readonly Note[]
}

/** Every different text once, and for each row which it is, −1 if there is none. */
export interface SurveyColumn {
  readonly name: string
  readonly texts: readonly string[]
  readonly codes: Int32Array
  readonly meaning: ColumnMeaning
  /** Whether its texts are value labels; undefined if it has none. */
  readonly labelled: boolean | undefined
}

/**
 * A survey file as a table. Whether a variable's values become their labels is decided by its values, unless it is known: for several files
 * by the first, and for the rows of a model by its labels.
 */
export const surveyTable = (
  { variables, rows, weight, notes }: SurveyFile,
  known: ReadonlyMap<string, boolean> = new Map(),
): SurveyTable => {
  return { rows, columns: variables.map(variable => columnOf(variable, known.get(variable.name))), weight, notes }
}

/** Whether a variable's values become their labels; `plain` if it has none. */
type Use = 'labels' | 'codes' | 'plain'

/** Labels are used if at least half of the different values have one, and this share of the rows that have a value. */
const NEARLY_ALL = 0.9

const columnOf = (variable: SurveyVariable, labelled: boolean | undefined): SurveyColumn => {
  const { name, title, ordinal, labels, texts: called, missing, shown, values: stored } = variable
  const known = new Map<Code, string>(
    labels.flatMap(({ code, text }) => (text.trim() === '' || missing?.isMissing(code) ? [] : [[code, text.trim()]])),
  )
  const present = stored.values.map(code => !missing?.isMissing(code))
  const asked = labelled === undefined ? undefined : labelled ? 'labels' : 'codes'
  const use = known.size === 0 ? 'plain' : (asked ?? useOf(stored, present, known))
  const textOf = use === 'labels' ? labelText(known) : (code: Code) => plainText(code, shown)
  const texts: string[] = []
  const position = new Map<string, number>()
  const positions = stored.values.map((code, i) => {
    if (!present[i]) return -1
    const text = textOf(code)
    const at = position.get(text) ?? texts.push(text) - 1
    position.set(text, at)
    return at
  })
  const order =
    use === 'labels' ? inOrder([...known.keys(), ...stored.values.filter((_, i) => present[i])], textOf) : []
  const numeric = order.every(isNumber)
  return {
    name,
    texts,
    codes: stored.codes.map(code => (code < 0 ? -1 : positions[code])),
    labelled: use === 'plain' ? undefined : use === 'labels',
    meaning: {
      ...(numeric ? {} : { order }),
      ...(ordinal && use === 'labels' ? { ordered: true } : {}),
      ...(title === '' ? {} : { title }),
      ...(called === undefined ? {} : { texts: called }),
      ...(missing === undefined ? {} : { declaredMissing: missing.text }),
      ...(use === 'codes' ? { someLabels: someLabels(known), texts: textsByCode(known) } : {}),
    },
  }
}

const textsByCode = (known: ReadonlyMap<Code, string>): Readonly<Record<string, string>> =>
  Object.fromEntries([...known].map(([code, text]) => [String(code), text]))

/** "98 = don't know, 99 = refused". */
const someLabels = (known: ReadonlyMap<Code, string>): string => {
  const texts = [...known].map(([code, text]) => `${code} = ${text}`)
  return texts.length > 3 ? `${texts.slice(0, 3).join(', ')}, …` : texts.join(', ')
}

const useOf = (
  { values, codes }: SurveyVariable['values'],
  present: readonly boolean[],
  known: ReadonlyMap<Code, string>,
): Use => {
  const rows = new Int32Array(values.length)
  for (const code of codes) if (code >= 0) rows[code]++
  let [different, labelled, all, named] = [0, 0, 0, 0]
  values.forEach((code, i) => {
    // An empty text is no value.
    if (!present[i] || code === '') return
    different++
    all += rows[i]
    if (!known.has(code)) return
    labelled++
    named += rows[i]
  })
  return labelled >= different / 2 && named >= NEARLY_ALL * all ? 'labels' : 'codes'
}

/** The label of a code, with the code where several have the same label. */
const labelText = (known: ReadonlyMap<Code, string>): ((code: Code) => string) => {
  const times = new Map<string, number>()
  for (const text of known.values()) times.set(text, (times.get(text) ?? 0) + 1)
  return code => {
    const text = known.get(code)
    if (text === undefined) return String(code)
    return (times.get(text) ?? 0) > 1 ? `${text} (${code})` : text
  }
}

const plainText = (code: Code, shown: SurveyVariable['shown']): string =>
  (typeof code === 'number' ? shown?.(code) : undefined) ?? String(code)

/** The texts of codes, in the order of the codes. */
const inOrder = (codes: readonly Code[], textOf: (code: Code) => string): readonly string[] => {
  const sorted = [...new Set(codes)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return [...new Set(sorted.map(textOf))]
}
