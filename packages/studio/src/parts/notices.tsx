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
        <span>A fit was running when this page was closed. Its settings are still here.</span>
        <button
          type="button"
          class="primary"
          onClick={() => {
            screen.value = 'fit'
            void startFit()
          }}
        >
          Run it again
        </button>
        <button
          type="button"
          onClick={() => {
            interrupted.value = false
          }}
        >
          Dismiss
        </button>
      </p>
    )}
    <NamedFile />
    {keeping.value === 'elsewhere' && <Elsewhere />}
    {keeping.value === 'nowhere' && !read.value && (
      <p class="note warning" role="status">
        <span>
          This browser cannot save your work ({obstacleToKeeping.value}). Everything else works. Save the project as a
          file before you close the page.
        </span>
        <button
          type="button"
          onClick={() => {
            read.value = true
          }}
        >
          OK
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
        This is your saved project <bdi>{projectName.value}</bdi>. Opening <bdi>{named.name}</bdi>, named on the command
        line, replaces it.
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
        Keep this project
      </button>
    </p>
  )
}

const Elsewhere = () => {
  const empty = table.value === null && fits.value === null
  return (
    <p class="note warning" role="status">
      <span>The studio is also open in another tab. Only that tab is saved; work in this tab is not.</span>
      <button type="button" onClick={takeOver}>
        {empty ? 'Continue that project here' : "Keep this tab's work instead"}
      </button>
    </p>
  )
}
