import { OptionError } from '../errors.ts'
import { scriptText, scriptUrl, webWorker } from '../worker-script.ts'
import { nodeModule } from './node-module.ts'
import { nodeThreads } from './node-threads.ts'
import { isWorker, type RawWorker } from './raw-worker.ts'
import type { WorkerLike, WorkerOptions } from './worker-options.ts'

/** A way to start a worker. It throws, or the worker fails, if the script is not to be had this way. */
export type Way = (heapMegabytes: number | undefined) => RawWorker | Promise<RawWorker>

/** The ways to start a worker, the best first; whether this is what the program asked for, so that nothing else will do. */
export interface Ways {
  readonly ways: readonly Way[]
  readonly asked: boolean
}

export const waysOf = (options: WorkerOptions): Ways => {
  const { workerUrl, workerFactory } = options
  if (workerFactory !== undefined) return { ways: [() => made(workerFactory())], asked: true }
  if (workerUrl !== undefined) return { ways: [fromAddress(workerUrl)], asked: true }
  return { ways: usual(), asked: false }
}

/** In Node a look tells whether the script is there; a browser has to try. */
const usual = (): readonly Way[] => {
  if (nodeThreads() === undefined) return [webWorker, fromText]
  const url = scriptUrl()
  const files = nodeModule<{ existsSync(path: URL): boolean }>('node:fs')
  return url?.protocol === 'file:' && files?.existsSync(url) ? [fromAddress(url)] : [fromText]
}

const made = (worker: WorkerLike): RawWorker => {
  if (isWorker(worker)) return worker
  throw new OptionError('workerFactory', 'must return a Worker', worker)
}

/** Without the process's own flags: some, like --input-type, make a thread fail. */
const nodeOptions = (heapMegabytes: number | undefined) => ({
  execArgv: [],
  ...(heapMegabytes !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
})

export const fromAddress =
  (address: string | { readonly href: string }): Way =>
  heapMegabytes => {
    const node = nodeThreads()
    const href = typeof address === 'string' ? address : address.href
    if (node === undefined) return new Worker(href, { type: 'module' })
    return new node.Worker(/^[a-z][a-z0-9+.-]+:/i.test(href) ? new URL(href) : href, nodeOptions(heapMegabytes))
  }

const fromText: Way = async heapMegabytes => {
  const text = await scriptText()
  const node = nodeThreads()
  if (node !== undefined) return new node.Worker(text, { ...nodeOptions(heapMegabytes), eval: true })
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  try {
    return new Worker(address)
  } finally {
    // A worker that has been made keeps what it was made from.
    URL.revokeObjectURL(address)
  }
}
