import type { Recode } from 'polyad/table'

/** How the categories of a column are merged, renamed and put in order: what a person does, on what was done before. */

export interface Recoding {
  readonly recode: readonly Recode[]
  /** All categories in their order; undefined where nobody has given one. */
  readonly order: readonly string[] | undefined
}

/** The categories of the file that a category is made of. */
export const partsOf = (recode: readonly Recode[], category: string): readonly string[] =>
  recode.find(({ to }) => to === category)?.from ?? [category]

/** Makes some of the categories one. @param known all of them, as they are shown */
export const merge = (
  { recode, order }: Recoding,
  categories: readonly string[],
  to: string,
  known: readonly string[],
): Recoding => {
  // A name that another has makes them one with it.
  const all = [...new Set([...categories, ...(known.includes(to) ? [to] : [])])]
  const from = [...new Set(all.flatMap(each => partsOf(recode, each)))]
  const others = recode.filter(rule => !all.includes(rule.to))
  const isItself = from.length === 1 && from[0] === to
  return {
    recode: isItself ? others : [...others, { from, to }],
    order: order && [...new Set(order.map(each => (all.includes(each) ? to : each)))],
  }
}

/** Gives a category another name. */
export const rename = (now: Recoding, category: string, to: string, known: readonly string[]): Recoding =>
  merge(now, [category], to, known)

/** Takes back what was done to one category: its parts stand in its place. */
export const separate = ({ recode, order }: Recoding, category: string): Recoding => ({
  recode: recode.filter(({ to }) => to !== category),
  order: order?.flatMap(each => (each === category ? partsOf(recode, category) : [each])),
})

/** Puts a category one place up (−1) or down (1). @param known all of them, as they are shown */
export const move = ({ recode, order }: Recoding, category: string, by: -1 | 1, known: readonly string[]): Recoding => {
  const now = [...known]
  const from = now.indexOf(category)
  const to = from + by
  if (from < 0 || to < 0 || to >= now.length) return { recode, order }
  now.splice(to, 0, ...now.splice(from, 1))
  return { recode, order: now }
}

/** What categories are called together, unless somebody says: by their own names. */
export const mergedName = (categories: readonly string[]): string => categories.join(' / ')
