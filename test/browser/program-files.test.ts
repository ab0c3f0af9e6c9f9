import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { drop, hasBrowser, studioInBrowser, useOf } from '../studio-browser.ts'

/** Files of other programs in the page, whose readers are loaded when they are needed. */
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(`../data/${path}`, import.meta.url)))

describe.skipIf(!hasBrowser)('the page', () => {
  const here = studioInBrowser()

  it('reads a spreadsheet, and another of its sheets; its reader comes with the first', async () => {
    const { page, context, faults } = await here.visit()
    const loaded: string[] = []
    context.on('request', request => loaded.push(request.url()))
    await drop(page, 'survey.xlsx', bytesOf('sheets/openpyxl.xlsx'))
    await page.getByRole('heading', { name: 'survey.xlsx' }).waitFor()
    expect(await useOf(page, 'agree').inputValue()).toBe('mode')
    expect(loaded.filter(url => /xlsx-.*\.js/.test(url)).length).toBeGreaterThan(0)
    await page.getByLabel('Sheet or table').selectOption('Second sheet')
    await useOf(page, 'b').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.each([
    ['odfpy.ods', 'sheets/odfpy.ods', 'Frage'],
    ['base.rds', 'r-sas/base.rds', 'party'],
    ['haven.xpt', 'r-sas/haven-8.xpt', 'text'],
  ])('reads %s', async (name, path, column) => {
    const { page, context, faults } = await here.visit()
    await drop(page, name, bytesOf(path))
    await page.getByRole('heading', { name }).waitFor()
    await useOf(page, column).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
