import type { Classification } from '../../scoring/classify-table.ts'
import { count, counted, DASH, fixed, percent } from '../numbers.ts'
import { surprisesText } from './surprises-text.ts'
import { type Page, textTable } from './text-table.ts'

export const classificationText = (found: Classification, page: Page): string[] => {
  const shown = found.population === true ? 'population' : found.count === null ? undefined : 'count'
  const hasErrors = found.classes.some(({ standardError }) => standardError !== undefined)
  return [
    '',
    page.style('bold', counted(found.rows, 'row')) + (found.count === null ? '' : `, total ${count(found.total)}`),
    ...textTable(
      [
        { title: 'class', most: 40 },
        { title: 'rows', align: 'right' },
        ...(shown === undefined ? [] : [{ title: shown, align: 'right' as const }]),
        { title: 'size', align: 'right' },
        ...(hasErrors ? [{ title: 's.e.', align: 'right' as const }] : []),
      ],
      found.classes.map(each => [
        `${each.class}`,
        count(each.rows),
        ...(shown === undefined ? [] : [count(each.total)]),
        percent(each.share),
        ...(each.standardError === undefined ? [] : [percent(each.standardError)]),
      ]),
      page,
    ),
    page.style(
      'dim',
      `  each row counts only for its most probable class${found.weights === null ? '' : `; sizes are weighted by ${found.weights}`}`,
    ),
    ...(found.design === null || found.design === undefined
      ? []
      : [
          page.style(
            'dim',
            `  standard errors by ${counted(found.design.clusters, 'cluster')}${found.design.strata > 1 ? ` in ${counted(found.design.strata, 'stratum', 'strata')}` : ''}`,
          ),
        ]),
    `  mean probability of the assigned class   ${found.meanProbability.toFixed(4)}`,
    `  log-likelihood                        ${fixed(found.logLikelihood, 4)}`,
    ...(found.impossible === 0
      ? []
      : [
          `  ${page.style('yellow', `${counted(found.impossible, 'row')} of probability zero`)}: their class follows from the class sizes alone`,
        ]),
    ...Object.entries(found.unseen).map(
      ([mode, rows]) =>
        `  ${page.style('yellow', `${mode}: ${counted(rows, 'row')} with a category that the model does not know`)}, treated as missing`,
    ),
    ...unitsText(found, page),
    ...(found.truth === undefined ? [] : truthText(found.truth, page)),
    ...(found.anomalies.length === 0 ? [] : anomaliesText(found, page)),
    ...(found.surprises.length === 0 ? [] : surprisesText(found.surprises, found.count !== null, page)),
    ...(found.output === undefined || found.output === '-' ? [] : ['', `Wrote ${found.output}`]),
  ]
}

/** Groups that are listed; all are in `--json`. */
const GROUPS_SHOWN = 20

/** The classes of persons at every wave, or of groups. */
const unitsText = ({ persons, waves, paths, groups, groupClasses }: Classification, page: Page): string[] => [
  ...(waves === undefined || persons === undefined
    ? []
    : [
        '',
        page.style('bold', `${counted(persons, 'person')} by wave`) +
          page.style('dim', '  each with the most probable class, given all waves'),
        ...textTable(
          [
            { title: 'wave', repeated: true },
            { title: 'rows', align: 'right' },
            ...waves[0].classes.map(each => ({ title: `class ${each.class}`, align: 'right' as const })),
          ],
          waves.map(each => [
            `${each.wave}`,
            count(each.persons),
            ...each.classes.map(({ share }) => (each.persons === 0 ? DASH : percent(share))),
          ]),
          page,
        ),
      ]),
  ...(paths === undefined || persons === undefined
    ? []
    : [
        '',
        page.style('bold', 'most frequent sequences of classes'),
        ...textTable(
          [{ title: 'sequence' }, { title: 'persons', align: 'right' }, { title: '', align: 'right' }],
          paths.map(each => [each.path.join(' → '), count(each.persons), percent(each.persons / persons)]),
          page,
        ),
      ]),
  ...(groups === undefined || groupClasses === undefined
    ? []
    : [
        '',
        page.style('bold', `${counted(groups.length, 'group')} by class`),
        ...textTable(
          [
            { title: 'group class', repeated: true },
            { title: 'groups', align: 'right' },
            { title: 'share', align: 'right' },
          ],
          groupClasses.map(each => [`${each.class}`, count(each.groups), percent(each.share)]),
          page,
        ),
        '',
        ...textTable(
          [
            { title: 'group', most: 30, repeated: true },
            { title: 'rows', align: 'right' },
            { title: 'class', align: 'right' },
            { title: 'probability', align: 'right' },
          ],
          groups
            .slice(0, GROUPS_SHOWN)
            .map(each => [each.group ?? DASH, count(each.rows), `${each.class}`, each.probability.toFixed(4)]),
          page,
        ),
        ...(groups.length > GROUPS_SHOWN
          ? [page.style('dim', `  … ${counted(groups.length - GROUPS_SHOWN, 'more group')}`)]
          : []),
      ]),
]

/** The share of rows given their true class, and the table of both. */
export const truthText = (
  { column, table }: NonNullable<Classification['truth']>,
  page: Page,
  how = 'by assigned class',
): string[] => {
  const given = [...new Set([...table.values()].flatMap(row => [...row.keys()]))].sort()
  const sum = (row: ReadonlyMap<string, number>) => [...row.values()].reduce((total, value) => total + value, 0)
  const right = [...table].reduce((total, [truth, row]) => total + (row.get(truth) ?? 0), 0)
  const all = [...table.values()].reduce((total, row) => total + sum(row), 0)
  return [
    '',
    `${page.style('bold', `${column}, ${how}`)}   ${percent(right / all)} right (${count(right)} of ${count(all)})`,
    page.style('dim', `  rows: the true ${column}; columns: the assigned class`),
    ...textTable(
      [
        { title: '', most: 30, repeated: true },
        ...given.map(title => ({ title, align: 'right' as const })),
        { title: 'right', align: 'right' },
      ],
      [...table].map(([truth, row]) => [
        truth,
        ...given.map(name => (row.has(name) ? count(row.get(name) as number) : '·')),
        percent((row.get(truth) ?? 0) / sum(row)),
      ]),
      page,
    ),
  ]
}

/** With more columns, a row is for --json. */
const COLUMNS_SHOWN = 12

const anomaliesText = ({ anomalies, anomalyColumns, count: counts }: Classification, page: Page): string[] => [
  '',
  page.style('bold', 'least likely rows'),
  ...textTable(
    [
      { title: 'row', align: 'right', repeated: true },
      ...(counts === null ? [] : [{ title: 'count', align: 'right' as const }]),
      ...anomalyColumns.slice(0, COLUMNS_SHOWN).map(title => ({ title, most: 20 })),
      { title: 'log-likelihood', align: 'right' },
      { title: 'class', align: 'right' },
    ],
    anomalies.map(({ row, values, logLikelihood, class: given, count: times }) => [
      count(row),
      ...(counts === null ? [] : [count(times)]),
      ...values.slice(0, COLUMNS_SHOWN).map(value => value ?? '·'),
      Number.isFinite(logLikelihood) ? fixed(logLikelihood, 3) : 'impossible',
      given,
    ]),
    page,
  ),
  ...(anomalyColumns.length > COLUMNS_SHOWN
    ? [page.style('dim', `  … ${counted(anomalyColumns.length - COLUMNS_SHOWN, 'more column')}`)]
    : []),
]
