import { type LabelList, MANY_LABELS, type PackedTexts, packLabels } from '@polyad/core/model'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import { isNumber, orderNumbers } from '../../table/values/labels.ts'
import type { ModeSource } from './keyed-rows.ts'

/** The labels of a mode whose texts have numbers, and the position of each text's label among them. */
export interface LabelsOfTexts {
  readonly labels: LabelList
  readonly positions: Int32Array
}

export const labelsOfTexts = (mode: ModeSource, texts: PackedTexts): LabelsOfTexts => {
  const stays = texts.ends.length > MANY_LABELS && keepsTexts(mode)
  const numbers = stays ? numbersOfTexts(texts) : undefined
  if (numbers !== undefined) return orderNumbers(numbers)
  const { labels: sorted, places } = packLabels(texts)
  if (stays) return { labels: sorted, positions: places }
  const { labels, positions } = dictionaryOf(mode, sorted.all())
  return { labels, positions: places.map(place => positions[place]) }
}

/** Whether the labels of a mode are its texts, or the numbers that these are, in their usual order. */
const keepsTexts = ({ binning, spelling, column: { order, recode } }: ModeSource): boolean =>
  binning === undefined && spelling === undefined && order === undefined && recode === undefined

const MINUS = 0x2d
const ZERO = 0x30
/** Whole numbers of up to so many digits are exact. */
const DIGITS = 15

/** The numbers that texts are, unless one of them is none. */
const numbersOfTexts = ({ bytes, ends }: PackedTexts): Float64Array | undefined => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = new Float64Array(ends.length)
  for (let text = 0, from = 0; text < ends.length; from = ends[text++]) {
    const end = ends[text]
    const first = bytes[from] === MINUS ? from + 1 : from
    let number = 0
    let at = first
    for (; at < end && bytes[at] >= ZERO && bytes[at] <= ZERO + 9; at++) number = 10 * number + bytes[at] - ZERO
    const isWhole = at === end && at > first && at - first <= DIGITS && (bytes[first] !== ZERO || at === first + 1)
    if (isWhole) values[text] = first === from ? number : 0 - number
    else {
      const other = buffer.toString('utf8', from, end)
      if (!isNumber(other)) return undefined
      values[text] = Number(other) + 0
    }
  }
  return values
}
