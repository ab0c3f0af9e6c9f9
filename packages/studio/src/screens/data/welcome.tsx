import { size } from '../../components/numbers.ts'
import { KeepingChoice, ProjectList } from '../../components/project-list.tsx'
import { showProjects } from '../../components/projects-dialog.tsx'
import { EXAMPLES } from '../../state/opening/examples.ts'
import { openExample, openServerFile } from '../../state/opening/opening.ts'
import { serverFiles } from '../../state/opening/server-files.ts'
import { isListed, projects } from '../../state/project/autosave.ts'
import { OpenFile } from './open-file.tsx'

/** So many projects are shown at first. */
const MOST = 4

/** The projects of before, on the first page. */
const YourProjects = () => {
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

/** The first visit. */
export const Welcome = () => (
  <div class="welcome">
    <div class="welcome-words">
      <h1>Find the groups hidden in your data</h1>
      <p class="lead">
        Open a table of answers, counts or events. The studio finds classes of similar rows and shows how large each
        class is, what sets it apart, how well it fits, and how many classes the data supports. Everything runs in this
        page: your data never leaves this machine.
      </p>
    </div>
    <OpenFile />
    {serverFiles.value.length > 0 && (
      <section aria-labelledby="named-title">
        <h2 id="named-title">Files named on the command line</h2>
        <div class="cards">
          {serverFiles.value.map(each => (
            <button type="button" key={each.id} class="card" onClick={() => openServerFile(each)}>
              <strong>{each.name}</strong>
              <span class="muted">{size(each.size)}</span>
            </button>
          ))}
        </div>
      </section>
    )}
    <YourProjects />
    {/* A list that comes later would push them away under the pointer. */}
    {isListed.value && <Examples />}
  </div>
)

const Examples = () => (
  <section aria-labelledby="examples-title">
    <h2 id="examples-title">Or start with an example</h2>
    <div class="cards">
      {EXAMPLES.map(each => (
        <button type="button" key={each.file} class="card" onClick={() => openExample(each)}>
          <strong>{each.title}</strong>
          <span class="muted">{each.words}</span>
        </button>
      ))}
    </div>
  </section>
)
