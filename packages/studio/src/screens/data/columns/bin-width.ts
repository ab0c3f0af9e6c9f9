import type { InspectedColumn } from 'polyad/table'

/**
 * A width that makes about ten bins, and no more than there are different values, as people write widths: 1, 2 or 5 times a power
 * of ten.
 */
export const binWidth = ({
  smallest = 0,
  largest = 1,
  distinct,
}: Pick<InspectedColumn, 'smallest' | 'largest' | 'distinct'>): number => {
  const rough = (largest - smallest || 1) / Math.min(10, Math.max(1, distinct - 1))
  const power = 10 ** Math.floor(Math.log10(rough))
  const [best] = [1, 2, 5, 10].filter(times => times * power >= rough)
  return Number(((best ?? 10) * power).toPrecision(3))
}
