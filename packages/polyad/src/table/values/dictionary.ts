import { DataError, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import { binLabel, binRange } from './bins.ts'
import { checkKnown, type OrderedSource, orderOfRecoded, recognizedScale } from './label-order.ts'
import { isNumber, type OrderedLabels, orderLabels, placeLabels } from './labels.ts'

/** What labels are made of: texts as they stand in the column, or the numbers of bins. */
export type LabelSource = OrderedSource

/** The labels of a mode in their order, and the position of each text among them. */
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
