import { statedOrder } from '../../tensor/label-order.ts'
import { labelsOf, type Mode } from '../../tensor/mode.ts'

/** A number at the end or in the midst of texts that are otherwise alike: `t2`, `wave 10`. */
const NUMBERED = /^(\D*)(\d+)(\D*)$/

/**
 * The order of waves: that of numbers, of dates and months, and of numbers within texts. Texts that state none stay as they are, with a note.
 * @returns `order` is undefined if the labels are in order
 */
export const timeOrder = (
  mode: Mode,
): { readonly order: readonly number[] | undefined; readonly notes: readonly string[] } => {
  const labels = labelsOf(mode)
  if (labels.every(label => typeof label === 'number')) return { order: undefined, notes: [] }
  const texts = labels.map(String)
  const order = numberedOrder(texts) ?? statedOrder(texts)
  if (order !== undefined) return { order: order.every((j, i) => j === i) ? undefined : order, notes: [] }
  return {
    order: undefined,
    notes: [`the waves are in the order ${texts.join(', ')}: if that is not their order in time, number them`],
  }
}

const numberedOrder = (texts: readonly string[]): number[] | undefined => {
  const parts = texts.map(text => NUMBERED.exec(text))
  const [first] = parts
  if (!first || !parts.every(part => part !== null && part[1] === first[1] && part[3] === first[3])) return undefined
  return [...texts.keys()].sort((a, b) => Number(parts[a]![2]) - Number(parts[b]![2]))
}
