import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders for temporary files, named for the machine and the process they belong to. */

/** Where several machines or containers share a folder for temporary files, a process number says nothing by itself. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

const NAME = new RegExp(`^polyad-${machine}-(\\d+)-\\w{6}$`)

/** Makes a folder of this process's own. Whoever makes it removes it; `sweepScratch` is for those who no longer could. */
export const makeScratch = (): string => mkdtempSync(join(tmpdir(), `polyad-${machine}-${process.pid}-`))

/** Removes the folders that processes of this user left behind when they were killed. Those of live ones stay. */
export const sweepScratch = (): void => {
  for (const name of namesIn(tmpdir())) {
    const owner = Number(NAME.exec(name)?.[1])
    if (!(owner > 0) || isAlive(owner)) continue
    const folder = join(tmpdir(), name)
    try {
      if (statSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another process may be sweeping too; what is left is left for the next.
    }
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process that may not be signalled is there all the same.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
