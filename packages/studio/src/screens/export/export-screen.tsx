import { FitsHead } from '../../components/fits-head.tsx'
import { fits } from '../../state/store/store.ts'
import { ChartGallery } from './chart-gallery.tsx'
import { ModelFiles, RowsFile } from './files.tsx'
import { SameAsCode } from './same-as-code-panel.tsx'
import './export.css'
import { ShareCard } from './share-card.tsx'
import { TableCard } from './table-card.tsx'
import { useReport } from './use-report.ts'

/** What can be saved, by what it is for. */
export const ExportScreen = () => {
  const report = useReport()
  return (
    <div class="export-screen stack">
      <FitsHead title="Export" />
      {fits.value !== null && (
        <div class="export-cards">
          <ShareCard report={report} />
          <ChartGallery report={report} />
          <TableCard />
          <RowsFile />
          <ModelFiles />
          <SameAsCode fits={fits.value} />
        </div>
      )}
    </div>
  )
}
