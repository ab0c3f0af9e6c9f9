import { describe, expect, it } from 'vitest'
import { safeName, stemOf } from './files.ts'

describe('names of files', () => {
  it.each([
    ['survey.csv', 'survey.csv'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\data\\réponses.csv', 'réponses.csv'],
    ['a<b>:"|?*c', 'abc'],
    ['...hidden', 'hidden'],
    ['-rf', 'rf'],
    ['con.csv', '_con.csv'],
    ['evil\u202Egpj.exe', 'evilgpj.exe'],
    [' a \n b . ', 'a b'],
    ['名前', '名前'],
    ['', ''],
  ])('%j is %j', (name, safe) => expect(safeName(name)).toBe(safe))

  it('are short, and whole characters', () => expect(safeName('😀'.repeat(200))).toBe('😀'.repeat(80)))

  it.each([
    ['survey.csv', 'survey'],
    ['survey.csv.gz', 'survey'],
    ['v1.2.parquet', 'v1.2'],
    ['mine.polyad-project', 'mine'],
    ['.csv', 'csv'],
    ['ESS.sav', 'ESS'],
    ['old.RData', 'old'],
    ['v1.2', 'v1.2'],
  ])('the stem of %j is %j', (name, stem) => expect(stemOf(name)).toBe(stem))
})
