import type { LinkedFigures, ProbabilityFigure } from '../figures/linked-figures.ts'
import { count, DASH, percent } from '../numbers.ts'
import { effectsText } from './effects-text.ts'
import { type Page, textTable } from './text-table.ts'

/** `65.7% (1.5)`: a probability with its standard error in points. */
const shown = ({ probability, standardError }: ProbabilityFigure): string =>
  standardError === null ? percent(probability) : `${percent(probability)} (${(100 * standardError).toFixed(1)})`

const classColumns = (classes: readonly unknown[], before: string) =>
  classes.map((_, k) => ({ title: `${before} ${k + 1}`, align: 'right' as const }))

/** Classes that change over the waves of persons, or that groups have too. */
export const linkedText = (
  { persons, waves, transitions, stayers, groupClasses, effects = [] }: LinkedFigures,
  page: Page,
): string[] => [
  ...(waves === undefined || transitions === undefined
    ? []
    : [
        page.style('bold', `class sizes by wave (${count(persons ?? 0)} persons; standard errors in parentheses)`),
        ...textTable(
          [{ title: 'wave' }, { title: 'rows', align: 'right' }, ...classColumns(waves[0].sizes, 'class')],
          waves.map(({ wave, persons: rows, sizes }) => [
            String(wave),
            rows === undefined ? DASH : count(rows),
            ...sizes.map(shown),
          ]),
          page,
        ),
        '',
        ...transitions.flatMap(({ from, to, probabilities }) => [
          page.style(
            'bold',
            (from === null ? 'transitions (the same at every step)' : `transitions from wave ${from} to ${to}`) +
              (stayers === undefined ? '' : ', without those who never change'),
          ),
          ...textTable(
            [{ title: 'from' }, ...classColumns(probabilities, 'to class')],
            probabilities.map((row, k) => [`class ${k + 1}`, ...row.map(shown)]),
            page,
          ),
          '',
        ]),
        ...(stayers === undefined
          ? []
          : [
              page.style('bold', `persons who never change: ${shown(stayers.share)}`),
              ...textTable(classColumns(stayers.sizes, 'class'), [stayers.sizes.map(shown)], page),
              '',
            ]),
      ]),
  ...(groupClasses === undefined
    ? []
    : [
        page.style(
          'bold',
          `classes of ${groupClasses.within} (${count(groupClasses.groups ?? 0)} groups; standard errors in parentheses)`,
        ),
        ...textTable(
          [
            { title: 'group class' },
            { title: 'groups', align: 'right' },
            ...classColumns(groupClasses.mixes[0], 'class'),
          ],
          groupClasses.mixes.map((mix, g) => [String(g + 1), shown(groupClasses.sizes[g]), ...mix.map(shown)]),
          page,
        ),
        '',
      ]),
  ...effectsText(effects, page),
]
