import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '@polyad/core'

/** Folders for temporary files, named for the machine and the process they belong to. */

/** Where several machines or containers share a folder, a process number says nothing by itself. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

const NAME = new RegExp(`^polyad-${machine}-(\\d+)-\\w{6}$`)

/** What a file is called while this process writes it: beside its place, hidden, and distinct from those of others. */
export const partName = (name: string): string =>
  `.${name}.${machine}-${process.pid}-${randomBytes(4).toString('hex')}.part`

const PART = new RegExp(`^\\..+\\.${machine}-(\\d+)-[0-9a-f]{8}\\.part$`)

/** Removes the unfinished files that processes of this user left in a folder when they were killed. Those of live ones stay. */
export const sweepParts = (folder: string): void => sweep(folder, PART)

/** Makes a folder of this process's own, which its maker removes; those of processes that ended without doing so are removed here. */
export const makeScratch = (): string => {
  const folder = tmpdir()
  sweep(folder, NAME)
  try {
    return mkdtempSync(join(folder, `polyad-${machine}-${process.pid}-`))
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' && existsSync(folder) ? 'no file can be created there' : (REASONS[code] ?? message)
    throw new EngineError(
      `temporary files cannot be created in ${folder}: ${reason}. Set TMPDIR to a folder that you can write to.`,
      { cause },
    )
  }
}

/** Why a folder cannot be made, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
}

/** Removes what has the name that a process of this user gave it, if the process is gone. */
const sweep = (folder: string, named: RegExp): void => {
  for (const name of namesIn(folder)) {
    const owner = Number(named.exec(name)?.[1])
    if (!(owner > 0) || isAlive(owner)) continue
    const path = join(folder, name)
    try {
      if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true })
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
