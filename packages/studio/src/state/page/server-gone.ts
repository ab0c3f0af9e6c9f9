import { signal } from '@preact/signals'

/** Whether the server that this page came from still answers. */

/** True once it does not: what is on the page still works, but nothing more can be had from the server. */
export const serverGone = signal(false)

/** Between two questions whether it is still there, in milliseconds. */
const EVERY = 15_000

let asking: Promise<boolean> | undefined

/** Asks the server once, and says whether it is gone. A server of a later start refuses this page, and is another one. */
export const checkServer = (): Promise<boolean> => {
  asking ??= fetch('./api/studio', { headers: { accept: 'application/json' }, cache: 'no-store' })
    .then(
      ({ ok }) => !ok,
      () => true,
    )
    .then(gone => {
      serverGone.value = gone
      asking = undefined
      return gone
    })
  return asking
}

/** Whether something failed since nothing could be loaded, in the words of any browser. */
export const isNetworkFault = (text: string): boolean =>
  /failed to fetch|networkerror|load failed|importing a module script failed|error loading dynamically imported/i.test(
    text,
  )

/** Asks from time to time, for a page that a server has handed out. */
export const watchServer = (): void => {
  setInterval(() => {
    if (document.visibilityState === 'visible') void checkServer()
  }, EVERY)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkServer()
  })
  addEventListener('unhandledrejection', event => {
    if (!isNetworkFault(String(event.reason))) return
    event.preventDefault()
    void checkServer()
  })
}
