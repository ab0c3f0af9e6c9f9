import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { glossaryEntries, glossaryPage } from './glossary.ts'

const docs = new URL('../../../../../docs/', import.meta.url)

/** The anchors of a document, as GitHub makes them of its headings. */
const anchorsOf = (name: string): string[] =>
  [...readFileSync(new URL(name, docs), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )

describe('the glossary', () => {
  it('begins docs/reference/glossary.md', () => {
    const page = readFileSync(new URL('reference/glossary.md', docs), 'utf8')
    expect(page.slice(0, page.indexOf('\n## In the library'))).toBe(glossaryPage())
  })

  it('says two sentences of each term, and links to a heading that is there', () => {
    for (const { title, text, more } of glossaryEntries()) {
      expect(text.match(/[.!?](\s|$)/g)?.length, title).toBe(2)
      const [file, anchor] = more?.split('#') ?? []
      if (file !== undefined && anchor !== undefined) expect(anchorsOf(file), title).toContain(anchor)
    }
  })
})
