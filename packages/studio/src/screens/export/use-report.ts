import type { Report } from 'polyad/report'
import { useEffect, useState } from 'preact/hooks'
import { classNames } from '../../state/results/chosen.ts'
import { shownModel } from '../../state/results/class-profiles.ts'
import { chosenFit, data } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import { reportRequest } from './files.tsx'

/** The report of the chosen fit; null until it is there, a text if it will not be. */
export const useReport = (): Report | string | null => {
  const [found, setFound] = useState<{ readonly of: Uint8Array; readonly report: Report | string }>()
  // Without what Results makes of the classes they have neither names nor colours.
  const file = shownModel.value === null ? undefined : chosenFit.value?.file
  const names = classNames.value
  const at = data.value?.digest
  useEffect(() => {
    if (file === undefined) return
    let current = true
    worker.call('report', [worker.model(file), { ...reportRequest(false), names }]).then(
      report => current && setFound({ of: file, report }),
      (error: Error) => current && setFound({ of: file, report: error.message }),
    )
    return () => {
      current = false
    }
    // With the data there are more charts.
  }, [file, names, at])
  // That of another model stays only until it is known.
  return found?.of === file ? (found?.report ?? null) : null
}
