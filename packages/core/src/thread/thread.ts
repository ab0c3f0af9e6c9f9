import { EngineError } from '../errors.ts'
import { nodeModule } from './node-module.ts'

/** Another thread: a worker thread in Node, a Web Worker in a browser. */
export interface Thread {
  post(message: unknown, transfer?: Transferable[]): void
  /** While it is held, a thread keeps a Node process alive. It starts out not held. */
  hold(held: boolean): void
  /** Ends it at once, whatever it is doing. */
  end(): Promise<void>
}

/** Receives a thread's messages, and hears of its death by anything but `end`. */
export interface ThreadEvents {
  message(message: unknown): void
  failure(error: EngineError): void
}

/** How a thread's script is started: Node gets its address, a browser a function that bundlers can see through. */
export interface ThreadScript {
  readonly url: URL
  readonly browser: () => Worker
  /** The limit on the thread's own heap in Node, in megabytes. Default: Node's. */
  readonly heapMegabytes?: number
}

/** The part of Node's threads that is used here; this package is compiled without Node's types. */
interface NodePort {
  postMessage(message: unknown, transfer: readonly Transferable[]): void
  on(event: 'message' | 'messageerror' | 'error' | 'exit', listener: (detail: never) => void): void
}

interface NodeWorker extends NodePort {
  ref(): void
  unref(): void
  terminate(): Promise<number>
}

interface NodeThreads {
  readonly Worker: new (
    url: URL,
    options: { execArgv: string[]; resourceLimits?: { maxOldGenerationSizeMb: number } },
  ) => NodeWorker
  readonly parentPort: NodePort | null
}

const nodeThreads = () => nodeModule<NodeThreads>('node:worker_threads')

export const startThread = (script: ThreadScript, events: ThreadEvents): Thread => {
  const node = nodeThreads()
  return node === undefined ? startInBrowser(script, events) : startInNode(node, script, events)
}

const startInNode = ({ Worker }: NodeThreads, script: ThreadScript, events: ThreadEvents): Thread => {
  const { url, heapMegabytes } = script
  const limits = heapMegabytes === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }
  // Without the process's own flags: some, like --input-type, make a thread fail.
  const worker = new Worker(url, { execArgv: [], ...limits })
  worker.unref()
  let over = false
  const fail = (message: string, cause?: unknown) => {
    if (over) return
    over = true
    events.failure(new EngineError(message, { cause }))
  }
  worker.on('message', (message: unknown) => {
    if (over) return
    if (isFailure(message)) fail(`a worker thread failed: ${message.failure.message}`, revived(message.failure))
    else events.message(message)
  })
  worker.on('messageerror', (cause: Error) => fail('a message to or from a worker thread could not be read', cause))
  worker.on('error', (cause: Error & { code?: string }) => {
    const memory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    fail(memory ? 'a worker thread ran out of memory' : `a worker thread failed: ${cause.message}`, cause)
  })
  worker.on('exit', (code: number) => fail(`a worker thread ended with exit code ${code} before its work was done`))
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    hold: held => (held ? worker.ref() : worker.unref()),
    async end() {
      over = true
      await worker.terminate()
    },
  }
}

const startInBrowser = ({ browser }: ThreadScript, events: ThreadEvents): Thread => {
  const worker = browser()
  let over = false
  const fail = (message: string, cause?: unknown) => {
    if (over) return
    over = true
    events.failure(new EngineError(message, { cause }))
  }
  worker.onmessage = ({ data }) => {
    if (over) return
    if (isFailure(data)) fail(`a web worker failed: ${data.failure.message}`, revived(data.failure))
    else events.message(data)
  }
  worker.onmessageerror = () => fail('a message to or from a web worker could not be read')
  worker.onerror = event => {
    event.preventDefault?.()
    fail(`a web worker failed: ${event.message ?? 'its script could not be loaded'}`, event.error)
  }
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    hold: () => {},
    async end() {
      over = true
      worker.terminate()
    },
  }
}

/** The other end of a thread, within it. */
export interface Port {
  post(message: unknown, transfer?: Transferable[]): void
  /** Handles messages one after the other, but for those that `urgent` takes as they come. What a handler throws ends the thread's work and is reported to its owner. */
  serve(handle: (message: unknown) => void | Promise<void>, urgent?: (message: unknown) => boolean): void
}

export const threadPort = (): Port => {
  const port = nodeThreads()?.parentPort
  const scope = globalThis as unknown as Worker
  const post: Port['post'] = (message, transfer = []) =>
    port ? port.postMessage(message, transfer) : scope.postMessage(message, transfer)
  const listen = (listener: (message: unknown) => void) => {
    if (port) port.on('message', listener)
    else scope.onmessage = ({ data }) => listener(data)
  }
  return {
    post,
    serve: (handle, urgent) => {
      let queue = Promise.resolve()
      listen(message => {
        if (urgent?.(message)) return
        queue = queue.then(() => handle(message)).catch(error => post({ failure: carried(error) } satisfies Failure))
      })
    },
  }
}

/** The cores of this machine. */
export const countCores = (): number =>
  nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism() ??
  globalThis.navigator?.hardwareConcurrency ??
  1

/** Whether threads can share memory: always in Node, in a browser on pages that are isolated from other origins. */
export const canShareMemory = (): boolean =>
  typeof SharedArrayBuffer !== 'undefined' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false

/** What a thread says when it has failed. */
interface Failure {
  readonly failure: CarriedError
}

/** The part of an error that crosses from one thread to another. */
interface CarriedError {
  readonly message: string
  readonly stack: string | undefined
}

const carried = (error: unknown): CarriedError =>
  error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error), stack: undefined }

const revived = ({ message, stack }: CarriedError): Error => Object.assign(new Error(message), { stack })

const isFailure = (message: unknown): message is Failure =>
  typeof message === 'object' && message !== null && 'failure' in message
