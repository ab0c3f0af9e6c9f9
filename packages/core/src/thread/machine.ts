import { EngineError } from '../errors.ts'
import { nodeModule } from './node-module.ts'

/** No worker could be started: there are no threads, and work that can do without them should. */
export class NoThreadsError extends EngineError {}

/** The cores of this machine. */
export const countCores = (): number =>
  nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism() ??
  globalThis.navigator?.hardwareConcurrency ??
  1

/** Whether threads can share memory: always in Node, in a browser on pages that are isolated from other origins. */
export const canShareMemory = (): boolean =>
  typeof SharedArrayBuffer !== 'undefined' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false
