/** What a session needs later is loaded once the page has been drawn: it then goes on without the server, too. */

/** All other files of the page, its workers' too: fetched once, they are in the browser's cache. */
const fetchAll = async (): Promise<void> => {
  const list = await fetch('./assets.json')
  if (!list.ok) return
  for (const name of (await list.json()) as readonly string[]) {
    const answer = await fetch(`./assets/${name}`, { priority: 'low' })
    await answer.arrayBuffer()
  }
}

/** Loads these parts, then all other files, in a quiet moment. What fails is loaded when it is wanted. */
export const prefetch = (parts: readonly (() => Promise<unknown>)[]): void => {
  const begin = () => {
    // What is loaded from here on is not needed to draw the page.
    performance.mark('prefetch')
    void Promise.allSettled(parts.map(part => part()))
      .then(fetchAll)
      .catch(() => {})
  }
  if (globalThis.requestIdleCallback === undefined) setTimeout(begin, 500)
  else requestIdleCallback(begin, { timeout: 3000 })
}
