/**
 * The lock on the fit of a project: of the tabs of one browser, one works on it. A browser releases it when the tab is closed or loaded again,
 * however that happens. Where a page may not use locks, every tab gets it.
 */

interface Held {
  readonly id: string
  readonly granted: Promise<void>
  readonly release: () => void
}

let held: Held | undefined

/** Takes the lock of a project: waits until no other tab has it. */
export const holdFit = (id: string): Promise<void> => {
  if (held?.id === id) return held.granted
  releaseFit()
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return Promise.resolve()
  let release = () => {}
  const over = new Promise<void>(resolve => {
    release = resolve
  })
  const granted = new Promise<void>((resolve, reject) => {
    const hold = () => {
      resolve()
      return over
    }
    locks.request(`polyad-fit-${id}`, hold).catch(reject)
  })
  held = { id, granted, release }
  return granted
}

export const releaseFit = (): void => {
  held?.release()
  held = undefined
}
