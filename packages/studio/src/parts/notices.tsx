import { signal } from '@preact/signals'
import { startFit } from '../state/fitting/fitting.ts'
import { openServerFile } from '../state/opening/opening.ts'
import { serverFiles } from '../state/opening/server-files.ts'
import { keeping, obstacleToKeeping, takeOver } from '../state/project/storage.ts'
import { file, fits, interrupted, projectName, restored, screen, table } from '../state/store.ts'

/** Whether it was read that this tab is not kept. */
const read = signal(false)
/** Whether it was decided what becomes of the file that was named. */
const passedOver = signal(false)

/** What a person has to know of the project, above all screens. */
export const Notices = () => (
  <div class="notices">
    {interrupted.value && table.value !== null && (
      <p class="note warning" role="status">
        <span>A fit was under way when this page was left. Its settings are still here.</span>
        <button
          type="button"
          class="primary"
          onClick={() => {
            screen.value = 'fit'
            void startFit()
          }}
        >
          Start it again
        </button>
        <button
          type="button"
          onClick={() => {
            interrupted.value = false
          }}
        >
          Not now
        </button>
      </p>
    )}
    <NamedFile />
    {keeping.value === 'elsewhere' && <Elsewhere />}
    {keeping.value === 'nowhere' && !read.value && (
      <p class="note warning" role="status">
        <span>
          Your work cannot be kept in this browser ({obstacleToKeeping.value}). Everything works, but save the project
          as a file before you close the page.
        </span>
        <button
          type="button"
          onClick={() => {
            read.value = true
          }}
        >
          I see
        </button>
      </p>
    )}
  </div>
)

/** A file was named on the command line, and the browser has kept a project of another one. */
const NamedFile = () => {
  const [named, another] = serverFiles.value
  if (named === undefined || another !== undefined || passedOver.value) return null
  if (!restored.value || file.value?.name === named.name) return null
  return (
    <p class="note warning" role="status">
      <span>
        This is the project <bdi>{projectName.value}</bdi> that the browser has kept. <bdi>{named.name}</bdi> was named
        on the command line; opening it takes its place.
      </span>
      <button
        type="button"
        class="primary"
        onClick={() => {
          passedOver.value = true
          void openServerFile(named)
        }}
      >
        Open {named.name}
      </button>
      <button
        type="button"
        onClick={() => {
          passedOver.value = true
        }}
      >
        Go on with this one
      </button>
    </p>
  )
}

const Elsewhere = () => {
  const empty = table.value === null && fits.value === null
  return (
    <p class="note warning" role="status">
      <span>
        The studio is open in another tab, which keeps its project in this browser. This tab works on its own, and is
        not kept.
      </span>
      <button type="button" onClick={takeOver}>
        {empty ? 'Go on with that project here' : "Keep this tab's work instead"}
      </button>
    </p>
  )
}
