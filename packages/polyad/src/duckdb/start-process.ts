import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The script of the process: the built one, also when this file runs from its source (as in tests). */
const script = (): string => {
  const built = import.meta.url.endsWith('.ts') ? '../../dist/duckdb/process.js' : './process.js'
  return fileURLToPath(new URL(built, import.meta.url))
}

/** Starts the process that runs DuckDB. It is told its folder, so that it can remove it should this process be killed. */
export const startProcess = (scratch: string): ChildProcess =>
  fork(script(), [scratch], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Flags of this process (--eval, --inspect) are not meant for another script.
    execArgv: [],
  })
