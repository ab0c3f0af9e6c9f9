import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** A value that can be changed, and changed back. */
export interface History<T> {
  readonly value: ReadonlySignal<T>
  /** Changes the value. Changes under the same key that follow each other at once (typing, dragging) are undone together. */
  change(to: T, key?: string): void
  undo(): void
  redo(): void
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  /** Begins anew, with nothing to undo. */
  reset(to: T): void
}

interface State<T> {
  readonly past: readonly T[]
  readonly now: T
  readonly future: readonly T[]
}

/** More steps back than this nobody remembers. */
const MOST = 200
/** Changes of one key within this time are one, in milliseconds. */
const TOGETHER = 1000

export const createHistory = <T>(initial: T, clock: () => number = () => performance.now()): History<T> => {
  const state = signal<State<T>>({ past: [], now: initial, future: [] })
  let last: { readonly key: string; readonly at: number } | undefined
  return {
    value: computed(() => state.value.now),
    canUndo: computed(() => state.value.past.length > 0),
    canRedo: computed(() => state.value.future.length > 0),
    change(to, key) {
      const { past, now } = state.peek()
      const at = clock()
      const together = key !== undefined && last?.key === key && at - last.at < TOGETHER
      last = key === undefined ? undefined : { key, at }
      state.value = { past: together ? past : [...past, now].slice(-MOST), now: to, future: [] }
    },
    undo() {
      const { past, now, future } = state.peek()
      if (past.length === 0) return
      last = undefined
      state.value = { past: past.slice(0, -1), now: past[past.length - 1], future: [now, ...future] }
    },
    redo() {
      const { past, now, future } = state.peek()
      if (future.length === 0) return
      last = undefined
      state.value = { past: [...past, now], now: future[0], future: future.slice(1) }
    },
    reset(to) {
      last = undefined
      state.value = { past: [], now: to, future: [] }
    },
  }
}
