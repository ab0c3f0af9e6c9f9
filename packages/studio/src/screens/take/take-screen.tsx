import { useEffect } from 'preact/hooks'
import { Outdated } from '../../parts/outdated.tsx'
import { RankChoice } from '../../parts/rank-choice.tsx'
import { Waits } from '../../parts/waits.tsx'
import { lookAtFits } from '../../state/results/looked.ts'
import { chosenFit, fits } from '../../state/store.ts'
import { ChartFiles } from './chart-files.tsx'
import { ModelFiles, ProjectFiles, ReportFile, RowsFile } from './files.tsx'
import { SameAsCode } from './same-as-code-panel.tsx'
import './take.css'

/** All that can be taken away from here. */
export const TakeScreen = () => {
  useEffect(() => {
    lookAtFits()
  }, [fits.value])
  const [found, fit] = [fits.value, chosenFit.value]
  if (found === null || fit === null) return <h1>Take home</h1>
  return (
    <div class="take-screen stack">
      <div class="row screen-head">
        <h1>Take home</h1>
        <RankChoice />
      </div>
      <Waits />
      <Outdated />
      <div class="take-cards">
        <ReportFile />
        <ModelFiles />
        <RowsFile />
        <ProjectFiles />
      </div>
      <ChartFiles />
      <SameAsCode fits={found} />
    </div>
  )
}
