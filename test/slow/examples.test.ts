import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFolder } from '../test-folder.ts'

/** The examples that need neither a browser nor a cluster: each is run, writes the files that are in the repository, and says what its README says. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const readme = readFileSync(join(root, 'examples/README.md'), 'utf8')
const { path } = testFolder()

const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

/** The output that the README shows under a heading. */
const shown = (heading: string): string[] =>
  (new RegExp(`\n## ${heading}\n+\`\`\`\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '').trimEnd().split('\n')

describe('an example runs, and its files and output are those in the repository', () => {
  beforeAll(() => {
    node('node_modules/@typescript/native/bin/tsc', '-p', 'examples/tsconfig.json')
  })

  it.each(['Survey', 'Events', 'Topics', 'Iris'])('%s', heading => {
    const name = heading.toLowerCase()
    const said = node(`examples/dist/${name}/run.js`, path(name))
    for (const line of shown(heading)) expect(said).toContain(line)
    const files = readdirSync(path(name))
    expect(files.filter(file => file.endsWith('.svg')).length).toBe(1)
    for (const file of files) {
      expect(readFileSync(join(path(name), file), 'utf8'), file).toBe(
        readFileSync(join(root, 'examples', name, file), 'utf8'),
      )
    }
  })

  it('counts the words of a folder of texts', () => {
    const said = node('examples/dist/topics/run.js', path('own'), 'docs')
    expect(said).toMatch(/^\d+ words: \d+ different ones in \d+ sections\n/)
    expect(readFileSync(path('own/words.csv'), 'utf8')).toMatch(/^section,word,n\n[^,]+,[a-z]+,\d+\n/)
  })
})
