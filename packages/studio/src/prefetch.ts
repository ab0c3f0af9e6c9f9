/** What a session needs later is loaded once the page has been drawn: it then goes on without the server, too. */

/** Screens with charts: heavy, and wanted after a fit. */
export const resultsScreen = () => import('./screens/results/results-screen.tsx')
export const exportScreen = () => import('./screens/export/export-screen.tsx')

const PARTS: readonly (() => Promise<unknown>)[] = [
  resultsScreen,
  exportScreen,
  () => import('./state/project/open-project.ts'),
]

/** All other files of the page, its workers' too: fetched once, they are in the browser's cache. */
const fetchAll = async (): Promise<void> => {
  const list = await fetch('./assets.json')
  if (!list.ok) return
  for (const name of (await list.json()) as readonly string[]) {
    const answer = await fetch(`./assets/${name}`, { priority: 'low' })
    await answer.arrayBuffer()
  }
}

/** Loads everything in a quiet moment. What fails is loaded when it is wanted. */
export const prefetch = (): void => {
  const begin = () => {
    // What is loaded from here on is not needed to draw the page.
    performance.mark('prefetch')
    void Promise.allSettled(PARTS.map(part => part()))
      .then(fetchAll)
      .catch(() => {})
  }
  if (globalThis.requestIdleCallback === undefined) setTimeout(begin, 500)
  else requestIdleCallback(begin, { timeout: 3000 })
}
