import { howToReport, type Report } from 'polyad/report'
import { CopyButton } from '../../components/copy-button.tsx'
import { pngOf, svgOf } from '../../state/exporting/chart-file.ts'
import { copyPicture } from '../../state/exporting/clipboard.ts'
import { saveProject } from '../../state/project/project.ts'
import { classColours } from '../../state/results/chosen.ts'
import { Card } from './card.tsx'
import { chartsOf, commonLook } from './chart-gallery.tsx'
import { ReportFile } from './files.tsx'

/** What most people want: a report to send, a paragraph and a chart to paste, and the project to go on with. */
export const ShareCard = ({ report }: { readonly report: Report | string | null }) => {
  const known = report === null || typeof report === 'string' ? null : report
  const paragraph = known === null ? '' : howToReport(known).join(' ')
  const chart = known === null ? undefined : chartsOf(known)[0]
  return (
    <Card title="Share" about="Send a report, paste a paragraph and a chart, or hand over the project." room="whole">
      <ul class="export-tables">
        <ReportFile />
        {paragraph !== '' && (
          <li>
            <div>
              <h3>Paragraph</h3>
              <p class="muted small share-paragraph">{paragraph}</p>
            </div>
            <div class="formats">
              <CopyButton text={paragraph} label="paragraph for a paper" />
            </div>
          </li>
        )}
        {chart !== undefined && (
          <li>
            <div>
              <h3>Chart</h3>
              <p class="muted small">{chart.title}, with a title and the source. More are below.</p>
            </div>
            <div class="formats">
              <button
                type="button"
                onClick={() => copyPicture(svgOf(chart, commonLook(chart.title, classColours.peek())), pngOf)}
              >
                Copy<span class="hidden"> {chart.title} as a picture</span>
              </button>
            </div>
          </li>
        )}
        <li>
          <div>
            <h3>Project</h3>
            <p class="muted small">
              The data, settings, class names and results in one file that the studio opens again, on any machine.
            </p>
          </div>
          <div class="formats">
            <button type="button" onClick={saveProject}>
              Project file
            </button>
          </div>
        </li>
      </ul>
    </Card>
  )
}
