import { signal } from '@preact/signals'
import { cancel } from './messages.ts'

/** One project gives way to another at a time, and what a person asked for last is what they get. */

/** A question before what is there gives way to something else; `answer` says whether it does. */
export interface Question {
  readonly opening: string
  /** Whether fits would be lost; else only a fit under way is stopped. */
  readonly loses: boolean
  readonly answer: (goOn: boolean) => void
}
export const question = signal<Question | null>(null)

export const ask = (opening: string, loses: boolean): Promise<boolean> =>
  new Promise(answer => {
    question.value = { opening, loses, answer }
  })

let last: Promise<unknown> = Promise.resolve()
/** How many are under way or wait. */
let pending = 0
let newest = 0

/** Does this after all that is under way. */
export const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
  pending++
  const done = last.then(work).finally(() => {
    pending--
  })
  last = done.catch(() => {})
  return done
}

/**
 * The same for what takes the place of all that was asked for before: of that, what is under way is cancelled, as far as it can be, and what still waits is
 * not begun.
 */
export const replaceQueued = (work: () => Promise<unknown>): Promise<void> => {
  const mine = ++newest
  if (pending > 0) {
    const asked = question.peek()
    question.value = null
    asked?.answer(false)
    cancel.peek()?.()
  }
  return enqueue(async () => {
    if (mine === newest) await work()
  })
}

/** Waits until nothing is being opened. */
export const untilOpened = async (): Promise<void> => {
  while (pending > 0) await last
}
