import type { InspectedColumn } from 'polyad/table'
import { KINDS } from './roles.ts'

const SHAPES: Readonly<Record<InspectedColumn['kind'], preact.JSX.Element>> = {
  text: <path d="M3 4.5V3h10v1.5M8 3v10M6 13h4" />,
  number: <path d="M5.5 2.5l-1 11M11.5 2.5l-1 11M2.5 6h11M2.5 10.5h11" />,
  date: <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3" />,
  nested: <path d="M6 2.5H4.5v4L3 8l1.5 1.5v4H6M10 2.5h1.5v4L13 8l-1.5 1.5v4H10" />,
  empty: <path d="M3 8h10" />,
}

/** What the values of a column are, as a sign. */
export const KindIcon = ({ kind }: Pick<InspectedColumn, 'kind'>) => (
  <svg class="kind-icon" viewBox="0 0 16 16" role="img" aria-label={KINDS[kind]}>
    <title>{KINDS[kind]}</title>
    {SHAPES[kind]}
  </svg>
)
