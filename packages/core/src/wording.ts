/** Sentences that mention options. The library, the command line and a page each name the options in their own words. */

/** An option that a sentence mentions. */
export interface Mention {
  /** As the library calls it. */
  readonly option: string
  /** What it should be set to. */
  readonly values?: readonly (string | number)[]
  /** The words before it, which a page may replace together with the name: `cut it with`. */
  readonly lead?: string
  /** It is a term of the library in place of an option: `modes`, which a survey calls variables. */
  readonly term?: true
}

/** A sentence in parts: text, and the options that it mentions. It is plain data, which can be stored and sent. */
export type Wording = readonly (string | Mention)[]
export type Sentence = string | Wording

/** How options are named. */
export type Naming = (mention: Mention) => string

/**
 * An option in a sentence, with what it should be set to.
 * @example
 * inWords([mention('bins', 'age:q5')]) // "bins 'age:q5'"
 */
export const mention = (option: string, ...values: readonly (string | number)[]): Mention =>
  values.length === 0 ? { option } : { option, values }

/**
 * The same as advice: with the words that lead to it.
 * @example
 * inWords([advise('raise', 'maxPasses')]) // 'raise maxPasses'
 */
export const advise = (lead: string, option: string, ...values: readonly (string | number)[]): Mention => ({
  lead,
  ...mention(option, ...values),
})

/**
 * A term of the library, which may be called otherwise elsewhere.
 * @example
 * inWords([term('modes')]) // 'modes'
 */
export const term = (word: string): Mention => ({ option: word, term: true })

const SURVEY_TERMS: Readonly<Record<string, string>> = { mode: 'variable', modes: 'variables', labels: 'categories' }

/**
 * What people with surveys call a term of the library.
 * @example
 * surveyTerm('modes') // 'variables'
 */
export const surveyTerm = (word: string): string => SURVEY_TERMS[word] ?? word

/**
 * A sentence whose holes are text or options.
 * @example
 * inWords(words`${3} starts: ${advise('raise', 'starts')}`) // '3 starts: raise starts'
 */
export const words = (texts: TemplateStringsArray, ...holes: readonly (Sentence | Mention | number)[]): Wording =>
  texts
    .flatMap((text, i) => [text, ...[holes[i] ?? ''].flat()])
    .map(part => (typeof part === 'number' ? `${part}` : (part as string | Mention)))
    .filter(part => part !== '')

const quoted = (value: string | number): string =>
  typeof value === 'number' ? `${value}` : value.includes("'") ? JSON.stringify(value) : `'${value}'`

/** As the library names options: bins 'age:q5'. */
const asLibrary: Naming = ({ option, values, lead }) => {
  const of = (value: string | number) => `${option}${typeof value === 'number' ? ':' : ''} ${quoted(value)}`
  return [...(lead === undefined ? [] : [lead]), values === undefined ? option : values.map(of).join(', ')].join(' ')
}

/**
 * A sentence as text.
 * @example
 * inWords(words`${advise('raise', 'starts')}`, ({ lead, option }) => `${lead} --${option}`) // 'raise --starts'
 */
export const inWords = (text: Sentence, naming: Naming = asLibrary): string =>
  typeof text === 'string' ? text : text.map(part => (typeof part === 'string' ? part : naming(part))).join('')

/**
 * The message of an error, with options named by `naming`.
 * @example
 * messageOf(new Error('out of memory')) // 'out of memory'
 */
export const messageOf = (error: unknown, naming?: Naming): string => {
  const { wording, message = String(error) } = (error ?? {}) as { wording?: Wording; message?: string }
  return inWords(wording ?? message, naming)
}
