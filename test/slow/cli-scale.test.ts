import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { random } from '@polyad/core/numeric'
import { afterAll, describe, expect, it } from 'vitest'
import { loadModel } from '../../packages/polyad/src/output/model-store.ts'
import { type Ended, objectOf, polyad, scratchFolder, signalWhen } from '../run-polyad.ts'

/** Data whose cells stay on disk, since they are more than the memory that is given. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}

/** Rows with everything that a reader has to see to: labels that come up late or are written in two ways, missing values, fractions. */
const messy = (() => {
  const { below, uniform } = random(3, 'data')
  const lines = Array.from({ length: 40_000 }, (_, i) => {
    const late = i > 30_000 ? 60 : 40
    const number = below(9)
    const written = below(3) === 0 ? `${number}.0` : `${number}`
    return `k${below(late)},${written},${below(20) === 0 ? 'NA' : `b${below(30)}`},${(100 * uniform()).toFixed(1)},${below(4) + 0.25 * below(4)}`
  })
  return at('messy.csv', `key,code,part,size,n\n${lines.join('\n')}\n`)
})()

const some = ['-k', '2', '--starts', '1', '--max-passes', '6', '--threads', '1', '--json']
const little = ['--memory', '1MB']

/** What is the same wherever the cells are. */
/** What is the same from disk: not what needs the tables of two variables, or the counts of single cells. */
const figures = ({ seconds: _, source: __, output: ___, cressieRead: ____, ...rest }: Record<string, unknown>) => {
  const { summary: _____, judgements: ______, cautions: _______, ...same } = rest
  return same
}

/** A folder for temporary files of one process, to see what is left in it. */
let folders = 0
const ownTemporaries = () => {
  const folder = scratch.path(`tmp${++folders}`)
  mkdirSync(folder)
  return { env: { TMPDIR: folder }, left: () => readdirSync(folder) }
}

describe('a fit of cells on disk', () => {
  const options: [string, string[]][] = [
    ['counts that are fractions, labels that come late', ['--modes', 'key,code,part', '--count', 'n']],
    ['bins and merged labels', ['--modes', 'key,part', '--bin', 'size:5', '--count', 'none', '--top', '12']],
    ['weights', ['--modes', 'key,code,part', '--weights', 'n']],
    ['missing values as a label', ['--modes', 'key,code,part', '--count', 'n', '--missing-as', 'none']],
  ]
  it.each(options)('is the fit in memory to the last bit, and leaves nothing: %s', async (_, given) => {
    const { env, left } = ownTemporaries()
    const models = ['memory.npz', 'disk.npz'].map(scratch.path)
    const here = await polyad(['fit', messy, ...given, ...some, '-o', models[0]])
    const there = await polyad(['fit', messy, ...given, ...some, ...little, '-o', models[1]], { env })
    expect(figures(objectOf(there, 'fit'))).toEqual(figures(objectOf(here, 'fit')))
    expect(there.stderr).toMatch(
      /cells would take \d+ MB in memory, more than 1 MB \(--memory 1MB\): they stay on disk/,
    )
    expect(there.stderr).toContain('--memory 1MB is less than Polyad needs for itself: expect it to use up to 500 MB')
    expect(here.stderr).not.toContain('needs for itself')
    const [one, other] = models.map(path => loadModel(path))
    expect(other.model.parameters).toEqual(one.model.parameters)
    expect(other.run?.digest).toBe(one.run?.digest)
    expect(other.run?.recipe).toEqual(one.run?.recipe)
    expect(left()).toEqual([])
  })

  it('can be kept, and is opened again at once by all commands that read cells', async () => {
    const kept = scratch.path('kept.polyad')
    const given = ['--modes', 'key,code,part', '--count', 'n']
    const first = objectOf(await polyad(['fit', messy, ...given, ...some, ...little, '--keep', kept]), 'fit')
    for (const memory of [little, []]) {
      const again = objectOf(await polyad(['fit', kept, ...some, ...memory]), 'fit')
      expect(figures(again)).toEqual(figures(first))
      expect(again.source).toMatchObject({ files: [kept], format: 'polyad', from: { files: [messy], count: 'n' } })
    }
    const written = statSync(kept).size
    const small = objectOf(await polyad(['fit', messy, ...given, ...some, '--keep', kept]), 'fit')
    expect(figures(small)).toEqual(figures(first))
    expect(statSync(kept).size).toBe(written)
  })

  it('gives standard errors, ranks and independence as in memory, as far as that goes without cells', async () => {
    const kept = scratch.path('kept.polyad')
    const errors = await polyad(['fit', kept, ...some, ...little, '--se'])
    expect(objectOf(errors, 'fit').standardErrors).toEqual(
      objectOf(await polyad(['fit', kept, ...some, '--se']), 'fit').standardErrors,
    )
    const ranked = await polyad(['rank', kept, '-k', '1..2', '--starts', '1', '--max-passes', '6', ...little, '--json'])
    expect(objectOf(ranked, 'rank').fits).toHaveLength(2)
    expect(ranked.stderr).toContain('no held-out log-likelihood: it needs the cells in memory')
    const single = await polyad(['independence', kept, ...little, '--json'])
    const { deviations, ...rest } = objectOf(await polyad(['independence', kept, '--json']), 'independence')
    expect(deviations).toHaveLength(10)
    expect(objectOf(single, 'independence')).toEqual({ ...rest, deviations: [] })
    const table = scratch.path('cells.parquet')
    const converted = objectOf(await polyad(['convert', kept, table, '--json']), 'convert')
    expect(converted.cells).toBe(rest.cells)
  })

  it('refuses what needs the cells in memory, and says what to do', async () => {
    const wanted: [string[], string][] = [
      [['--bootstrap', '10'], '--bootstrap'],
      [['--residuals'], '--residuals'],
      [['--complete'], '--complete'],
      [['--smoothing', 'auto'], '--smoothing auto'],
    ]
    for (const [flags, name] of wanted) {
      const { code, stderr } = await polyad(['fit', messy, '--modes', 'key,code,part', ...some, ...little, ...flags])
      expect(code, stderr).toBe(2)
      expect(stderr).toContain(`error: ${name} needs the cells in memory, where `)
      expect(stderr).toContain('leave it out, or raise --memory')
    }
    const test = await polyad(['test', messy, '--modes', 'key,code,part', '-k', '1', ...little])
    expect(test.stderr).toContain('polyad test needs the cells in memory')
  })

  it('refuses a file that is not one, and names for it that are none', async () => {
    const broken = at('broken.polyad', 'a,b\n1,2\n')
    expect(await polyad(['fit', broken, '-k', '2'])).toMatchObject({
      code: 1,
      stderr: `error: ${broken} is not a file of cells (.polyad)\n`,
    })
    const named = await polyad(['fit', messy, '-k', '2', '--keep', 'cells.bin'])
    expect(named).toMatchObject({ code: 2 })
    expect(named.stderr).toContain('call it cells.bin.polyad')
    const kept = at('short.polyad', '')
    writeFileSync(kept, readFileSync(scratch.path('kept.polyad')))
    truncateSync(kept, 20_000)
    expect((await polyad(['fit', kept, '-k', '2'])).stderr).toMatch(
      /short\.polyad is cut short: it has 20000 of \d+ bytes/,
    )
    expect((await polyad(['fit', kept, '-k', '2', '--modes', 'a'])).stderr).toContain('--variables is for tables')
  })
})

describe.runIf(process.platform === 'linux')('faults', () => {
  const command = fileURLToPath(new URL('../../packages/polyad/bin/polyad.js', import.meta.url))
  const given = ['fit', messy, '--modes', 'key,code,part', '--count', 'n', ...some, ...little]

  it('a disk that is full ends it with a clear error, and nothing is left', async () => {
    const { env, left } = ownTemporaries()
    const kept = scratch.path('full.polyad')
    // No file may have more than 256 kB: as if there were no room for more.
    const words = [process.execPath, command, ...given, '--keep', kept].map(word => `'${word}'`).join(' ')
    const ended = await new Promise<Ended>(resolve => {
      const child = spawn('bash', ['-c', `ulimit -f 256; exec ${words}`], { env: { ...process.env, ...env } })
      let stderr = ''
      child.stderr.on('data', text => {
        stderr += text
      })
      child.on('close', code => resolve({ code, stdout: '', stderr }))
    })
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toMatch(/cannot be written: files of its size are not allowed here \(ulimit -f\)/)
    expect(left()).toEqual([])
    expect(readdirSync(scratch.folder).filter(name => name.startsWith('full'))).toEqual([])
  })

  it('Ctrl-C removes the file, whether in the middle of a fit or twice', async () => {
    for (const again of [false, true]) {
      const { env, left } = ownTemporaries()
      const endless = [...given.slice(0, -11), '-k', '2', '--starts', '100000', ...little]
      const { code, stderr } = await polyad(endless, {
        env,
        when: [signalWhen('N ='), ...(again ? [signalWhen('Ctrl-C again')] : [])],
      })
      expect(code, stderr).toBe(130)
      expect(left()).toEqual([])
    }
  })

  it('what a process that was killed has left is removed by the next', async () => {
    const { env, left } = ownTemporaries()
    const kept = scratch.path('killed.polyad')
    const dead = await polyad([...given.slice(0, -11), '-k', '2', '--starts', '100000', ...little], {
      env,
      when: [signalWhen('N =', 'SIGKILL')],
    })
    expect(dead.code).toBe(null)
    expect(left()).toHaveLength(1)
    writeFileSync(`${kept}.4194999.part`, '')
    objectOf(await polyad([...given, '--keep', kept], { env }), 'fit')
    expect(left()).toEqual([])
    expect(existsSync(`${kept}.4194999.part`)).toBe(false)
  })

  it('a file that is changed in the middle ends it with a clear error', async () => {
    const kept = scratch.path('kept.polyad')
    const victim = at('victim.polyad', '')
    writeFileSync(victim, readFileSync(kept))
    const { code, stderr } = await polyad(['fit', victim, '-k', '2', '--starts', '100000', ...little], {
      when: [{ said: 'N = ', act: () => writeFileSync(victim, 'nothing') }],
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/victim\.polyad (was changed while it was in use|is cut short)/)
  })
})
