import type { GivenColumn } from '../../model/structures/structure.ts'
import { type Label, MISSING } from '../../tensor/mode.ts'

/**
 * A given column as a mode: of the numbers that rows have, or of the categories of the model; and each row's position in it.
 * @param values numbers, or positions of categories; not a number, or below 0, if a row has none
 * @example
 * const { mode, indices } = givenMode({ name: 'age', labels: [], numeric: true }, [40, 20, Number.NaN])
 * mode.labels // [20, 40]
 * [...indices] // [1, 0, -1]
 */
export const givenMode = (
  { name, labels, numeric }: GivenColumn,
  values: ArrayLike<number>,
): { readonly mode: { readonly name: string; readonly labels: readonly Label[] }; readonly indices: Int32Array } => {
  if (!numeric)
    return {
      mode: { name, labels },
      indices: Int32Array.from(values, value => (value >= 0 ? value : MISSING)),
    }
  const numbers = [...new Set(Array.from(values).filter(Number.isFinite))].sort((a, b) => a - b)
  const position = new Map(numbers.map((value, j) => [value, j]))
  // A mode has a label, even if no row has it.
  const mode = { name, labels: numbers.length === 0 ? [0] : numbers }
  return { mode, indices: Int32Array.from(values, value => position.get(value) ?? MISSING) }
}
