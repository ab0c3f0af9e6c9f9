import { type Label, OptionError } from '@polyad/core'
import { type LabelList, labelArray, statedOrder } from '@polyad/core/model'
import { advise, mention, words } from '@polyad/core/options'
import type { Binning } from './bins.ts'
import { isNumber } from './labels.ts'
import { isMissingWord } from './missing-words.ts'
import { choice, firstOf, listed, type Note, quoted } from './note.ts'
import { isStyled } from './number-style.ts'
import { inOriginalOrder, mergesNeighbours, originalLabels, type Recode } from './recode.ts'

/** With more labels than this they are names of things, not steps of a scale. */
const MOST_STEPS = 50

/** So many steps of a scale are named. */
const MOST_SHOWN = 9

/** Fewer steps than this are no scale beside answers that mean missing. */
const FEWEST_STEPS = 3

/** A scale that was recognized by its labels. */
export interface RecognizedScale {
  /** The steps of the scale, and after them what means missing. */
  readonly order: readonly string[]
  /** How many of them are steps. */
  readonly steps: number
  /** Whether all are. */
  readonly whole: boolean
}

/**
 * The scale that labels are the steps of, by what they say: a number at their beginning, or the words of a scale that is known. Answers that
 * mean missing (refused, don't know) may stand beside it.
 */
export const recognizedScale = (labels: LabelList, missingAs?: string): RecognizedScale | undefined => {
  if (labels.length < 2 || labels.length > MOST_STEPS) return undefined
  const texts = labelArray(labels).map(String)
  // Numbers are in order, 007 is a name, and what 1,234 means is not for a scale to say.
  const isNumeric = (text: string) =>
    Number.isFinite(Number(text)) || isStyled(text, 'point') || isStyled(text, 'comma')
  if (texts.every(isNumeric)) return undefined
  const isAside = (text: string) => isMissingWord(text) || text.toLowerCase() === missingAs?.toLowerCase()
  for (const steps of [texts, texts.filter(text => !isAside(text))]) {
    const whole = steps.length === texts.length
    if (steps.length < (whole ? 2 : FEWEST_STEPS) || steps.every(isNumber)) continue
    const stated = statedOrder(steps)
    if (stated === undefined) continue
    return {
      order: [...stated.map(i => steps[i]), ...texts.filter(text => !steps.includes(text)).sort()],
      steps: steps.length,
      whole,
    }
  }
  return undefined
}

/** A mode as far as the order of its labels is concerned. */
export interface OrderedSource {
  readonly column: {
    readonly name: string
    readonly order?: readonly string[]
    readonly orderGiven?: boolean
    readonly ordered?: boolean
    readonly nominal?: boolean
    readonly recode?: readonly Recode[]
  }
  readonly binning: Binning | undefined
  readonly missingAs?: string | undefined
}

/** A mode with the labels that it has. */
interface LabelledSource extends OrderedSource {
  readonly labels: LabelList
}

/** The order of labels that were recoded, each in the place of the first of its parts; and whether neighbours are alike, as they were before. */
export const orderOfRecoded = (
  labels: LabelList,
  recode: readonly Recode[],
  missingAs?: string,
): { readonly order: readonly string[]; readonly ordered: boolean } | undefined => {
  const texts = labelArray(labels).map(String)
  const found = originalLabels(texts, recode)
  const numbers = found.every(isNumber)
  const scale = recognizedScale(found, missingAs)
  // What becomes a scale only by its new names is one.
  if (texts.every(isNumber) || (!numbers && scale === undefined && recognizedScale(texts, missingAs) !== undefined))
    return undefined
  const originals = scale?.order ?? (numbers ? [...found].sort((a, b) => Number(a) - Number(b)) : [...found].sort())
  return {
    order: inOriginalOrder(texts, recode, originals),
    ordered: (numbers || scale?.whole === true) && mergesNeighbours(texts, recode, originals),
  }
}

/** Whether neighbouring labels of a mode are alike: bins, numbers, and scales that are told or recognized. */
export const isOrdered = ({ column, binning, missingAs }: OrderedSource, labels: LabelList): boolean =>
  binning !== undefined ||
  column.ordered === true ||
  (column.nominal !== true &&
    ((Array.isArray(labels) && labels.every(label => typeof label === 'number')) ||
      (column.order === undefined && isScale(column.recode, labels, missingAs))))

const isScale = (recode: readonly Recode[] | undefined, labels: LabelList, missingAs: string | undefined) =>
  (recode && orderOfRecoded(labels, recode, missingAs))?.ordered ?? recognizedScale(labels, missingAs)?.whole === true

/** What is said of scales that were recognized, and of orders that were given. */
export const orderNotes = (modes: readonly LabelledSource[]): Note[] => {
  const groups = new Map<string, string[]>()
  for (const { column, binning, missingAs, labels } of modes) {
    if (binning !== undefined || column.order !== undefined) continue
    if (column.recode !== undefined && orderOfRecoded(labels, column.recode, missingAs) !== undefined) continue
    const scale = recognizedScale(labels, missingAs)
    if (scale === undefined) continue
    const [steps, others] = [scale.order.slice(0, scale.steps), scale.order.slice(scale.steps)]
    const shown = steps.length > MOST_SHOWN ? [...steps.slice(0, MOST_SHOWN - 1), '…', steps.at(-1)] : steps
    const text = `${shown.join(' < ')}${others.length === 0 ? '' : `; ${others.join(', ')} after it`}`
    groups.set(text, [...(groups.get(text) ?? []), listed(column.name)])
  }
  const given = modes.filter(({ column }) => column.orderGiven === true).map(({ column }) => listed(column.name))
  return [
    ...[...groups].map(([text, names]) =>
      choice(
        words`recognized as a scale, in this order: ${firstOf(names, 6)} (${text}); ${advise('choose another with', 'order')}`,
      ),
    ),
    ...(given.length === 0 ? [] : [choice(`categories in the order that was given: ${firstOf(given, 6)}`)]),
    ...absentInOrders(modes).map(({ absent, names }) =>
      choice(words`no row that meets the filter has ${absent} in ${names}; ${mention('order')} is used without it`),
    ),
  ]
}

const key = (text: string): string => text.trim().toLowerCase()

/** Refuses labels that are not in an order that was given: each has a place in it, or none has. */
export const checkKnown = (name: string, order: readonly string[], labels: readonly Label[]): void => {
  const known = new Set(order.map(key))
  const unknown = labels.map(String).filter(label => !known.has(key(label)))
  if (unknown.length === 0) return
  const shown = unknown.map(quoted)
  throw new OptionError(
    words`${mention('order')}: ${quoted(name)} has categories that are not in the order given: ${firstOf(shown, 6)}; add them, or make them missing`,
  )
}

/** Refuses an order that names a category which none of its columns has. A filter may remove one: then it is only said. */
export const checkOrders = (modes: readonly LabelledSource[], isFiltered: boolean): void => {
  const [first] = isFiltered ? [] : absentInOrders(modes)
  if (first !== undefined)
    throw new OptionError(
      words`${mention('order')}: no row has ${first.absent} in ${first.names}; check how it is written`,
    )
}

/** For each order that was given, the categories that no row has in any of its columns. */
const absentInOrders = (
  modes: readonly LabelledSource[],
): readonly { readonly absent: string; readonly names: string }[] => {
  const groups = new Map<readonly string[], { readonly names: string[]; readonly seen: Set<string> }>()
  for (const { column, labels } of modes) {
    if (column.orderGiven !== true || column.order === undefined) continue
    const group = groups.get(column.order) ?? { names: [], seen: new Set() }
    groups.set(column.order, group)
    group.names.push(column.name)
    for (const label of labelArray(labels)) group.seen.add(key(String(label)))
  }
  return [...groups].flatMap(([order, { names, seen }]) => {
    const absent = order.filter(text => !seen.has(key(text))).map(quoted)
    return absent.length === 0 ? [] : [{ absent: firstOf(absent, 6), names: firstOf(names.map(listed), 6) }]
  })
}
