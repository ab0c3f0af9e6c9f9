import type { Codebook } from 'polyad/table'
import type { Failure, Job, Jobs, ModelHandle, Progresses, Reply, Request } from './protocol.ts'

/** What went wrong in the worker, in words for a person. */
export class StudioError extends Error {
  readonly kind: Failure['kind']

  constructor({ kind, message }: Failure) {
    super(message)
    this.kind = kind
  }
}

export interface CallOptions<J extends Job> {
  /** Stops the job; what it has by then is given, where it can give it. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: J extends keyof Progresses ? Progresses[J] : never) => void
  /** Stores the state of the job, from which it can go on in another worker; whether it could. */
  readonly onCheckpoint?: (bytes: Uint8Array) => Promise<boolean>
}

interface Waiting {
  readonly job: Job
  stop(): void
  resolve(value: unknown): void
  reject(error: Error): void
  progress?(progress: unknown): void
  checkpoint(bytes: Uint8Array): void
}

/** The worker that reads and computes, so that the page never waits. It is started with the first question. */
export class StudioWorker {
  #worker: Worker | undefined
  #last = 0
  /** Called when the worker was lost, with all that it held. */
  onLost: () => void = () => {}
  readonly #waiting = new Map<number, Waiting>()
  /** The models that this worker holds, by their files. */
  readonly #models = new Map<Uint8Array, ModelHandle>()
  #labels: Codebook | undefined

  call<J extends Job>(job: J, args: Parameters<Jobs[J]>, options: CallOptions<J> = {}): Promise<ReturnType<Jobs[J]>> {
    const { signal, onProgress, onCheckpoint = async () => false } = options
    const worker = this.#start()
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      const stop = () => worker.postMessage({ id, stop: true } satisfies Request)
      const over = () => {
        signal?.removeEventListener('abort', stop)
        this.#waiting.delete(id)
      }
      this.#waiting.set(id, {
        job,
        stop,
        resolve: value => {
          over()
          resolve(value as ReturnType<Jobs[J]>)
        },
        reject: error => {
          over()
          reject(error)
        },
        ...(onProgress !== undefined && { progress: value => onProgress(value as never) }),
        checkpoint: bytes => {
          const answer = (stored: boolean) => worker.postMessage({ id, stored } satisfies Request)
          onCheckpoint(bytes).then(answer, () => answer(false))
        },
      })
      worker.postMessage({ id, job, args } satisfies Request)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
    })
  }

  /** Stops all jobs of these kinds. */
  stop(...jobs: readonly Job[]): void {
    for (const { job, stop } of this.#waiting.values()) if (jobs.includes(job)) stop()
  }

  /** The name of a model in questions. A worker that does not hold it gets its file: once, and again after a worker was lost. */
  model(file: Uint8Array): ModelHandle {
    const known = this.#models.get(file)
    if (known !== undefined) return known
    const handle = ++this.#last
    this.#models.set(file, handle)
    // Where this fails, so does the question.
    const given = this.#labels
    this.call('hold', given === undefined ? [handle, file] : [handle, file, given]).catch(() => {})
    return handle
  }

  /** Labels that models have besides those of their files. */
  setLabels(labels: Codebook | undefined): void {
    this.#labels = labels
    this.keepModels([])
  }

  /** Releases all models but these. */
  keepModels(files: readonly Uint8Array[]): void {
    for (const [file, handle] of this.#models) {
      if (files.includes(file)) continue
      this.#models.delete(file)
      this.call('release', [handle]).catch(() => {})
    }
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'polyad' })
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(data)
    worker.onerror = event => {
      event.preventDefault()
      this.#fail(event.message || 'the background worker could not be started')
    }
    worker.onmessageerror = () => this.#fail('a message of the background worker could not be read')
    this.#worker = worker
    return worker
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    if (waiting === undefined) return
    if ('progress' in reply) waiting.progress?.(reply.progress)
    else if ('checkpoint' in reply) waiting.checkpoint(reply.checkpoint)
    else if ('failure' in reply) waiting.reject(new StudioError(reply.failure))
    else waiting.resolve(reply.value)
  }

  /** The worker is lost: all that waits is told so, and the next question starts another one. */
  #fail(message: string): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#models.clear()
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(new StudioError({ kind: 'engine', message }))
    this.onLost()
  }
}

export const worker = new StudioWorker()
