import type { PlatformUrl } from '../platform-types.ts'
import { nodeModule } from './node-module.ts'

/** The part of Node's threads that is used here; this package is compiled without Node's types. */
export interface NodePort {
  postMessage(message: unknown, transfer: never): void
  on(event: 'message' | 'messageerror' | 'error' | 'exit', listener: (detail: never) => void): unknown
}

export interface NodeWorker extends NodePort {
  ref(): void
  unref(): void
  terminate(): Promise<number>
}

interface NodeThreads {
  readonly Worker: new (
    script: PlatformUrl | string,
    options: { execArgv: string[]; eval?: boolean; resourceLimits?: { maxOldGenerationSizeMb: number } },
  ) => NodeWorker
  readonly parentPort: NodePort | null
}

export const nodeThreads = (): NodeThreads | undefined => nodeModule<NodeThreads>('node:worker_threads')
