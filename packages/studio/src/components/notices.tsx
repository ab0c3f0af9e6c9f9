import { signal } from '@preact/signals'
import { startFit } from '../state/fitting/fitting.ts'
import { serverGone } from '../state/page/server-gone.ts'
import { keepAgain, saving, takeOver, tryAgain } from '../state/project/autosave.ts'
import { saveProject } from '../state/project/project.ts'
import { offer, resume } from '../state/project/resuming.ts'
import { file, fits, interrupted, screen } from '../state/store/store.ts'

/** Whether it was read that nothing is kept. */
const read = signal(false)

/** What a person has to know of the project, above all screens. */
export const Notices = () => (
  <div class="notices">
    {serverGone.value && (
      <p class="note warning" role="alert">
        <span>
          The studio was closed. Start it again with <code>polyad studio</code>; your work is kept.
        </span>
      </p>
    )}
    <Interrupted />
    <Unsaved />
  </div>
)

/** A fit that was under way when the page was left, unless it goes on by itself. */
const Interrupted = () => {
  const offered = offer.value
  if (offered === null) return null
  const goOn = () => {
    screen.value = 'fit'
    void (offered === 'resume' ? resume() : startFit())
  }
  return (
    <p class="note warning" role="status">
      <span>
        A fit was running when this page was closed.{' '}
        {offered === 'resume' ? 'It can resume where it was.' : 'Its settings are still here.'}
      </span>
      <button type="button" class="primary" onClick={goOn}>
        {offered === 'resume' ? 'Resume the fit' : 'Run it again'}
      </button>
      <button
        type="button"
        onClick={() => {
          interrupted.value = null
        }}
      >
        Dismiss
      </button>
    </p>
  )
}

/** Why the project is not saved, and what to do. */
const Unsaved = () => {
  const now = saving.value
  switch (now?.kind) {
    case 'elsewhere':
      return (
        <p class="note warning" role="status">
          <span>This project is open in another tab, which saves it. Work in this tab is not saved.</span>
          <button type="button" onClick={takeOver}>
            Keep this tab's work instead
          </button>
        </p>
      )
    case 'removed':
      return (
        <p class="note warning" role="status">
          <span>This project was removed from the list of projects. It is still open here, but not saved.</span>
          <button type="button" onClick={takeOver}>
            Save it as a new project
          </button>
        </p>
      )
    case 'failed':
      return (
        <p class="note error" role="status">
          <span>Your work is not saved: {now.reason}. The version saved before is still there.</span>
          <button type="button" onClick={tryAgain}>
            Try again
          </button>
          <button type="button" onClick={saveProject}>
            Save project as a file
          </button>
        </p>
      )
    case 'off':
      return now.reason === null ? <NothingKept /> : <CannotKeep reason={now.reason} />
    default:
      return null
  }
}

const NothingKept = () => (
  <p class="note warning" role="status">
    <span>
      Nothing in this tab is kept.
      {(file.value !== null || fits.value !== null) && ' Save the project as a file before you close it.'}
    </span>
    <button type="button" onClick={keepAgain}>
      Keep this project
    </button>
  </p>
)

const CannotKeep = ({ reason }: { readonly reason: string }) =>
  read.value ? null : (
    <p class="note warning" role="status">
      <span>
        Nothing is kept: {reason}. Everything else works. Save the project as a file before you close the page.
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
  )
