/**
 * Where the script of worker threads is: `worker.js`, beside this file wherever it was built to, and again as text for programs that were
 * bundled into one file. Nothing here runs before a thread is wanted: some bundles have no `import.meta.url`.
 */

/** The address of the script; undefined in a bundle that does not know its own. From the sources, it is the built script that can run. */
export const scriptUrl = (): URL | undefined => {
  const here: string | undefined = import.meta.url
  if (!here) return undefined
  return new URL(here.endsWith('.ts') ? '../bundle/worker.js' : './worker.js', here)
}

/** A web worker with the script, written in the one way that bundlers see through. */
export const webWorker = (): Worker => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })

/** The whole script as text. */
export const scriptText = async (): Promise<string> => {
  const { workerText } = await import('./generated/worker-text.ts')
  return workerText()
}
