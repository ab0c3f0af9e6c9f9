import type { Session } from '../../engine/engine.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { RunParts } from '../checkpoint/run-parts.ts'
import type { SessionUnits } from '../checkpoint/session-units.ts'
import { keptDescentOf } from '../descent/kept-descent.ts'
import type { Replicate, ReplicateResult } from '../search/replicate.ts'
import type { SearchSetting } from '../search/search-log.ts'
import type { Task, TaskResult, TaskSetting } from '../search/tasks.ts'
import {
  type EndedSearch,
  expectedModel,
  plainReplicate,
  plainRun,
  plainSearch,
  plainTaskResult,
  replicateOf,
  runOf,
  searchOf,
  taskResultOf,
} from './checkpoint-codec.ts'
import { isDone, onlyFailure, type ReplicateHooks, type RunnerHooks } from './runner-hooks.ts'

// Few searches need either: both are in the part that is loaded with the first of them.
export { performReplicate } from '../search/replicate.ts'

/** Passes that take longer, in nanoseconds by the engine's own estimate, make a descent one whose way is worth keeping. */
const LONG_PASS = 5_000_000

/** Searches, unless a checkpoint knows what was found. */
export const searchWithCheckpoint = async (
  { checkpoint }: SessionUnits,
  unit: { readonly key: string; readonly within: string | undefined },
  given: {
    readonly signal: PlatformSignal | undefined
    readonly setting: SearchSetting
    readonly shape: readonly number[]
    readonly task: TaskSetting
    readonly usable: () => boolean
  },
  search: () => Promise<EndedSearch>,
): Promise<EndedSearch> => {
  const { signal, setting, shape, task, usable } = given
  const check = (value: unknown) => searchOf(value, setting, expectedModel(shape, task))
  return checkpoint.once({ kind: 'fit', ...unit }, { signal, check, usable }, search, plainSearch)
}

/** Performs the tasks that a checkpoint does not know the results of, and tells it those. */
export const performWithCheckpoint = async (
  {
    units,
    session,
    setting,
  }: { readonly units: SessionUnits; readonly session: Session; readonly setting: TaskSetting },
  tasks: readonly Task[],
  hooks: RunnerHooks,
  runner: {
    /** Called with every result that the checkpoint knows. */
    readonly known: (result: TaskResult) => void
    readonly perform: (tasks: readonly Task[], hooks: RunnerHooks) => Promise<TaskResult[]>
  },
): Promise<TaskResult[]> => {
  const keys = await units.keys('run', setting, tasks)
  const { checkpoint } = units
  // Models that share a scan may share how it was computed: such a list is known as a whole, or not at all.
  const together = session.can.includes('several')
  const expected = expectedModel(session.data.shape, setting)
  const all = keys.map(key => checkpoint.find(key, value => taskResultOf(value, expected)))
  const known = together && all.includes(undefined) ? keys.map(() => undefined) : all
  for (const result of known) {
    if (result === undefined) continue
    runner.known(result)
    hooks.onResult?.(result)
  }
  const found = known.filter(result => result !== undefined)
  const missing = tasks.map((_, i) => i).filter(i => known[i] === undefined)
  if (missing.length === 0) return found
  const onTask = (task: number, result: TaskResult) => {
    const { reason, failure } = result.run
    if (hooks.signal?.aborted || reason === 'stopped' || failure !== undefined) return
    const unit = { kind: 'run' as const, key: keys[missing[task]], within: hooks.within }
    checkpoint.keep(unit, result.cost, plainTaskResult(result))
  }
  const long = session.traits.nanosPerPass(setting.rank) >= LONG_PASS
  const partsOf = (task: number) => {
    const parts = new RunParts(checkpoint, keys[missing[task]], plainRun, value => runOf(value, expected, true))
    return { next: () => parts.next(), kept: keptDescentOf }
  }
  const rest = await runner
    .perform(
      missing.map(i => tasks[i]),
      { ...hooks, onTask, ...(long && { partsOf }), salvage: hooks.salvage === true && found.length === 0 },
    )
    .catch((error: unknown) => {
      onlyFailure(error, found.length > 0, hooks)
      return []
    })
  if (rest.length < missing.length) return [...found, ...rest]
  const results = [...known]
  missing.forEach((i, at) => {
    results[i] = rest[at]
  })
  return results as TaskResult[]
}

/** The same of replicates. @param shape of the data */
export const replicateUnknown = async (
  units: SessionUnits,
  shape: readonly number[],
  replicates: readonly Replicate[],
  hooks: ReplicateHooks,
  perform: (replicates: readonly Replicate[], hooks: ReplicateHooks) => Promise<unknown>,
): Promise<ReplicateResult[]> => {
  const { checkpoint } = units
  const keys = await units.keys('replicate', undefined, replicates)
  const results = keys.map((key, i) => {
    const { fits, decisive } = replicates[i]
    const expected = fits.map(({ setting }) => expectedModel(shape, setting))
    return checkpoint.find(key, value => replicateOf(value, expected, decisive !== undefined))
  })
  for (const result of results) if (result !== undefined) hooks.onResult?.()
  const missing = replicates.map((_, i) => i).filter(i => results[i] === undefined)
  const onReplicate = (at: number, result: ReplicateResult) => {
    results[missing[at]] = result
    if (hooks.signal?.aborted) return
    const unit = { kind: 'replicate' as const, key: keys[missing[at]], within: hooks.within }
    checkpoint.keep(unit, 0, plainReplicate(result, replicates[missing[at]].decisive !== undefined))
  }
  await perform(
    missing.map(i => replicates[i]),
    { ...hooks, onReplicate },
  )
  return results.filter(isDone)
}
