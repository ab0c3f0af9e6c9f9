import {
  type Comparison,
  type Condition,
  type ConditionValue,
  conditionText,
  type InspectedColumn,
  parseCondition,
} from 'polyad/table'

/** Conditions as a person puts them together: a column, a comparison and a value. All of them must be met. */

export const TESTS = ['=', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'is missing', 'is not missing'] as const
export type Test = (typeof TESTS)[number]

/** What each is called. */
export const TEST_NAMES: Readonly<Record<Test, string>> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  in: 'is one of',
  'not in': 'is none of',
  'is missing': 'is missing',
  'is not missing': 'is not missing',
}

export interface Draft {
  readonly column: string
  readonly test: Test
  /** As it is typed; several with commas between. */
  readonly value: string
}

export const needsValue = (test: Test): boolean => test !== 'is missing' && test !== 'is not missing'

/** The condition of drafts that are complete, as text; empty where there is none. */
export const textOfDrafts = (drafts: readonly Draft[], columns: readonly InspectedColumn[]): string => {
  const parts = drafts.flatMap((draft): Condition[] => {
    const { column, test, value } = draft
    if (!needsValue(test))
      return [test === 'is missing' ? { kind: 'missing', column } : { kind: 'not', part: { kind: 'missing', column } }]
    const isNumber = columns.find(({ name }) => name === column)?.kind === 'number'
    const values = (test === 'in' || test === 'not in' ? value.split(',') : [value])
      .map(each => each.trim())
      .filter(each => each !== '')
      .map((each): ConditionValue => (isNumber && Number.isFinite(Number(each)) ? Number(each) : each))
    if (values.length === 0) return []
    if (test === 'in') return [{ kind: 'in', column, values }]
    if (test === 'not in') return [{ kind: 'not', part: { kind: 'in', column, values } }]
    return [{ kind: 'compare', column, operator: test as Comparison, value: values[0] }]
  })
  if (parts.length === 0) return ''
  return conditionText(parts.length === 1 ? parts[0] : { kind: 'and', parts })
}

/** A condition as drafts; undefined where it has more to it than these can say, or cannot be read. */
export const draftsOf = (where: string): readonly Draft[] | undefined => {
  if (where === '') return []
  const parsed = readable(where)
  if (parsed === undefined) return undefined
  const drafts = (parsed.kind === 'and' ? parsed.parts : [parsed]).map(draftOf)
  return drafts.every(each => each !== undefined) ? drafts : undefined
}

const readable = (where: string): Condition | undefined => {
  try {
    return parseCondition(where)
  } catch {
    return undefined
  }
}

const draftOf = (condition: Condition): Draft | undefined => {
  switch (condition.kind) {
    case 'missing':
      return { column: condition.column, test: 'is missing', value: '' }
    case 'compare':
      return { column: condition.column, test: condition.operator, value: String(condition.value) }
    case 'in':
      return condition.values.some(value => String(value).includes(','))
        ? undefined
        : { column: condition.column, test: 'in', value: condition.values.join(', ') }
    case 'not': {
      const inside = draftOf(condition.part)
      const test = inside?.test === 'in' ? 'not in' : inside?.test === 'is missing' ? 'is not missing' : undefined
      return inside && test && { ...inside, test }
    }
    default:
      return undefined
  }
}

/** What is wrong with a condition, for a person; undefined where nothing is. */
export const faultOf = (where: string, columns: readonly InspectedColumn[]): string | undefined => {
  if (where.trim() === '') return undefined
  try {
    const unknown = namesOf(parseCondition(where)).find(name =>
      columns.every(column => column.name.toLowerCase() !== name.toLowerCase()),
    )
    return unknown === undefined ? undefined : `There is no column “${unknown}”.`
  } catch (error) {
    const { message } = error as Error
    // The condition stands above what is said of it. Messages quote it in one of two ways.
    const said = [`where '${where}': `, `where ${JSON.stringify(where)}: `].reduce(
      (text, lead) => text.replace(lead, () => ''),
      message,
    )
    return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
  }
}

const namesOf = (condition: Condition): readonly string[] => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(namesOf)
    case 'not':
      return namesOf(condition.part)
    default:
      return [condition.column]
  }
}
