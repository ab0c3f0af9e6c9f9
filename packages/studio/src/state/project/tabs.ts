import { hexOf } from '../../worker/hex.ts'

/** What tabs of one browser tell each other of projects. Nothing depends on it: the store refuses what must not be written. */

export type TabMessage = { readonly id: string; readonly writer: string } & (
  | { readonly kind: 'opened'; readonly since: number }
  /** An answer to `opened`: another tab has it open, and saves it. */
  | { readonly kind: 'mine'; readonly to: string }
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'renamed'; readonly revision: number; readonly name: string | null }
  | { readonly kind: 'removed' }
)

/** This tab, until it is loaded again. */
export const WRITER = hexOf(crypto.getRandomValues(new Uint8Array(12)))

const channel = globalThis.BroadcastChannel === undefined ? undefined : new BroadcastChannel('polyad-projects')

type Told = TabMessage extends infer M ? (M extends TabMessage ? Omit<M, 'writer'> : never) : never

export const tellTabs = (message: Told): void => channel?.postMessage({ ...message, writer: WRITER })

export const listenToTabs = (hear: (message: TabMessage) => void): void => {
  channel?.addEventListener('message', ({ data }) => hear(data as TabMessage))
}

/** Whether this tab, which opened a project at some time, had it before another that has just opened it. */
export const hadItFirst = (since: number, other: TabMessage & { readonly kind: 'opened' }): boolean =>
  since === other.since ? WRITER < other.writer : since < other.since
