import { classSymbolPath } from '@polyad/charts'

/** The symbol of a class in its colour, as lines and heat maps have it. `place`: that of its like among all numbers of classes. */
export const ClassMark = ({ place }: { readonly place: number }) => (
  <svg class="class-mark" viewBox="-8 -8 16 16" width="14" height="14" aria-hidden="true">
    <path d={classSymbolPath(place, 6)} fill="var(--colour)" />
  </svg>
)
