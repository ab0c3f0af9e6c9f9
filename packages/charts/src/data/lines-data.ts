import type { ChartMode, LinesData, ProfilesData } from './chart-data.ts'
import { categoriesOf } from './profiles-data.ts'

/** What says yes: of two labels this one is counted, and else the second. */
const YES = /^(yes|y|true|t|positive|present|correct|agree|ja|oui|s[ií]|да|是|はい)$/i

/**
 * What the classic line plot shows of a model's modes. Of two labels the one that says yes, and else the second. Of more, where
 * they are ordered, their mean place from the first (0) to the last (1); else the label that tells the classes apart most. Numbers have
 * no place on its axis and are left out.
 * `label` chooses one by its name wherever a mode has it.
 * @example
 * linesData(profilesData(model)).items.map(({ name, of }) => `${name}: ${of}`) // ['age: 30+', 'vote: yes', 'trust: high']
 */
export const linesData = (data: ProfilesData, label?: string): LinesData => {
  const { classes, modes } = categoriesOf(data)
  const items = modes.map(mode =>
    itemOf(
      mode,
      label,
      classes.map(({ share }) => share),
    ),
  )
  const labels = new Set(items.map(({ of }) => of))
  const means = items.some(({ of }) => of === MEAN)
  const measure = means
    ? labels.size === 1
      ? 'Mean position among the categories, from the first (0%) to the last (100%), within a class'
      : 'Probability of the category within a class, or mean position among ordered categories'
    : `Probability of ${labels.size === 1 ? items[0].of : 'the category'} within a class`
  const names = data.modes.flatMap(({ name, number }) => (number === undefined ? [] : [name]))
  return { classes, measure, items, ...(names.length > 0 && { omitted: { names, reason: NUMBERS } }) }
}

/**
 * Why they are not among the lines.
 * @example
 * NUMBERS // 'numbers; their means are among the profiles'
 */
export const NUMBERS = 'numbers; their means are among the profiles'

export const MEAN = 'mean'

const itemOf = (mode: ChartMode, label: string | undefined, shares: readonly number[]): LinesData['items'][number] => {
  const { name, labels, ordered, probabilities, marginal, intervals } = mode
  const asked = label === undefined ? -1 : labels.indexOf(label)
  if (asked < 0 && labels.length > 2 && ordered) {
    const mean = (each: readonly number[]) => each.reduce((sum, p, j) => sum + (p * j) / (labels.length - 1), 0)
    return { name, of: MEAN, values: probabilities.map(mean), overall: mean(marginal) }
  }
  const yes = labels.findIndex(each => YES.test(each))
  const j = asked >= 0 ? asked : labels.length > 2 ? farthestApart(mode, shares) : yes >= 0 ? yes : labels.length - 1
  return {
    name,
    of: labels[j],
    values: probabilities.map(each => each[j]),
    overall: marginal[j],
    ...(intervals && { intervals: intervals.map(each => each[j]) }),
  }
}

/** The label whose probability differs most between the classes, by their shares. */
const farthestApart = ({ probabilities, marginal }: ChartMode, shares: readonly number[]): number => {
  const spread = marginal.map((mean, j) =>
    probabilities.reduce((sum, each, k) => sum + shares[k] * (each[j] - mean) ** 2, 0),
  )
  return spread.indexOf(Math.max(...spread))
}
