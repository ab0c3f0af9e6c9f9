import { DataError, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import { binLabel, binRange } from './bins.ts'
import { checkKnown, type OrderedSource, orderOfRecoded, recognizedScale } from './label-order.ts'
import { isNumber, type OrderedLabels, orderLabels, placeLabels } from './labels.ts'

/** What labels are made of: texts as they stand in the column, or the numbers of bins. */
export type LabelSource = OrderedSource

/** What put categories in their order: a person, the file, their size, a scale that was recognized, the categories that they were made of, or the alphabet. */
export type OrderRule = 'given' | 'file' | 'size' | 'scale' | 'parts' | 'alphabet'

/**
 * The rule by which categories are in order, as `dictionaryOf` has them.
 * @example
 * orderRule({ name: 'trust' }, ['high', 'low', 'medium']) // 'scale'
 */
export const orderRule = (
  { order, orderGiven, recode }: LabelSource['column'],
  texts: readonly string[],
): OrderRule => {
  if (orderGiven === true) return 'given'
  if (order !== undefined) return 'file'
  if (recode !== undefined && orderOfRecoded(texts, recode) !== undefined) return 'parts'
  if (texts.every(isNumber)) return 'size'
  return recognizedScale(texts) === undefined ? 'alphabet' : 'scale'
}

/**
 * The labels of a mode in their order, and the position of each text among them.
 * @example
 * dictionaryOf({ column: { name: 'trust' }, binning: undefined }, ['high', 'low', 'medium']).labels // ['low', 'medium', 'high']
 */
export const dictionaryOf = ({ column, binning, missingAs }: LabelSource, texts: readonly string[]): OrderedLabels => {
  const { name, order, orderGiven, recode } = column
  if (texts.length === 0) throw new DataError(`column ${JSON.stringify(name)} is empty in every row`, { column: name })
  if (orderGiven === true) {
    if (binning !== undefined || texts.every(isNumber))
      throw new OptionError(
        words`${mention('order')}: the categories of ${JSON.stringify(name)} are numbers${binning === undefined ? '' : ' that are cut'}, which are in order by size`,
      )
    checkKnown(
      name,
      order ?? [],
      texts.filter(text => text.toLowerCase() !== missingAs?.toLowerCase()),
    )
  }
  if (binning === undefined) {
    const known =
      order ?? (recode && orderOfRecoded(texts, recode, missingAs))?.order ?? recognizedScale(texts, missingAs)?.order
    return known === undefined ? orderLabels(texts) : placeLabels(texts, known)
  }
  const seen = texts.map(Number)
  const bins = binRange(seen, binning, name)
  const position = new Map(bins.map((bin, i) => [bin, i]))
  return {
    labels: bins.map(bin => binLabel(bin, binning)),
    positions: Int32Array.from(seen, bin => position.get(bin) as number),
  }
}
