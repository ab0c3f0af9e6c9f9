import { classColours, classNames } from '../state/results/chosen.ts'
import { percent } from './numbers.ts'

interface Props {
  /** By class: how much of the whole it has. */
  readonly parts: readonly number[]
  /** The same in words; a percentage where nothing is said. */
  readonly words?: (part: number, k: number) => string
}

/** What every class has of a whole, as a bar and a number. */
export const ClassBars = ({ parts, words }: Props) => (
  <ul class={words === undefined ? 'class-bars' : 'class-bars counts'}>
    {parts.map((part, k) => (
      <li key={`${k}`} style={{ '--colour': classColours.value[k], '--part': `${100 * part}%` }}>
        <bdi class="name">{classNames.value[k]}</bdi>
        <span class="part" aria-hidden="true" />
        <span class="number">{words === undefined ? percent(part) : words(part, k)}</span>
      </li>
    ))}
  </ul>
)
