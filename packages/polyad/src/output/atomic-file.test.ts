import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { writeAtomically, writeBytes } from './atomic-file.ts'

const files = testFolder()

describe('unfinished files', () => {
  it('of processes that were killed are removed by the next that writes there, and no others', async () => {
    let mine = ''
    await writeAtomically(files.path('model.npz'), temporary => {
      mine = temporary
      writeFileSync(temporary, 'whole')
    })
    expect(readdirSync(dirname(mine))).toEqual(['model.npz'])
    const [dead, alive, foreign] = [
      mine.replace(`-${process.pid}-`, '-4194999-'),
      mine,
      files.path('.model.npz.0a1b2c3d.part'),
    ]
    for (const path of [dead, alive, foreign]) writeFileSync(path, 'half')
    await writeBytes(files.path('other.json'), '{}')
    expect([dead, alive, foreign].map(path => existsSync(path))).toEqual([false, true, true])
    expect(readFileSync(files.path('model.npz'), 'utf8')).toBe('whole')
  })
})
