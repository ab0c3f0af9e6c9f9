import type { ChainSetting } from '../../model/links/links.ts'
import { MISSING } from '../../tensor/mode.ts'
import { PERSONS } from './context.ts'

/** Persons in blocks, those with most waves first, and their rows wave by wave: it follows from the data alone. */
export interface ChainRows {
  /** The person at every place. */
  readonly order: Int32Array
  readonly blocks: number
  /** For every block and wave, how many of its persons are there. */
  readonly present: Int32Array
  /** Where the rows of each block begin. */
  readonly blockRows: Int32Array
  /** The row of the setting at every place. */
  readonly rowOf: Int32Array
  /** The cell of every row; for a wave without answers the one after the last. */
  readonly cells: Int32Array
  /** The most rows of a block. */
  readonly mostRows: number
}

export const chainRows = ({ waves, rows }: ChainSetting, cellCount: number): ChainRows => {
  const { starts, cells } = rows
  const persons = starts.length - 1
  const lengthOf = (unit: number) => starts[unit + 1] - starts[unit]
  const ofLength = new Int32Array(waves + 2)
  for (let unit = 0; unit < persons; unit++) ofLength[waves - lengthOf(unit) + 1]++
  for (let length = 1; length < ofLength.length; length++) ofLength[length] += ofLength[length - 1]
  const order = new Int32Array(persons)
  for (let unit = 0; unit < persons; unit++) order[ofLength[waves - lengthOf(unit)]++] = unit
  const blocks = Math.ceil(persons / PERSONS)
  const present = new Int32Array(blocks * waves)
  const blockRows = new Int32Array(blocks)
  const rowOf = new Int32Array(cells.length)
  let [next, mostRows] = [0, 0]
  for (let b = 0; b < blocks; b++) {
    const own = order.subarray(b * PERSONS, (b + 1) * PERSONS)
    blockRows[b] = next
    for (let wave = 0; wave < lengthOf(own[0]); wave++) {
      let count = 0
      while (count < own.length && lengthOf(own[count]) > wave) rowOf[next++] = starts[own[count++]] + wave
      present[b * waves + wave] = count
    }
    mostRows = Math.max(mostRows, next - blockRows[b])
  }
  const placed = rowOf.map(row => (cells[row] === MISSING ? cellCount : cells[row]))
  return { order, blocks, present, blockRows, rowOf, cells: placed, mostRows }
}
