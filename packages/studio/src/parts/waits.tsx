import { isRunning } from '../state/store.ts'

/** Said where something is asked of the worker, which does one thing after the other. */
export const Waits = () =>
  isRunning.value ? (
    <p class="note" role="status">
      A fit is under way. What is computed here waits for the fit: it comes when that is done, or stopped under Fit.
    </p>
  ) : null
