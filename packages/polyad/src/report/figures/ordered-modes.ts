import { labelOrder } from '@polyad/charts'
import { type Mode, OptionError } from '@polyad/core'

/** Why a mode is not drawn as a line, and what to do. */
export const noOrder = (name: string): string =>
  `the categories of ${JSON.stringify(name)} have no known order; number them in the data, as in '1 low', '2 high'`

/** The modes that are drawn as lines: those that are in order by themselves, and those named, which must have an order. */
export const orderedModes = (modes: readonly Mode[], named: readonly string[] = []): ReadonlySet<number> => {
  const asked = named.map(name => {
    const n = modes.findIndex(mode => mode.name.toLowerCase() === name.toLowerCase())
    if (n < 0) throw new OptionError('ordered', `has ${JSON.stringify(name)}, which is not a variable of the model`)
    const labels = Array.from({ length: modes[n].size }, (_, j) => String(modes[n].label(j)))
    if (!modes[n].ordered && labelOrder(labels) === undefined)
      throw new OptionError(`ordered: ${noOrder(modes[n].name)}`)
    return n
  })
  return new Set([...asked, ...modes.flatMap(({ ordered }, n) => (ordered ? [n] : []))])
}
