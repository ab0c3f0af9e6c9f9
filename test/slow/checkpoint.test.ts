import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { randomNumbers } from '../mutations.ts'
import { command, csvOf, polyadProcess, scratchFolder } from '../run-polyad.ts'
import { gss82 } from '../tables.ts'

/** Processes are killed while they work: at a store of the checkpoint, between the writing of the new file and its renaming, and at any time. */

const scratch = scratchFolder()
afterAll(scratch.remove)

const survey = scratch.path('survey.csv')
writeFileSync(survey, csvOf(gss82))
const weighted = scratch.path('weighted.csv')
writeFileSync(weighted, weights(csvOf(gss82)))
const election = fileURLToPath(new URL('../data/election.csv', import.meta.url))
const cells = scratch.path('cells.polyad')

/** A table of counts as one of rows with sampling weights. */
function weights(csv: string): string {
  const [header, ...rows] = csv.trim().split('\n')
  const lines = rows.flatMap((row, i) => {
    const fields = row.split(',')
    const seen = Math.min(3, Number(fields.pop()))
    return Array.from({ length: seen }, (_, n) => [...fields, 0.5 + ((i + n) % 4) / 2].join(','))
  })
  return [[...header.split(',').slice(0, -1), 'weight'].join(','), ...lines].join('\n')
}

const few = ['--modes', 'MORALG,CARESG,KNOWG,LEADG,DISHONG']

const CASES: Record<string, readonly string[]> = {
  'a search': ['fit', election, '-k', '3'],
  'random starts': ['fit', election, '-k', '3', '--starts', '30'],
  'a prior': ['fit', election, '-k', '3', '--starts', '20', '--pseudo-counts', '0.5'],
  covariates: ['fit', election, '-k', '2', '--covariates', 'PARTY', '--starts', '6', ...few],
  groups: ['fit', election, '-k', '2', '--groups', 'PARTY', '--starts', '6', ...few],
  weights: ['fit', weighted, '-k', '3', '--weights', 'weight', '--starts', '200', '--se'],
  'a choice of rank, with parts held out': ['rank', election, '-k', '1..3', '--folds', '3', '--starts', '5', ...few],
  'a test': ['test', survey, '-k', '1', '--replicates', '40', '--replicate-starts', '3'],
  'a bootstrap': ['fit', survey, '-k', '2', '--starts', '4', '--bootstrap', '30'],
  'cells on disk': ['fit', cells, '-k', '3', '--starts', '20'],
  'a choice of rank, with tests': [
    'rank',
    survey,
    '-k',
    '1..2',
    '--folds',
    '0',
    '--starts',
    '4',
    '--test',
    '--replicates',
    '20',
  ],
  'a choice of rank in a database': [
    'rank',
    survey,
    '-k',
    '1..3',
    '--starts',
    '20',
    '--engine',
    'sql',
    '--threads',
    '1',
    '--count',
    'n',
  ],
  'a database': ['fit', survey, '-k', '2', '--starts', '40', '--engine', 'sql', '--threads', '1', '--count', 'n'],
}

/** What a command says, but for how long it took and where it began. */
const figuresOf = (stdout: string): unknown => {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(([key]) => !['seconds', 'checkpoint'].includes(key))
    return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]))
  }
  return plain(JSON.parse(stdout))
}

/** Runs a command until it is killed; whether it was. */
const killed = (args: readonly string[], env: Record<string, string>, after?: number): Promise<boolean> =>
  new Promise(resolve => {
    const hook = new URL('./kill-at-store.mjs', import.meta.url).href
    const child = spawn(process.execPath, ['--import', hook, command, ...args], {
      ...{ stdio: 'ignore', env: { ...process.env, ...env } },
    })
    const timer = after === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), after)
    child.on('exit', (_, signal) => {
      clearTimeout(timer)
      resolve(signal === 'SIGKILL')
    })
  })

describe('a command that is killed', () => {
  let [kills, units] = [0, 0]

  it.each(Object.entries(CASES))('ends with the same figures once it is run again: %s', async (name, args) => {
    if (name === 'cells on disk' && !existsSync(cells)) {
      const { code, stderr } = await polyadProcess(['convert', election, cells])
      expect(code, stderr).toBe(0)
    }
    const random = randomNumbers(Object.keys(CASES).indexOf(name) + 1)
    const undisturbed = await polyadProcess([...args, '--json', '-q'])
    expect(undisturbed.code, undisturbed.stderr).toBe(0)
    const file = scratch.path(`${name.replaceAll(/\W/g, '-')}.ckpt`)
    const kept = [...args, '--json', '--checkpoint', file, '--checkpoint-every', '0']
    for (const when of ['any', 'before', 'after'] as const) {
      const any = when === 'any'
      const env = any ? {} : { KILL_AT: String(2 + Math.floor(2.5 * random())), KILL_WHEN: when }
      if (await killed(kept, env, any ? 300 + 900 * random() : undefined)) kills++
    }
    // What has ended before it could be killed is begun once more.
    if (!existsSync(file) && (await killed(kept, { KILL_AT: '1', KILL_WHEN: 'after' }))) kills++
    expect(existsSync(file)).toBe(true)
    const resumed = await polyadProcess(
      [...kept, '--threads', '2'].slice(0, args.includes('--threads') ? -2 : undefined),
    )
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain(`resumed from ${file}`)
    expect(JSON.parse(resumed.stdout).checkpoint).toMatchObject({ file, resumed: true })
    units += JSON.parse(resumed.stdout).checkpoint.units
    expect(figuresOf(resumed.stdout)).toEqual(figuresOf(undisturbed.stdout))
    // Nothing is left behind: neither the checkpoint nor what was being written.
    expect(existsSync(file)).toBe(false)
    expect(readdirSync(scratch.path('.')).filter(each => each.endsWith('.part'))).toEqual([])
  })

  it('was killed often enough, and found what was done before', () => {
    expect(kills).toBeGreaterThanOrEqual(20)
    expect(units).toBeGreaterThan(Object.keys(CASES).length)
  })

  it('by the time limit only keeps its checkpoint, and goes on from it', async () => {
    const file = scratch.path('stopped.ckpt')
    // More starts than two threads of any machine end within the limits.
    const args = ['fit', survey, '-k', '4', '--starts', '200000', '--threads', '2', '--json', '--checkpoint', file]
    const done = (stderr: string): number => Number(/: (\d+) of 200000 starts done/.exec(stderr)?.[1] ?? 0)
    // On a busy machine there may be no time left after reading.
    for (const seconds of ['3', '12', '48']) {
      rmSync(file, { force: true })
      const runs = []
      for (let i = 0; i < 3; i++) runs.push(await polyadProcess([...args, '--max-seconds', seconds]))
      const [first, second, third] = runs.map(({ stderr }) => done(stderr))
      if (seconds !== '48' && (first !== 0 || !(second! > 0 && third! > second!))) continue
      for (const { code, stderr } of runs) {
        expect(code, stderr).toBe(0)
        expect(stderr).toContain('the same command resumes from it')
      }
      expect(first).toBe(0)
      expect(second).toBeGreaterThan(0)
      expect(third).toBeGreaterThan(second!)
      expect(existsSync(file)).toBe(true)
      return
    }
  }, 600_000)
})
