import { FitsHead } from '../../parts/fits-head.tsx'
import { fits } from '../../state/store.ts'
import { ChartFiles } from './chart-files.tsx'
import { ModelFiles, ProjectFiles, ReportFile, RowsFile } from './files.tsx'
import { SameAsCode } from './same-as-code-panel.tsx'
import './export.css'

/** What can be saved. */
export const ExportScreen = () => (
  <div class="export-screen stack">
    <FitsHead title="Export" />
    {fits.value !== null && (
      <>
        <div class="export-cards">
          <ReportFile />
          <ModelFiles />
          <RowsFile />
          <ProjectFiles />
        </div>
        <ChartFiles />
        <SameAsCode fits={fits.value} />
      </>
    )}
  </div>
)
