import { classColours, classNames } from '../state/results/chosen.ts'
import { percent } from './numbers.ts'

/** The probability of every class as a bar and a number. */
export const ClassBars = ({ probabilities }: { readonly probabilities: readonly number[] }) => (
  <ul class="class-bars">
    {probabilities.map((probability, k) => (
      <li key={`${k}`} style={{ '--colour': classColours.value[k], '--part': `${100 * probability}%` }}>
        <bdi class="name">{classNames.value[k]}</bdi>
        <span class="part" aria-hidden="true" />
        <span class="number">{percent(probability)}</span>
      </li>
    ))}
  </ul>
)
