import type { ProfilesData, TimeData } from './chart-data.ts'
import { areTimes, inOrder } from './label-order.ts'

/**
 * The mode to be shown over time: the one named, or the ordered one with the most labels, or the first whose labels are times.
 * Undefined where there is none, or where the labels of the one named have no order.
 * @example
 * timeData(profilesData(model), 'age')?.mode.labels // ['18–29', '30+']
 */
export const timeData = ({ classes, modes }: ProfilesData, name?: string): TimeData | undefined => {
  const ordered = modes.filter(mode => mode.ordered).toSorted((a, b) => b.labels.length - a.labels.length)
  const mode =
    name === undefined
      ? (ordered[0] ?? modes.find(({ labels }) => areTimes(labels)))
      : modes.find(each => each.name === name)
  const placed = mode && inOrder(mode)
  return placed && { classes, mode: placed }
}
