import { signal } from '@preact/signals'
import { keeping, obstacleToKeeping, takeOver } from '../state/storage.ts'
import { fits, interrupted, screen, startFit, table } from '../state/store.ts'

/** Whether it was read that this tab is not kept. */
const read = signal(false)

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
