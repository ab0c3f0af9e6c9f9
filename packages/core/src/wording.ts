/** Sentences that speak of options. The library, the command line and a page each name the options in their own words. */

/** An option that a sentence speaks of. */
export interface Mention {
  /** As the library calls it. */
  readonly option: string
  /** What it should be set to. */
  readonly values?: readonly (string | number)[]
  /** The words before it, which a page may replace together with the name: `cut it with`. */
  readonly lead?: string
}

/** A sentence in parts: text, and the options it speaks of. It is plain data, which can be stored and sent. */
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
 * A sentence whose holes are text or options.
 * @example
 * inWords(words`${3} starts: ${advise('raise', 'starts')}`) // '3 starts: raise starts'
 */
export const words = (texts: TemplateStringsArray, ...holes: readonly (Sentence | Mention | number)[]): Wording =>
  texts
    .flatMap((text, i) => [text, ...[holes[i] ?? ''].flat()])
    .map(part => (typeof part === 'number' ? `${part}` : (part as string | Mention)))
    .filter(part => part !== '')

/**
 * Sentences with something between them.
 * @example
 * inWords(joined(['one', advise('raise', 'starts')], '; ')) // 'one; raise starts'
 */
export const joined = (texts: readonly (Sentence | Mention)[], between: string): Wording =>
  texts.flatMap((text, i) => words`${i === 0 ? '' : between}${text}`)

const quoted = (value: string | number): string =>
  typeof value === 'number' ? `${value}` : value.includes("'") ? JSON.stringify(value) : `'${value}'`

/** As the library names options: bins 'age:q5'. */
const asLibrary: Naming = ({ option, values }) =>
  values === undefined ? option : values.map(value => `${option}${typeof value === 'number' ? ':' : ''} ${quoted(value)}`).join(', ') // biome-ignore format: one chain

/**
 * A sentence as text.
 * @example
 * inWords(words`${advise('raise', 'starts')}`, ({ lead, option }) => `${lead} --${option}`) // 'raise --starts'
 */
export const inWords = (
  text: Sentence,
  naming: Naming = ({ lead, ...named }) => [lead, asLibrary(named)].filter(Boolean).join(' '),
): string =>
  // biome-ignore format: one line
  typeof text === 'string' ? text : text.map(part => (typeof part === 'string' ? part : naming(part))).join('')

/**
 * What an error says; its options are named by `naming`.
 * @example
 * messageOf(new Error('out of memory')) // 'out of memory'
 */
export const messageOf = (error: unknown, naming?: Naming): string => {
  const { wording, message = String(error) } = (error ?? {}) as {
    readonly wording?: Wording
    readonly message?: string
  }
  return inWords(wording ?? message, naming)
}

/**
 * Changes the text of a sentence, and leaves the options that it speaks of.
 * @example
 * changed('a b', text => text.replace('a', 'c')) // 'c b'
 */
export const changed = (sentence: Sentence, change: (text: string) => string): Sentence =>
  typeof sentence === 'string'
    ? change(sentence)
    : sentence.map(part => (typeof part === 'string' ? change(part) : part))

/**
 * The same of an error's message.
 * @example
 * reworded(new Error('a b'), text => text.replace('a', 'c')).message // 'c b'
 */
export const reworded = <E>(error: E, change: (text: string) => string): E => {
  const { message, wording } = (error ?? {}) as { readonly message?: string; readonly wording?: Wording }
  if (message === undefined) return error
  return Object.assign(error as Error, { message: change(message), wording: wording && changed(wording, change) }) as E
}
