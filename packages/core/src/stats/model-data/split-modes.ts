import type { Split, SplitPart } from '../../model/structures/structure.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** The columns that the probabilities of a variable depend on in any class. */
export const columnsOf = ({ columns }: Split): string[] => [...new Set(columns.flat())]

/** What a part of a variable is called: `q1 (country = at)`. */
export const partName = (mode: string, where: SplitPart['where']): string =>
  where.length === 0 ? mode : `${mode} (${where.map(({ column, label }) => `${column} = ${label}`).join(', ')})`

/**
 * Makes of a variable one mode for each combination of columns that occurs: a row has an answer in the mode of its own combination, and lacks
 * those of the others. A model of such modes has probabilities that depend on the columns, and nothing else has to know of it.
 */
export const splitModes = (
  tensor: Tensor,
  splits: readonly Split[],
): { readonly tensor: Tensor; readonly parts: readonly SplitPart[] } => {
  if (splits.length === 0) return { tensor, parts: [] }
  const made = new Map(splits.map(split => [modeNamed(tensor, split.mode, 'free'), partsOf(tensor, split)]))
  const places = tensor.modes.map((mode, n) => made.get(n) ?? [{ mode, column: tensor.indices[n] }])
  return {
    tensor: buildTensor(
      places.flat().map(({ mode }) => mode),
      places.flat().map(({ column }) => column),
      tensor.values,
    ),
    parts: [...made.values()].flat().map(({ part }) => part),
  }
}

const partsOf = (tensor: Tensor, split: Split) => {
  const own = tensor.modes[modeNamed(tensor, split.mode, 'free')]
  const answers = tensor.indices[modeNamed(tensor, split.mode, 'free')]
  const by = columnsOf(split).map(name => modeNamed(tensor, name, 'free'))
  const keys = Array.from({ length: tensor.cells }, (_, cell) => by.map(n => tensor.indices[n][cell]).join())
  // Rows of a combination in which nobody has an answer lack the variable.
  const inOrder = [...new Set(keys.filter((_, cell) => answers[cell] !== MISSING))]
    .map(key => ({ key, labels: key.split(',').map(Number) }))
    .sort((a, b) => a.labels.map((label, i) => label - b.labels[i]).find(difference => difference !== 0) ?? 0)
  return inOrder.map(({ key, labels }) => {
    const where = by.map((n, i) => ({ column: tensor.modes[n].name, label: tensor.modes[n].label(labels[i]) }))
    const name = partName(split.mode, where)
    const known = own.labels ?? Array.from({ length: own.size }, (_, j) => j)
    return {
      part: { mode: split.mode, name, where },
      mode: new Mode(name, known, own.ordered),
      column: answers.map((answer, cell) => (keys[cell] === key ? answer : MISSING)),
    }
  })
}

/** The lists of parts whose probabilities are equal in a class: those with the same labels in all that it depends on. */
export const equalParts = (split: Split, parts: readonly SplitPart[], k: number): (readonly SplitPart[])[] => {
  const lists = new Map<string, SplitPart[]>()
  for (const part of parts.filter(({ mode }) => mode === split.mode)) {
    const key = JSON.stringify(
      part.where.filter(({ column }) => split.columns[k].includes(column)).map(({ label }) => label),
    )
    lists.set(key, [...(lists.get(key) ?? []), part])
  }
  return [...lists.values()]
}
