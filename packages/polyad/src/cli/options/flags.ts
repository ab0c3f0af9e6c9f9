import type { FitFigures } from '../../report/fit-figures.ts'
import type { Flags } from '../terminal/terminal.ts'
import type { CommandOption } from './definition.ts'

/** Words that come before an option in the library's advice: "raise starts". */
const VERBS = 'raise|lower|set|give|use|try|with|add'
/** Words that follow an option in the library's complaints: "starts must be …". */
const RULES = 'must|needs|is for|names|cannot|has no option'

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A flag with its value as a shell takes it: without quotes where they are not needed. */
const withValue = (flag: string, quoted: string): string => {
  const bare = quoted.slice(1, -1)
  const text = /^[\p{L}\p{N}_.,:@%+/=-]+$/u.test(bare) ? bare : quoted
  return `${flag}${bare.startsWith('-') ? '=' : ' '}${text}`
}

/**
 * Turns the names of the library's options into flags: `maxPasses` becomes `--max-passes`, `bins 'age:q5'` becomes
 * `--bin age:q5`. A name that is a plain word (`count`, `top`) is an option only where the message shows it to be one:
 * with its value (`count 'none'`, `top: 1000`), before a rule (`starts must be`), or at the end of a piece of advice
 * (`raise starts`).
 */
export const flagsOf = (options: readonly CommandOption[]): Flags => {
  const translations = options.flatMap(({ flags, library }) => {
    const flag = `--${/--(?:no-)?([a-z-]+)/.exec(flags)?.[1]}`
    return (library ?? [camelCase(flag.slice(2))]).map(name => translation(name, flag))
  })
  return message => translations.reduce((text, translate) => translate(text), message)
}

const translation = (name: string, flag: string): Flags => {
  // What stands in double quotes is data, unless it has a single quote itself.
  const value = new RegExp(`(?<=^|[( ])${name} ('[^']+'|"[^"']*'[^"]*")`, 'g')
  const number = new RegExp(`(?<=[( ])${name}: (?=\\d)`, 'g')
  const rule = new RegExp(`(?<=^|[;:(] ?)${name}(?= (?:${RULES})\\b)`, 'g')
  const advice = new RegExp(`(?<=\\b(?:${VERBS}) )${name}(?=[.,;:)]|$| \\d)`, 'g')
  const anywhere = /[A-Z]/.test(name) ? new RegExp(`\\b${name}\\b`, 'g') : undefined
  return message => {
    const text = message
      .replace(value, (_, quoted: string) => withValue(flag, quoted))
      .replace(number, `${flag} `)
      .replace(rule, flag)
      .replace(advice, flag)
    return anywhere === undefined ? text : text.replace(anywhere, flag)
  }
}

/** The figures of a fit with the advice of their verdict in flags. */
export const adviceInFlags = (figures: FitFigures, flags: Flags): FitFigures => {
  const { verdict } = figures
  return { ...figures, verdict: { ...verdict, text: flags(verdict.text), advice: verdict.advice.map(flags) } }
}
