import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { keepAgain, keepNothing, projects, saving, store } from '../state/project/autosave.ts'
import { keptAs } from '../state/project/project.ts'
import type { ProjectEntry } from '../state/project/project-store.ts'
import { openListed, removeProject, renameProject } from '../state/project/switching.ts'
import { counted, size } from './numbers.ts'

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** "today, 10:41", "16 Nov 2026, 18:02": projects of one name are told apart by it. */
const when = (saved: string): string => {
  const at = new Date(saved)
  if (Number.isNaN(at.getTime())) return ''
  return DAY.format(at) === DAY.format(new Date())
    ? `today, ${TIME.format(at)}`
    : `${DAY.format(at)}, ${TIME.format(at)}`
}

/** The projects that are kept, with what can be done with each; only the first so many, if that is said. */
export const ProjectList = ({ most, onOpen }: { readonly most?: number; readonly onOpen?: () => void }) => (
  <ul class="projects">
    {(projects.value ?? []).slice(0, most).map(each => (
      <Item key={each.id} project={each} onOpen={onOpen} />
    ))}
  </ul>
)

const Item = ({ project, onOpen }: { readonly project: ProjectEntry; readonly onOpen: (() => void) | undefined }) => {
  const doing = useSignal<'nothing' | 'renaming' | 'removing'>('nothing')
  const { id, title = 'Damaged project', damaged, saved, fitted = 0, bytes = 0 } = project
  const isHere = id === keptAs.value.id
  const done = () => {
    doing.value = 'nothing'
  }
  if (doing.value === 'renaming') return <Renaming project={project} done={done} />
  if (doing.value === 'removing') return <Removing id={id} title={title} done={done} />
  return (
    <li class="project">
      {damaged === undefined ? (
        <button
          type="button"
          class="plain project-open"
          aria-current={isHere ? 'true' : undefined}
          onClick={() => {
            onOpen?.()
            void openListed(id, title)
          }}
        >
          <bdi class="project-title">{title}</bdi>
          <span class="project-facts">
            {fitted === 0 ? 'no fits yet' : counted(fitted, 'fit')} · {size(bytes)} · <span>{when(saved)}</span>
            {isHere && <span> · open here</span>}
          </span>
        </button>
      ) : (
        <div class="project-open damaged">
          <span class="project-title">{title}</span>
          <span class="project-facts">
            It cannot be opened: {damaged}. {when(saved)}
          </span>
        </div>
      )}
      <span class="project-tools">
        {damaged === undefined && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              doing.value = 'renaming'
            }}
          >
            Rename<span class="hidden"> {title}</span>
          </button>
        )}
        <button
          type="button"
          class="plain"
          onClick={() => {
            doing.value = 'removing'
          }}
        >
          Remove<span class="hidden"> {title}</span>
        </button>
      </span>
    </li>
  )
}

const Renaming = ({ project, done }: { readonly project: ProjectEntry; readonly done: () => void }) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <li class="project">
      <form
        class="project-form"
        onSubmit={event => {
          event.preventDefault()
          void renameProject(project, field.current?.value ?? '')
          done()
        }}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          // The dialog around it stays.
          event.preventDefault()
          event.stopPropagation()
          done()
        }}
      >
        <input ref={field} type="text" maxLength={200} defaultValue={project.title} aria-label="New name" />
        <button type="submit" class="primary">
          Rename
        </button>
        <button type="button" onClick={done}>
          Cancel
        </button>
      </form>
    </li>
  )
}

interface RemovingProps {
  readonly id: string
  readonly title: string
  readonly done: () => void
}

const Removing = ({ id, title, done }: RemovingProps) => {
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  return (
    <li class="project">
      <fieldset class="project-form">
        <legend>
          Remove <bdi>{title}</bdi> for good? Its data, fits and settings are deleted.
        </legend>
        <button
          type="button"
          class="danger"
          onClick={() => {
            done()
            void removeProject(id)
          }}
        >
          Remove
        </button>
        <button ref={cancel} type="button" onClick={done}>
          Cancel
        </button>
      </fieldset>
    </li>
  )
}

/** Where projects are kept, and the choice to keep nothing. */
export const KeepingChoice = () => {
  const now = saving.value
  if (now === null) return null
  if (store.value === null) return <p class="small muted">Nothing is kept: {(now as { reason: string }).reason}.</p>
  const isOff = now.kind === 'off'
  return (
    <p class="small muted keeping">
      <span>{isOff ? 'Nothing in this tab is kept.' : `Projects are kept ${store.value.place}, for you alone.`}</span>
      <button type="button" class="link" onClick={() => (isOff ? keepAgain() : void keepNothing(false))}>
        {isOff ? 'Keep projects' : 'Keep nothing in this tab'}
      </button>
    </p>
  )
}
