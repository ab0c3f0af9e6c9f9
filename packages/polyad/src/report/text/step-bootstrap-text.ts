import type { StepReplicates, StepSpread } from '@polyad/core'
import { count, counted, DASH, digits, fixed } from '../numbers.ts'
import type { WithNulls } from '../with-nulls.ts'
import { type Page, textTable } from './text-table.ts'

/** An estimate with both of its standard errors. */
export interface ComparedError {
  readonly name: string
  readonly standardError: number | null | undefined
  readonly bootstrap: WithNulls<StepSpread>
}

/** A difference between two kinds of standard errors that is worth a note. */
const NOTABLE = 0.2

/** Whether the two kinds of standard errors differ by more than a fifth, and where most. */
export const errorsDiffer = (errors: readonly ComparedError[]): string | undefined => {
  const both = errors.flatMap(({ name, standardError, bootstrap: { standardError: other } }) =>
    typeof standardError === 'number' && typeof other === 'number' && standardError > 0 && other > 0
      ? [{ name, standardError, other, distance: Math.abs(other / standardError - 1) }]
      : [],
  )
  const far = both.filter(({ distance }) => distance > NOTABLE).sort((a, b) => b.distance - a.distance)
  if (far.length === 0) return undefined
  const [{ name, standardError, other }] = far
  return `bootstrap standard errors differ by more than 20% from the default ones for ${far.length} of ${counted(both.length, 'estimate')} (most for ${name}: ${digits(other)} instead of ${digits(standardError)}). In small samples, report the bootstrap standard errors`
}

export const stepBootstrapText = (
  { replicates, failed }: WithNulls<Pick<StepReplicates, 'replicates' | 'failed'>>,
  errors: readonly ComparedError[],
  page: Page,
): string[] => [
  page.style('bold', 'bootstrap of all three steps') +
    page.style(
      'dim',
      `   ${counted(replicates, 'replicate')}${failed === 0 ? '' : `, ${failed} of them without a solution`}`,
    ),
  ...textTable(
    [
      { title: 'estimate of', most: 48, repeated: true },
      ...['s.e.', 'bootstrap s.e.', 'percentiles'].map(title => ({ title, align: 'right' as const })),
    ],
    errors.map(({ name, standardError, bootstrap }) => [
      bootstrap.finite < replicates - failed
        ? `${name} (finite in ${count(bootstrap.finite)} of ${count(replicates - failed)})`
        : name,
      digits(standardError ?? null),
      digits(bootstrap.standardError),
      bootstrap.interval === null ? DASH : `${fixed(bootstrap.interval[0], 3)} to ${fixed(bootstrap.interval[1], 3)}`,
    ]),
    page,
  ),
  '',
]
