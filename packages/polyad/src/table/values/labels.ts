import type { Label } from '@polyad/core'
import { type LabelList, labelArray } from '@polyad/core/model'

/** Labels in their final order, and for each string given its position among them. */
export interface OrderedLabels {
  readonly labels: readonly Label[]
  readonly positions: Int32Array
}

/** A number as a program would write it, as a pattern for JavaScript and SQL. 007 is not one: it is a code, and would lose its zeros. */
export const NUMBER = '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$'
const PLAIN = new RegExp(NUMBER)

/** Whether a text is a number by which labels are told apart: 1 and 1.0 are then the same one. */
export const isNumber = (text: string): boolean => {
  if (!PLAIN.test(text)) return false
  const value = Number(text)
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/**
 * Strings that are all numbers become numbers, in order of size, and 1 and 1.0 are then one label; otherwise they stay
 * strings, in the order the library keeps. All labels are looked at, so that a word late in a file is a label like any.
 */
export const orderLabels = (texts: readonly string[]): OrderedLabels => {
  const positions = new Int32Array(texts.length)
  const labels: Label[] = []
  if (texts.every(isNumber)) return orderNumbers(Float64Array.from(texts, text => Number(text) + 0))
  if (texts.every((text, i) => i === 0 || texts[i - 1] < text))
    return { labels: texts, positions: Int32Array.from(texts.keys()) }
  // Places are sorted, not texts: then no text has to be looked up.
  const inOrder = (a: number, b: number) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0)
  for (const place of Uint32Array.from(texts.keys()).sort(inOrder)) positions[place] = labels.push(texts[place]) - 1
  return { labels, positions }
}

/** Numbers as labels in order of size, each once. */
export const orderNumbers = (values: Float64Array): OrderedLabels => {
  const sorted = values.slice().sort()
  let distinct = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[distinct++] = sorted[i]
  const labels = sorted.subarray(0, distinct)
  const positions = new Int32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    let [low, high] = [0, distinct - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (labels[middle] < values[i]) low = middle + 1
      else high = middle
    }
    positions[i] = low
  }
  return { labels: Array.from(labels), positions }
}

/** Strings in an order that is known, in whatever case they are written; those that are not in it come last. */
export const placeLabels = (texts: readonly string[], order: readonly string[]): OrderedLabels => {
  const key = (text: string) => text.trim().toLowerCase()
  const rank = new Map([
    ...order.map((text, i) => [key(text), i] as const),
    ...order.map((text, i) => [text, i] as const),
  ])
  const rankOf = (text: string) => rank.get(text) ?? rank.get(key(text)) ?? order.length
  const labels = [...texts].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : a > b ? 1 : 0))
  const position = new Map(labels.map((label, i) => [label, i]))
  return { labels, positions: Int32Array.from(texts, text => position.get(text) as number) }
}

/** Strings in the order of their labels. */
export const sortTexts = (texts: readonly string[]): readonly string[] => {
  const { positions } = orderLabels(texts)
  return [...texts.keys()]
    .sort((a, b) => positions[a] - positions[b] || (texts[a] < texts[b] ? -1 : 1))
    .map(i => texts[i])
}

/** What the labels that were too rare to keep are called together. */
export const OTHER = '(other)'

/** The most frequent labels of a mode in their order, and after them one for all the others. */
export const mergeRare = (
  indices: Int32Array,
  values: Float64Array,
  labels: LabelList,
  top: number | undefined,
): { indices: Int32Array; labels: LabelList; merged: number } => {
  if (top === undefined || labels.length <= top) return { indices, labels, merged: 0 }
  const sums = new Float64Array(labels.length)
  for (let cell = 0; cell < indices.length; cell++) if (indices[cell] >= 0) sums[indices[cell]] += values[cell]
  const { position, ...kept } = keepFrequent(sums, labelArray(labels), top)
  return { indices: indices.map(index => (index < 0 ? index : position[index])), ...kept }
}

/** The same by the sum of each label's values: what becomes of the position of each label. */
export const keepFrequent = (
  sums: Float64Array,
  labels: readonly Label[],
  top: number,
): { position: Int32Array; labels: readonly Label[]; merged: number } => {
  const kept = [...sums.keys()]
    .sort((a, b) => sums[b] - sums[a] || a - b)
    .slice(0, top)
    .sort((a, b) => a - b)
  const position = new Int32Array(labels.length).fill(kept.length)
  kept.forEach((old, now) => {
    position[old] = now
  })
  return {
    position,
    labels: [...kept.map(old => labels[old]), OTHER],
    merged: labels.length - kept.length,
  }
}

/** Labels as they are most often written, where case was ignored. */
export const spelledLabels = (
  labels: readonly Label[],
  written: ReadonlyMap<string, string>,
  missingAs: string | undefined,
): readonly Label[] => {
  const absent = missingAs?.toLowerCase()
  return labels.map(label => written.get(String(label)) ?? (label === absent ? (missingAs ?? label) : label))
}
