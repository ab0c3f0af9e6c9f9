import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** What Node prints of an error that a program does not catch: the line it was thrown from, and the stack. */

const bundle = (name: string) => new URL(`../packages/${name}/bundle/`, import.meta.url)

describe('an error that a program does not catch', () => {
  it.each([
    ['an option', 'core', "import { tensorFromRows, fit } from '@polyad/core'; await fit(tensorFromRows([['a', 'b']]), { rank: 0 })", /OptionError: rank.*\n {4}at \w{4,}/], // biome-ignore format: one line
    ['a bug in the middle', 'core', "import { tensorFromRows } from '@polyad/core'; tensorFromRows(7)", /Error: .*\n {4}at (new )?[a-z]\w{3,}/i], // biome-ignore format: one line
    ['a file', 'polyad', "import { readTensor } from 'polyad'; await readTensor('nowhere.csv')", /DataError.*\n {4}at \w{4,}/], // biome-ignore format: one line
    ['a chart', 'charts', "import { criteriaChart } from '@polyad/charts'; criteriaChart(undefined, {})", /Error: .*\n {4}at \w{4,}/], // biome-ignore format: one line
  ])('%s: is told in less than 4 kB, with the names of functions', (_, name, source, words) => {
    const program = source.replace(/'(@polyad\/\w+|polyad)'/, `'${new URL('index.js', bundle(name)).href}'`)
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toMatch(words)
    expect(stderr.length).toBeLessThan(4096)
    expect(stderr).not.toContain('wording')
  })

  it('comes from a short line, wherever it comes from', () => {
    for (const name of ['core', 'charts', 'polyad'])
      for (const file of readdirSync(bundle(name)).filter(each => each.endsWith('.js'))) {
        // Threads: Node prints no lines of theirs, and pages load them too.
        if (/^(worker|part-worker-text-.*)\.js$/.test(file)) continue
        const lines = readFileSync(new URL(file, bundle(name)), 'utf8').split('\n')
        // Kernels, which throw nothing, and lists of names.
        const long = lines.filter(
          line => line.length > 3000 && !/^(const [\w$]+ = "[^"]*";|(ex|im)port \{.*)$/.test(line),
        )
        expect([file, long]).toEqual([file, []])
      }
  })
})
