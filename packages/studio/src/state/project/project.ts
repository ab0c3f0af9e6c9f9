import { batch, signal } from '@preact/signals'
import { worker } from '../../worker/client.ts'
import type { DataFile, TableSummary } from '../../worker/protocol.ts'
import { download, safeName } from '../files.ts'
import { endFit, stopFit } from '../fitting/fitting.ts'
import { complain, waitFor } from '../messages.ts'
import type { OpenOption } from '../reading/open-options.ts'
import { forgetReading, obstacle, openTable, readData } from '../reading/reading.ts'
import { DEFAULTS } from '../settings.ts'
import {
  data,
  file,
  fits,
  interrupted,
  isRunning,
  ownName,
  projectName,
  rank,
  restored,
  screen,
  settings,
  table,
} from '../store.ts'
import { isModelFile, isProjectFile, type Project, projectFile } from './project-file.ts'

/** The project as a whole: opened, handed over, forgotten. */

const EMPTY: Project = {
  name: null,
  file: null,
  settings: DEFAULTS,
  fits: null,
  rank: null,
  screen: 'data',
  fitting: false,
}

/** All that there is, as one value. */
export const currentProject = (): Project => ({
  name: ownName.value,
  file: file.value,
  settings: settings.value.value,
  fits: fits.value,
  rank: rank.value,
  screen: screen.value,
  fitting: isRunning.value || interrupted.value,
})

const put = (project: Project, found: TableSummary | null): void =>
  batch(() => {
    ownName.value = project.name
    file.value = project.file
    table.value = found
    data.value = null
    fits.value = project.fits
    rank.value = project.rank
    settings.reset(project.settings)
    const shown = project.screen === 'data' || (project.screen === 'fit' ? found !== null : project.fits !== null)
    screen.value = shown ? project.screen : 'data'
    interrupted.value = project.fitting
    restored.value = false
    forgetReading()
  })

/** A question before what is there gives way to another file; `answer` says whether it does. */
export interface Question {
  readonly opening: string
  readonly answer: (goOn: boolean) => void
}
export const question = signal<Question | null>(null)

/** Whether what is there may give way: asked where there is something that would be lost. A fit under way is stopped first. */
const makeRoom = async (opening: string): Promise<boolean> => {
  if (fits.peek() !== null || isRunning.peek()) {
    const goOn = await new Promise<boolean>(answer => {
      // A second file while the first waits for its answer: the first is not opened.
      question.peek()?.answer(false)
      question.value = { opening, answer }
    })
    if (!goOn) return false
  }
  await endFit()
  return true
}

/** Opens a table, or the file of a project or a model, and forgets what was there before. */
export const openFile = async (opened: DataFile): Promise<TableSummary | undefined> => {
  const { name } = opened
  const [isProject, isModel] = [isProjectFile, isModelFile].map(is => opened.from === 'bytes' && is(opened.bytes))
  if (!isProject && !isModel) return (await makeRoom(name)) ? openAnew(opened) : undefined
  const project = await waitFor(`opening ${name}`, async () => {
    const { openModelFile, openProjectFile } = await import('./open-project.ts')
    const { bytes } = opened as Extract<DataFile, { readonly from: 'bytes' }>
    return isProject ? openProjectFile(bytes) : openModelFile(name, bytes)
  })
  if (project === undefined || !(await makeRoom(name))) return undefined
  return openProject(`opening ${name}`, async () => project)
}

const openAnew = (opened: DataFile): Promise<TableSummary | undefined> =>
  waitFor(`reading ${opened.name}`, async () => {
    const found = await openTable(opened)
    put({ ...EMPTY, file: opened }, found)
    return found
  })

/** Opens the same data again, written in another way, such as with something else between its values; null where that is to be found out. */
export const reopen = async (option: OpenOption, value: string | null): Promise<void> => {
  const now = file.peek()
  if (now?.from !== 'bytes') return
  const { [option]: _, ...rest } = now
  await openFile(value === null ? rest : { ...rest, [option]: value })
}

/** Shows a project as it was left. Where its data cannot be read again, what was found is still there. */
export const openProject = (what: string, read: () => Promise<Project>): Promise<TableSummary | undefined> =>
  waitFor(what, async () => {
    const project = await read()
    let [found, lost]: [TableSummary | null, unknown] = [null, undefined]
    try {
      if (project.file !== null) found = await openTable(project.file)
    } catch (error) {
      lost = error
    }
    // Nothing of another table may get beside these models.
    if (found === null) await worker.call('close', [])
    put(project, found)
    if (lost !== undefined) complain(`The data could not be read again: ${(lost as Error).message}`)
    // The worker needs the data beside the models.
    else if (found !== null && project.fits !== null && obstacle.peek() === undefined) await readData()
    return found ?? undefined
  })

/** Forgets everything. */
export const clearProject = (): void => {
  stopFit()
  put(EMPTY, null)
  worker.call('close', []).catch(complain)
}

/** Hands the project over as one file. What was under way is not in it. */
export const saveProject = (): void =>
  download(
    `${safeName(projectName.peek()) || 'polyad'}.polyad-project`,
    projectFile({ ...currentProject(), fitting: false }),
  )
