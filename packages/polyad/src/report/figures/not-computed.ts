import { SCANNED } from './statistics.ts'

/** What figures are called that a fit may lack if it was stopped. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SCANNED.map(({ key, name }) => [key, name])),
  standardErrors: 'standard errors',
}

/** Figures by their names in `--json`, as a person calls them. */
export const notComputedText = (names: readonly string[]): string =>
  [...new Set(names.map(name => NAMES[name] ?? name))].join(', ')
