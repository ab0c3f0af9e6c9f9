import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { writeEvents, writeModel } from '../hard-data.ts'
import { polyadProcess, scratchFolder } from '../run-polyad.ts'
import { until, type Watched, watched } from '../watched-process.ts'

/** Real processes, killed or signalled in the middle: what is left of them, and what is said. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const { folder, path } = scratch
writeEvents(path('big.csv'), 1_000_000)
writeFileSync(path('tiny.csv'), 'a,b\nx,1\ny,2\nx,2\n')
writeModel(path('wide.npz'), 40, { user: 3000, item: 400, hour: 30, month: 12, kind: 5, place: 3 })
const all = ['--modes', 'user,item,hour,month,kind,place']

/** Commands that start a process or write files, each in the middle of that when the condition holds. */
interface Case {
  readonly args: readonly string[]
  readonly busy: (command: Watched) => boolean
}
const reading = ({ helpers }: Watched) => helpers().length > 0
const writing = ({ files }: Watched) => files().some(name => name.endsWith('.part'))
const CASES: Readonly<Record<string, Case>> = {
  'fit while it reads': { args: ['fit', 'big.csv', '-k', '3', ...all], busy: reading },
  'rank in DuckDB': { args: ['rank', 'big.csv', '-k', '2..9', '--modes', 'hour,kind', '--engine', 'sql'], busy: reading }, // biome-ignore format: one call
  'fit from standard input': { args: ['fit', '-', '-k', '3'], busy: ({ files }) => files().length > 0 },
  'fit with cells on disk': { args: ['fit', 'big.csv', '-k', '3', ...all, '--memory', '200MB'], busy: reading },
  'classify while it writes': { args: ['classify', 'wide.npz', 'big.csv', '-o', 'classified.csv'], busy: writing },
  'impute while it writes': { args: ['impute', 'wide.npz', 'big.csv', '--draws', '9', '-o', 'filled.csv'], busy: writing }, // biome-ignore format: one call
  'sample while it writes': { args: ['sample', 'wide.npz', '-n', '2000000', '-o', 'drawn.csv'], busy: writing },
  'convert while it reads': { args: ['convert', 'big.csv', 'cells.parquet', ...all], busy: reading },
  'report while it reads': { args: ['report', 'wide.npz', 'big.csv', '-o', 'report.html'], busy: reading },
  studio: { args: ['studio', '--no-open', '--port', '0', '--keep-nothing'], busy: ({ files }) => files().length > 0 },
}

const started: Watched[] = []
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
})

/** Starts a command and waits until it is in the middle. Standard input stays open, and has something. */
const inTheMiddle = async ({ args, busy }: Case): Promise<Watched> => {
  const command = watched(args, folder, 'pipe')
  command.child.stdin?.on('error', () => {})
  command.child.stdin?.write('a,b\nx,1\ny,2\n')
  started.push(command)
  await until(() => busy(command) || command.child.exitCode !== null, `${args[0]} at work`)
  expect(command.child.exitCode).toBe(null)
  return command
}

describe.runIf(process.platform === 'linux')('after a signal', () => {
  const codes = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129, SIGQUIT: 131 }
  const signals = Object.keys(codes) as (keyof typeof codes)[]

  it.each(Object.entries(CASES))('%s leaves no process and no file', async (name, each) => {
    // Each of them gets one of the signals, and its neighbours the others.
    const signal = signals[Object.keys(CASES).indexOf(name) % signals.length]
    const command = await inTheMiddle(each)
    command.child.kill(signal)
    const { code, stderr } = await command.ended
    expect(code, stderr).toBe(codes[signal])
    expect(stderr).not.toMatch(/unexpected error|^ {4}at /m)
    // A process that was killed takes a moment to go.
    await expect.poll(command.helpers).toEqual([])
    expect(command.files()).toEqual([])
    command.remove()
  })
})

describe.runIf(process.platform === 'linux')('after kill -9', () => {
  it.each(Object.entries(CASES))('%s leaves no process, and the next command removes its files', async (_, each) => {
    const command = await inTheMiddle(each)
    command.child.kill('SIGKILL')
    await command.ended
    await until(() => command.helpers().length === 0, 'the process that reads has ended')
    // One that needs a temporary folder of its own, and writes beside what was being written.
    const { code, stderr } = await polyadProcess(['convert', 'tiny.csv', 'tiny.parquet', '--modes', 'a,b'], {
      cwd: folder,
      env: { TMPDIR: command.temporary },
    })
    expect(code, stderr).toBe(0)
    expect(command.files()).toEqual([])
    command.remove()
  })
})

describe.runIf(process.platform === 'linux')('a database in a file, after kill -9', () => {
  const file = path('shop.duckdb')
  const address = (table: string) => `duckdb://${file}/${table}`
  const run = (...args: readonly string[]) => polyadProcess(args, { cwd: folder })
  const counted = async (table: string) => {
    const { stdout, stderr } = await run('classify', 'few.npz', address(table), '--json')
    return (JSON.parse(stdout).rows as number | undefined) ?? stderr
  }

  it('has all that it had, nothing half made, and takes the same command again', async () => {
    writeModel(path('few.npz'), 3, { hour: 30, month: 12, kind: 5 })
    const made = await run('sample', 'few.npz', '-n', '400000', '-o', address('orders'))
    expect(made.code, made.stderr).toBe(0)
    const before = readFileSync(file)
    const killedAt = async (args: readonly string[], busy: (command: Watched) => boolean) => {
      const command = await inTheMiddle({ args, busy })
      command.child.kill('SIGKILL')
      await command.ended
      await until(() => command.helpers().length === 0, 'the process that reads has ended')
      command.remove()
    }
    // A fit only reads the file: working tables are elsewhere.
    const fitting = ['fit', address('orders'), '-k', '3', '--modes', 'hour,month,kind', '--starts', '1000']
    await killedAt(fitting, ({ said }) => said().includes('fitted in place'))
    expect(readFileSync(file).equals(before)).toBe(true)
    // This one writes a table into it.
    const scoring = ['classify', 'few.npz', address('orders'), '--posterior', '-o', address('scored')]
    await killedAt(scoring, ({ helpers }) => helpers().length > 0 && existsSync(`${file}.wal`))
    expect(await counted('orders')).toBe(400_000)
    expect(await counted('scored')).toContain('scored')
    const again = await run(...scoring)
    expect(again.code, again.stderr).toBe(0)
    expect(await counted('scored')).toBe(400_000)
  })
})

describe.runIf(process.platform === 'linux')('a process that reads tables and is killed', () => {
  const killHelper = async (args: readonly string[], busy = reading) => {
    // What is written to may be there before the process that reads.
    const command = await inTheMiddle({ args, busy: each => busy(each) && each.helpers().length > 0 })
    for (const pid of command.helpers()) process.kill(pid, 'SIGKILL')
    const ended = await command.ended
    expect(command.files()).toEqual([])
    command.remove()
    return ended
  }

  it.each([
    ['fit', 'big.csv', '-k', '3', ...all],
    ['distal', 'wide.npz', 'big.csv', '--outcome', 'age'],
    ['convert', 'big.csv', 'cells.tns', ...all],
  ])('is an error that says what to do: %s', async (...args) => {
    const { code, stdout, stderr } = await killHelper(args)
    expect(code).toBe(1)
    expect(stderr).toMatch(/the process that reads tables was ended by SIGKILL.*memory runs out: lower --memory/)
    expect(stderr).not.toMatch(/unexpected error|^ {4}at /m)
    expect(stdout).toBe('')
  })

  it('leaves the file that was there before', async () => {
    writeFileSync(path('before.csv'), 'what was there\n')
    const { code, stderr } = await killHelper(['classify', 'wide.npz', 'big.csv', '-o', 'before.csv'], writing)
    expect(code, stderr).toBe(1)
    expect(stderr).toContain('was ended by SIGKILL')
    expect(readFileSync(path('before.csv'), 'utf8')).toBe('what was there\n')
  })

  it('keeps the best model of a fit that it was making', async () => {
    const args = ['fit', 'big.csv', '-k', '3', '--modes', 'hour,month,kind', '--engine', 'sql', '--starts', '1000']
    // On a busy machine the first pass may not have been made so soon.
    for (const seconds of [2, 8, 30]) {
      let began: number | undefined
      const { code, stderr } = await killHelper([...args, '-o', 'killed.npz'], ({ said }) => {
        if (said().includes('fitted in place')) began ??= performance.now()
        return began !== undefined && performance.now() > began + seconds * 1000
      })
      expect(code, stderr).toBe(1)
      expect(stderr).toContain('was ended by SIGKILL')
      if (!stderr.includes('the best solution so far') && seconds < 30) continue
      expect(stderr).toMatch(/the best solution so far has the loss .* and is in killed\.npz/)
      const shown = await polyadProcess(['show', 'killed.npz', '--json'], { cwd: folder })
      expect(JSON.parse(shown.stdout).rank).toBe(3)
      return
    }
  })
})
