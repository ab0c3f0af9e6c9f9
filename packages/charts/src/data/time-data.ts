import type { ChartMode, ProfilesData, TimeData } from './chart-data.ts'

const CALENDAR = [
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'], // biome-ignore format: a year
]

/** Where a label stands in time: numbers and dates by value, days of the week and months by their place. */
const placesOf = (labels: readonly string[]): number[] | undefined => {
  const rules = [
    (label: string) => (label.trim() === '' ? Number.NaN : Number(label)),
    (label: string) => (/^\d{4}-\d\d/.test(label) ? Date.parse(label) : Number.NaN),
    ...CALENDAR.map(names => (label: string) => {
      const at = label.length < 3 ? -1 : names.findIndex(name => name.startsWith(label.toLowerCase()))
      return at < 0 ? Number.NaN : at
    }),
  ]
  return rules.map(rule => labels.map(rule)).find(places => places.every(Number.isFinite))
}

/** A mode with its labels in calendar order; as they are, where they are no times. */
export const inCalendarOrder = (mode: ChartMode): ChartMode => {
  const places = placesOf(mode.labels)
  if (places === undefined) return mode
  const order = [...places.keys()].sort((a, b) => places[a] - places[b] || a - b)
  const sorted = <T>(values: readonly T[]) => order.map(j => values[j])
  return {
    ...mode,
    labels: sorted(mode.labels),
    marginal: sorted(mode.marginal),
    probabilities: mode.probabilities.map(sorted),
    ...(mode.intervals && { intervals: mode.intervals.map(sorted) }),
  }
}

/**
 * The mode to be shown over time: the one named, or the ordered one with the most labels, or the first whose labels are times.
 * Undefined where there is none.
 * @example
 * timeData(profilesData(model), 'age')?.mode.labels // ['18–29', '30+']
 */
export const timeData = ({ classes, modes }: ProfilesData, name?: string): TimeData | undefined => {
  const ordered = modes.filter(mode => mode.ordered).toSorted((a, b) => b.labels.length - a.labels.length)
  const mode =
    name === undefined
      ? (ordered[0] ?? modes.find(({ labels }) => placesOf(labels) !== undefined))
      : modes.find(each => each.name === name)
  return mode && { classes, mode: inCalendarOrder(mode) }
}
