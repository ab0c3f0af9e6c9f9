import { advise, mention, type Sentence, term, words } from '../wording.ts'
import type { NodeWorker } from './node-threads.ts'

/** The part of a web worker that is used here: this package's types are the same without a browser's. */
export interface WebWorker {
  postMessage(message: unknown, transfer: never): void
  terminate(): void
  onmessage: unknown
  onmessageerror: unknown
  onerror: unknown
}

/** A worker as the platform has it: of `node:worker_threads`, or a web worker. */
export type RawWorker = NodeWorker | WebWorker

/** What is heard of a worker. */
export interface RawEvents {
  message(message: unknown): void
  failure(message: Sentence, cause?: unknown): void
}

/** What is done with a worker, whichever kind it is of. */
export interface RawThread {
  post(message: unknown, transfer: readonly unknown[]): void
  hold(held: boolean): void
  end(): Promise<void>
}

export const isWorker = (value: unknown): value is RawWorker =>
  typeof value === 'object' &&
  value !== null &&
  ['postMessage', 'terminate'].every(name => typeof (value as Record<string, unknown>)[name] === 'function')

export const rawThread = (worker: RawWorker, events: RawEvents): RawThread =>
  'on' in worker && typeof worker.on === 'function'
    ? nodeThread(worker, events)
    : webThread(worker as WebWorker, events)

const nodeThread = (worker: NodeWorker, events: RawEvents): RawThread => {
  worker.unref()
  worker.on('message', (message: unknown) => events.message(message))
  worker.on('messageerror', (cause: Error) =>
    events.failure('a message to or from a worker thread could not be read', cause),
  )
  worker.on('error', (cause: Error & { code?: string }) => {
    const memory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    events.failure(
      memory
        ? words`a worker thread ran out of memory: ${advise('lower', 'threads')}, or use fewer classes or ${term('labels')}`
        : `a worker thread failed: ${cause.message}`,
      cause,
    )
  })
  worker.on('exit', (code: number) =>
    events.failure(
      words`a worker thread ended with exit code ${code} before its work was done: fit again, or without other threads (${mention('threads', 1)})`,
    ),
  )
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as never),
    hold: held => (held ? worker.ref() : worker.unref()),
    end: async () => void (await worker.terminate()),
  }
}

const webThread = (worker: WebWorker, events: RawEvents): RawThread => {
  worker.onmessage = ({ data }: { readonly data: unknown }) => events.message(data)
  worker.onmessageerror = () => events.failure('a message to or from a web worker could not be read')
  worker.onerror = (event: { preventDefault?(): void; readonly message?: string; readonly error?: unknown }) => {
    event.preventDefault?.()
    events.failure(`a web worker failed: ${event.message ?? 'its script could not be loaded'}`, event.error)
  }
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as never),
    hold: () => {},
    end: async () => worker.terminate(),
  }
}
