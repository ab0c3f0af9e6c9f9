/** What the help, the reference and the parser know of a command: its examples, arguments, options and fields. */

/** A command line that works, and what it is for. */
export type Example = readonly [line: string, text: string]

/**
 * A key of the object that a command prints with --json (or several, with commas), what it holds, and its type as `schema/type-notation.ts` reads it: one for
 * all of the keys, or one for each. `?` at the end of a type: the key may be missing.
 */
export type Field = readonly [key: string, text: string, type: string]

export interface CommandArgument {
  /** As the usage line shows it: `<model>`, `[data...]`. */
  readonly name: string
  readonly text: string
  readonly choices?: readonly string[]
}

export interface CommandOption {
  /** As the help shows it: `-k, --rank <n>`. */
  readonly flags: string
  readonly text: string
  /** Parses the value; `before` is the value so far, for options that may be repeated. */
  readonly parse?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  readonly default?: unknown
  /** How the help shows the default, where the value itself says little. */
  readonly defaultText?: string
  /** Understood, but not shown. */
  readonly hidden?: boolean
  /** The flag it had before: understood, not shown, and answered with a note. */
  readonly formerly?: string
  /** Another flag for the same: understood, and not shown. */
  readonly alias?: string
  /** What the library calls it, if that is not the flag in camel case: messages that mention it show the flag. */
  readonly library?: readonly string[]
  /** Whether it names a file that is written: a plan lists these, and nothing else is written. */
  readonly writes?: true
}

/** Options under one heading of the help. */
export interface OptionGroup {
  readonly title: string
  readonly options: readonly CommandOption[]
}
