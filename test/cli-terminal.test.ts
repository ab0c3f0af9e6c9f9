import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, faultsOf, polyad, scratchFolder } from './run-polyad.ts'
import { carcinoma } from './tables.ts'

/** Nothing that a command prints is wider than the terminal. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}

// Names are taken as they are where they cannot be broken; so the files are named from their folder.
at('c.csv', csvOf(carcinoma))
const questions = Array.from({ length: 40 }, (_, n) => `question_${n}`)
const answers = ['yes', 'no', "don't know", 'refused to answer']
const people = Array.from({ length: 60 }, (_, i) => questions.map((_, n) => answers[(i * (n + 3) + ((i * i) >> 2)) % (2 + (n % 3))])) // biome-ignore format: one table
at('wide.csv', [questions, ...people].map(row => row.join(',')).join('\n'))

describe.each([60, 80])('at %i columns', columns => {
  it.each([
    ['fit', ['fit', 'c.csv', '-k', '3', '--starts', '3', '-o', 'm.npz']],
    ['show', ['show', 'm.npz']],
    ['classify', ['classify', 'm.npz', 'c.csv', '--anomalies', '3']],
    ['rank', ['rank', 'c.csv', '-k', '1..3', '--starts', '3', '--folds', '2']],
    ['independence', ['independence', 'c.csv']],
    ['train', ['train', 'c.csv', '--class', 'A', '--folds', '2']],
    ['compare', ['compare', 'm.npz', 'm.npz']],
    ['fit of many modes', ['fit', 'wide.csv', '-k', '12', '--starts', '1', '--max-passes', '30']],
    ['rank of many modes', ['rank', 'wide.csv', '-k', '1..2', '--starts', '1', '--max-passes', '30', '--folds', '0']],
    ['independence of many modes', ['independence', 'wide.csv']],
    ['the help', ['--help']],
  ])('%s wraps nowhere', async (_, args) => {
    const ended = await polyad(args, { cwd: scratch.folder, env: { COLUMNS: `${columns}` } })
    expect(ended.code, ended.stderr).toBe(0)
    for (const line of `${ended.stdout}\n${ended.stderr}`.split('\n')) {
      expect([...line].length, line).toBeLessThanOrEqual(columns)
    }
  })
})

it('draws the bars of the criterion that decides', async () => {
  const { stdout } = await polyad(
    ['rank', scratch.path('c.csv'), '-k', '1..3', '--starts', '3', '--folds', '3', '--by', 'heldOut'],
    {},
  )
  expect(stdout).toContain('held-out log-likelihood below the highest')
  expect(stdout).not.toContain('BIC above the lowest')
})

it('names options as flags, in advice and in errors', async () => {
  const data = scratch.path('c.csv')
  const { stdout } = await polyad(['fit', data, '-k', '3', '--starts', '1'])
  expect(stdout).toContain('raise --starts')
  const { stderr } = await polyad(['fit', data, '-k', '2', '--smoothing', 'Z:1'])
  expect(stderr).toMatch(/^error: --smoothing/m)
})

describe('what is said beside the answer', () => {
  at('few.csv', 'a,b,n\nx,1,2\ny,2,3\nx,2,1\n,,1\n')
  const rows = scratch.path('few.csv')

  it('begins with what it is', async () => {
    const { stderr } = await polyad(['fit', rows, '-k', '1', '--count', 'n'])
    expect(stderr).toMatch(/^note: variables: a, b$/m)
    expect(stderr).toMatch(/^warning: 1 row left out: every variable is missing in it$/m)
    expect((await polyad(['fit', rows])).stderr).toMatch(/^error: /)
  })

  it('is one object a line with --progress json, each as its schema says', async () => {
    const said = async (...words: string[]) => {
      const { stderr } = await polyad([...words, '--progress', 'json'])
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      for (const each of lines) expect(faultsOf(each, 'progress')).toEqual([])
      return lines
    }
    const lines = await said('fit', rows, '-k', '2', '--count', 'n')
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['note', 'warning', 'progress']))
    expect(lines).toContainEqual({ kind: 'note', message: 'variables: a, b' })
    expect(lines).toContainEqual({
      kind: 'warning',
      code: 'rows-left-out',
      message: '1 row left out: every variable is missing in it',
    })
    expect(lines.find(({ rank }) => rank !== undefined)).toMatchObject({
      kind: 'progress',
      rank: 2,
      pass: expect.any(Number),
    })
    expect(await said('fit', rows, '-k', '0')).toEqual([
      { kind: 'error', code: 'POLYAD_OPTION', message: '-k 0: it must be a whole number ≥ 1.' },
    ])
  })
})
