import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { removeStale } from '../scripts/stale.mjs'
import { testFolder } from './test-folder.ts'

const { path } = testFolder()

const file = (name: string): void => {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), '')
}

it('a build removes what was built of sources that are gone, and empty folders, and nothing else', () => {
  for (const source of ['src/here.ts', 'src/view/page.tsx', 'dist/data.json']) file(source)
  const built = ['here', 'gone', 'view/page', 'old/moved'].flatMap(name =>
    ['.js', '.js.map', '.d.ts', '.d.ts.map'].map(end => `dist/${name}${end}`),
  )
  for (const each of built) file(each)
  mkdirSync(path('src/left/empty'), { recursive: true })
  expect(removeStale(path('')).sort()).toEqual(
    [...built.filter(name => /gone|moved/.test(name)), ...['dist/old', 'src/left', 'src/left/empty']].sort(),
  )
  expect(built.filter(name => existsSync(path(name)))).toEqual(built.filter(name => !/gone|moved/.test(name)))
  expect(existsSync(path('dist/data.json'))).toBe(true)
})
