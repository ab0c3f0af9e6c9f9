import { execFile } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma } from '../tables.ts'

/** What commands write, and where: rows, posteriors, standard output, and never onto what they read. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const data = scratch.path('carcinoma.csv')
const model = scratch.path('model.npz')
const figures = { logLikelihood: 0, shares: [0] }

beforeAll(async () => {
  writeFileSync(data, csvOf(carcinoma))
  Object.assign(figures, objectOf(await polyad(['fit', data, '-k', '3', '-o', model, '--json']), 'fit'))
})

const rowsOf = (text: string) => text.trimEnd().split('\n').map(line => line.split(',')) // biome-ignore format: one chain

describe('counts in polyad classify', () => {
  it("are the model's own column, and give the fit's own figures", async () => {
    const ended = await polyad(['classify', model, data, '--json', '--anomalies', '1'])
    const found = objectOf(ended, 'classify')
    expect(ended.stderr).toContain("counting by column n, as for the model's own data")
    expect(found).toMatchObject({ rows: 20, total: 118, count: 'n' })
    expect(found.logLikelihood).toBeCloseTo(figures.logLikelihood, 6)
    expect(found.classes.map(({ total }: { total: number }) => total)).toEqual([51, 44, 23])
    expect(found.classes[0].share).toBeCloseTo(51 / 118, 12)
    expect(found.anomalies[0].count).toBe(1)
  })

  it('are another column, or one per row, where that is asked for', async () => {
    const once = objectOf(await polyad(['classify', model, data, '--count', 'none', '--json']), 'classify')
    expect(once).toMatchObject({ rows: 20, total: 20, count: null })
    const twice = scratch.path('twice.csv')
    writeFileSync(twice, csvOf(carcinoma).replace(/^(.*),n\n/, '$1,times\n'))
    const named = objectOf(await polyad(['classify', model, twice, '--count', 'times', '--json']), 'classify')
    expect(named).toMatchObject({ total: 118, count: 'times' })
    const without = await polyad(['classify', model, twice])
    expect(without.stderr).toContain('the data has no column n')
    const wrong = await polyad(['classify', model, twice, '--count', 'time'])
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain('"times"')
  })

  it('that are not numbers are refused with their place', async () => {
    const flawed = scratch.path('flawed.csv')
    writeFileSync(flawed, csvOf(carcinoma).replace(/,34\n/, ',many\n'))
    const { code, stderr } = await polyad(['classify', model, flawed])
    expect(code).toBe(1)
    expect(stderr).toContain('line 2, column "n"')
    expect(stderr).toContain('--count none')
  })
})

describe('rows on standard output', () => {
  it('have the posterior of every class where it is asked for', async () => {
    const { code, stdout, stderr } = await polyad(['classify', model, data, '--posterior', '-o', '-'])
    expect(code, stderr).toBe(0)
    expect((await polyad(['classify', model, data, '--posterior'])).stderr).toContain('--posterior needs -o')
    const [header, ...rows] = rowsOf(stdout)
    expect(header.slice(-6).join()).toBe('class,class_probability,log_likelihood,posterior_1,posterior_2,posterior_3')
    expect(rows).toHaveLength(20)
    for (const row of rows) {
      const posterior = row.slice(-3).map(Number)
      expect(posterior.reduce((sum, value) => sum + value)).toBeCloseTo(1, 12)
      expect(posterior[Number(row[8]) - 1]).toBe(Number(row[9]))
    }
    expect(stderr).toContain('20 rows, total 118')
  })

  it('end with their reader, and leave nothing in the folder for temporary files', async () => {
    // More than a pipe holds, so that rows are still being written when `head` leaves.
    const many = scratch.path('many.csv')
    const line = csvOf(carcinoma).split('\n')[1]
    writeFileSync(many, `${csvOf(carcinoma).split('\n')[0]}\n${`${line}\n`.repeat(60_000)}`)
    const temporary = scratch.path('temporary')
    mkdirSync(temporary)
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', '"$0" "$1" classify "$2" "$3" -q -o - | head -n 2', process.execPath, command, model, many],
      { env: { ...process.env, TMPDIR: temporary } },
    )
    expect(stdout.split('\n').map(text => text.split(',').length)).toEqual([11, 11, 1])
    // The process may have a moment left when the shell ends.
    for (let i = 0; i < 100 && readdirSync(temporary).length > 0; i++) await new Promise(done => setTimeout(done, 50))
    expect(readdirSync(temporary)).toEqual([])
  })

  it.runIf(existsSync('/dev/full'))('fail with a message if standard output is on a full disk', async () => {
    for (const asked of [
      ['classify', model, data, '-q', '-o', '-'],
      ['show', model],
    ]) {
      const failed = await promisify(execFile)('sh', [
        ...['-c', '"$0" "$@" > /dev/full', process.execPath, command],
        ...asked,
      ]).catch(error => error)
      expect([failed.code, failed.stderr]).toEqual([
        1,
        'error: standard output cannot be written: the disk is full; free some space\n',
      ])
    }
  })

  it('are written in formats for tables', async () => {
    const { code, stderr } = await polyad(['classify', model, data, '-o', 'rows.docx'])
    expect([code, stderr]).toEqual([
      2,
      'error: a table is written as .csv, .tsv, .xlsx, .sav, .dta, .parquet, .json or .ndjson (got "rows.docx")\n',
    ])
  })

  it('are all there where the reader takes its time', async () => {
    const { stdout } = await promisify(execFile)('sh', [
      ...['-c', '"$0" "$1" classify "$2" "$3" -q -o - | (sleep 0.2; wc -l)'],
      ...[process.execPath, command, model, scratch.path('many.csv')],
    ])
    expect(Number(stdout)).toBe(60_001)
  })

  it('have the names of classes that have names', async () => {
    const [iris, species] = [scratch.path('iris.csv'), scratch.path('species.json')]
    writeFileSync(iris, 'a,b,kind\nx,1,up\nx,1,up\ny,2,down\ny,2,down\n')
    await polyad(['train', iris, '--class', 'kind', '--folds', '0', '-o', species])
    const taken = scratch.path('taken.csv')
    writeFileSync(taken, readFileSync(iris, 'utf8').replace('kind', 'Posterior_up'))
    const { stdout } = await polyad(['classify', species, taken, '--posterior', '-o', '-', '-q'])
    expect(stdout.split('\n')[0]).toContain('posterior_down,polyad_posterior_up')
    const file = scratch.path('named.csv')
    await polyad(['classify', species, iris, '--posterior', '-o', file, '-q'])
    expect(readFileSync(file, 'utf8').split('\n')[0]).toContain('log_likelihood,posterior_down,posterior_up')
  })

  it('are filled by impute, and leave no room for an object', async () => {
    const gaps = scratch.path('gaps.csv')
    writeFileSync(gaps, 'A,B,C,D,E,F,G\n2,2,,2,2,NA,2\n')
    const filled = await polyad(['impute', model, gaps, '-o', '-', '-q'])
    expect(filled).toEqual({ code: 0, stdout: 'A,B,C,D,E,F,G\n2,2,2,2,2,1,2\n', stderr: '' })
    const chances = await polyad(['impute', model, gaps, '--distribution', '-o', '-', '-q'])
    expect(chances.stdout.split('\n')[0]).toBe('row,mode,label,probability')
    const both = await polyad(['impute', model, gaps, '-o', '-', '--json'])
    expect(both.code).toBe(2)
    expect(both.stderr).toContain('both write to standard output')
  })
})

describe('a file that is read', () => {
  const [input, soft, hard] = ['in.csv', 'soft.csv', 'hard.csv'].map(scratch.path)
  const json = scratch.path('model.json')
  beforeAll(async () => {
    writeFileSync(input, csvOf(carcinoma))
    symlinkSync(input, soft)
    linkSync(input, hard)
    await polyad(['convert', model, json])
  })

  it.each<[string, () => string[]]>([
    ['classify', () => ['classify', model, input, '-o', input]],
    ['classify, by a link', () => ['classify', model, input, '-o', soft]],
    ['classify, by a hard link', () => ['classify', model, soft, '-o', hard]],
    ['classify, of a pattern', () => ['classify', model, scratch.path('i[mn]*.csv'), '-o', hard]],
    ['impute', () => ['impute', model, input, '-o', input]],
    ['impute, onto the model', () => ['impute', json, input, '-o', json]],
    ['convert', () => ['convert', input, soft]],
    ['convert, of a query', () => ['convert', '--sql', `SELECT * FROM '${input}'`, input]],
    ['convert, of a model', () => ['convert', json, json]],
    ['sample', () => ['sample', json, '-o', json]],
    ['fit', () => ['fit', json, '-k', '2', '-o', json]],
    ['rank', () => ['rank', json, '-o', json]],
    ['independence', () => ['independence', json, '-o', json]],
    ['train', () => ['train', json, '--class', 'A', '-o', json]],
  ])('is not written by %s', async (_, args) => {
    const before = [readFileSync(input), readFileSync(json)]
    const { code, stdout, stderr } = await polyad(args())
    expect(code, stderr).toBe(2)
    expect(stderr).toContain('is read by this command')
    expect(stdout).toBe('')
    expect([readFileSync(input), readFileSync(json)]).toEqual(before)
  })

  it('is not written where it comes by standard input', async () => {
    // Only a shell can have a process read a file as its standard input.
    const { spawnSync } = await import('node:child_process')
    const command = new URL('../../packages/polyad/bin/polyad.js', import.meta.url).pathname
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" impute "$2" - -o "$3" < "$3"`, process.execPath, command, model, input]) // biome-ignore format: one call
    expect(status).toBe(2)
    expect(String(stderr)).toContain('the same file as standard input')
  })
})

describe('the item probabilities of polyad fit', () => {
  it('are in its text and in its object', async () => {
    const { stdout } = await polyad(['fit', data, '-k', '2'])
    expect(stdout).toContain('profiles   probability of each category within each class')
    const { profiles, shares } = objectOf(await polyad(['fit', data, '-k', '2', '--json']), 'fit')
    expect(profiles.map(({ name }: { name: string }) => name)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    const [{ labels, probabilities }] = profiles
    expect(labels).toEqual([1, 2])
    expect(probabilities).toHaveLength(shares.length)
    for (const column of probabilities) expect(column[0] + column[1]).toBeCloseTo(1, 12)
  })
})

describe('a place that cannot be written to', () => {
  it.runIf(process.platform === 'linux')('once the fit has ended does not keep its answer back', async () => {
    const { spawnSync } = await import('node:child_process')
    const command = new URL('../../packages/polyad/bin/polyad.js', import.meta.url).pathname
    // No file may be larger than 512 bytes: an empty one can be made, a model cannot.
    const line = `ulimit -f 1; exec "$0" "$1" "$2" "$3" -k "$4" -o "$5" --json`
    for (const [name, rank] of [
      ['fit', '2'],
      ['rank', '1..2'],
    ]) {
      const output = scratch.path(`${name}-too-large.npz`)
      const ended = spawnSync('sh', ['-c', line, process.execPath, command, name, data, rank, output], {
        encoding: 'utf8',
      })
      expect(ended.status).toBe(1)
      expect(ended.stderr).toContain(`${output} cannot be written: EFBIG`)
      const answer = JSON.parse(ended.stdout)
      expect(name === 'fit' ? answer.logLikelihood : answer.fits[1].logLikelihood).toBeCloseTo(-317.256837, 4)
      expect(answer).not.toHaveProperty('output')
    }
  })

  it('is refused before anything is read', async () => {
    const file = scratch.path('a-file')
    writeFileSync(file, '')
    const { code, stderr } = await polyad(['fit', scratch.path('none.csv'), '-k', '2', '-o', `${file}/m.npz`])
    expect(code).toBe(1)
    expect(stderr).toBe(`error: ${file}/m.npz cannot be written: ${file} is not a folder\n`)
  })

  it.runIf(process.platform === 'linux')('though its permissions say it can', async () => {
    const { code, stderr } = await polyad(['fit', scratch.path('none.csv'), '-k', '2', '-o', '/proc/m.npz'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: \/proc\/m.npz cannot be written: .* in \/proc\n$/)
  })

  it.each([['-o'], ['--output'], ['--out']])('is no folder for polyad iris %s', async flag => {
    const file = scratch.path('another-file')
    writeFileSync(file, '')
    for (const folder of [file, `${file}/below`]) {
      const { code, stdout, stderr } = await polyad(['iris', flag, folder])
      expect(code).toBe(2)
      const note = flag === '--out' ? 'note: --out is now called --output\n' : ''
      expect(stderr.slice(note.length)).toMatch(/^error: .* is a file, not a folder: name another with --output\n$/)
      expect(stderr.slice(0, note.length)).toBe(note)
      expect(stdout).toBe('')
    }
  })
})
