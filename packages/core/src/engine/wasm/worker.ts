/** The script of a worker thread: holds some lanes and runs the pass over them. */
import { carryError, threadPort } from '../../thread/thread.ts'
import { newArenaPool } from './arena.ts'
import { type Holding, newHolding } from './holding.ts'
import {
  ASLEEP,
  FINISHED,
  type FromWorker,
  LOOKS,
  type Offer,
  PASS,
  type SharedInput,
  type ToWorker,
} from './protocol.ts'
import type { Share } from './share.ts'

const port = threadPort()
const post = (message: FromWorker, transfer?: Transferable[]) => port.post(message, transfer)

let holding: Holding | undefined
let shares: readonly Share[] = []
let offer: Offer | undefined

const handle = async (message: ToWorker): Promise<void> => {
  switch (message.kind) {
    case 'open':
      holding = newHolding(newArenaPool(), message.plan, message.rank)
      return
    case 'lane':
      return holding!.add(message.lane)
    case 'start':
      shares = holding!.finish()
      offer = makeOffer(message.shared !== undefined)
      post({ kind: 'ready', offer })
      if (message.shared !== undefined) serve(message.shared, offer.output!)
      return
    case 'pass': {
      const output = new Float64Array(outputLength())
      run(message.weights, message.factors, output)
      post({ kind: 'done', output }, [output.buffer])
    }
  }
}

const outputLength = (): number =>
  shares.reduce((sum, { parts, shape, lanes }) => {
    const rows = lanes.reduce((count, { labels }) => count + labels.reduce((n, own) => n + (own?.length ?? 0), 0), 0)
    return sum + parts.length * shape.length + rows * shape.padded
  }, 0)

/** The order of the output: for each share the listed tables of its lanes as they come, then its parts. */
const makeOffer = (shared: boolean): Offer => {
  const parts: Offer['parts'][number][] = []
  const listed: Offer['listed'][number][] = []
  let at = 0
  for (const { lanes, shape, parts: own } of shares) {
    for (const { number, labels } of lanes) {
      labels.forEach((own, mode) => {
        if (own === undefined) return
        listed.push({ lane: number, mode, labels: own, at })
        at += own.length * shape.padded
      })
    }
    for (const { first, count } of own) {
      parts.push({ first, count, at })
      at += shape.length
    }
  }
  return { parts, listed, output: shared ? new Float64Array(new SharedArrayBuffer(8 * at)) : undefined }
}

const run = (weights: Float64Array, factors: readonly Float64Array[], output: Float64Array): void => {
  let at = 0
  for (const share of shares) {
    share.run(weights, factors, (_lane, _mode, _labels, table) => {
      output.set(table, at)
      at += table.length
    })
    for (const part of share.parts) {
      output.set(share.arena.f64.subarray(part.at, part.at + share.shape.length), at)
      at += share.shape.length
    }
  }
}

/** Passes as they are asked for through shared memory, until the thread is ended. */
const serve = ({ control, weights, factors, worker }: SharedInput, output: Float64Array): void => {
  for (let done = 0; ; ) {
    for (let look = 0; look < LOOKS && Atomics.load(control, PASS) === done; look++);
    Atomics.wait(control, PASS, done)
    done = Atomics.load(control, PASS)
    run(weights, factors, output)
    Atomics.store(control, FINISHED + worker, done)
    if (Atomics.load(control, ASLEEP) === 1) post({ kind: 'done', output: undefined })
  }
}

let queue = Promise.resolve()
port.receive(message => {
  queue = queue
    .then(() => handle(message as ToWorker))
    .catch(error => post({ kind: 'failed', error: carryError(error) }))
})
