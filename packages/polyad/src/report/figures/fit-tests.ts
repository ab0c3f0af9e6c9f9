import type { Bootstrap } from '@polyad/core'
import { FIT_TESTS, type FitTest, MIN_OBSERVATIONS_PER_CELL } from '@polyad/core/stats'
import { listed } from '../prose.ts'
import { isReliableIfSparse, STATISTICS } from './statistics.ts'

/** Tests of a model's fit by the bootstrap: the list of all, and what they mean in a sparse table. */

/** Those first that keep their level in a sparse table. */
const ORDERED = [true, false].flatMap(first => FIT_TESTS.filter(key => isReliableIfSparse(key) === first))

export const testName = (key: FitTest): string => STATISTICS[key].name

/** The tests that there are, in the order in which they are shown. */
export const testsOf = <T extends object>(
  found: Readonly<Partial<Record<FitTest, T | null | undefined>>>,
): (readonly [FitTest, T])[] => ORDERED.flatMap(key => (found[key] ? [[key, found[key]] as const] : []))

/** All but that of G², which stands by itself in `--json` and in records. */
export const OTHER_TESTS = FIT_TESTS.filter(key => key !== 'gSquared')

export type OtherTest = (typeof OTHER_TESTS)[number]

export const otherTests = <T>(of: (key: OtherTest) => T): Readonly<Record<OtherTest, T>> =>
  Object.fromEntries(OTHER_TESTS.map(key => [key, of(key)])) as Record<OtherTest, T>

const names = (isReliable: boolean): readonly string[] =>
  ORDERED.filter(key => isReliableIfSparse(key) === isReliable).map(testName)

/** What the bootstrap tests. */
export const TESTED = [...names(true), 'pairs of variables', listed(names(false))].join(', ')

/** What to rely on if a table has few observations for its cells. */
export const SPARSE_TESTS = `The table is sparse: rely on ${listed([...names(true), 'the pairs'])}. There, ${listed(names(false))} reject true models too often.`

/** How many pairs of variables have a p-value of at most 5%. */
export const pairsTested = ({ pairs }: Pick<Bootstrap, 'pairs'>): string | undefined =>
  pairs.length === 0
    ? undefined
    : `${pairs.filter(({ pValue }) => pValue <= 0.05).length} of ${pairs.length} with p ≤ 0.05`

/** What is wrong with the p-values of a sparse table, and what can be used in their place. */
export const SPARSE_TABLE = `G² and X² do not follow χ² here: the table averages fewer than ${MIN_OBSERVATIONS_PER_CELL} observations per cell.`
export const INSTEAD_IF_SPARSE =
  'Look at the bivariate residuals of the pairs (--residuals), whose tables are fuller, and at the bootstrap tests of them and of X² (--bootstrap).'
