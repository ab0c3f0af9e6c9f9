import { KeepingChoice, ProjectList } from '../../parts/project-list.tsx'
import { showProjects } from '../../parts/projects-dialog.tsx'
import { projects } from '../../state/project/keeper.ts'

/** So many projects are shown at first. */
const MOST = 4

/** The projects of before, on the first page. */
export const YourProjects = () => {
  const all = projects.value ?? []
  if (all.length === 0) return <KeepingChoice />
  return (
    <section aria-labelledby="your-projects-title" class="your-projects">
      <div class="row projects-head">
        <h2 id="your-projects-title">Your projects</h2>
        {all.length > MOST && (
          <button type="button" class="link" onClick={showProjects}>
            All {all.length} projects
          </button>
        )}
      </div>
      <ProjectList most={MOST} />
      <KeepingChoice />
    </section>
  )
}
