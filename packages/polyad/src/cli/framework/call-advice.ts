import { DataError, OptionError } from '@polyad/core'
import { CommanderError } from 'commander'
import { isModelFile } from '../../output/model-store.ts'
import type { CommandDefinition } from './define-command.ts'

/** What an error means for a command line: slips of the keyboard and of the shell, which only its words show. */
export const advised = (error: unknown, words: readonly string[], commands: readonly CommandDefinition[]): unknown => {
  if (error instanceof CommanderError) return usageError(error, words, commands)
  if (error instanceof DataError) {
    const advice = fileAdvice(error.message, words)
    return advice === undefined ? error : new DataError(`${error.message}. ${advice}`, error.place, { cause: error })
  }
  if (error instanceof OptionError && /^the name of a model must end in/.test(error.message)) {
    const model = words.slice(2).find(isModelFile)
    if (model !== undefined) {
      const [, data = 'survey.csv'] = /\(got "(.*)"\)/.exec(error.message) ?? []
      return new OptionError(`${data} is not a model. The model comes first: polyad ${words[0]} ${model} ${data}`)
    }
  }
  return error
}

/** A file that is missing because an option ended before it was meant to. */
const fileAdvice = (message: string, words: readonly string[]): string | undefined => {
  const [, path] = /^there is no file (.*?)(?:;|:|$)/.exec(message) ?? []
  const at = path === undefined ? -1 : words.lastIndexOf(path)
  if (at < 0) return undefined
  const before = words[at - 1] ?? ''
  if (before.endsWith(',')) {
    const list = [...words.slice(beginOf(words, at), at + 1)].join('')
    return `A list has no spaces after its commas: ${list}`
  }
  const where = words.indexOf('--where')
  if (where >= 0 && where < at && !words.slice(where + 2, at).some(word => word.startsWith('-')))
    return `Put the condition in quotes: --where "${words[where + 1]} >= 18". Without them the shell reads < and > itself`
  return undefined
}

/** Where a list with spaces after its commas begins. */
const beginOf = (words: readonly string[], at: number): number => {
  let first = at
  while (first > 0 && words[first - 1].endsWith(',')) first--
  return first
}

/** The parser's own messages, as the rest of the program speaks. */
const usageError = (
  error: CommanderError,
  words: readonly string[],
  commands: readonly CommandDefinition[],
): unknown => {
  const message = error.message.replace(/^error: /, '')
  const command = commands.find(({ name }) => name === words[0])
  const said = (text: string) => new CommanderError(error.exitCode, error.code, text)
  const [, flags, value, rule] = /^option '([^']*)' argument '([\s\S]*?)' is invalid\. ([\s\S]*)$/.exec(message) ?? []
  if (flags !== undefined) {
    const [short] = flags.split(/,? /)
    const hint =
      /--rank/.test(flags) && /^\d*\.\.\d+$/.test(value)
        ? ` To compare several numbers of classes: polyad rank ${words[1] ?? 'survey.csv'} -k ${value}`
        : value.startsWith('=')
          ? ` Leave out the equals sign: ${short} ${value.slice(1)}`
          : ''
    return said(`${short} ${value}: ${rule.charAt(0).toLowerCase()}${rule.slice(1)}${hint}`)
  }
  const [, missing] = /^missing required argument '(.*)'$/.exec(message) ?? []
  if (missing !== undefined && command !== undefined) {
    const all = command.arguments.map(each => each.name).join(' ')
    return said(`${command.name} needs ${all}: <${missing}> is missing. Example: ${command.examples[0][0]}`)
  }
  const [, other, name, choices] =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/.exec(message) ?? []
  return other === undefined ? error : said(`unknown ${name} ${other}: it must be one of ${choices}`)
}
