import type { Interval, Model, StandardErrors } from '@polyad/core'
import { omit } from '@polyad/core/options'
import { PRINTED_NUMBERS } from '../figures/fit-figures.ts'
import { counted, fixed, levelText, numberText } from '../numbers.ts'
import type { RecordedErrors } from '../record/read-structure.ts'
import { type WithNulls, withNulls } from '../with-nulls.ts'
import { className } from './classes-text.ts'
import { itemRows, type ProfileLimits, profileTable, shownLabels } from './profile-table.ts'
import { labelsOn, type Page, padStart, textTable, variableWidth, width } from './text-table.ts'

/** What is printed of one parameter: the estimate, its standard error, its interval. */
type Line = readonly [string, string, string]

/** What the kinds of standard errors are called. */
const BY = {
  empirical: 'empirical (outer product of the scores)',
  observed: 'observed-information',
  sandwich: 'robust (sandwich)',
  replicates: 'replicate-weight',
} as const

/** The profiles with standard errors and intervals beside the estimates; without them, and with the reason, where there are none. */
export const errorTable = (model: Model, errors: StandardErrors, limits: ProfileLimits, page: Page): string[] => {
  const { style } = page
  const labels = labelsOn(page)
  const { shares, factors, intervals, confidence } = errors
  if (shares === undefined || factors === undefined || intervals === undefined) {
    const missing = `  no standard errors: ${errors.reason}`
    return [...profileTable(model, limits, page), '', style('bold', 'standard errors'), style('yellow', missing)]
  }
  const lineOf = (
    value: number,
    error: number | undefined,
    interval: Interval | undefined,
    atBoundary: boolean,
  ): Line => [
    fixed(value, 4),
    atBoundary ? 'boundary' : fixed(error, 4),
    interval === undefined ? '' : `${fixed(interval[0], 3)}–${fixed(interval[1], 3)}`,
  ]
  const isAt = (mode: string | undefined, label: unknown, k: number) =>
    errors.boundary.some(each => each.mode === mode && each.label === label && each.class === k)
  const names = model.shares.map((_, k) => className(model, k))
  const rows: { readonly head: readonly [string, string]; readonly lines: readonly Line[] }[] = [
    {
      head: ['size', ''],
      lines: names.map((_, k) =>
        lineOf(model.shares[k], shares[k], intervals.shares[k], isAt(undefined, undefined, k)),
      ),
    },
  ]
  for (const [n, mode] of model.modes.slice(0, limits.modes).entries()) {
    const item = itemRows(model, n, labels)
    if (item !== undefined) {
      item.forEach(({ head, name, at, values }) => {
        const lines = values.map((value, k): Line => {
          const { error, interval } = errors.items?.[n]?.[at[k] ?? -1] ?? {}
          return [
            value === undefined ? '' : numberText(value),
            error === undefined ? '' : numberText(error),
            interval === undefined ? '' : interval.map(numberText).join('–'),
          ]
        })
        rows.push({ head: [head, name], lines })
      })
      continue
    }
    const shown = shownLabels(model, n, limits)
    shown.forEach((j, i) => {
      const lines = names.map((_, k) => {
        const at = isAt(mode.name, mode.label(j), k)
        return lineOf(model.parameters.factors[n][j * model.rank + k], factors[n][k][j], intervals.factors[n][k][j], at)
      })
      rows.push({ head: [i === 0 ? labels.name(mode.name) : '', labels.value(mode.name, mode.label(j))], lines })
    })
    const left = mode.size - shown.length
    if (left > 0)
      rows.push({
        head: ['', `… ${counted(left, 'more category', 'more categories')}`],
        lines: names.map(() => ['', '', '']),
      })
  }
  const title: Line = ['estimate', 's.e.', 'interval']
  // The three stand together, however the page divides the classes.
  const widths = [0, 1, 2].map(i =>
    Math.max(width(title[i]), ...rows.flatMap(({ lines }) => lines.map(line => width(line[i])))),
  )
  const [before, between] = page.columns < 80 ? ['', ' '] : ['  ', '  ']
  const cell = (line: Line) => `${before}${line.map((text, i) => padStart(text, widths[i])).join(between)}`
  const left = model.modes.length - limits.modes
  return [
    style('bold', 'profiles') +
      style('dim', `   with ${BY[errors.kind]} standard errors, ${levelText(confidence)} intervals`),
    ...textTable(
      [
        { title: '', most: variableWidth(page), repeated: true },
        { title: '', most: 28, repeated: true },
        ...names.map(name => ({
          title: model.classNames === undefined ? `class ${name}` : name,
          align: 'right' as const,
        })),
      ],
      [['', '', ...names.map(() => cell(title))], ...rows.map(({ head, lines }) => [...head, ...lines.map(cell)])],
      page,
      (row, column) => (row === 0 ? 'dim' : column === 0 || row === 1 ? 'bold' : undefined),
    ),
    ...(left > 0 ? [style('dim', `  … ${counted(left, 'more variable')}`)] : []),
    ...designNote(errors).map(line => style('dim', line)),
    ...boundaryNote(errors).map(line => style('dim', line)),
    ...profileNote(errors).map(line => style('yellow', line)),
    ...shortfallNote(errors).map(line => style('yellow', line)),
  ]
}

/** What the sample made of the variances. */
const designNote = ({ design }: StandardErrors): string[] => {
  if (design === undefined) return []
  const { clusters, strata, degreesOfFreedom, effects, replicates, scaling } = design
  const known = [...effects.shares, ...effects.factors.flat(2)].filter(effect => effect !== undefined)
  const drawn =
    replicates !== undefined
      ? `${counted(replicates.count, 'replicate')} (${replicates.kind})`
      : clusters === undefined || strata === undefined || degreesOfFreedom === undefined
        ? 'weighted rows'
        : `${counted(clusters, 'cluster')}${strata > 1 ? ` in ${counted(strata, 'stratum', 'strata')}` : ''}, ${counted(degreesOfFreedom, 'degree')} of freedom`
  const range =
    known.length === 0 ? '' : `; design effects from ${fixed(Math.min(...known), 2)} to ${fixed(Math.max(...known), 2)}`
  const scaled = scaling === undefined ? '' : `; scaling factor of the log-likelihood ${fixed(scaling, 3)}`
  return [`  ${drawn}${range}${scaled}`]
}

/** What to make of parameters at 0 or 1, and of the intervals there. */
const boundaryNote = ({ boundary, profile }: StandardErrors): string[] => [
  ...(boundary.length > 0 ? ['  boundary: estimated as exactly 0 or 1, which has no standard error'] : []),
  ...(profile.computed > 0 ? ['  intervals at or near 0 or 1 are by profile likelihood'] : []),
]

/** Which intervals are not what they should be. */
const profileNote = ({ profile: { left, reason } }: StandardErrors): string[] => {
  if (left === 0) return []
  return [
    `  ${counted(left, 'interval')} at or near 0 or 1 ${left === 1 ? 'is' : 'are'} missing or too wide: ${reason}`,
  ]
}

/** A log-likelihood that is this far below its maximum, in nats, is not at one. */
const FAR = 0.01

const shortfallNote = ({ shortfall }: StandardErrors): string[] =>
  shortfall !== undefined && shortfall > FAR
    ? [
        `  not at a maximum of the likelihood (about ${fixed(shortfall, 2)} below it), because of a prior or an early stop: do not rely on these`,
      ]
    : []

/** The standard errors as the object of --json has them: all but the covariance. */
export const errorFigures = (errors: StandardErrors): WithNulls<Omit<StandardErrors, 'covariance'>> =>
  withNulls(omit(errors, 'covariance'))

/** What a model file keeps of standard errors: of a model that is too large to print, how they were computed alone. */
export const errorRecord = ({ kind, confidence, ...errors }: StandardErrors): RecordedErrors => {
  const { shares, factors, intervals, items } = errors
  const numbers = (factors ?? []).reduce((sum, factor) => sum + factor.length * (factor[0]?.length ?? 0), 0)
  const kept = numbers > PRINTED_NUMBERS ? {} : { shares, factors, intervals }
  return {
    kind,
    confidence,
    ...withNulls({ shares: undefined, factors: undefined, intervals: undefined, ...kept }),
    ...(items !== undefined && { items: withNulls(items) }),
  }
}
