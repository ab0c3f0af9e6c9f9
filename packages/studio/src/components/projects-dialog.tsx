import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { projects, refreshProjects } from '../state/project/autosave.ts'
import { newProject } from '../state/project/switching.ts'
import { KeepingChoice, ProjectList } from './project-list.tsx'

const isOpen = signal(false)

export const showProjects = (): void => {
  void refreshProjects()
  isOpen.value = true
}

/** All projects, above whatever screen there is. */
export const ProjectsDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal()
  }, [isOpen.value])
  if (!isOpen.value) return null
  const close = () => {
    isOpen.value = false
  }
  return (
    <dialog ref={dialog} class="projects-dialog" aria-labelledby="projects-title" onClose={close}>
      <div class="row projects-head">
        <h2 id="projects-title">Projects</h2>
        <button
          type="button"
          class="primary"
          onClick={() => {
            close()
            void newProject()
          }}
        >
          New project
        </button>
        <button type="button" class="plain" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      {projects.value?.length === 0 ? (
        <p class="muted">No project yet. Open a table, and it becomes one.</p>
      ) : (
        <ProjectList onOpen={close} />
      )}
      <KeepingChoice />
    </dialog>
  )
}
