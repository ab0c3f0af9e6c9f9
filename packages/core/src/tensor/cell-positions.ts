import { MISSING } from './mode.ts'
import type { Tensor } from './tensor.ts'

/**
 * For every entry of columns of indices, its position among the cells of a tensor; −1 if it is not among them.
 * @example
 * cellPositions(answers, answers.indices)[1] // 1
 */
export const cellPositions = ({ indices, cells }: Tensor, columns: readonly Int32Array[]): Int32Array => {
  const compare = (cell: number, entry: number): number => {
    for (let n = 0; n < indices.length; n++) {
      const difference = indices[n][cell] - columns[n][entry]
      if (difference !== 0) return difference
    }
    return 0
  }
  return Int32Array.from({ length: columns[0].length }, (_, entry) => {
    let [low, high] = [0, cells - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const order = compare(middle, entry)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  })
}

/**
 * For every cell of a tensor, which cell of another it belongs to: that of the same labels in the modes that the other has; −1 if
 * there is none.
 * @example
 * const votes = withoutModes(answers, ['age'])
 * cellsWithin(votes, answers).length // 12: of every cell of the answers, its cell among the votes
 */
export const cellsWithin = (target: Tensor, source: Tensor): Int32Array => {
  const columns = target.modes.map(mode => {
    const n = source.modes.findIndex(({ name }) => name === mode.name)
    const from = source.modes[n]
    // −2 is no index of any cell.
    const place = Int32Array.from({ length: from.size }, (_, j) => mode.indexOf(from.label(j)) ?? MISSING - 1)
    return source.indices[n].map(index => (index === MISSING ? MISSING : place[index]))
  })
  return cellPositions(target, columns)
}
