import { startKeeping } from '../project/keeper.ts'
import { openAddressed } from '../project/switching.ts'
import { settleSteps } from '../steps/steps.ts'
import { findServer, isServed } from './server-files.ts'

let restored: Promise<void> | undefined

/**
 * Finds the server, if there is one, and where projects are kept, and shows the project that the address names, at the step where it was left. All
 * of this happens once. A file that is opened in the meantime waits for it; otherwise the page would show the project or the step of before in its place.
 */
export const restorePage = (): Promise<void> => {
  restored ??= restore()
  return restored
}

const restore = async (): Promise<void> => {
  await findServer()
  await startKeeping(isServed.peek())
  await openAddressed()
  settleSteps()
}
