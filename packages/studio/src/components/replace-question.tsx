import { useEffect, useRef } from 'preact/hooks'
import { question } from '../state/page/opening-queue.ts'
import { saveProject } from '../state/project/project.ts'
import { isRunning, projectName } from '../state/store/store.ts'

/** Asked before a file takes the place of what was found. */
export const ReplaceQuestion = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = question.value
  useEffect(() => {
    if (asked !== null) dialog.current?.showModal()
  }, [asked])
  const answer = (goOn: boolean) => {
    question.value = null
    asked?.answer(goOn)
  }
  if (asked === null) return null
  return (
    <dialog
      ref={dialog}
      aria-labelledby="replace-title"
      onCancel={event => {
        event.preventDefault()
        answer(false)
      }}
    >
      <div class="stack">
        <h2 id="replace-title">
          Open <bdi>{asked.opening}</bdi>?
        </h2>
        <p>
          {asked.loses && (
            <>
              This replaces the fits, class names and settings of <bdi>{projectName.value}</bdi>. Save the project first
              if you want to return to it.{' '}
            </>
          )}
          {isRunning.value && 'The running fit will be stopped.'}
        </p>
        <div class="row">
          <button type="button" autofocus onClick={() => answer(false)}>
            Cancel
          </button>
          {asked.loses && (
            <button
              type="button"
              class="primary"
              onClick={() => {
                saveProject()
                answer(true)
              }}
            >
              Save the project and open
            </button>
          )}
          <button type="button" class="danger" onClick={() => answer(true)}>
            Open
          </button>
        </div>
      </div>
    </dialog>
  )
}
