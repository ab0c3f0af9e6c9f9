import { inWords, type Naming, surveyTerm } from '@polyad/core/options'
import { listItem } from '../../table/reading/reading-options.ts'
import { flagWithValue } from '../../table/values/shell-words.ts'
import type { CommandOption } from './definition.ts'
import { ITEMS } from './item-options.ts'
import { SAMPLE_WITH_REPLICATES } from './sample-options.ts'

/** How a command names the library's options: `maxPasses` is `--max-passes`, `bins 'age:q5'` is `--bin age:q5`. */
export const flagNaming = (options: readonly CommandOption[]): Naming => {
  const own = flagsOf(options)
  const ofFit = flagsOf([...SAMPLE_WITH_REPLICATES.options, ...ITEMS.options])
  return mention => {
    const { option, values, lead } = mention
    if (mention.term) return surveyTerm(option)
    const flag = own.get(option) ?? ofFit.get(option)
    if (flag === undefined) return inWords([mention])
    const text = (value: string | number) =>
      flagWithValue(flag, typeof value === 'string' ? listItem(option, value) : value)
    const named = values === undefined ? flag : values.map(text).join(', ')
    // Notes on a sample propose options that not every command has.
    const where = own.has(option) ? '' : ' with polyad fit'
    return `${lead === undefined ? '' : `${lead} `}${named}${where}`
  }
}

/** The flags by the names that the library has for them. */
const flagsOf = (options: readonly CommandOption[]): ReadonlyMap<string, string> =>
  new Map(
    options.toReversed().flatMap(({ flags, library }) => {
      const [, flag] = /--(?:no-)?([a-z-]+)/.exec(flags) ?? []
      const names = library ?? [flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
      // Messages always name the output by its letter.
      return names.map(name => [name, flags.startsWith('-o,') ? '-o' : `--${flag}`] as const)
    }),
  )
