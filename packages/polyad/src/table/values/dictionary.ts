import { DataError } from '@polyad/core'
import { type Binning, binLabel, binRange } from './bins.ts'
import { type OrderedLabels, orderLabels, placeLabels } from './labels.ts'

/** What labels are made of: texts as they stand in the column, or the numbers of bins. */
export interface LabelSource {
  readonly column: { readonly name: string; readonly order?: readonly string[] }
  readonly binning: Binning | undefined
}

/** The labels of a mode in their order, and the position of each text among them. */
export const dictionaryOf = ({ column, binning }: LabelSource, texts: readonly string[]): OrderedLabels => {
  const { name } = column
  if (texts.length === 0)
    throw new DataError(`column ${JSON.stringify(name)} has no label in any row`, { column: name })
  if (binning === undefined) return column.order === undefined ? orderLabels(texts) : placeLabels(texts, column.order)
  const seen = texts.map(Number)
  const bins = binRange(seen, binning, name)
  const position = new Map(bins.map((bin, i) => [bin, i]))
  return {
    labels: bins.map(bin => binLabel(bin, binning)),
    positions: Int32Array.from(seen, bin => position.get(bin) as number),
  }
}
