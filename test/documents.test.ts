import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** The documents, where a machine can check them: links, anchors, names of files, and the list of pages. */

const root = fileURLToPath(new URL('../', import.meta.url))
const wasm = 'packages/core/src/engine/wasm'
const SKIPPED = /(^|\/)(node_modules|dist|bundle|polyad\/studio|data|\.[^/]+)\//
const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.md') && !SKIPPED.test(path))
const documents = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...['docs', 'bench', 'examples', 'packages'].flatMap(folder => (existsSync(join(root, folder)) ? below(folder) : [])),
]
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
/** A page without its code: what looks like a link or a heading there is none. */
const prose = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '`code`')

/** The anchors of a page, as code hosts make them of its headings: a second one of the same name gets a number. */
const anchorsOf = (path: string): Set<string> => {
  const seen = new Map<string, number>()
  const text = textOf(path).replace(/^ *```[\s\S]*?^ *```/gm, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => {
    const slug = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-') // biome-ignore format: one chain
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)])
}

const linksOf = (path: string) =>
  [...prose(textOf(path)).matchAll(/\]\(([^)\s#:]*)(?:#([^)\s]*))?\)/g)].map(([, to, anchor]) => ({
    to: to === '' ? path : normalize(join(dirname(path), to)),
    anchor,
  }))

describe.each(documents)('%s', document => {
  it('links to files that are there', () => {
    const missing = linksOf(document).filter(({ to }) => !existsSync(join(root, to)))
    expect(missing.map(({ to }) => to)).toEqual([])
  })

  it('links to headings that are there', () => {
    const missing = linksOf(document).filter(
      ({ to, anchor }) => anchor !== undefined && to.endsWith('.md') && !anchorsOf(to).has(anchor),
    )
    expect(missing.map(({ to, anchor }) => `${to}#${anchor}`)).toEqual([])
  })

  it('names files and folders that are there', () => {
    const names = [...textOf(document).matchAll(/`((?:packages|test|docs|bench|scripts)\/[\w./-]+)`/g)]
    expect(names.map(([, path]) => path).filter(path => !existsSync(join(root, path)))).toEqual([])
  })
})

it('no page installs a package of ours from a registry', () => {
  const promised = documents.filter(path =>
    /npm (i|install|add) [^\n]*(?<![/\w])(polyad|@polyad\/\w+)(?!.*\.tgz)/.test(textOf(path)),
  )
  expect(promised).toEqual([])
})

it('docs/README.md lists every page of docs once', () => {
  const items = textOf('docs/README.md').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)
  const listed = [...items].map(([, to]) => normalize(`docs/${to}`))
  const pages = documents.filter(path => path.startsWith('docs/') && path !== 'docs/README.md')
  expect(pages.filter(path => !listed.includes(path))).toEqual([])
  expect(listed.filter((path, at) => listed.indexOf(path) !== at)).toEqual([])
})

it('the pages that the product names are there', () => {
  const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(path => /^\w+\/src\/.*\.tsx?$/.test(path))
  const named = files.flatMap(path => [...textOf(`packages/${path}`).matchAll(/\bdocs\/[\w/-]+\.md\b/g)])
  expect(named.map(([page]) => page).filter(page => !existsSync(join(root, page)))).toEqual([])
})

describe('every result of the mathematics', () => {
  const sections = documents
    .filter(path => path.startsWith('docs/mathematics/'))
    .flatMap(page =>
      textOf(page)
        .split(/^## /m)
        .slice(1)
        .map(text => ({ page, title: text.split('\n')[0], text })),
    )
    .filter(({ title }) => title !== 'Notation')

  it.each(sections.map(section => [`${section.page}: ${section.title}`, section] as const))(
    '%s has its file and its tests',
    (_, { text }) => {
      expect(text).toMatch(/^Computed in \[`/m)
      expect(text).toMatch(/^Checked by \[`[\w-]+\.test\.ts`\]/m)
    },
  )
})

it('the messages that docs/reference/errors.md explains are those of the program', () => {
  const sources = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(path => /^\w+\/src\/.*(?<!\.test)\.tsx?$/.test(path))
    .map(path => textOf(`packages/${path}`).replaceAll("\\'", "'"))
    .join('\n')
  const tables = textOf('docs/reference/errors.md').split('\n## ').slice(1)
  const messages = tables.flatMap(table => [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message]) => message))
  expect(messages.length).toBeGreaterThan(30)
  const parts = messages.flatMap(message =>
    message
      .split('…')
      .map(part => part.trim())
      .filter(part => part.length > 5),
  )
  expect(parts.filter(part => !sources.includes(part.replace(/^rank /, '')))).toEqual([])
})

it('the README of the wasm engine tells of every file, and of no other', () => {
  const text = textOf(`${wasm}/README.md`)
  const files = ['', 'kernels'].flatMap(folder => readdirSync(join(root, wasm, folder)))
  const sources = files.filter(name => /\.(ts|mjs)$/.test(name) && !/\.test\.ts$|^index\.ts$/.test(name))
  expect(sources.filter(name => !text.includes(`\`${name}\``))).toEqual([])
  const told = [...text.matchAll(/`([\w-]+\.(?:ts|mjs))`/g)].map(([, name]) => name)
  expect(told.filter(name => !files.includes(name))).toEqual([])
})
