/** What rows must meet, as a tree. C is a column: its name as it is written, or the column itself once it was found. */
export type Condition<C = string> =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition<C>[] }
  | { readonly kind: 'not'; readonly part: Condition<C> }
  | {
      readonly kind: 'compare'
      readonly column: C
      readonly operator: Comparison
      readonly value: ConditionValue
    }
  | { readonly kind: 'in'; readonly column: C; readonly values: readonly ConditionValue[] }
  | { readonly kind: 'missing'; readonly column: C }

/** What a column is compared with: a number as a number, a text as categories are. */
export type ConditionValue = number | string

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

/** The same condition of other columns. */
export const conditionOf = <A, B>(condition: Condition<A>, columnOf: (column: A) => B): Condition<B> => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, parts: condition.parts.map(part => conditionOf(part, columnOf)) }
    case 'not':
      return { kind: 'not', part: conditionOf(condition.part, columnOf) }
    default:
      return { ...condition, column: columnOf(condition.column) }
  }
}

/** The comparisons, lists and tests for missing values that a condition is made of. */
export const testsOf = <C>(
  condition: Condition<C>,
): readonly Exclude<Condition<C>, { kind: 'and' | 'or' | 'not' }>[] => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(testsOf)
    case 'not':
      return testsOf(condition.part)
    default:
      return [condition]
  }
}

const QUOTED_NAME = /^[\p{L}_][\p{L}\p{N}_.]*$/u
/** Words that conditions are made of, in small letters. */
export const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'missing'])

/** Whether a name needs no quotes. */
export const isPlainName = (name: string): boolean => QUOTED_NAME.test(name) && !KEYWORDS.has(name.toLowerCase())

const nameText = (name: string): string => (isPlainName(name) ? name : `"${name.replaceAll('"', '""')}"`)

const valueText = (value: ConditionValue): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`

/**
 * A condition as it is written.
 * @example
 * conditionText({ kind: 'compare', column: 'age group', operator: '>=', value: 18 }) // '"age group" >= 18'
 */
export const conditionText = (condition: Condition): string => {
  const within = (part: Condition): string =>
    part.kind === 'and' || part.kind === 'or' ? `(${conditionText(part)})` : conditionText(part)
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts
        .map(part => (part.kind === condition.kind ? conditionText(part) : within(part)))
        .join(` ${condition.kind} `)
    case 'not': {
      const { part } = condition
      if (part.kind === 'missing') return `${nameText(part.column)} is not missing`
      if (part.kind === 'in') return conditionText(part).replace(/^("(?:[^"]|"")*"|\S+) in /, '$1 not in ')
      return `not ${part.kind === 'compare' ? `(${conditionText(part)})` : within(part)}`
    }
    case 'compare':
      return `${nameText(condition.column)} ${condition.operator} ${valueText(condition.value)}`
    case 'in':
      return `${nameText(condition.column)} in (${condition.values.map(valueText).join(', ')})`
    case 'missing':
      return `${nameText(condition.column)} is missing`
  }
}
