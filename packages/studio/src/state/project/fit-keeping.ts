import { checkpoints } from '../fitting/fitting.ts'
import { begunFit, isRunning } from '../store/store.ts'
import { holdFit, releaseFit } from './fit-lock.ts'
import { type KeptAs, keptAs } from './project.ts'
import type { Project } from './project-file.ts'
import type { ProjectStore } from './project-store.ts'

/** Keeps the state of the fit that is running beside the project, until the project is saved without it. */

/** The state that is being stored. */
let storing: Promise<unknown> = Promise.resolve()

/** From now on states are stored. @param where the store; null as long as nothing is to be saved */
export const keepStates = (where: () => ProjectStore | null): void => {
  checkpoints.store = bytes => {
    const [kept, as] = [where(), keptAs.peek()]
    // A project that is being saved for the first time has no place yet: the next state will have one.
    if (kept === null || as.id === null || as.revision === 0) return Promise.resolve(null)
    as.checkpoint = true
    const stored = kept.keepCheckpoint(as.id, bytes).then(
      () => ({}),
      (error: Error) => ({ reason: error.message }),
    )
    storing = stored
    return stored
  }
}

/** What follows once a project is saved: while a fit runs, no other tab works on it; after it, its state goes. */
export const settleFit = async (kept: ProjectStore, as: KeptAs, { fitting }: Project): Promise<void> => {
  const { id } = as
  if (id === null) return
  // A fit may have begun while the project was being saved without one.
  const isUnderWay = fitting !== null || (keptAs.peek() === as && begunFit.peek() !== null)
  if (isUnderWay) {
    if (keptAs.peek() === as && isRunning.peek()) await holdFit(id).catch(() => {})
    return
  }
  releaseFit()
  if (!as.checkpoint) return
  as.checkpoint = false
  await storing
  // What cannot be dropped now is dropped when the project is saved the next time.
  await kept.keepCheckpoint(id, null).catch(() => {
    as.checkpoint = true
  })
}
