import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './run-polyad.ts'

/** A command as a process, with a folder of temporary files that is its own: what it leaves behind can be seen. */
export interface Watched {
  readonly child: ChildProcess
  readonly ended: Promise<EndedProcess>
  /** Standard error so far. */
  readonly said: () => string
  /** Its folder of temporary files. */
  readonly temporary: string
  /** The processes that work in its temporary folder, itself apart. */
  readonly helpers: () => number[]
  /** Its temporary files, and unfinished files in the folder of its data and outputs. */
  readonly files: () => string[]
  readonly remove: () => void
}

export interface EndedProcess {
  /** As a shell has it: of a process that a signal has ended, 128 and the number of the signal. */
  readonly code: number
  readonly seconds: number
  readonly stdout: string
  readonly stderr: string
}

const SIGNAL_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGKILL: 137, SIGTERM: 143, SIGINT: 130, SIGHUP: 129, SIGQUIT: 131 } // biome-ignore format: one table

/** Starts a command in a folder; standard output is kept up to a limit. */
export const watched = (args: readonly string[], folder: string, input?: 'pipe'): Watched => {
  const temporary = mkdtempSync(join(folder, 'tmp-'))
  const began = performance.now()
  const child = spawn(process.execPath, [command, ...args], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: [input ?? 'ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (text: Buffer) => {
    if (stdout.length < 1e6) stdout += text
  })
  child.stderr?.on('data', (text: Buffer) => {
    stderr += text
  })
  const ended = new Promise<EndedProcess>(resolve => {
    child.on('close', (code, signal) => {
      const seconds = (performance.now() - began) / 1000
      resolve({ code: code ?? SIGNAL_CODES[signal as NodeJS.Signals] ?? -1, seconds, stdout, stderr })
    })
  })
  return {
    ...{ child, ended, temporary },
    said: () => stderr,
    helpers: () => processesNaming(temporary),
    files: () => [...readdirSync(temporary), ...readdirSync(folder).filter(name => name.endsWith('.part'))],
    remove: () => rmSync(temporary, { recursive: true, force: true }),
  }
}

/** The processes whose arguments name a folder; none where that cannot be known. */
const processesNaming = (folder: string): number[] => {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .filter(pid => argumentsOf(pid).includes(folder))
      .map(Number)
  } catch {
    return []
  }
}

const argumentsOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until something holds. */
export const until = async (holds: () => boolean, what: string, seconds = 60): Promise<void> => {
  for (const end = performance.now() + seconds * 1000; !holds(); ) {
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
