import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma } from '../tables.ts'

/** Limits that a command keeps to: time, signals, numbers of classes. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const iris = fileURLToPath(new URL('../../packages/polyad/data/iris.csv', import.meta.url))
const data = scratch.path('carcinoma.csv')
writeFileSync(data, csvOf(carcinoma))

describe('--max-seconds', () => {
  it('covers the whole command: the fit gets what reading has left', async () => {
    // Without the limit it would take hours. On a busy machine reading alone may take longer than the first limits.
    for (const seconds of [1, 4, 16, 64]) {
      const ended = await polyad([
        'fit',
        iris,
        '-k',
        '8',
        '--starts',
        '100000000',
        '--max-seconds',
        `${seconds}`,
        '--json',
      ])
      if (/passed (while reading|before there was a result)/.test(ended.stderr) && seconds < 64) continue
      expect(objectOf(ended, 'fit')).toMatchObject({ starts: expect.any(Number), stopped: true })
      expect(ended.stderr).toContain('stopped early')
      return
    }
  })

  it('ends a fit in the middle of its statistics with the figures that there are', async () => {
    const busy = new URL('../busy-once-answered.mjs', import.meta.url).href
    for (const seconds of [2, 8, 32]) {
      const ended = await polyad(['fit', iris, '-k', '2', '--se', '--max-seconds', `${seconds}`, '--json'], {
        env: { NODE_OPTIONS: `--import=${busy}`, BUSY_AFTER: '2' },
      })
      if (/passed (while reading|before there was a result)/.test(ended.stderr) && seconds < 32) continue
      expect(objectOf(ended, 'fit')).toMatchObject({ rank: 2, stopped: true, notComputed: ['standardErrors'] })
      return
    }
  })

  it('is told in the object of --json if it ends the search', async () => {
    for (const seconds of [2, 8, 32]) {
      const ended = await polyad(['rank', iris, '-k', '1..8', '--starts', '100000000', '--max-seconds', `${seconds}`, '--json']) // biome-ignore format: one call
      if (/passed (while reading|before there was a result)/.test(ended.stderr) && seconds < 32) continue
      const { stopped, notComputed, fits } = objectOf(ended, 'rank')
      expect(stopped).toBe(true)
      expect(notComputed.includes('fits')).toBe(fits.length < 8)
      expect(notComputed).not.toHaveLength(0)
      expect(ended.stderr).toContain('; not computed: ')
      return
    }
  })

  it('ends with a clear error where it passes while reading', async () => {
    const { code, stdout, stderr } = await polyad(['fit', iris, '-k', '2', '--max-seconds', '0.05'])
    expect(code).toBe(1)
    expect(stderr).toContain(`the time limit of 0.05 s (--max-seconds) passed while reading ${iris}`)
    expect(stdout).toBe('')
  })
})

describe.each([
  // Sent twice in a row, as timeout of GNU does.
  ['SIGTERM', 143, 2],
  ['SIGHUP', 129, 1],
  ['SIGQUIT', 131, 1],
] as const)('%s', (signal, ended, times) => {
  it('stops as Ctrl-C does, with the exit code of its own', async () => {
    let isOneAct = true
    const send = async (pid: number) => {
      const began = performance.now()
      for (let sent = 0; sent < times; sent++) {
        if (sent > 0) await wait(20)
        // What comes much later is a second signal of a person.
        isOneAct = performance.now() - began < 100
        process.kill(pid, signal)
      }
    }
    // On a busy machine there may be nothing to answer with so soon after reading.
    for (const seconds of [0, 2, 8, 32]) {
      const later = {
        said: 'N = 150',
        act: (pid: number) => void setTimeout(() => void send(pid).catch(() => {}), seconds * 1000),
      }
      const { code, stdout, stderr } = await polyad(['fit', iris, '-k', '8', '--starts', '1000000', '--json'], {
        when: [later],
      })
      expect(code, stderr).toBe(ended)
      expect(stderr).not.toContain('Ctrl-C')
      if ((stderr.includes('stopped before there was a result') || !isOneAct) && seconds < 32) continue
      expect(stderr).toContain('stopping')
      expect(stderr).toContain('stopped early')
      expect(JSON.parse(stdout).starts).toBeLessThan(1_000_000)
      return
    }
  })
})

describe('numbers of classes', () => {
  it('stop where more of them cannot be told apart', async () => {
    const small = scratch.path('small.csv')
    writeFileSync(small, 'a,b,n\nx,1,5\nx,2,1\ny,2,3\ny,1,7\n')
    const ended = await polyad(['rank', small, '-k', '1..999', '--starts', '2', '--folds', '0', '--json'])
    expect(objectOf(ended, 'rank').fits.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2])
    expect(ended.stderr).toContain('2 classes fit any table of this size exactly')
  })

  it('beyond the cells are left out with a word', async () => {
    const ended = await polyad(['rank', data, '-k', '20..30', '--starts', '1', '--max-passes', '40', '--folds', '0', '--json']) // biome-ignore format: one call
    expect(objectOf(ended, 'rank').fits.map(({ rank }: { rank: number }) => rank)).toEqual([20])
    expect(ended.stderr).toMatch(/higher numbers are not tried|no more than 20 classes are tried/)
    expect(ended.stderr).toContain('20 classes: 159 parameters for 118 observations')
  })

  it('beyond the cells are left out where the first is more than enough too', async () => {
    const cube = scratch.path('cube.csv')
    const rows = Array.from({ length: 8 }, (_, i) => `${i & 1},${(i >> 1) & 1},${i >> 2},${(i % 3) + 2}`)
    writeFileSync(cube, `a,b,c,n\n${rows.join('\n')}\n`)
    const ended = await polyad(['rank', cube, '-k', '7..12', '--starts', '1', '--folds', '0', '--json'])
    expect(objectOf(ended, 'rank').fits.map(({ rank }: { rank: number }) => rank)).toEqual([7, 8])
    expect(ended.stderr).toContain('no more than 8 classes are tried')
  })

  it('with more parameters than the data can determine are warned of before the fit', async () => {
    const { stderr } = await polyad(['fit', data, '-k', '16', '--starts', '1', '--max-passes', '40'])
    expect(stderr).toContain('warning: 127 parameters for 118 observations')
    expect((await polyad(['fit', data, '-k', '3', '--starts', '1'])).stderr).not.toContain('parameters')
  })

  it.each(['1e9', '100000', '999'])('beyond what the data can bear are refused at once: %s', async rank => {
    const { code, stdout, stderr } = await polyad(['fit', data, '-k', rank, '-q'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: --rank must be at most 20, .*\n$/)
    expect(stdout).toBe('')
  })

  it('of a column that tells every row apart are refused', async () => {
    const people = scratch.path('people.csv')
    const rows = Array.from({ length: 60 }, (_, i) => `${i},${i % 3},${i % 2}`)
    writeFileSync(people, `id,a,b\n${rows.join('\n')}\n`)
    const { code, stderr } = await polyad(['train', people, '--class', 'id'])
    expect(code).toBe(2)
    expect(stderr).toContain('id has 60 classes in 60 observations')
    expect(stderr).toContain('--class')
    const few = await polyad(['train', people, '--class', 'a', '--folds', '2'])
    expect(few.code, few.stderr).toBe(0)
    expect(few.stderr).not.toContain('few of each')
  })
})

describe('the pseudo-counts of polyad train', () => {
  it('are called so, and understood by their earlier name', async () => {
    const train = (...args: string[]) => polyad(['train', iris, '--class', 'species', '--json', ...args])
    const now = objectOf(await train('--pseudo-counts', '1'), 'train')
    expect(now.pseudoCounts).toBe(1)
    expect(objectOf(await train('--smoothing', '1'), 'train')).toEqual(now)
    expect((await polyad(['train', '--help'])).stdout).not.toContain('--smoothing')
  })

  it('deal a count of any size to the folds at once', async () => {
    const large = scratch.path('large.csv')
    writeFileSync(large, 'a,kind,n\nx,up,1000000000\ny,down,2000000000\ny,up,7\n')
    const { code, stderr } = await polyad(['train', large, '--class', 'kind', '--count', 'n', '-m', 'a'])
    expect(code, stderr).toBe(0)
  })
})
