import { modelToJson } from '@polyad/core/file'
import { defined } from '@polyad/core/options'
import { DEFAULT_STANDARD_ERRORS } from '@polyad/core/stats'
import { useState } from 'preact/hooks'
import { printPage } from '../../state/exporting/print.ts'
import { waitFor } from '../../state/page/messages.ts'
import { readData } from '../../state/reading/reading.ts'
import { chosenModel, givenNames, namedFile, namedModel } from '../../state/results/chosen.ts'
import { download, safeName } from '../../state/store/files.ts'
import { chosenFit, data, file, hasOwnData, ownName, projectName, settings, table } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import type { ReportRequest } from '../../worker/protocol.ts'
import { pageOfReport } from '../../worker/report-client.ts'
import { Card } from './card.tsx'

/** What a file of this project is called: iris-3.npz. */
export const nameOf = (what: string): string =>
  `${safeName(projectName.value) || 'polyad'}-${chosenModel.value?.model.rank ?? ''}${what}`

/** What a report is asked for. */
export const reportRequest = (intervals: boolean): ReportRequest => ({
  // A project without a name of its own has that of its file, which alone says little: “s”.
  title: ownName.value ?? `Classes in ${file.value?.name ?? projectName.value}`,
  ...defined({ names: givenNames.value }),
  ...(intervals && { errors: DEFAULT_STANDARD_ERRORS }),
})

export const ReportFile = () => {
  const [intervals, setIntervals] = useState(false)
  const make = (use: (page: string) => void) =>
    waitFor('writing the report', async () => {
      const fit = chosenFit.peek()
      if (fit === null) return
      const report = await worker.call('report', [worker.model(fit.file), reportRequest(intervals)])
      use(await pageOfReport(report))
    })
  return (
    <li>
      <div>
        <h3>Report</h3>
        <p class="muted small">
          Everything on one page: summary, classes, evidence, figures, and how to report them. Opens offline in any
          browser.
        </p>
        <label class="choice">
          <input
            type="checkbox"
            checked={intervals}
            disabled={!hasOwnData.value}
            onChange={event => setIntervals(event.currentTarget.checked)}
          />
          <span>With 95% intervals</span>
        </label>
        {!hasOwnData.value && <OwnData />}
      </div>
      <div class="formats">
        <button
          type="button"
          class="primary"
          onClick={() => {
            const name = nameOf('-report.html')
            void make(page => download(name, page, 'text/html'))
          }}
        >
          Report (.html)
        </button>
        <button type="button" onClick={() => make(printPage)}>
          Print or save as PDF
        </button>
      </div>
    </li>
  )
}

/** Reading the data again, where it is not at hand. */
const OwnData = () =>
  table.value === null || data.value !== null ? (
    <p class="small muted">
      The data of these fits is not open, so the report leaves out residuals, class probabilities and intervals.
    </p>
  ) : (
    <p class="small muted">
      The data has not been read since its settings changed, so the report leaves out residuals, class probabilities and
      intervals.{' '}
      <button type="button" onClick={() => readData()}>
        Read it now
      </button>
    </p>
  )

export const ModelFiles = () => (
  <Card
    title="Model"
    room="half"
    about="The class profiles and the recipe for reading new data: for the command line, programs and NumPy."
  >
    <div class="formats">
      <button
        type="button"
        onClick={() => {
          const file = namedFile.peek()
          if (file !== null) download(nameOf('.npz'), file)
        }}
      >
        Model (.npz)
      </button>
      <button
        type="button"
        onClick={() => {
          const named = namedModel.peek()
          if (named === null) return
          const json = { ...modelToJson(named.model), run: named.run }
          download(nameOf('.json'), `${JSON.stringify(json, null, 1)}\n`, 'application/json')
        }}
      >
        Model (.json)
      </button>
    </div>
  </Card>
)

export const RowsFile = () => {
  const here = table.value?.place === 'page'
  return (
    <Card
      title="Data with classes"
      room="half"
      about={
        here
          ? `Every row ${settings.value.value.where ? 'that meets the filter' : 'of the table'}, with its class and the probability of each class.`
          : table.value === null
            ? 'The table is not open, so its rows cannot be exported.'
            : 'The rows of this table are on the server. Use polyad classify to export them.'
      }
    >
      <div class="formats">
        <button
          type="button"
          disabled={!here}
          onClick={() =>
            waitFor('classifying the rows', async () => {
              const fit = chosenFit.peek()
              if (fit === null) return
              const name = nameOf('-rows.csv')
              const rows = await worker.call('rowsCsv', [{ model: worker.model(fit.file) }, givenNames.peek()])
              download(name, rows, 'text/csv')
            })
          }
        >
          Rows and classes (.csv)
        </button>
      </div>
    </Card>
  )
}
