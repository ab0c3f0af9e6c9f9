import { OptionError, show } from '../../errors.ts'
import { type Items, itemSettings } from '../../model/items/choices.ts'
import type { MultivariateNormalSpec, NormalSpec } from '../../model/items/item.ts'
import { tupleLabel } from '../../model/items/number-labels.ts'
import { MISSING } from '../../tensor/mode.ts'
import { joinedName, joinedPositions, replaceModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'

const kindOf = (items: Items, name: string) => (Object.hasOwn(items, name) ? items[name].kind : 'categorical')

/**
 * Whether variables that are joined are numbers: their joint distribution is normal then. Refuses other kinds than numbers and categories, and a mixture of them.
 * @example
 * joinsNumbers(['height', 'weight'], { height: normal(), weight: normal() }) // true
 */
export const joinsNumbers = (names: readonly string[], items: Items = {}): boolean => {
  const kinds = names.map(name => kindOf(items, name))
  const other = kinds.findIndex(kind => kind !== 'categorical' && kind !== 'normal')
  if (other >= 0)
    throw new OptionError(
      'join',
      words`cannot have ${show(names[other])}, which is ${kinds[other] === 'count' ? 'a count' : kinds[other]}: categorical variables can be joined, and continuous ones`,
    )
  if (kinds.every(kind => kind === 'categorical')) return false
  const categorical = kinds.indexOf('categorical')
  if (categorical >= 0)
    throw new OptionError(
      'join',
      words`has ${show(names[kinds.indexOf('normal')])}, which is continuous, and ${show(names[categorical])}, which is categorical: join variables of one kind, and name all that are continuous in ${mention('items')}`,
    )
  return true
}

/**
 * Joins numbers into one mode, whose labels are the combinations that occur. A cell that lacks some of the numbers has those that it does not lack.
 * @param items what the variables are taken for, with their steps
 */
export const joinNumbers = (
  tensor: Tensor,
  names: readonly string[],
  items: Items,
): { readonly tensor: Tensor; readonly items: Items } => {
  const positions = joinedPositions(tensor, names)
  const settings = itemSettings(tensor, items) ?? []
  const specs = positions.map(n => settings[n]!.spec as NormalSpec)
  const unlike = specs.findIndex(({ variances }) => variances !== specs[0].variances)
  if (unlike > 0)
    throw new OptionError(
      'join',
      words`needs variables with the same variances option: ${show(names[0])} has ${specs[0].variances} variances, and ${show(names[unlike])} ${specs[unlike].variances} ones`,
    )
  if (specs.some(({ prior }) => prior !== undefined))
    throw new OptionError('join', 'cannot be combined with a prior on variances: leave the prior out')
  const places = new Map<string, { readonly tuple: readonly number[]; readonly cells: number[] }>()
  for (let cell = 0; cell < tensor.cells; cell++) {
    const tuple = positions.map(n => tensor.indices[n][cell])
    const key = tuple.join()
    const known = places.get(key)
    if (known === undefined) places.set(key, { tuple, cells: [cell] })
    else known.cells.push(cell)
  }
  const column = new Int32Array(tensor.cells).fill(MISSING)
  const labels = [...places.values()]
    .sort(({ tuple: a }, { tuple: b }) => a.map((each, i) => each - b[i]).find(difference => difference !== 0) ?? 0)
    .flatMap(({ tuple, cells }) => {
      const label = tupleLabel(
        tuple.map((index, i) => (index === MISSING ? undefined : Number(tensor.modes[positions[i]].label(index)))),
      )
      return label === undefined ? [] : [{ label, cells }]
    })
  labels.forEach(({ cells }, j) => {
    for (const cell of cells) column[cell] = j
  })
  const spec: MultivariateNormalSpec = {
    kind: 'multivariate-normal',
    variables: positions.map((n, i) => ({ name: tensor.modes[n].name, step: specs[i].step })),
    variances: specs[0].variances,
  }
  const others = Object.entries(items).filter(([name]) => !names.includes(name))
  return {
    tensor: replaceModes(
      tensor,
      positions,
      labels.map(({ label }) => label),
      column,
    ),
    items: Object.fromEntries([...others, [joinedName(spec.variables.map(({ name }) => name)), spec]]),
  }
}
