import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../test-folder.ts'
import { haveClickhouse } from './cluster.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { path } = testFolder()

describe.skipIf(!haveClickhouse)('the example of a cluster', () => {
  it('finds there what it finds in memory', () => {
    const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    node('node_modules/@typescript/native/bin/tsc', '-p', 'examples/tsconfig.json')
    const said = node('examples/dist/cluster/run.js', path('cluster'))
    const [, there, here] = /loss in the cluster (\S+), in memory (\S+)/.exec(said) ?? []
    expect(there).toBe(here)
    // Databases add in any order: the lines are the same to the pixel, not to the last bit.
    const shown = (text: string) => text.replace(/\d+\.\d+/g, number => Number(number).toFixed(1))
    const picture = readFileSync(`${root}examples/cluster/hours.svg`, 'utf8')
    expect(shown(readFileSync(path('cluster/hours.svg'), 'utf8'))).toBe(shown(picture))
  })
})
