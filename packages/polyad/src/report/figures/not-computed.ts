import type { FitFigures } from './fit-figures.ts'
import { SCANNED } from './statistics.ts'

/** What figures are called that a fit may lack if it was stopped. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SCANNED.map(({ key, name }) => [key, name])),
  standardErrors: 'standard errors',
  fits: 'other numbers of classes',
  heldOut: 'held-out log-likelihoods',
  test: 'tests of numbers of classes',
}

/** Figures by their names in `--json`, as a person calls them. */
export const notComputedText = (names: readonly string[]): string =>
  [...new Set(names.map(name => NAMES[name] ?? name))].join(', ')

/** The same as the end of a sentence; nothing if nothing is missing. */
export const notComputedClause = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; not computed: ${notComputedText(names)}`

/** What was asked of a comparison: how many numbers of classes, and which figures of them. */
interface AskedOfRanks {
  readonly ranks: number
  readonly heldOut: boolean
  readonly test: boolean
}

/** What a comparison of numbers of classes lacks if it was stopped, by the names in `--json`. */
export const missingFromRanks = (
  fits: readonly Pick<FitFigures, 'criteria' | 'test'>[],
  { ranks, heldOut, test }: AskedOfRanks,
): string[] => [
  ...(fits.length < ranks ? ['fits'] : []),
  ...(heldOut && fits.some(({ criteria }) => criteria.heldOut === undefined) ? ['heldOut'] : []),
  ...(test && fits.slice(0, ranks - 1).some(fit => fit.test === undefined) ? ['test'] : []),
]
