import { DataError, OptionError, show } from '../errors.ts'
import { term, words } from '../wording.ts'
import { buildTensor } from './build.ts'
import { type Label, MISSING, Mode } from './mode.ts'
import type { Tensor } from './tensor.ts'

/** Tensors made of others: some of the cells, some of the modes, modes joined into one. */

/** The position of a mode by its name; one that is not there is refused, for the option that named it. */
export const modeNamed = ({ modes }: Pick<Tensor, 'modes'>, name: string, option: string): number => {
  const position = modes.findIndex(mode => mode.name === name)
  if (position >= 0) return position
  const known = modes.map(mode => mode.name).join(', ')
  throw new OptionError(
    option,
    words`names no ${term('mode')} of the data: ${show(name)}; the ${term('modes')} are ${known}`,
  )
}

/** The same cells with other values. */
export const withValues = ({ modes, indices }: Tensor, values: Float64Array): Tensor =>
  buildTensor(modes, indices, values)

/**
 * Some of the cells. A label that occurred only in the others is no longer a label: as if they had never been read.
 * @example
 * selectCells(answers, cell => answers.values[cell] >= 100).cells // 3
 */
export const selectCells = (tensor: Tensor, keep: (cell: number) => boolean): Tensor => {
  const cells: number[] = []
  for (let cell = 0; cell < tensor.cells; cell++) if (keep(cell)) cells.push(cell)
  if (cells.length === tensor.cells) return tensor
  const indices = tensor.indices.map(column => Int32Array.from(cells, cell => column[cell]))
  const values = Float64Array.from(cells, cell => tensor.values[cell])
  return withLabels({ modes: tensor.modes, indices, values }, (n, j) => tensor.marginals[n][j] === 0)
}

/** The tensor without those labels of some modes that no observation has. */
export const occurringLabels = (tensor: Tensor, names: readonly string[]): Tensor => {
  const named = names.map(name => modeNamed(tensor, name, 'modes'))
  if (!named.some(n => tensor.marginals[n].includes(0))) return tensor
  return withLabels(tensor, n => !named.includes(n))
}

/** Cells with the labels that occur in them, and others that are to stay. */
const withLabels = (
  { modes, indices, values }: Pick<Tensor, 'modes' | 'indices' | 'values'>,
  stays: (mode: number, label: number) => boolean,
): Tensor => {
  const kept = modes.map((mode, n) => keptLabels(mode, indices[n], j => stays(n, j)))
  return buildTensor(
    kept.map(({ mode }) => mode),
    indices.map((column, n) => column.map(index => (index === MISSING ? MISSING : kept[n].position[index]))),
    values,
  )
}

const keptLabels = (mode: Mode, column: Int32Array, stays: (label: number) => boolean) => {
  const position = Int32Array.from({ length: mode.size }, (_, j) => (stays(j) ? 0 : MISSING))
  for (const index of column) if (index !== MISSING) position[index] = 0
  const kept: Label[] = []
  for (let j = 0; j < mode.size; j++) if (position[j] === 0) position[j] = kept.push(mode.label(j)) - 1
  return { mode: kept.length === mode.size ? mode : new Mode(mode.name, kept, mode.ordered), position }
}

/**
 * The cells in which no mode is missing, or none of those named.
 * @example
 * completeCells(answers).total // 1000: nothing was missing
 */
export const completeCells = (tensor: Tensor, names?: readonly string[]): Tensor => {
  const columns = (names ?? tensor.modes.map(({ name }) => name)).map(
    name => tensor.indices[modeNamed(tensor, name, 'complete')],
  )
  const complete = (cell: number) => columns.every(column => column[cell] !== MISSING)
  for (let cell = 0; cell < tensor.cells; cell++) if (complete(cell)) return selectCells(tensor, complete)
  throw new DataError('no row is complete: every one has a missing value')
}

/**
 * The tensor summed over some of its modes. Cells that have none of the others are left out.
 * @example
 * withoutModes(answers, ['age']).modes.map(mode => mode.name) // ['vote', 'trust']
 */
export const withoutModes = (tensor: Tensor, names: readonly string[]): Tensor => {
  const out = new Set(names.map(name => modeNamed(tensor, name, 'modes')))
  const kept = tensor.modes.flatMap((_, n) => (out.has(n) ? [] : [n]))
  if (kept.length === 0) throw new OptionError('there must be a mode besides those that are taken out')
  const known = selectCells(tensor, cell => kept.some(n => tensor.indices[n][cell] !== MISSING))
  return buildTensor(
    kept.map(n => known.modes[n]),
    kept.map(n => known.indices[n]),
    known.values,
  )
}

/** Between the names, and the labels, of modes that were joined. */
export const BETWEEN = ' / '

/** The modes that are to be joined: two or more. */
export const joinedPositions = (tensor: Pick<Tensor, 'modes'>, names: readonly string[]): number[] => {
  const joined = [...new Set(names.map(name => modeNamed(tensor, name, 'join')))]
  if (joined.length < 2)
    throw new OptionError('join', words`needs two or more different ${term('modes')}`, names.join(', '))
  return joined
}

/**
 * Joins modes into one whose labels are all combinations of theirs: within a class they may then depend on each other. Where one of
 * them is missing, the joined mode is.
 * @example
 * const joined = joinModes(answers, ['vote', 'trust'])
 * joined.modes.map(mode => mode.name) // ['age', 'vote / trust']
 * joined.modes[1].label(0) // 'none / high'
 */
export const joinModes = (tensor: Tensor, names: readonly string[]): Tensor => {
  const joined = joinedPositions(tensor, names)
  const parts = joined.map(n => tensor.modes[n])
  let labels: string[] = ['']
  parts.forEach((mode, i) => {
    const own = Array.from({ length: mode.size }, (_, j) => String(mode.label(j)))
    labels = labels.flatMap(before => own.map(label => (i === 0 ? label : `${before}${BETWEEN}${label}`)))
  })
  const column = new Int32Array(tensor.cells)
  for (let cell = 0; cell < tensor.cells; cell++) {
    joined.forEach((n, i) => {
      const index = tensor.indices[n][cell]
      column[cell] = index === MISSING || column[cell] === MISSING ? MISSING : column[cell] * parts[i].size + index
    })
  }
  return replaceModes(tensor, joined, labels, column)
}

/** The name of the mode that modes are joined to. */
export const joinedName = (names: readonly string[]): string => names.join(BETWEEN)

/** A tensor with one mode in place of several: it takes the place of the first of them. @param column the position of its label in every cell */
export const replaceModes = (
  tensor: Tensor,
  joined: readonly number[],
  labels: readonly Label[],
  column: Int32Array,
): Tensor => {
  const mode = new Mode(joinedName(joined.map(n => tensor.modes[n].name)), labels, false)
  const first = Math.min(...joined)
  const kept = tensor.modes.flatMap((_, n) => (n === first || !joined.includes(n) ? [n] : []))
  return buildTensor(
    kept.map(n => (n === first ? mode : tensor.modes[n])),
    kept.map(n => (n === first ? column : tensor.indices[n])),
    tensor.values,
  )
}
