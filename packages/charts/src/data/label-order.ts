import type { ChartMode } from './chart-data.ts'

/** The order of labels, which in data are sorted as texts: what they say of it, and never the alphabet. */

type Place = (label: string) => number

const CALENDAR = [
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'], // biome-ignore format: a year
]

/** Answers from the least to the most; what stands between bars is said in the same place. */
const SCALES = [
  'never|almost never,hardly ever,very rarely,very seldom|rarely,seldom|occasionally|sometimes|often,frequently|usually,very often,very frequently|almost always|always',
  'strongly disagree,disagree strongly,completely disagree,totally disagree|disagree,mostly disagree|somewhat disagree,slightly disagree,tend to disagree|neither,neutral,undecided,neither agree nor disagree,neither disagree nor agree|somewhat agree,slightly agree,tend to agree|agree,mostly agree|strongly agree,agree strongly,completely agree,totally agree',
  'very dissatisfied,very unsatisfied|dissatisfied,unsatisfied|somewhat dissatisfied,slightly dissatisfied|neither,neutral,neither satisfied nor dissatisfied|somewhat satisfied,slightly satisfied|satisfied|very satisfied',
  'very unlikely,extremely unlikely|unlikely|somewhat unlikely|neither,neutral,neither likely nor unlikely|somewhat likely|likely|very likely,extremely likely',
  'not at all important|not important,unimportant,not very important|slightly important|somewhat important,moderately important|important|very important|extremely important',
  'none|very low|low|rather low|medium,moderate,middle,average|rather high|high|very high',
  'very bad,very poor,terrible|bad,poor|fair,average,acceptable|good|very good|excellent',
  'not at all|a little,a little bit,slightly|somewhat,moderately|quite a bit|very,very much,a lot|extremely',
  'none,none at all|hardly any,very little|only some,some,a little|quite a lot|a great deal,a lot',
  'much worse|worse|slightly worse|same,the same,about the same,unchanged|slightly better|better|much better',
  'much less|less|same,the same,about the same|more|much more',
  'decreased,fell|same,unchanged|increased,rose',
  'very small,extra small|small|medium|large|very large,extra large',
  'xs|s|m|l|xl|xxl',
  'nie|fast nie|selten|manchmal,gelegentlich|oft,häufig|meistens,sehr oft|immer',
  'sehr niedrig,sehr gering|niedrig,gering|mittel|hoch|sehr hoch',
].map(scale => scale.split('|').map(place => place.split(',')))

/** Where labels stand by the first of the rules that knows them all, each in a place of its own. */
const placesBy = (labels: readonly string[], rules: readonly Place[]): number[] | undefined =>
  rules
    .map(rule => labels.map(rule))
    .find(places => places.every(Number.isFinite) && new Set(places).size === places.length)

const TIMES: readonly Place[] = [
  label => (label.trim() === '' ? Number.NaN : Number(label)),
  label => (/^\d{4}-\d\d/.test(label) ? Date.parse(label) : Number.NaN),
  ...CALENDAR.map(
    (names): Place =>
      label => {
        const at = label.length < 3 ? -1 : names.findIndex(name => name.startsWith(label.toLowerCase()))
        return at < 0 ? Number.NaN : at
      },
  ),
]

/** Whether labels are times: numbers, dates, days of the week or months. */
export const areTimes = (labels: readonly string[]): boolean => placesBy(labels, TIMES) !== undefined

const BELOW = /^(?:[<≤]=?|under|below|less than|up to|unter|bis)\s*/
const ABOVE = /^(?:[>≥]=?|over|above|more than|at least|über|ab)\s*/

/** The number that a label begins with (18–29, 65+, under 18, 2 = agree); units must be the same in all. */
const leading = (labels: readonly string[]): Place => {
  const parts = labels.map(label => {
    const plain = label.trim().toLowerCase()
    const [, digits, unit] =
      /^[([$€£]*\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:[.,]\d+)?)(?:st|nd|rd|th)?(\p{L}*)/u.exec(
        plain.replace(BELOW, '').replace(ABOVE, ''),
      ) ?? []
    if (digits === undefined) return { value: Number.NaN, unit: '' }
    const value = Number(/,\d{3}(?!\d)/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.'))
    // Under 18 comes before 18 to 29, and over 65 after 65.
    const side = BELOW.test(plain) ? -1 : ABOVE.test(plain) ? 1 : 0
    return { value: value + side * 1e-9 * Math.max(1, Math.abs(value)), unit }
  })
  const alike = new Set(parts.map(({ unit }) => unit)).size === 1
  return label => (alike ? parts[labels.indexOf(label)].value : Number.NaN)
}

const plainWords = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[-_\s]+/g, ' ')
    .replace(/[.!]/g, '')
    .trim()

const SCALE_PLACES = SCALES.map(
  (scale): Place =>
    label => {
      const at = scale.findIndex(place => place.includes(plainWords(label)))
      return at < 0 ? Number.NaN : at
    },
)

/** What rare labels that were merged are called: they come last. */
const OTHER = '(other)'

/**
 * The positions of labels in the order that they state themselves: times, numbers at their beginning, the answers of usual scales. An order
 * that is not the alphabet's was given with the data, and is kept; two labels are in order either way. Else there is none: undefined.
 * @example
 * labelOrder(['high', 'low', 'medium']) // [1, 2, 0]
 * labelOrder(['cat', 'dog', 'fish']) // undefined
 */
export const labelOrder = (labels: readonly string[]): number[] | undefined => {
  if (labels.at(-1) === OTHER) {
    const kept = labelOrder(labels.slice(0, -1))
    return kept && [...kept, kept.length]
  }
  const places = placesBy(labels, [...TIMES, leading(labels), ...SCALE_PLACES])
  const order = [...labels.keys()]
  if (places !== undefined) return order.sort((a, b) => places[a] - places[b])
  const alphabetical = labels.every((label, j) => j === 0 || labels[j - 1] <= label)
  return alphabetical && labels.length > 2 ? undefined : order
}

/**
 * A mode with its labels in their order; undefined where they have none.
 * @example
 * inOrder(modeOf(model, 0))?.labels // ['18–29', '30+']
 */
export const inOrder = (mode: ChartMode): ChartMode | undefined => {
  const order = mode.ordered ? [...mode.labels.keys()] : labelOrder(mode.labels)
  if (order === undefined) return undefined
  const sorted = <T>(values: readonly T[]) => order.map(j => values[j])
  return {
    ...mode,
    labels: sorted(mode.labels),
    marginal: sorted(mode.marginal),
    probabilities: mode.probabilities.map(sorted),
    ...(mode.intervals && { intervals: mode.intervals.map(sorted) }),
  }
}
