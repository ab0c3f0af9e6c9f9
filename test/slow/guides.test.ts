import { describe, expect, it } from 'vitest'
import { guides } from '../document-blocks.ts'
import { followedBlocks, missingLine, pageFolder, runBlock } from '../page-blocks.ts'
import { testFolder } from '../test-folder.ts'

/** Every command and program of the guides, and of the pages for those who come from other programs. */

const { path } = testFolder()

describe.each(guides)('%s', page => {
  const blocks = followedBlocks(page)

  it('has something to run', () => {
    expect(blocks.some(({ language }) => language === 'sh' || language === 'ts')).toBe(true)
  })

  it('prints what it says', () => {
    const folder = path(page.replaceAll('/', '-'))
    pageFolder(page, folder)
    for (const block of blocks) {
      const said = runBlock(folder, block)
      if (said === undefined)
        console.warn(`${page}, line ${block.line} is not run: this machine lacks what its ${block.language} needs`)
      else
        expect(missingLine(block.output, said), `${page}, line ${block.line}, which printed\n${said}`).toBeUndefined()
    }
  })
})
