import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { DataError } from '@polyad/core'
import { packageFile } from '../../package-file.ts'
import { count } from '../../report/numbers.ts'
import { openFile } from '../../studio/open-browser.ts'
import { defineCommand } from '../framework/define-command.ts'
import { OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly open: boolean
}

interface Passage {
  readonly title: string
  readonly page: string
  readonly address: string
  readonly text: string
  readonly terms: string[]
}

/** As many results as the terminal shows. */
const SHOWN = 6

export const docs = defineCommand({
  name: 'docs',
  summary: SUMMARIES.docs,
  examples: [
    ['polyad docs', 'open the documentation in your browser'],
    ['polyad docs sampling weights', 'search it'],
    ['polyad docs how many classes --no-open', 'search it in the terminal only'],
  ],
  arguments: [{ name: '[words...]', text: 'what to search for' }],
  options: [{ title: 'Options', options: [{ flags: '--no-open', text: 'do not open a browser' }] }, OUTPUT],
  fields: [
    ['site', 'the address of the first page', 'string'],
    ['found', 'with words: how many passages have them', 'integer?'],
    [
      'results',
      'with words: for each passage page, title, url and excerpt, best first',
      '{ page: string, title: string, url: string, excerpt: string }[]?',
    ],
  ],
  run: ({ terminal }, { open }: Options, words: string[]) => {
    const index = packageFile('site/index.html')
    if (!existsSync(index))
      throw new DataError('the documentation is not built in this copy of Polyad: run npm run docs in its folder')
    const query = words.join(' ')
    const { passages, excerpt } = query === '' ? { passages: [], excerpt: () => '' } : search(query)
    const isOpened = open && !terminal.json && openFile(query === '' ? fileURLToPath(index) : searchPage(index, query))
    const urlOf = (passage: Passage) => new URL(passage.address, index).href
    terminal.answer(
      () => [
        ...passages
          .slice(0, SHOWN)
          .flatMap(each => [
            terminal.style('bold', each.page === each.title ? each.page : `${each.page} › ${each.title}`),
            `  ${excerpt(each)}`,
            terminal.style('dim', `  ${each.address}`),
            '',
          ]),
        ...(query === ''
          ? []
          : [
              passages.length === 0
                ? `Nothing found for "${query}".`
                : passages.length > SHOWN
                  ? `${SHOWN} of ${count(passages.length)} passages.`
                  : '',
            ].filter(line => line !== '')),
        `${isOpened ? 'Opened' : 'Documentation:'} ${index.href}`,
      ],
      () => ({
        site: index.href,
        ...(query !== '' && {
          found: passages.length,
          results: passages
            .slice(0, 20)
            .map(each => ({ page: each.page, title: each.title, url: urlOf(each), excerpt: excerpt(each) })),
        }),
      }),
    )
  },
})

/** The search of the site, by its own scripts. */
const search = (query: string): { passages: readonly Passage[]; excerpt: (passage: Passage) => string } => {
  const context = createContext({})
  for (const name of ['minisearch', 'find', 'passages'])
    runInContext(readFileSync(packageFile(`site/assets/${name}.js`), 'utf8'), context)
  context.query = query
  const passages = runInContext('polyadFind(MiniSearch, polyadPassages)(query)', context) as Passage[]
  return {
    passages,
    excerpt: ({ text, terms }) =>
      (context.polyadExcerpt as (text: string, terms: string[], length: number) => string)(text, terms, 150),
  }
}

/** A page that goes on to the search: openers of files take no more than a path. */
const searchPage = (index: URL, query: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'polyad-docs-')), 'search.html')
  const address = `${index.href}#${new URLSearchParams({ search: query })}`
  writeFileSync(path, `<!doctype html><meta http-equiv="refresh" content="0; url=${address.replaceAll('&', '&amp;')}">`)
  return path
}
