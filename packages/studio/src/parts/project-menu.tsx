import { useEffect, useRef, useState } from 'preact/hooks'
import { bytesOf } from '../state/files.ts'
import { openFile, saveProject } from '../state/project/project.ts'
import { clearEverything, keeping } from '../state/project/storage.ts'
import { file, fits, ownName, projectName } from '../state/store.ts'

/** The project: its name, opening, saving and clearing. */
export const ProjectMenu = () => {
  const menu = useRef<HTMLDetailsElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const question = useRef<HTMLDialogElement>(null)
  const empty = file.value === null && fits.value === null
  const close = () => {
    if (menu.current !== null) menu.current.open = false
  }
  useEffect(() => {
    const outside = (event: Event) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) close()
    }
    addEventListener('pointerdown', outside)
    addEventListener('focusin', outside)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('focusin', outside)
    }
  })
  return (
    <>
      <details
        ref={menu}
        class="menu"
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          close()
          menu.current?.querySelector('summary')?.focus()
        }}
      >
        <summary>
          <span class="hidden">Project: </span>
          <bdi>{projectName.value || 'Project'}</bdi>
        </summary>
        <div class="menu-content stack">
          <NameField disabled={empty} />
          <button type="button" onClick={() => chooser.current?.click()}>
            Open a project or a model
          </button>
          <button
            type="button"
            disabled={empty}
            onClick={() => {
              saveProject()
              close()
            }}
          >
            Save project as a file
          </button>
          <button
            type="button"
            class="danger"
            disabled={empty}
            onClick={() => {
              close()
              question.current?.showModal()
            }}
          >
            Clear everything
          </button>
          <p class="small muted">
            {keeping.value === 'here'
              ? 'The project is saved in this browser until you clear it. Nothing is sent anywhere.'
              : 'This tab is not saved in the browser. Save the project as a file.'}
          </p>
          <input
            ref={chooser}
            type="file"
            hidden
            accept=".polyad-project,.npz,.json"
            aria-label="The file of a project or a model"
            onChange={async event => {
              const [chosen] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (chosen === undefined) return
              close()
              const bytes = await bytesOf(chosen)
              if (bytes !== undefined) await openFile({ from: 'bytes', name: chosen.name, bytes })
            }}
          />
        </div>
      </details>
      <dialog ref={question} aria-labelledby="clear-title">
        <form method="dialog" class="stack">
          <h2 id="clear-title">Clear everything?</h2>
          <p>
            This deletes the data, settings, class names and results from this page and this browser. Files you saved
            are not affected.
          </p>
          <div class="row">
            <button type="submit" value="keep" autofocus>
              Cancel
            </button>
            <button type="submit" value="clear" class="danger" onClick={() => clearEverything()}>
              Clear everything
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

const NameField = ({ disabled }: { readonly disabled: boolean }) => {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <label class="field">
      <span>Project name</span>
      <input
        type="text"
        maxLength={200}
        disabled={disabled}
        value={typed ?? projectName.value}
        onInput={event => setTyped(event.currentTarget.value)}
        onChange={event => {
          // An empty name is that of the data.
          ownName.value = event.currentTarget.value.trim() || null
          setTyped(null)
        }}
      />
    </label>
  )
}
