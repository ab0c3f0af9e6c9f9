import { numbersOf } from '@polyad/charts'
import type { Drift, Model, Movement } from '@polyad/core'
import { firstOf } from '../../table/values/note.ts'
import { fixed, numberText, percent } from '../numbers.ts'
import { className } from './classes-text.ts'
import { type Page, textTable } from './text-table.ts'

/** Classes whose columns are shown; of more, the sizes and the largest movement are. */
const COLUMNS = 8
/** Below so many times what chance would do, a movement is set back. */
const CLEAR = 2
const NAMED = 5

/** What has changed between two models: class sizes, and how far every variable has moved. */
export const driftText = (
  { score, classes, modes }: Drift,
  [before, after]: readonly [Model, Model],
  page: Page,
): string[] => {
  const nameOf = (model: Model, k: number | undefined) => (k === undefined ? '–' : className(model, k))
  const paired = classes.filter(each => each.modes.length > 0)
  const shown = paired.slice(0, COLUMNS)
  const numbers = modes.map((_, n) => movedNumbers(before, after, n))
  const hasNumbers = numbers.some(each => each !== undefined)
  const cells = modes.map((mode, n) => [mode, ...shown.map(each => each.modes[n])])
  return [
    '',
    ...textTable(
      [
        { title: 'class before', most: 30 },
        { title: 'after', most: 30 },
        { title: 'size before', align: 'right' },
        { title: 'after', align: 'right' },
        { title: 'change', align: 'right' },
        { title: 'similarity', align: 'right' },
      ],
      classes.map(each => [
        nameOf(before, each.before),
        nameOf(after, each.after),
        percent(each.shareBefore ?? Number.NaN),
        percent(each.shareAfter ?? Number.NaN),
        points((each.shareAfter ?? 0) - (each.shareBefore ?? 0)),
        fixed(each.similarity, 4),
      ]),
      page,
    ),
    '',
    `${page.style('bold', `answers that moved to other categories${hasNumbers ? ' or values' : ''}`)}   ${page.style('dim', 'percentage points (total variation distance)')}`,
    ...textTable(
      [
        { title: 'variable', most: 30, repeated: true },
        { title: 'overall', align: 'right' },
        ...shown.map(each => ({ title: `class ${nameOf(after, each.after)}`, align: 'right' as const })),
        { title: 'by chance', align: 'right' },
      ],
      modes.map((mode, n) => [
        mode.mode,
        ...cells[n].map(({ distance }) => fixed(100 * distance, 1)),
        numbers[n] === undefined
          ? fixed(100 * Math.max(mode.chance, ...shown.map(each => each.modes[n].chance)), 1)
          : '–',
      ]),
      page,
      (row, column) => {
        const cell = cells[row]?.[column - 1]
        return cell !== undefined && numbers[row] === undefined && cell.distance < CLEAR * cell.chance
          ? 'dim'
          : undefined
      },
    ),
    ...modes.flatMap(({ mode, added, gone }) => [
      ...(added.length === 0 ? [] : [`  ${mode}: new ${firstOf(added.map(String), NAMED)}`]),
      ...(gone.length === 0 ? [] : [`  ${mode}: gone ${firstOf(gone.map(String), NAMED)}`]),
    ]),
    page.style(
      'dim',
      `  by chance: expected from sampling error alone (largest of the classes)${hasNumbers ? '; not known for numbers' : ''}${paired.length > COLUMNS ? `; ${paired.length - COLUMNS} more classes with --json` : ''}`,
    ),
    '',
    page.style('bold', 'largest change of each variable'),
    ...textTable(
      [
        { title: 'variable', most: 30, repeated: true },
        { title: 'where', most: 30 },
        { title: 'category', most: 30 },
        { title: 'before', align: 'right' },
        { title: 'after', align: 'right' },
      ],
      modes.map((mode, n) => [
        mode.mode,
        ...(numbers[n]?.(paired.map(each => [each.before, each.after, `class ${nameOf(after, each.after)}`])) ??
          largest(
            mode,
            paired.map(each => ({ ...each.modes[n], of: `class ${nameOf(after, each.after)}` })),
          )),
      ]),
      page,
    ),
    '',
    `  ${page.style('bold', 'factor match score')}   ${page.style('bold', fixed(score, 4))}   ${page.style('dim', '1: the same, 0: unrelated')}`,
  ]
}

const points = (change: number): string => `${change > 0 ? '+' : ''}${fixed(100 * change, 1)} points`

type Pair = readonly [before: number | undefined, after: number | undefined, of: string]

/** How the mean of a number has moved most in any class; undefined for what is not a number in both models. */
const movedNumbers = (before: Model, after: Model, n: number): ((pairs: readonly Pair[]) => string[]) | undefined => {
  const same = after.modes.findIndex(({ name }) => name === before.modes[n].name)
  const own = numbersOf(before, n)
  const others = new Map((same < 0 ? [] : numbersOf(after, same)).map(({ name, number }) => [name, number]))
  const both = own.flatMap(({ name, number }) => {
    const now = others.get(name)
    return now === undefined ? [] : [{ a: number, b: now, name: own.length > 1 ? ` of ${name}` : '' }]
  })
  if (both.length === 0) return undefined
  return pairs => {
    const moves = both.flatMap(({ a, b, name }) => [
      { from: a.overall.mean, to: b.overall.mean, sd: a.overall.sd, name, of: 'overall' },
      ...pairs.flatMap(([k, l, of]) =>
        k === undefined || l === undefined
          ? []
          : [{ from: a.classes[k].mean, to: b.classes[l].mean, sd: a.overall.sd, name, of }],
      ),
    ])
    // Joined numbers have units of their own.
    const size = ({ from, to, sd }: (typeof moves)[number]) => Math.abs(to - from) / sd
    const most = moves.reduce((x, y) => (size(y) > size(x) ? y : x))
    return most.to === most.from ? NOTHING : [most.of, `mean${most.name}`, numberText(most.from), numberText(most.to)]
  }
}

/** Nothing has changed. */
const NOTHING = ['–', '–', '–', '–']

/** The category that has changed most in any class, or overall: where, which, and its probability before and after. */
const largest = (mode: Movement, classes: readonly (Movement & { readonly of: string })[]): string[] => {
  const change = ({ before, after }: Movement) => Math.abs(after - before)
  const most = classes.reduce<Movement & { readonly of?: string }>((a, b) => (change(b) > change(a) ? b : a), mode)
  if (change(most) === 0) return NOTHING
  return [most.of ?? 'overall', String(most.label), percent(most.before), percent(most.after)]
}
