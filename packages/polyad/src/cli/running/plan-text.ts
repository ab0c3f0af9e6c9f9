import type { AnalysisPlan } from '../../analysis/plan.ts'
import { count, counted, duration, whole } from '../../report/numbers.ts'
import { type Page, textTable, variableWidth } from '../../report/text/text-table.ts'
import { sizeText } from '../../table/values/note.ts'

/** What a search does, for a person. */
const SEARCHES: Readonly<Record<AnalysisPlan['fits'][number]['search'], string>> = {
  'closed form': 'closed form',
  'given model': 'one run from the model',
  'one run': 'one run',
  'random starts': 'random starts',
  thorough: 'search',
  economical: 'economical search',
}

const rangeText = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? (most === 0 ? '' : whole(most)) : `${whole(least)} to ${whole(most)}`

const modelLines = (fits: AnalysisPlan['fits'], page: Page): string[] => {
  const models = [
    { title: 'classes', align: 'right' },
    { title: 'parameters', align: 'right' },
    { title: 'how' },
    { title: 'starts', align: 'right' },
    { title: 'passes (at most)', align: 'right' },
    { title: 'memory', align: 'right' },
  ] as const
  return [
    page.style('bold', fits.length === 1 ? 'model' : 'models'),
    ...textTable(
      models,
      fits.map(({ rank, parameters, search, starts, passes, memory }) => [
        whole(rank),
        parameters === undefined ? '' : whole(parameters),
        SEARCHES[search],
        rangeText(starts),
        passes === undefined ? '' : whole(passes),
        sizeText(memory.usual),
      ]),
      page,
    ),
  ]
}

/** What an analysis is going to do, for the terminal. */
export const planText = (plan: AnalysisPlan, writes: readonly string[], page: Page): string[] => {
  const { style } = page
  const { variables, fits, cells, total, engine, cellsIn, seconds, threads, replicates } = plan
  const columns = [
    { title: '', most: variableWidth(page), repeated: true },
    { title: 'used as' },
    { title: 'kind' },
    { title: 'categories', align: 'right' },
    { title: '' },
  ] as const
  return [
    style('bold', 'data') + style('dim', `   N = ${count(total)}; ${counted(cells, 'distinct pattern')}`),
    ...textTable(
      columns,
      variables.map(({ name, label, role, kind, categories, missing }) => [
        label === undefined ? name : `${name}: ${label}`,
        role,
        kind,
        whole(categories),
        missing ? 'has missing values' : '',
      ]),
      page,
    ),
    '',
    ...(fits.length === 0 ? [] : modelLines(fits, page)),
    ...(replicates === undefined
      ? []
      : [`  ${counted(replicates, 'bootstrap replicate')} at most, each with fits of its own`]),
    '',
    style('bold', 'work'),
    ...(fits.length === 0
      ? []
      : [
          `  engine ${engine} on ${counted(threads, 'thread')}; cells ${cellsIn === 'memory' ? 'in memory' : 'stay where they are'}`,
          seconds === undefined
            ? '  The time is not known beforehand.'
            : `  passes take about ${duration(seconds)} at most; a search usually ends sooner`,
        ]),
    writes.length === 0 ? '  No file would be written.' : `  would write ${writes.join(', ')}`,
  ]
}
