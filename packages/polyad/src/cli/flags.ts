import type { FitFigures } from '../report/fit-figures.ts'
import type { CommandOption } from './define-command.ts'

/** A message of the library, with its options named as the command line names them. */
export type Flags = (message: string) => string

/** Words that come before an option in the library's advice: "raise starts". */
const VERBS = 'raise|lower|set|give|use|try|with'
/** Words that follow an option in the library's complaints: "starts must be …". */
const RULES = 'must|needs|is for|names|says|cannot'

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Turns the names of the library's options into flags: `maxPasses` becomes `--max-passes`, `bins: 'age:q5'` becomes
 * `--bin age:q5`. A name that is a plain word (`count`, `top`) is an option only where the message shows it to be one:
 * with its value (`count: 'none'`), before a rule (`starts must be`), or at the end of a piece of advice (`raise starts`).
 */
export const flagsOf = (options: readonly CommandOption[]): Flags => {
  const known = options.flatMap(({ flags, library }) => {
    const flag = /--(?:no-)?([a-z-]+)/.exec(flags)?.[1]
    return flag === undefined ? [] : (library ?? [camelCase(flag)]).map(name => ({ name, flag: `--${flag}` }))
  })
  const rules = known.flatMap(({ name, flag }): [RegExp, string][] => [
    // With its value, which a shell takes without the quotes where it has no blanks.
    [new RegExp(`(?<=.[( ])${name}:? '([^'\\s]+)'`, 'g'), `${flag} $1`],
    [new RegExp(`(?<=.[( ])${name}:? ('[^']+'|"[^"]+")`, 'g'), `${flag} $1`],
    [new RegExp(`^${name} '([^'\\s]+)'`, 'g'), `${flag} $1`],
    [new RegExp(`(?<=.[( ])${name}: (?=[\\d])`, 'g'), `${flag} `],
    [new RegExp(`(?<=^|[;:(] ?)${name}(?= (?:${RULES})\\b)`, 'g'), flag],
    [new RegExp(`(?<=\\b(?:${VERBS}) )${name}(?=[.,;:)]|$)`, 'g'), flag],
    ...(/[A-Z]/.test(name) ? [[new RegExp(`\\b${name}\\b`, 'g'), flag] as [RegExp, string]] : []),
  ])
  return message => rules.reduce((text, [pattern, flag]) => text.replace(pattern, flag), message)
}

/** The figures of a fit with the advice of their verdict in flags. */
export const adviceInFlags = (figures: FitFigures, flags: Flags): FitFigures => {
  const { verdict } = figures
  return { ...figures, verdict: { ...verdict, text: flags(verdict.text), advice: verdict.advice.map(flags) } }
}
