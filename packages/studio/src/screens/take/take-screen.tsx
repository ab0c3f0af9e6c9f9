import { FitsHead } from '../../parts/fits-head.tsx'
import { fits } from '../../state/store.ts'
import { ChartFiles } from './chart-files.tsx'
import { ModelFiles, ProjectFiles, ReportFile, RowsFile } from './files.tsx'
import { SameAsCode } from './same-as-code-panel.tsx'
import './take.css'

/** All that can be taken away from here. */
export const TakeScreen = () => (
  <div class="take-screen stack">
    <FitsHead title="Take home" />
    {fits.value !== null && (
      <>
        <div class="take-cards">
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
