import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EXAMPLES } from '../packages/polyad/src/examples/data-files.ts'
import { packageFile, version } from '../packages/polyad/src/package-file.ts'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** What needs no web address: data to try, the documentation, how to cite. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const inFolder = { cwd: scratch.folder }
const root = join(import.meta.dirname, '..')

describe('polyad example', () => {
  it('lists what it has, and writes each of them', async () => {
    const listed = objectOf(await polyad(['example', '--json']), 'example').examples as { name: string; file: string }[]
    expect(listed.map(({ name }) => name)).toEqual(EXAMPLES.map(({ name }) => name))
    for (const { name, file } of listed) {
      const { code, stderr } = await polyad(['example', name], inFolder)
      expect(code, stderr).toBe(0)
      expect(existsSync(scratch.path(file)), file).toBe(true)
    }
    expect(readFileSync(scratch.path('survey.csv'))).toEqual(readFileSync(join(root, 'examples/survey/survey.csv')))
    expect(readFileSync(scratch.path('polyad.py'))).toEqual(readFileSync(join(root, 'docs/guides/polyad.py')))
  })

  it('never replaces a file of yours', async () => {
    writeFileSync(scratch.path('words.csv'), 'mine')
    const { code, stderr } = await polyad(['example', 'words'], inFolder)
    expect(code).toBe(1)
    expect(stderr).toContain('words.csv exists and has other contents')
    expect(readFileSync(scratch.path('words.csv'), 'utf8')).toBe('mine')
    // The same again is no other contents.
    expect((await polyad(['example', 'iris'], inFolder)).code).toBe(0)
  })

  it('suggests the name that was meant', async () => {
    const { code, stderr } = await polyad(['example', 'surve'])
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean "survey"?')
  })
})

describe('polyad cite', () => {
  it('has Polyad as text and as BibTeX, as CITATION.cff has it', async () => {
    const { stdout } = await polyad(['cite'], { env: { COLUMNS: '200' } })
    const cff = readFileSync(join(root, 'CITATION.cff'), 'utf8')
    const [, title] = /^title: "(.*)"$/m.exec(cff) ?? []
    expect(stdout).toContain(`The Polyad authors. (2026). ${title} (Version ${version}) [Computer software].`)
    expect(stdout).toContain(`@misc{polyad,`)
    expect(cff).toContain(`\nversion: ${version}\n`)
  })

  it('has the methods paragraph of a model, and exactly the works that it cites', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i % 2},${(i >> 1) % 2},${i % 2},${(i * 7) % 3}`)
    writeFileSync(scratch.path('rows.csv'), `a,b,c,d\n${rows.join('\n')}\n`)
    await polyad(['fit', 'rows.csv', '-k', '2', '-o', 'model.json'], inFolder)
    const { methods, references } = objectOf(await polyad(['cite', 'model.json', '--json'], inFolder), 'cite') as {
      methods: string[]
      references: { text: string; bibtex: string }[]
    }
    const paragraph = methods.join(' ')
    for (const { text } of references) {
      const [, first, year] = /^([^,.]+).*?\((\d{4})\)/.exec(text) ?? []
      expect(paragraph).toMatch(new RegExp(`${first}[^();]*, ${year}`))
    }
    expect(paragraph.match(/, \d{4}(?=[;)\]])/g)).toHaveLength(references.length)
  })
})

describe.skipIf(!existsSync(packageFile('site/index.html')))('polyad docs', () => {
  const best = async (...words: string[]) => {
    const { found, results } = objectOf(await polyad(['docs', ...words, '--json']), 'docs') as {
      found: number
      results: { url: string; excerpt: string }[]
    }
    return { found, pages: results.map(({ url }) => url.replace(/^.*\/site\//, '')), results }
  }

  it.each([
    ['how do I handle missing data', /data/],
    ['install', /start\/install/],
    ['uninstall', /start\/install/],
    ['Windows', /start\/install/],
    ['sampling weights', /design|surveys|data/],
    ['how many classes', /number-of-classes|rank|start/],
    ['citation', /cite|report/],
  ])('finds the page about: %s', async (words, page) => {
    const { pages } = await best(...words.split(' '))
    expect(pages.slice(0, 3).join(' ')).toMatch(page)
  })

  it.each(['LCA', 'LPA', 'Likert', 'ordinal', 'longitudinal', 'cluster analysis', 'k-means', 'relabel classes'])(
    'knows what newcomers call it: %s',
    async words => {
      const { found, results } = await best(...words.split(' '))
      expect(found).toBeGreaterThan(0)
      for (const { excerpt } of results) expect(excerpt).not.toMatch(/\\\w+\{|\$/)
    },
  )

  it('counts all that it finds, and says if there is nothing', async () => {
    const { found, results } = await best('class')
    expect(found).toBeGreaterThan(results.length)
    expect((await polyad(['docs', 'qwxzvkj', '--no-open'])).stdout).toContain('Nothing found for "qwxzvkj"')
  })

  it('without words, says where it is', async () => {
    const { code, stdout } = await polyad(['docs', '--no-open'], { env: { COLUMNS: '300' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Documentation: file:.*site\/index\.html\n$/)
  })
})
