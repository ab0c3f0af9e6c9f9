import { DataError, EngineError, OptionError } from '@polyad/core'
import { messageOf } from '@polyad/core/options'
import { describeJobs } from './describe-jobs.ts'
import { fitJobs } from './fit-jobs.ts'
import { findGraphics } from './graphics.ts'
import { modelJobs } from './models.ts'
import { pageNaming } from './page-naming.ts'
import type { Context, Failure, Job, JobHandler, Reply, Request } from './protocol.ts'
import { rowJobs } from './row-jobs.ts'
import { statisticsJobs } from './statistics-jobs.ts'
import { tableJobs } from './table-jobs.ts'

const JOBS: { readonly [J in Job]: JobHandler<J> } = {
  ...tableJobs,
  ...fitJobs,
  ...modelJobs,
  ...describeJobs,
  ...rowJobs,
  ...statisticsJobs,
  graphics: findGraphics,
}

const post = (reply: Reply, moved: Transferable[] = []): void => globalThis.postMessage(reply, { transfer: moved })

const under = new Map<number, AbortController>()
/** Who waits to hear whether the state of a job was stored. */
const storing = new Map<number, (stored: boolean) => void>()

const KINDS = new Map<unknown, Failure['kind']>([
  ...([
    [DataError, 'data'],
    [OptionError, 'option'],
    [EngineError, 'engine'],
  ] as const),
])
const failureOf = (error: unknown): Failure => ({
  kind: KINDS.get((error as Error | undefined)?.constructor) ?? 'other',
  message: messageOf(error, pageNaming),
})

/** Jobs are done one after the other; only a stop is heard at once. */
let queue = Promise.resolve()
/** The jobs that are in it, in their order. */
const queued: Job[] = []
/** Jobs that only look at models need not wait for a fit: they are done one after the other beside it. */
let beside = Promise.resolve()
const LOOKING: readonly Job[] = ['hold', 'release', 'describe', 'report', 'rows', 'rowsCsv', 'confusion', 'tableFiles']
const isBesideFit = (job: Job): boolean =>
  LOOKING.includes(job) && queued.length > 0 && queued.every(each => each === 'fit')

globalThis.onmessage = ({ data }: MessageEvent<Request>) => {
  const { id } = data
  if ('stop' in data) {
    under.get(id)?.abort()
    return
  }
  if ('stored' in data) {
    storing.get(id)?.(data.stored)
    return
  }
  const controller = new AbortController()
  under.set(id, controller)
  const { job, args } = data
  const work = async () => {
    try {
      const context: Context = {
        signal: controller.signal,
        progress: progress => post({ id, progress }),
        store: checkpoint =>
          new Promise(resolve => {
            storing.set(id, resolve)
            post({ id, checkpoint }, [checkpoint.buffer])
          }),
      }
      const doing = JOBS[job] as (context: Context, ...args: readonly unknown[]) => unknown
      post({ id, value: await doing(context, ...args) })
    } catch (error) {
      post({ id, failure: failureOf(error) })
    } finally {
      under.delete(id)
      storing.delete(id)
    }
  }
  // A driver may take its time, or never answer: nothing waits for it.
  if (job === 'graphics') void work()
  else if (isBesideFit(job)) beside = beside.then(work)
  else {
    queued.push(job)
    queue = queue
      .then(() => beside)
      .then(work)
      .then(() => void queued.shift())
  }
}
