import { FitsHead } from '../../components/fits-head.tsx'
import { fits } from '../../state/store/store.ts'
import { ChartGallery } from './chart-gallery.tsx'
import { ModelFiles, ProjectFiles, ReportFile, RowsFile } from './files.tsx'
import { SameAsCode } from './same-as-code-panel.tsx'
import './export.css'
import { TableCard } from './table-card.tsx'

/** What can be saved, by what it is for. */
export const ExportScreen = () => (
  <div class="export-screen stack">
    <FitsHead title="Export" />
    {fits.value !== null && (
      <div class="export-cards">
        <ReportFile />
        <TableCard />
        <ChartGallery />
        <RowsFile />
        <ModelFiles />
        <ProjectFiles />
        <SameAsCode fits={fits.value} />
      </div>
    )}
  </div>
)
