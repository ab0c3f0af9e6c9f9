import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { EngineError } from '@polyad/core'
import { packageFile } from '../package-file.ts'

/** The script of the process: the bundled one, also when this file runs from its source (as in tests). */
const script = (): string => {
  const path = fileURLToPath(packageFile('bundle/duckdb-process.js'))
  if (existsSync(path)) return path
  throw new EngineError(
    `DuckDB's process cannot be started: ${path} is missing. If this program was bundled, leave the package polyad out of the bundle (external).`,
  )
}

/** Starts the process that runs DuckDB. It is told its folder, so that it can remove it should this process be killed. */
export const startProcess = (scratch: string): ChildProcess =>
  fork(script(), [scratch], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Flags of this process (--eval, --inspect) are not meant for another script.
    execArgv: [],
  })
