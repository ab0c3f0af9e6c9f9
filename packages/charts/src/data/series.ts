/** Long rows of numbers: a mode may have a hundred thousand labels. */

/** The largest of any number of numbers, or `least` where that is more. */
export const largest = (values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number => {
  let most = least
  for (const value of values) if (value > most) most = value
  return most
}

/** The means of so many neighbours each, with where they are: for lines of more points than pixels. */
export const neighbourMeans = (values: readonly number[], size: number): { at: number; value: number }[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const some = values.slice(i * size, (i + 1) * size)
    return { at: i * size + (some.length - 1) / 2, value: some.reduce((sum, value) => sum + value, 0) / some.length }
  })

/** Where the highest values above 0 are, the highest first: few are wanted of what may be a hundred thousand. */
export const highestPlaces = (values: readonly number[], most: number): number[] => {
  const found: number[] = []
  values.forEach((value, j) => {
    if (!(value > 0) || (found.length === most && value <= values[found[most - 1]])) return
    const at = found.findIndex(each => values[each] < value)
    found.splice(at < 0 ? found.length : at, 0, j)
    if (found.length > most) found.pop()
  })
  return found
}
