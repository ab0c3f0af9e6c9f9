import { isOutdated } from '../state/reading/reading.ts'

/** Said where classes are shown of data that is read otherwise by now. */
export const Outdated = () =>
  isOutdated.value ? (
    <p class="note warning" role="status">
      The settings of the data have changed since: these classes are of the data as it was. Find them again under Fit.
    </p>
  ) : null
