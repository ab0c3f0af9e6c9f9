import { inWords, type Naming } from '@polyad/core/options'
import { flagWithValue } from '../../table/values/shell-words.ts'
import type { CommandOption } from './definition.ts'

/** How a command names the library's options: `maxPasses` is `--max-passes`, `bins 'age:q5'` is `--bin age:q5`. */
export const flagNaming = (options: readonly CommandOption[]): Naming => {
  const flags = new Map(
    options.toReversed().flatMap(({ flags, library }) => {
      const [, flag] = /--(?:no-)?([a-z-]+)/.exec(flags) ?? []
      const names = library ?? [flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
      return names.map(name => [name, `--${flag}`] as const)
    }),
  )
  return mention => {
    const { option, values, lead } = mention
    const flag = flags.get(option)
    if (flag === undefined) return inWords([mention])
    const named = values === undefined ? flag : values.map(value => flagWithValue(flag, value)).join(', ')
    return lead === undefined ? named : `${lead} ${named}`
  }
}
