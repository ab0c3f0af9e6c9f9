import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { openBrowserFile } from '../state/opening/opening.ts'
import { keepAgain, keepNothing, type Saving, saving, store } from '../state/project/autosave.ts'
import { keptAs, saveProject } from '../state/project/project.ts'
import { newProject, removeThis } from '../state/project/switching.ts'
import { file, fits, ownName, projectName } from '../state/store/store.ts'
import { showProjects } from './projects-dialog.tsx'

const WORDS: Readonly<Record<Saving['kind'], string>> = {
  empty: '',
  saving: 'Saving…',
  saved: 'Saved',
  elsewhere: 'Not saved',
  removed: 'Not saved',
  failed: 'Not saved',
  off: 'Not kept',
}

/** Why a project is not saved, in a few words; undefined if it is, or is about to be. */
const reasonOf = (now: Saving | null): string | undefined => {
  if (now?.kind === 'elsewhere') return 'open in another tab'
  if (now?.kind === 'removed') return 'removed from the list'
  if (now?.kind === 'failed' || now?.kind === 'off') return now.reason ?? undefined
  return undefined
}

/** Saving that takes longer than this waits for an answer: the server is stopped, or the machine is busy. In milliseconds. */
const LONG = 5000

/** Whether the project is saved, beside its name. What is wrong is announced by the notices. */
const SavedState = () => {
  const now = saving.value
  const [late, setLate] = useState<Saving | null>(null)
  useEffect(() => {
    if (now?.kind !== 'saving') return
    const timer = setTimeout(() => setLate(now), LONG)
    return () => clearTimeout(timer)
  }, [now])
  if (now === null || now.kind === 'empty') return null
  if (now.kind === 'saving' && late === now)
    return (
      <span
        class="saved-state failed"
        title="The studio has not answered for some seconds. It is saved as soon as it does."
      >
        Not saved yet
      </span>
    )
  const reason = reasonOf(now)
  return (
    <span class={`saved-state ${now.kind}`} title={reason}>
      {WORDS[now.kind]}
      {reason !== undefined && <span class="hidden">: {reason}</span>}
    </span>
  )
}

/** The project: its name, whether it is saved, and what can be done with it. */
export const ProjectMenu = ({ children }: { readonly children?: ComponentChildren }) => {
  const menu = useRef<HTMLDetailsElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const removing = useRef<HTMLDialogElement>(null)
  const keepingNothing = useRef<HTMLDialogElement>(null)
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
  const isOff = saving.value?.kind === 'off'
  const item = (words: string, act: () => void, more: { disabled?: boolean; class?: string } = {}) => (
    <button
      type="button"
      {...more}
      onClick={() => {
        close()
        act()
      }}
    >
      {words}
    </button>
  )
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
          <span class="menu-words">
            <bdi>{projectName.value || 'Project'}</bdi>
            <SavedState />
          </span>
        </summary>
        <div class="menu-content">
          {children}
          <div class="menu-head">
            <NameField disabled={empty} />
            <p class="small muted">{whereKept()}</p>
          </div>
          <div class="menu-items">
            {item('New project', () => void newProject())}
            {store.value !== null && item('All projects…', showProjects)}
          </div>
          <div class="menu-items">
            <button type="button" onClick={() => chooser.current?.click()}>
              Open a project or model file…
            </button>
            {item('Save project as a file', saveProject, { disabled: empty })}
          </div>
          <div class="menu-items">
            {store.value !== null &&
              (isOff
                ? item('Keep this project', keepAgain)
                : item('Keep nothing in this tab…', () =>
                    keptAs.peek().id === null ? void keepNothing(false) : keepingNothing.current?.showModal(),
                  ))}
            {item('Remove this project…', () => removing.current?.showModal(), { disabled: empty, class: 'danger' })}
          </div>
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
              await openBrowserFile(chosen)
            }}
          />
        </div>
      </details>
      <dialog ref={removing} aria-labelledby="remove-title">
        <form method="dialog" class="stack">
          <h2 id="remove-title">
            Remove <bdi>{projectName.value}</bdi> for good?
          </h2>
          <p>
            This deletes its data, settings, class names and results from this page and from the list of projects. Files
            you saved are not affected.
          </p>
          <div class="row">
            <button type="submit" value="keep" autofocus>
              Cancel
            </button>
            <button type="submit" value="remove" class="danger" onClick={() => void removeThis()}>
              Remove the project
            </button>
          </div>
        </form>
      </dialog>
      <dialog ref={keepingNothing} aria-labelledby="nothing-title">
        <form method="dialog" class="stack">
          <h2 id="nothing-title">Keep nothing in this tab?</h2>
          <p>
            From now on nothing you do in this tab is kept. What is already kept of <bdi>{projectName.value}</bdi> can
            stay in the list of projects or be removed.
          </p>
          <div class="row">
            <button type="submit" value="cancel" autofocus>
              Cancel
            </button>
            <button type="submit" value="leave" onClick={() => void keepNothing(false)}>
              Keep nothing more
            </button>
            <button type="submit" value="remove" class="danger" onClick={() => void keepNothing(true)}>
              Keep nothing, remove what is kept
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

const whereKept = (): string => {
  const now = saving.value
  if (now?.kind === 'off') return 'Nothing in this tab is kept. Save the project as a file before you close it.'
  return `${now?.kind === 'saved' ? 'Saved' : 'Kept'} ${store.value?.place ?? ''}. Nothing is sent anywhere.`
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
