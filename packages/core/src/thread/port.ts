import { nodeThreads } from './node-threads.ts'

/** The other end of a thread, within it. */
export interface Port {
  post(message: unknown, transfer?: readonly unknown[]): void
  /** Handles messages one after the other, but for those that `urgent` takes as they come. What a handler throws ends the thread's work and is reported to its owner. */
  serve(handle: (message: unknown) => void | Promise<void>, urgent?: (message: unknown) => boolean): void
}

/** The first message to a thread: what it is to do. One script has several roles. */
export interface RoleMessage {
  readonly role: string
}

/** What a thread says as soon as its script runs. */
export const UP = 'polyad-worker-up'

/** What a thread says when it has failed. */
export interface Failure {
  readonly failure: CarriedError
}

/** The part of an error that crosses from one thread to another. */
interface CarriedError {
  readonly message: string
  readonly stack: string | undefined
}

interface Handlers {
  readonly handle: (message: unknown) => void | Promise<void>
  readonly urgent: ((message: unknown) => boolean) | undefined
}

/** The part of a web worker's global scope that is used here. */
interface WorkerScope {
  postMessage(message: unknown, transfer: never): void
  onmessage: ((event: { readonly data: unknown }) => void) | null
}

const handlers = new Map<string, Handlers>()
let listening = false
let role: string | undefined
let queue = Promise.resolve()

const post: Port['post'] = (message, transfer = []) => {
  const port = nodeThreads()?.parentPort
  if (port) port.postMessage(message, transfer as never)
  else (globalThis as unknown as WorkerScope).postMessage(message, transfer as never)
}

const receive = (message: unknown): void => {
  if (role === undefined) {
    role = (message as RoleMessage).role
    return
  }
  const { handle, urgent } = handlers.get(role)!
  if (urgent?.(message)) return
  queue = queue.then(() => handle(message)).catch(error => post({ failure: carried(error) } satisfies Failure))
}

/** Within a thread: the port of the thread's owner, as one of the roles of the script. */
export const threadPort = (name: string): Port => ({
  post,
  serve(handle, urgent) {
    handlers.set(name, { handle, urgent })
    if (listening) return
    listening = true
    const port = nodeThreads()?.parentPort
    if (port) port.on('message', receive)
    else {
      const scope = globalThis as unknown as WorkerScope
      scope.onmessage = ({ data }) => receive(data)
    }
    post(UP)
  },
})

const carried = (error: unknown): CarriedError =>
  error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error), stack: undefined }

export const revived = ({ message, stack }: CarriedError): Error => Object.assign(new Error(message), { stack })

export const isFailure = (message: unknown): message is Failure =>
  typeof message === 'object' && message !== null && 'failure' in message
