import { numberOf } from './numbers.ts'
import type { TextColumn } from './text-dictionary.ts'

/** How much every row counts, by a column of frequencies or weights; what is no such number counts nothing. */
export const weightsOfRows = ({ texts, codes }: TextColumn): Float64Array => {
  const numbers = texts.map(text => {
    const weight = numberOf(text)
    return weight !== undefined && Number.isFinite(weight) && weight > 0 ? weight : 0
  })
  return Float64Array.from(codes, code => numbers[code] ?? 0)
}
