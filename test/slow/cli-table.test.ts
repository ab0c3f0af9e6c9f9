import { readFileSync, writeFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readZip } from '../../packages/core/src/file/zip.ts'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma } from '../tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const data = scratch.path('carcinoma.csv')
const [two, three, ranks] = ['two.npz', 'three.npz', 'ranks.npz'].map(scratch.path)
writeFileSync(data, csvOf(carcinoma))

const run = async (...args: string[]) => {
  const ended = await polyad(args)
  expect(ended.code, ended.stderr).toBe(0)
  return ended
}

beforeAll(async () => {
  await run('fit', data, '-k', '2', '-o', two, '-q')
  await run('fit', data, '-k', '3', '--se', '-o', three, '-q')
  await run('rank', data, '-k', '1..2', '--test', '--replicates', '19', '--folds', '0', '-o', ranks, '-q')
})

describe('polyad table', () => {
  it('has the standard errors that the fit has kept, or those of the data', async () => {
    const { stdout } = await run('table', three)
    expect(stdout).toContain('Class 2 (37.4%): SE')
    expect(stdout).toContain('robust (sandwich)')
    expect((await run('table', two)).stdout).not.toContain('SE')
    const { stdout: computed } = await run('table', three, data, '--se', 'sandwich')
    expect(computed).toBe(stdout)
    expect((await run('table', two, data, '--se', 'observed', '-q')).stdout).toContain('observed information')
  })

  it('compares numbers of classes, from models or from what rank has kept', async () => {
    const { stdout } = await run('table', two, three, '--kind', 'fit')
    expect(stdout).toMatch(/\| 2 +\| −317\.26 \| +15 \| +664\.51 \| +706\.07 \| +658\.66 \|/)
    expect(stdout).toMatch(/\| 3 +\| −293\.70 \|/)
    const kept = objectOf(await polyad(['table', ranks, '--kind', 'fit', '--json']), 'table') as {
      parts: { columns: { title: string }[]; rows: { head: number; cells: { value: number }[] }[] }[]
    }
    const [{ columns, rows }] = kept.parts
    expect(rows.map(({ head }) => head)).toEqual([1, 2])
    const at = columns.findIndex(({ title }) => title === 'BLRT p')
    expect(rows[0].cells[at]).toBe('')
    expect(rows[1].cells[at].value).toBe(0.05)
    const printed = scratch.path('rank.json')
    const { stdout: json } = await run('rank', data, '-k', '1..2', '--test', '--replicates', '19', '--folds', '0', '--json', '-q') // biome-ignore format: one call
    writeFileSync(printed, json)
    const again = objectOf(await polyad(['table', printed, '--kind', 'fit', '--json']), 'table')
    expect(again.parts).toEqual(kept.parts)
  })

  it('writes what the name of the file asks for', async () => {
    const [word, sheet] = ['t.docx', 't.xlsx'].map(scratch.path)
    await run('table', three, '-o', word)
    expect([...readZip(readFileSync(word)).keys()]).toContain('word/document.xml')
    const object = objectOf(await polyad(['table', three, '-o', sheet, '--number', '2', '--json']), 'table')
    expect(object).toMatchObject({ kind: 'profiles', output: sheet, number: 2 })
    expect((await readXlsx(readFileSync(sheet))).sheets.map(({ rows }) => rows[0][0])).toEqual(['Table 2'])
    const named = scratch.path('t.txt')
    await run('table', three, '-o', named, '--format', 'tex')
    expect(readFileSync(named, 'utf8')).toContain('\\begin{tabular}')
  })

  it('refuses what it cannot do, and says what to do', async () => {
    const refused = async (...args: string[]) => {
      const ended = await polyad(['table', ...args])
      expect(ended.code).not.toBe(0)
      return ended.stderr
    }
    expect(await refused(three, '-o', scratch.path('t.pdf'))).toContain(
      'must end in .docx, .xlsx, .tex, .md, .csv, .html',
    )
    expect(await refused(three, '--format', 'docx')).toContain('write it to a file')
    expect(await refused(three, '--kind', 'odds')).toContain('polyad fit --covariates')
    expect(await refused(three, '--se')).toContain('needs the data')
    expect(await refused(three, '--kind', 'fit', '--category', 'yes')).toContain('--category is for tables of profiles')
    expect(await refused(data, '--kind', 'fit')).toContain('neither a model nor JSON')
  })
})

describe('polyad plot', () => {
  it('has the width and the resolution that a journal asks for', async () => {
    const drawn = async (...args: string[]) => objectOf(await polyad(['plot', two, ...args, '--json']), 'plot')
    expect(await drawn('--width', '90mm', '-o', scratch.path('f.pdf'))).toMatchObject({ width: expect.closeTo(255.118, 2), unit: 'pt', dpi: null }) // biome-ignore format: one call
    expect(await drawn('--width', '90mm', '--dpi', '600', '-o', scratch.path('f.tiff'))).toMatchObject({ width: 2126, unit: 'px', dpi: 600 }) // biome-ignore format: one call
    expect(await drawn('--width', '3in', '-o', scratch.path('f.png'))).toMatchObject({ width: 900, dpi: 300 })
    expect(await drawn('-o', scratch.path('f.png'))).toMatchObject({ width: 960, dpi: 96 })
    expect(await drawn('--width', '480', '--scale', '2', '-o', scratch.path('f.png'))).toMatchObject({ width: 960 })
    expect(readFileSync(scratch.path('f.pdf'), 'latin1')).toMatch(/^%PDF-1\.4/)
  })

  it('refuses what makes no sense', async () => {
    const said = async (...args: string[]) => (await polyad(['plot', two, ...args])).stderr
    expect(await said('--width', '20mm', '-o', scratch.path('f.pdf'))).toContain('240 pixels or more')
    expect(await said('--dpi', '300', '-o', scratch.path('f.eps'))).toContain('--dpi is for .png and .tiff')
    expect(await said('--dpi', '300', '--scale', '2', '-o', scratch.path('f.png'))).toContain('leave one of them out')
    expect(await said('-o', scratch.path('f.jpg'))).toContain('must end in .svg, .pdf, .eps, .png, .tiff')
  })
})
