import { batch, signal } from '@preact/signals'
import type { DataFile, TableSummary } from '../../worker/protocol.ts'
import { forgetReading } from '../reading/reading.ts'
import { download, safeName } from '../store/files.ts'
import { DEFAULTS } from '../store/settings.ts'
import {
  begunFit,
  data,
  type Fits,
  file,
  fits,
  interrupted,
  ownName,
  projectName,
  rank,
  type Screen,
  screen,
  settings,
  table,
} from '../store/store.ts'
import { type Project, projectFile, projectParts } from './project-file.ts'

/** The project in this tab as one value. */

export const EMPTY: Project = {
  name: null,
  file: null,
  settings: DEFAULTS,
  fits: null,
  rank: null,
  screen: 'data',
  fitting: null,
}

/** What the store has of the project in this tab. Another project has another one of these. */
export interface KeptAs {
  /** Null until something is saved. */
  id: string | null
  revision: number
  /** What was saved of it: only what is another value is saved again. Undefined if nothing was. */
  file: DataFile | null | undefined
  fits: Fits | null | undefined
  description: string | undefined
  /** Whether the state of a fit is kept beside it, as far as is known. */
  checkpoint: boolean
  /** Whether it was begun in this tab, and not opened from the store. */
  readonly isNew: boolean
}

export const newKept = (): KeptAs => ({
  id: null,
  revision: 0,
  isNew: true,
  checkpoint: false,
  file: undefined,
  fits: undefined,
  description: undefined,
})

export const keptAs = signal<KeptAs>(newKept())

/** All that there is, as one value. */
export const currentProject = (): Project => ({
  name: ownName.value,
  file: file.value,
  settings: settings.value.value,
  fits: fits.value,
  rank: rank.value,
  screen: screen.value,
  fitting: begunFit.value,
})

export const descriptionOf = (project: Project): string => JSON.stringify(projectParts(project).description)

/** Whether there is nothing in a project that could be saved. */
export const isEmpty = (project: Project): boolean => project.file === null && project.fits === null

/** Where a project comes from: it is a new one, it is the one of before, or the store has it. */
export type Origin = 'new' | 'same' | Pick<KeptAs, 'id' | 'revision'>

let openedAt: Screen = 'data'

/** The step that the project was opened at: at another one somebody has gone on. */
export const stepAtOpening = (): Screen => openedAt

/** Shows a project. */
export const put = (project: Project, found: TableSummary | null, origin: Origin): void =>
  batch(() => {
    ownName.value = project.name
    file.value = project.file
    table.value = found
    data.value = null
    fits.value = project.fits
    rank.value = project.rank
    settings.reset(project.settings)
    const shown = project.screen === 'data' || (project.screen === 'fit' ? found !== null : project.fits !== null)
    openedAt = shown ? project.screen : 'data'
    screen.value = openedAt
    interrupted.value = project.fitting
    forgetReading()
    if (origin === 'new') keptAs.value = newKept()
    else if (origin !== 'same') {
      const { file, fits } = project
      const description = descriptionOf(currentProject())
      // A page that was closed may have left one.
      keptAs.value = { ...origin, file, fits, description, checkpoint: true, isNew: false }
    }
  })

/** Hands the project over as one file. What was under way is not in it. */
export const saveProject = (): void =>
  download(
    `${safeName(projectName.peek()) || 'polyad'}.polyad-project`,
    projectFile({ ...currentProject(), fitting: null }),
  )
