import { OptionError, show } from '../../errors.ts'
import type { Items } from '../../model/items/choices.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING } from '../../tensor/mode.ts'
import { joinModes, modeNamed, selectCells } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { term, words } from '../../wording.ts'
import { joinNumbers, joinsNumbers } from './join-numbers.ts'
import type { Specification } from './specification.ts'

export interface JoinedData {
  readonly joined: Tensor
  /** The same rows with the modes apart. */
  readonly separate: Tensor
  /** How much of the data lacks some of the categorical modes that were joined but not all of them, and counts as lacking them all. */
  readonly partial: number
  /** What the modes are taken for, after they were joined. */
  readonly items: Items | undefined
}

/**
 * The lists of categories among those that are joined: these are answered together, or not.
 * @example
 * joinedCategories([['vote', 'trust']]) // [['vote', 'trust']]
 */
export const joinedCategories = (join: Specification['join'] = [], items?: Items): readonly (readonly string[])[] =>
  join.filter(names => !joinsNumbers(names, items))

/**
 * Joins modes; the name of the joined mode has those of its parts. Numbers become one multivariate normal item.
 * @example
 * joinedData(answers, { join: [answers.modes.slice(0, 2).map(({ name }) => name)] }).joined.modes.length // 2
 */
export const joinedData = (tensor: Tensor, { join = [], items }: Pick<Specification, 'join' | 'items'>): JoinedData => {
  const twice = join.flat().find((name, i, all) => all.indexOf(name) !== i)
  if (twice !== undefined)
    throw new OptionError('join', words`has ${show(twice)} twice: a ${term('mode')} is joined once`)
  for (const name of join.flat()) modeNamed(tensor, name, 'join')
  const categories = joinedCategories(join, items)
  const positions = categories.map(names => names.map(name => modeNamed(tensor, name, 'join')))
  const { separate, partial } = blankPartial(tensor, positions)
  let whole: { readonly tensor: Tensor; readonly items: Items | undefined } = { tensor: separate, items }
  for (const names of join)
    whole = categories.includes(names)
      ? { ...whole, tensor: joinModes(whole.tensor, names) }
      : joinNumbers(whole.tensor, names, whole.items ?? {})
  return { joined: whole.tensor, separate, partial, items: whole.items }
}

/** Where one mode of a list is missing, all of it is: the two models then see the same data. */
const blankPartial = (tensor: Tensor, positions: readonly (readonly number[])[]) => {
  const indices = tensor.indices.map(column => column.slice())
  let partial = 0
  for (let cell = 0; cell < tensor.cells; cell++) {
    let changed = false
    for (const modes of positions) {
      const present = modes.filter(n => indices[n][cell] !== MISSING)
      if (present.length === modes.length) continue
      for (const n of present) indices[n][cell] = MISSING
      changed ||= present.length > 0
    }
    if (changed) partial += tensor.values[cell]
  }
  if (partial === 0) return { separate: tensor, partial }
  const blanked = buildTensor(tensor.modes, indices, tensor.values)
  return { separate: selectCells(blanked, cell => blanked.indices.some(column => column[cell] !== MISSING)), partial }
}
