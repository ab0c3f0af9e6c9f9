import { OptionError } from '@polyad/core'
import { mention, type Sentence, words } from '@polyad/core/options'
import { type Comparison, type Condition, type ConditionValue, KEYWORDS } from './condition.ts'
import { repeated } from './note.ts'

type Kind = 'name' | 'text' | 'number' | 'sign' | 'word' | 'end'

interface Token {
  readonly kind: Kind
  /** A keyword in small letters, a sign, or what a name, a text or a number stands for. */
  readonly value: string
  /** Where it begins. */
  readonly at: number
}

/** What comparisons are called, in other languages too. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '==': '=',
  '!=': '!=',
  '<>': '!=',
  '≠': '!=',
  '<': '<',
  '<=': '<=',
  '≤': '<=',
  '>': '>',
  '>=': '>=',
  '≥': '>=',
}

const TOKEN =
  /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\p{L}\p{N}_])|([\p{L}_][\p{L}\p{N}_.]*)|(<=|>=|<>|!=|==|[=<>≠≤≥(),]))/uy

/** So deep may parentheses be. */
const DEEPEST = 100

/**
 * Parses a condition on rows: comparisons (= != < <= > >=), `in (…)`, `is missing`, `and`, `or`, `not` and parentheses. Names with blanks stand in double
 * quotes, texts in single ones.
 * @example
 * parseCondition("age >= 18 and country in ('DE', 'AT')").kind // 'and'
 */
export const parseCondition = (text: string): Condition => new ConditionParser(text).whole()

class ConditionParser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = this.#split()
  }

  whole(): Condition {
    const found = this.#or()
    const rest = this.#peek()
    if (rest.kind !== 'end')
      throw this.#fault(
        rest,
        this.#isComma(rest)
          ? 'decimals are written with a point here, as in 1.5'
          : 'and, or, or the end is expected here',
      )
    return found
  }

  /** Whether a number goes on with a comma, as in 1,5. */
  #isComma({ at, value }: Token): boolean {
    return value === ',' && /\d$/.test(this.#text.slice(0, at)) && /^\d/.test(this.#text.slice(at + 1))
  }

  #or(): Condition {
    return this.#series('or', () => this.#series('and', () => this.#not()))
  }

  /** Parts with a word between. */
  #series(word: 'and' | 'or', part: () => Condition): Condition {
    const parts = [part()]
    while (this.#takes('word', word)) parts.push(part())
    return parts.length === 1 ? parts[0] : { kind: word, parts }
  }

  #not(): Condition {
    if (++this.#depth > DEEPEST) throw this.#fault(this.#peek(), 'the condition is nested too deeply')
    try {
      return this.#takes('word', 'not') ? { kind: 'not', part: this.#not() } : this.#test()
    } finally {
      this.#depth--
    }
  }

  #test(): Condition {
    if (this.#takes('sign', '(')) {
      const inside = this.#or()
      this.#expect('sign', ')', 'a closing parenthesis is expected here')
      return inside
    }
    const name = this.#peek()
    if (name.kind !== 'name')
      throw this.#fault(
        name,
        name.kind === 'text'
          ? 'a column is expected here; put its name in double quotes, or in none'
          : 'a column is expected here',
      )
    this.#next++
    const column = name.value
    if (this.#takes('word', 'is')) {
      const negated = this.#takes('word', 'not')
      this.#expect('word', 'missing', 'missing is expected here, as in: is missing, is not missing')
      return negated ? { kind: 'not', part: { kind: 'missing', column } } : { kind: 'missing', column }
    }
    if (this.#takes('word', 'not')) {
      this.#expect('word', 'in', 'in is expected here, as in: not in (1, 2)')
      return { kind: 'not', part: this.#list(column) }
    }
    if (this.#takes('word', 'in')) return this.#list(column)
    const sign = this.#peek()
    const operator = sign.kind === 'sign' ? COMPARISONS[sign.value] : undefined
    if (operator === undefined)
      throw this.#fault(sign, 'a comparison is expected here: =, !=, <, <=, >, >=, in (…), is missing')
    this.#next++
    return { kind: 'compare', column, operator, value: this.#value() }
  }

  #list(column: string): Condition {
    this.#expect('sign', '(', "a list is expected here, as in: in ('a', 'b')")
    const values = [this.#value()]
    while (this.#takes('sign', ',')) values.push(this.#value())
    this.#expect('sign', ')', 'a comma or a closing parenthesis is expected here')
    return { kind: 'in', column, values }
  }

  #value(): ConditionValue {
    const token = this.#peek()
    if (token.kind !== 'number' && token.kind !== 'text')
      throw this.#fault(
        token,
        token.kind === 'name' || token.kind === 'word'
          ? `a number or a text is expected here; put texts in single quotes, as in '${repeated(token.value)}'`
          : 'a number or a text in single quotes is expected here',
      )
    this.#next++
    return token.kind === 'number' ? Number(token.value) : token.value
  }

  #peek(): Token {
    return this.#tokens[this.#next]
  }

  #takes(kind: Kind, value: string): boolean {
    const token = this.#peek()
    if (token.kind !== kind || token.value !== value) return false
    this.#next++
    return true
  }

  #expect(kind: Kind, value: string, what: string): void {
    if (!this.#takes(kind, value)) throw this.#fault(this.#peek(), what)
  }

  #split(): readonly Token[] {
    const text = this.#text
    const tokens: Token[] = []
    for (let at = 0; ; ) {
      const rest = text.slice(at)
      at += rest.length - rest.trimStart().length
      if (at === text.length) return [...tokens, { kind: 'end', value: '', at }]
      TOKEN.lastIndex = at
      const found = TOKEN.exec(text)
      if (found === null) throw this.#fault({ at }, strange(text[at]))
      const [whole, quoted, single, number, name, sign] = found
      at += whole.length
      const place = at - whole.trimStart().length
      const small = name?.toLowerCase()
      if (quoted !== undefined) tokens.push({ kind: 'name', value: quoted.replaceAll('""', '"'), at: place })
      else if (single !== undefined) tokens.push({ kind: 'text', value: single.replaceAll("''", "'"), at: place })
      else if (number !== undefined) tokens.push({ kind: 'number', value: number, at: place })
      else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign, at: place })
      else if (KEYWORDS.has(small)) tokens.push({ kind: 'word', value: small, at: place })
      else tokens.push({ kind: 'name', value: name, at: place })
    }
  }

  #fault({ at }: Pick<Token, 'at'>, what: Sentence): OptionError {
    const before = this.#text.slice(0, at).trimEnd()
    const place =
      before === ''
        ? 'at the beginning'
        : at >= this.#text.trimEnd().length
          ? 'at the end'
          : `at character ${at + 1}, after ${JSON.stringify(before.length > SHOWN ? `…${before.slice(-SHOWN)}` : before)}`
    return new OptionError(words`${mention('where', repeated(this.#text))}: ${what} (${place})`)
  }
}

/** So much of a condition is shown before a fault. */
const SHOWN = 40

/** What is said of a character that begins nothing. */
const strange = (letter: string): string => {
  if (letter === '"') return 'this double quote is never closed'
  if (letter === "'") return 'this single quote is never closed'
  if (/\d/.test(letter)) return 'put a name that begins with a digit in double quotes'
  return `${JSON.stringify(letter)} means nothing here; put a name with such characters in double quotes`
}
