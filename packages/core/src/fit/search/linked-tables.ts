import { linksOf } from '../../model/links/link-kinds.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import type { ModelParameters } from '../../model/parameters.ts'

/** Tables of links in which nothing is impossible. @param amount of equal probabilities that is mixed in */
export const softTables = (links: LinkSetting, { rank, tables }: ModelParameters, amount: number): Float64Array => {
  let end = 0
  const softened = linksOf(links, rank).distributions.flatMap(length => {
    end += length
    return Array.from(tables!.subarray(end - length, end), p => (1 - amount) * p + amount / length)
  })
  return Float64Array.from(softened)
}

/**
 * The tables of a model with further classes: they get their part of every distribution over classes, and those that leave them have no class that they prefer.
 * Undefined if there are none, or if covariates or persons who never change give them another form.
 */
export const widerTables = (
  links: LinkSetting,
  { rank, tables }: ModelParameters,
  added: number,
): Float64Array | undefined => {
  const { kind } = links
  const isPlain =
    kind === 'chain'
      ? links.starting === undefined && links.moving === undefined && links.stayers !== true
      : links.grouping === undefined && links.mixing === undefined
  if (tables === undefined || !isPlain) return undefined
  const part = added / (rank + added)
  const wider = (from: number) => [
    ...Array.from(tables.subarray(from, from + rank), p => (1 - part) * p),
    ...new Array<number>(added).fill(part / added),
  ]
  const several = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => wider(from + i * rank)).flat()
  if (links.kind === 'nested') {
    const { groupClasses } = links
    return Float64Array.from([...tables.subarray(0, groupClasses), ...several(groupClasses, groupClasses)])
  }
  const steps = (tables.length / rank - 1) / rank
  const even = new Array<number>(added * (rank + added)).fill(1 / (rank + added))
  const ofSteps = Array.from({ length: steps }, (_, step) => [...several(rank + step * rank * rank, rank), ...even])
  return Float64Array.from([...wider(0), ...ofSteps.flat()])
}
