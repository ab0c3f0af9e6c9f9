import { statisticsOn, type TableKind } from 'polyad/report'
import { DownloadMenu } from '../../components/download-menu.tsx'
import { copyTable } from '../../state/exporting/clipboard.ts'
import { waitFor } from '../../state/page/messages.ts'
import { chosenModel, givenNames } from '../../state/results/chosen.ts'
import { download } from '../../state/store/files.ts'
import { chosenFit, fits } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import type { TableFileFormat } from '../../worker/protocol.ts'
import { Card } from './card.tsx'
import { nameOf } from './files.tsx'

const FORMATS: readonly { readonly format: TableFileFormat; readonly title: string; readonly type: string }[] = [
  {
    format: 'docx',
    title: 'Word',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  { format: 'xlsx', title: 'Excel', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  { format: 'tex', title: 'LaTeX', type: 'application/x-tex' },
  { format: 'md', title: 'Markdown', type: 'text/markdown' },
  { format: 'csv', title: 'CSV', type: 'text/csv' },
  { format: 'html', title: 'HTML', type: 'text/html' },
]

interface TableItem {
  readonly kind: TableKind
  readonly title: string
  readonly about: string
}

/** The columns that every table of fits has. */
const PRINTED = statisticsOn('paper').flatMap(({ title, needs }) =>
  needs === 'table' || needs === 'G²' ? [] : [title],
)

/** The tables that there are of what was fitted. */
const tablesOf = (): TableItem[] => {
  const several = (fits.value?.fits.length ?? 0) > 1
  const covariates = (fits.value?.request.covariates.length ?? 0) > 0
  const { kind } = chosenModel.value?.model.structure ?? {}
  return [
    {
      kind: 'profiles',
      title: 'Class profiles',
      about: 'Probability of each category within each class, with class sizes',
    },
    {
      kind: 'fit',
      title: 'Model fit',
      about: `${PRINTED.join(', ')}${several ? ' for each number of classes' : ''}`,
    },
    ...(kind === 'chain'
      ? [
          {
            kind: 'transitions',
            title: 'Transitions',
            about: 'Class sizes by wave, and transitions between waves',
          } as const,
        ]
      : []),
    ...(kind === 'nested'
      ? [{ kind: 'mixes', title: 'Classes of groups', about: 'Class sizes within each class of groups' } as const]
      : []),
    ...(covariates
      ? [{ kind: 'odds', title: 'Odds ratios', about: 'Covariates against the reference class' } as const]
      : []),
  ]
}

const filesOf = (kind: TableKind, formats: readonly TableFileFormat[]) => {
  const own = chosenFit.peek()
  const models = kind === 'fit' ? (fits.peek()?.fits ?? []) : own === null ? [] : [own]
  return worker.call('tableFiles', [kind, models.map(({ file }) => worker.model(file)), formats, givenNames.peek()])
}

export const TableCard = () => (
  <Card
    title="Tables"
    about="For a paper: three lines, a title and a note. Copy pastes into Word, Excel and Sheets."
    room="whole"
  >
    <ul class="export-tables">
      {chosenModel.value !== null &&
        tablesOf().map(({ kind, title, about }) => (
          <li key={kind}>
            <div>
              <h3>{title}</h3>
              <p class="muted small">{about}</p>
            </div>
            <div class="formats">
              <DownloadMenu what={title}>
                {FORMATS.map(({ format, title: name, type }) => (
                  <button
                    type="button"
                    key={format}
                    onClick={() =>
                      waitFor('writing the table', async () => {
                        const name = nameOf(`-${kind}.${format}`)
                        const [content] = await filesOf(kind, [format])
                        download(name, content, type)
                      })
                    }
                  >
                    <span class="hidden">{title} as </span>
                    {name}
                  </button>
                ))}
              </DownloadMenu>
              <button
                type="button"
                onClick={() =>
                  copyTable(filesOf(kind, ['html', 'tsv']).then(([html, tsv]) => [String(html), String(tsv)] as const))
                }
              >
                Copy<span class="hidden"> the table {title}</span>
              </button>
            </div>
          </li>
        ))}
    </ul>
  </Card>
)
