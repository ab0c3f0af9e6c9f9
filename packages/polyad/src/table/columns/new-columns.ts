/** Names for new columns that neither the table has yet nor each other. */
export const freeNames = (columns: readonly { readonly name: string }[], names: readonly string[]): string[] => {
  // Column names differ by more than case.
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return names.map(name => {
    let free = name
    while (taken.has(free.toLowerCase())) free = `polyad_${free}`
    taken.add(free.toLowerCase())
    return free
  })
}

/**
 * The columns that are appended to the rows of a table when they are classified: the class, its probability, the log-likelihood of the row, and the
 * probability of every class that is named here. Names that the table has already are changed.
 * @example
 * scoreColumns([{ name: 'class' }], ['low', 'high']) // ['polyad_class', 'class_probability', 'log_likelihood', 'posterior_low', 'posterior_high']
 */
export const scoreColumns = (
  columns: readonly { readonly name: string }[],
  posteriors: readonly (string | number)[],
  more: readonly string[] = [],
): string[] => {
  const scores = ['class', 'class_probability', 'log_likelihood', ...posteriors.map(name => `posterior_${name}`)]
  return freeNames(columns, [...scores, ...more])
}
