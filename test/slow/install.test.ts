import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packAll } from '../../scripts/pack.mjs'
import { testFolder } from '../test-folder.ts'

/** The command as `npm run install:command` installs it: from one file, into an empty folder, with an empty cache. */

const { path, file } = testFolder()
const commands = process.platform === 'win32' ? path('home') : path('home/bin')
const polyad = (...args: string[]) =>
  execFileSync(join(commands, 'polyad'), args, { cwd: path('.'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

beforeAll(() => {
  const tarball = packAll(path('packed'))
  expect(readdirSync(path('packed'))).toHaveLength(1)
  execFileSync(
    'npm',
    ['install', '--global', '--prefix', path('home'), '--cache', path('cache'), '--no-audit', '--no-fund', tarball],
    { cwd: path('.'), stdio: ['ignore', 'ignore', 'inherit'] },
  )
}, 600_000)

it('knows its version', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../packages/polyad/package.json'), 'utf8'))
  expect(polyad('--version')).toBe(`${version}\n`)
})

it('fits a table, saves the model and writes a report', () => {
  const rows = Array.from(
    { length: 200 },
    (_, i) => `${i % 2},${i % 2},${(i >> 1) % 2},${i % 7 === 0 ? 1 - (i % 2) : i % 2}`,
  )
  file('survey.csv', `a,b,c,d\n${rows.join('\n')}\n`)
  polyad('fit', 'survey.csv', '-k', '2', '-o', 'model.npz', '--report', 'report.html')
  expect(existsSync(path('model.npz'))).toBe(true)
  expect(readFileSync(path('report.html'), 'utf8')).toContain('<svg')
})

it('classifies rows with the saved model', () => {
  polyad('classify', 'model.npz', 'survey.csv', '-o', 'classes.csv')
  expect(readFileSync(path('classes.csv'), 'utf8').trim().split('\n')).toHaveLength(201)
})
