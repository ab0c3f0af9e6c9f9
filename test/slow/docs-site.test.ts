import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../scripts/docs/build.mjs'
import { libraryEntries } from '../../scripts/docs/library.mjs'
import { testFolder } from '../test-folder.ts'

/** The site of the documentation, as files: whole, linked, and in need of nothing else. test/browser/docs-site.test.ts looks at it. */

const root = join(import.meta.dirname, '../..')
const folder = testFolder()
let site: string
const files = new Map<string, string>()

beforeAll(() => {
  site = folder.path('site')
  buildSite(site)
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.html')) files.set(name.replaceAll('\\', '/'), readFileSync(join(site, name), 'utf8'))
})

describe('the site', () => {
  it('has no link to a page, a heading or a picture that is not there', () => {
    const broken = [...files].flatMap(([name, html]) =>
      [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
        .map(([, address]) => address.replaceAll('&amp;', '&'))
        .filter(address => !/^https?:/.test(address))
        .filter(address => {
          const [path, anchor] = address.split('#')
          const to = path === '' ? name : join(dirname(name), path).replaceAll('\\', '/')
          if (!existsSync(join(site, to))) return true
          return anchor !== undefined && !files.get(to)?.includes(`id="${decodeURIComponent(anchor)}"`)
        })
        .map(address => `${name}: ${address}`),
    )
    expect(broken).toEqual([])
  })

  it('has data and modules of Python and R as files to save, byte for byte', () => {
    const links = [...files.values()].flatMap(html => [...html.matchAll(/<a href="([^"]*)" download=""/g)])
    const endings = new Set(links.map(([, address]) => address.split('.').at(-1)))
    expect([...endings].sort()).toEqual(expect.arrayContaining(['R', 'csv', 'py']))
    for (const name of ['guides/polyad.py', 'guides/polyad.R'])
      expect(readFileSync(join(site, name))).toEqual(readFileSync(join(root, 'docs', name)))
    expect([...files.keys()].filter(name => /\.(csv|py|R)\.html$/.test(name))).toEqual([])
  })

  it('loads nothing from another place', () => {
    for (const [name, html] of files)
      expect(html, name).not.toMatch(/<(?:script|link|img|iframe)[^>]*="(?:https?:)?\/\//)
  })

  it('has every formula as MathML, and no dollar sign left of one', () => {
    const all = [...files.values()].join('\n')
    expect(all).not.toContain('temml-error')
    const withoutCode = [...files].map(
      ([name, html]) => [name, html.replace(/<(code|pre)[\s\S]*?<\/\1>/g, '')] as const,
    )
    expect(withoutCode.filter(([, html]) => /\$\$|\$\\/.test(html)).map(([name]) => name)).toEqual([])
  })
})

describe('the reference of the library', () => {
  const entries = libraryEntries(root)

  it('has all that the entries export, each with its declaration', () => {
    for (const { entry, declarations } of entries) {
      const page = files.get(`library/${entry.replace('@polyad/', '').replaceAll('/', '-')}.html`)
      expect(declarations.length, entry).toBeGreaterThan(0)
      for (const { name, code } of declarations) {
        expect(page, `${entry}: ${name}`).toContain(`id="${name.toLowerCase()}"`)
        expect(code, name).toMatch(/[;}]$/)
      }
    }
  })

  it('reads declarations to their end, with doc comments and examples', () => {
    const core = entries.find(({ entry }) => entry === '@polyad/core')?.declarations ?? []
    const fit = core.find(({ name }) => name === 'fit')
    expect(fit?.code).toBe('const fit: (data: Tensor | Session, options: FitOptions) => Promise<FitResult>;')
    expect(fit?.summary).toMatch(/^Fits a model of the given rank/)
    expect(fit?.example).toMatch(/^const \{ model, verdict \}/)
    expect(core.find(({ name }) => name === 'Model')?.code).toMatch(/^class Model \{[\s\S]*sample\(.*\n\}$/)
  })
})
