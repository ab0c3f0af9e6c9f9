import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, scratchFolder } from '../run-polyad.ts'

/** Places that take no checkpoint any more, for real: the work goes on, warns once, and the last good checkpoint stays. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const election = scratch.path('election.csv')
copyFileSync(fileURLToPath(new URL('../data/election.csv', import.meta.url)), election)
const hook = new URL('./fault-at-store.mjs', import.meta.url).href
const fitting = ['fit', election, '-k', '3', '--starts', '40', '--json']

/** Whoever may do everything is not stopped by permissions: then the command is run by somebody else, if they can read it. */
const NOBODY = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? NOBODY : {}
const canBeNobody = !isRoot || spawnSync(process.execPath, [command, '--version'], NOBODY).status === 0

/** Whether this user may mount file systems of their own. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** @param before a line of bash that comes before the command */
const run = (
  args: readonly string[],
  env: Record<string, string> = {},
  before = 'true',
  wrapped: readonly string[] = [],
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const own = [process.execPath, '--import', hook, command, ...args]
    const [program, ...rest] = [...wrapped, 'bash', '-c', `${before} && exec "$@"`, 'bash', ...own]
    const child = spawn(program, rest, {
      ...{ env: { ...process.env, HOME: scratch.path('.'), ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
      ...(wrapped.length === 0 && asNobody),
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', text => {
      stdout += text
    })
    child.stderr.on('data', text => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout, stderr }))
  })

const figuresOf = (stdout: string) => {
  const { seconds: _, checkpoint: __, warnings: ___, ...rest } = JSON.parse(stdout)
  return rest
}

const WARNING =
  /the checkpoint could not be written \((.*)\): the work goes on, (and the last checkpoint stays|without a checkpoint)/g

describe('a checkpoint that cannot be written any more', () => {
  let undisturbed: unknown
  beforeAll(async () => {
    chmodSync(scratch.path('.'), 0o777)
    const { code, stdout, stderr } = await run(fitting)
    expect(code, stderr).toBe(0)
    undisturbed = figuresOf(stdout)
  })

  /** A folder of its own, and the command with a checkpoint in it. */
  const place = (name: string) => {
    const folder = scratch.path(name)
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    const file = join(folder, 'run.ckpt')
    return { folder, file, args: [...fitting, '--checkpoint', file, '--checkpoint-every', '0'] }
  }

  /** The work went on, and said so once. */
  const wentOn = ({ code, stdout, stderr }: Ended, reason: RegExp, last = 'and the last checkpoint stays') => {
    expect(code, stderr).toBe(0)
    const said = [...stderr.matchAll(WARNING)]
    expect(said).toHaveLength(1)
    expect(said[0][2]).toBe(last)
    expect(said[0][1]).toMatch(reason)
    expect(figuresOf(stdout)).toEqual(undisturbed)
  }

  /** The last good checkpoint is whole: the same command resumes from it, and ends with the same figures. */
  const resumes = async (args: readonly string[], file: string, from: string) => {
    copyFileSync(from, file)
    chmodSync(file, 0o666)
    const { code, stdout, stderr } = await run(args)
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/resumed from .*: [1-9]\d* of 40 starts done/)
    expect(figuresOf(stdout)).toEqual(undisturbed)
    expect(existsSync(file)).toBe(false)
  }

  const unfinished = (folder: string) => readdirSync(folder).filter(name => name !== 'run.ckpt')

  it.skipIf(!canBeNobody)('a file that may not grow: a quota, or a limit of the shell', async () => {
    const { folder, file, args } = place('quota')
    // Blocks of 1,024 bytes: room for the first starts.
    wentOn(await run(args, {}, 'ulimit -f 16'), /EFBIG|file too large/i)
    expect(unfinished(folder)).toEqual([])
    await resumes(args, file, `${folder}.last`)
  })

  it.skipIf(!canMount)('a disk that is full', async () => {
    const { folder, args, file } = place('full')
    const mounted = `mount -t tmpfs -o size=32k tmpfs ${folder}`
    wentOn(await run(args, {}, mounted, ['unshare', '-rm']), /the disk is full; free some space/)
    await resumes(args, file, `${folder}.last`)
  })

  it.skipIf(!canBeNobody)('a folder that becomes read-only', async () => {
    const { folder, file, args } = place('read-only')
    if (isRoot) spawnSync('chown', ['65534:65534', folder])
    const ended = await run(args, { FAULT: 'read-only', FAULT_AT: '2' })
    wentOn(ended, /EACCES|permission denied/i)
    expect(ended.stderr).toMatch(/the work is done, but its checkpoint .*run\.ckpt could not be removed: /)
    expect(readFileSync(file)).toEqual(readFileSync(`${folder}.last`))
    chmodSync(folder, 0o777)
    await resumes(args, file, `${folder}.last`)
  })

  it('a folder that is removed', async () => {
    const { folder, file, args } = place('gone')
    if (isRoot) spawnSync('chown', ['65534:65534', folder])
    wentOn(await run(args, { FAULT: 'gone', FAULT_AT: '2' }), /there is no folder /, 'without a checkpoint')
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    await resumes(args, file, `${folder}.last`)
  })

  it.skipIf(!canBeNobody)('a folder that never could be written to', async () => {
    const { folder, args } = place('forbidden')
    chmodSync(folder, 0o555)
    wentOn(await run(args), /EACCES|permission denied/i, 'without a checkpoint')
    chmodSync(folder, 0o777)
    expect(unfinished(folder)).toEqual([])
  })

  it('a file that is of another run is refused with the difference, and stays as it is', async () => {
    const { file, args, folder } = place('other')
    wentOnce(await run(args))
    copyFileSync(`${folder}.last`, file)
    const before = readFileSync(file)
    const refused = async (...more: string[]) => {
      const { code, stderr } = await run([...args.slice(0, 2), ...more, ...args.slice(2)])
      expect(code).not.toBe(0)
      expect(readFileSync(file)).toEqual(before)
      return stderr
    }
    expect(await refused('--seed', '2')).toContain(
      'belongs to a run with seed 1, and this run has seed 2: use another file, or remove it',
    )
    expect(await refused('--pseudo-counts', '1')).toMatch(/belongs to a run with .*pseudo-counts/)
    expect(await refused('--where', 'PARTY = 1')).toMatch(/belongs to a run with no where, and this run has where/)
  })

  const wentOnce = ({ code, stderr }: Ended) => expect(code, stderr).toBe(0)
})
