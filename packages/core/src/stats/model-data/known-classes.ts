import { OptionError, show } from '../../errors.ts'
import { buildTensor } from '../../tensor/build.ts'
import { type Label, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed, occurringLabels } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** Classes that are known for some rows: a mode with one label for each class, which a row of a known class has. */
export interface KnownClasses {
  /** The column. */
  readonly name: string
  /** One for each class: a label of the column, or a stand-in for a class that no row is known to be of. */
  readonly labels: readonly Label[]
  /** For each class, whether rows are known to be of it. */
  readonly occurs: readonly boolean[]
  /** How much of the data is known to be of each class. */
  readonly totals: readonly number[]
}

/**
 * The column of known classes as the last mode, with one label for each class. Whole numbers from 1 to the number of classes are the numbers of
 * classes; other labels name the first classes, in their order.
 */
export const knownClasses = (
  tensor: Tensor,
  name: string,
  rank: number,
): { readonly tensor: Tensor; readonly known: KnownClasses } => {
  if (tensor.marginals[modeNamed(tensor, name, 'known')].every(total => total === 0))
    throw new OptionError('known', `names ${show(name)}, which is empty in every row: no class is known`)
  const seen = occurringLabels(tensor, [name])
  const n = modeNamed(seen, name, 'known')
  const mode = seen.modes[n]
  const own = Array.from({ length: mode.size }, (_, j) => mode.label(j))
  const numbers = own.every(
    label => typeof label === 'number' && Number.isInteger(label) && label >= 1 && label <= rank,
  )
  if (own.length > rank)
    throw new OptionError('known', `names ${show(name)}, which has ${own.length} classes: the model has ${rank}`)
  const place = own.map((label, j) => (numbers ? Number(label) - 1 : j))
  const labels: Label[] = Array.from({ length: rank }, (_, k) => {
    const j = place.indexOf(k)
    return j >= 0 ? own[j] : numbers ? k + 1 : `class ${k + 1}`
  })
  const column = seen.indices[n].map(index => (index === MISSING ? MISSING : place[index]))
  const others = <T>(list: readonly T[]) => list.filter((_, m) => m !== n)
  const totals = labels.map((_, k) => (place.includes(k) ? seen.marginals[n][place.indexOf(k)] : 0))
  return {
    tensor: buildTensor(
      [...others(seen.modes), new Mode(name, labels)],
      [...others(seen.indices), column],
      seen.values,
    ),
    known: { name, labels, occurs: labels.map((_, k) => place.includes(k)), totals },
  }
}
