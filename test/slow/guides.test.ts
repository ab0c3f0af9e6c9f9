import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksOf, missingLine, pageFolder, runBlock } from '../page-blocks.ts'
import { testFolder } from '../test-folder.ts'

/** Every command and program of the guides, and of the pages for those who come from other programs. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = ['docs/guides'].flatMap(folder =>
  readdirSync(join(root, folder)).flatMap(name => (name.endsWith('.md') ? `${folder}/${name}` : [])),
)
/** What no machine here can run: programs that must be bought, and files that are shown. */
const SHOWN = ['mplus', 'latentgold', 'matlab', 'html', 'json']
const { path } = testFolder()

describe.each(pages)('%s', page => {
  const blocks = blocksOf(readFileSync(join(root, page), 'utf8'))

  it('has something to run', () => {
    expect(blocks.some(({ language }) => language === 'sh' || language === 'ts')).toBe(true)
  })

  it('prints what it says', ({ annotate }) => {
    const folder = path(page.replaceAll('/', '-'))
    pageFolder(page, folder)
    for (const block of blocks.filter(({ language, left }) => left === undefined && !SHOWN.includes(language))) {
      const said = runBlock(folder, block)
      if (said === undefined)
        annotate(`line ${block.line} is not run: this machine lacks what its ${block.language} needs`)
      else
        expect(missingLine(block.output, said), `${page}, line ${block.line}, which printed\n${said}`).toBeUndefined()
    }
  })
})
