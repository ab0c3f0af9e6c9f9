import { settleSteps } from '../navigation/navigation.ts'
import { enqueue } from '../page/opening-queue.ts'
import { startAutosave } from '../project/autosave.ts'
import { openAddressed } from '../project/switching.ts'
import { findServer, isServed } from './server-files.ts'

/**
 * Finds the server, if there is one, and where projects are kept, and shows the project that the address names, at the step where it was left. What
 * is opened in the meantime waits for it; otherwise the page would show the project or the step of before in its place.
 */
export const restorePage = (): Promise<void> =>
  enqueue(async () => {
    await findServer()
    await startAutosave(isServed.peek())
    await openAddressed()
    settleSteps()
  })
