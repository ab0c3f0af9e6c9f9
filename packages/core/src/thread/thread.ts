import { EngineError } from '../errors.ts'
import type { Sentence } from '../wording.ts'
import { NoThreadsError } from './machine.ts'
import { isFailure, type RoleMessage, revived, UP } from './port.ts'
import { type RawThread, type RawWorker, rawThread } from './raw-worker.ts'
import type { Way, Ways } from './worker-ways.ts'

/** Another thread: a worker thread in Node, a Web Worker in a browser. */
export interface Thread {
  post(message: unknown, transfer?: readonly unknown[]): void
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

/** What a thread runs, and how it is started. */
export interface ThreadScript extends Ways {
  /** What the thread does: one of the roles of its script. */
  readonly role: string
  /** The limit on the thread's own heap in Node, in megabytes. Default: Node's. */
  readonly heapMegabytes?: number
}

/** The way that has worked, by what it is: found once for all threads. */
const proven = new Set<Way>()

/**
 * Starts a thread in the first of the ways that works. What is posted before it is known to run is kept, so that nothing is lost to a
 * worker that could not load its script; where there is only one way, or it has worked before, it is sent at once.
 */
export const startThread = (script: ThreadScript, events: ThreadEvents): Thread => new StartedThread(script, events)

class StartedThread implements Thread {
  readonly #script: ThreadScript
  readonly #events: ThreadEvents
  #way = 0
  #raw: RawThread | undefined
  /** What waits until the script is known to run; undefined once it is sent at once. */
  #kept: [message: unknown, transfer: readonly unknown[]][] | undefined = []
  #held = false
  /** Whether the script has said that it runs. */
  #up = false
  #over = false

  constructor(script: ThreadScript, events: ThreadEvents) {
    this.#script = script
    this.#events = events
    this.#way = Math.max(
      0,
      script.ways.findIndex(way => proven.has(way)),
    )
    this.post({ role: script.role } satisfies RoleMessage)
    this.#start()
  }

  post(message: unknown, transfer: readonly unknown[] = []): void {
    if (this.#kept !== undefined) this.#kept.push([message, transfer])
    else this.#raw?.post(message, transfer)
  }

  hold(held: boolean): void {
    this.#held = held
    this.#raw?.hold(held)
  }

  async end(): Promise<void> {
    this.#over = true
    await this.#raw?.end()
  }

  #start(): void {
    const { ways, heapMegabytes } = this.#script
    try {
      const worker = ways[this.#way](heapMegabytes)
      if (!(worker instanceof Promise)) {
        this.#take(worker)
        return
      }
      worker.then(
        made => this.#take(made),
        cause => this.#failed(`a worker thread could not be started: ${(cause as Error).message}`, cause),
      )
    } catch (cause) {
      // Whoever starts a thread hears of it when it has the thread.
      queueMicrotask(() => this.#failed(`a worker thread could not be started: ${(cause as Error).message}`, cause))
    }
  }

  #take(worker: RawWorker): void {
    const way = this.#way
    const raw = rawThread(worker, {
      message: message => {
        if (way === this.#way) this.#hear(message)
      },
      failure: (message, cause) => {
        if (way === this.#way) this.#failed(message, cause)
      },
    })
    if (this.#over) {
      void raw.end()
      return
    }
    this.#raw = raw
    raw.hold(this.#held)
    const { ways } = this.#script
    if (way === ways.length - 1 || proven.has(ways[way])) this.#send()
  }

  #send(): void {
    const kept = this.#kept ?? []
    this.#kept = undefined
    for (const [message, transfer] of kept) this.#raw!.post(message, transfer)
  }

  #hear(message: unknown): void {
    if (this.#over) return
    if (message === UP) {
      this.#up = true
      proven.add(this.#script.ways[this.#way])
      this.#send()
    } else if (isFailure(message))
      this.#failed(`a worker thread failed: ${message.failure.message}`, revived(message.failure))
    else this.#events.message(message)
  }

  #failed(message: Sentence, cause?: unknown): void {
    if (this.#over) return
    if (!this.#up && this.#kept !== undefined && this.#way < this.#script.ways.length - 1) {
      void this.#raw?.end()
      this.#raw = undefined
      this.#way++
      this.#start()
      return
    }
    this.#over = true
    const { asked } = this.#script
    this.#events.failure(new (this.#up || asked ? EngineError : NoThreadsError)(message, { cause }))
  }
}
