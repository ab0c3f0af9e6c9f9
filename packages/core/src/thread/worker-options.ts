import { OptionError } from '../errors.ts'

/** Where worker threads come from. Without either, they are found wherever this package is, in bundles too. */
export interface WorkerOptions {
  /** The address of a copy of `@polyad/core/worker`: for pages whose content security policy allows no other. */
  readonly workerUrl?: string | { readonly href: string }
  /** Makes a worker that runs `@polyad/core/worker`: a `Worker` of the page, or of `node:worker_threads`. */
  readonly workerFactory?: () => WorkerLike
}

/** A `Worker` of a page or of Node, by what both have. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: never): void
  terminate(): unknown
}

/** The names of these options, for those functions that take them. */
export const WORKER_OPTIONS = ['workerUrl', 'workerFactory'] as const satisfies readonly (keyof WorkerOptions)[]

/** Checks where workers come from. */
export const checkWorkerOptions = ({ workerUrl, workerFactory }: WorkerOptions): void => {
  if (workerUrl !== undefined && workerFactory !== undefined)
    throw new OptionError('workerUrl', 'cannot be combined with workerFactory: give one, not both')
  if (workerFactory !== undefined && typeof workerFactory !== 'function')
    throw new OptionError('workerFactory', 'must be a function that makes a Worker', workerFactory)
  if (workerUrl !== undefined && typeof workerUrl !== 'string' && typeof workerUrl?.href !== 'string')
    throw new OptionError('workerUrl', 'must be an address, as text or as a URL', workerUrl)
}
