/** The role of threads that do tasks. */
export const TASKS = 'tasks'

/** What a pool says to its threads. */
export type ToTaskThread<Setup, Task> =
  | { readonly kind: 'stop'; readonly flag: Int32Array | undefined }
  | { readonly kind: 'setup'; readonly key: number; readonly setup: Setup }
  | { readonly kind: 'forget'; readonly key: number }
  | { readonly kind: 'task'; readonly task: Task }

/** What a thread says to its pool. */
export type FromTaskThread<Result, News> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'news'; readonly news: News }
