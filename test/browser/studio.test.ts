import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { objectOf, polyad } from '../run-polyad.ts'
import { button, drop, fitted, hasBrowser, startStudio, studioInBrowser, survey, visit } from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** What a person meets off the usual way through the studio. */

/** The longest task of the page within some time, in milliseconds; 0 where none was long. */
const longestTask = (page: Page, milliseconds: number): Promise<number> =>
  page.evaluate(
    time =>
      new Promise<number>(resolve => {
        let most = 0
        const observer = new PerformanceObserver(list => {
          for (const { duration } of list.getEntries()) most = Math.max(most, duration)
        })
        observer.observe({ entryTypes: ['longtask'] })
        setTimeout(() => {
          observer.disconnect()
          resolve(most)
        }, time)
      }),
    milliseconds,
  )

describe.skipIf(!hasBrowser)('the studio', () => {
  const folder = testFolder()
  const here = studioInBrowser()

  it('says what is wrong with a file, and goes on', async () => {
    const { page, context } = await here.visit()
    await drop(page, 'uneven.csv', 'a,b\n1,2\n1,2,3\n')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('uneven.csv, line 3')
    await drop(page, 'old.xlsx', 'PK\u0003\u0004')
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/xlsx|spreadsheet|Excel/i)
    await drop(page, 'good.csv', 'a,b\n1,2\n1,2\n2,1\n2,2\n')
    await page.getByRole('heading', { name: 'good.csv' }).waitFor()
    await context.close()
  })

  it('opens a table with fewer columns after one with more', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'wide.csv', `a,b,c,d,e\n${'1,2,3,4,5\n2,1,2,1,2\n'.repeat(30)}`)
    await page.getByRole('heading', { name: 'wide.csv' }).waitFor()
    await button(page, 'Next →').click()
    await page.getByText('21–40 of 60').waitFor()
    await drop(page, 'narrow.csv', 'a,b\n1,2\n1,2\n2,1\n2,2\n')
    await page.getByRole('heading', { name: 'narrow.csv' }).waitFor()
    await expect.poll(() => page.locator('.preview thead th').allTextContents()).toEqual(['row', 'a', 'b'])
    expect(faults).toEqual([])
    await context.close()
  })

  it('says so where it cannot be drawn, and begins again', async () => {
    const { page, context } = await here.visit()
    await page.evaluate(() => {
      // Every number that is shown goes through it.
      Math.abs = () => {
        throw new Error('a fault of the test')
      }
    })
    await drop(page, 'good.csv', 'a,b\n1,2\n1,2\n2,1\n2,2\n')
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('a fault of the test')
    await button(page, 'Reload the page').click()
    await page.getByRole('button', { name: /Choose a file|Open another file/ }).waitFor()
    await context.close()
  })

  it('keeps to what is in force where a number cannot be used, and says why', async () => {
    const { page, context } = await here.visit()
    await drop(page, 'good.csv', 'a,b\n1,2\n1,2\n2,1\n2,2\n')
    await button(page, 'Find the classes →').click()
    await page.locator('summary', { hasText: 'More settings' }).click()
    for (const [label, typed, words, stays] of [
      ['From', '7', 'a whole number from 1 to 5', '1'],
      ['Prior', '-3', 'a number ≥ 0', '0'],
      ['Prior', '-4', 'a number ≥ 0', '0'],
      ['Time limit', '0', 'or empty', ''],
    ] as const) {
      const field = page.getByRole('spinbutton', { name: new RegExp(`^${label}`) })
      await field.fill(typed)
      await expect.poll(() => field.inputValue()).toBe(typed)
      await field.blur()
      await page.locator('.number-field', { has: field }).getByText(words).waitFor()
      await expect.poll(() => field.inputValue()).toBe(stays)
    }
    await context.close()
  })

  it('shows labels as text, whatever they are', async () => {
    const { page, context, faults } = await here.visit()
    const label = '<img src=x onerror=alert(1)>'
    const rows = Array.from({ length: 40 }, (_, i) => `"${i % 2 ? label : '</script><b>b</b>'}",${i % 3},${i % 5}`)
    await drop(page, '<b>name</b>.csv', `"<i>one</i>",two,three\n${rows.join('\n')}\n`)
    await page.getByRole('heading', { name: '<b>name</b>.csv' }).waitFor()
    expect(await page.locator('main img, main b, main i').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('fits a hundred thousand rows of twenty columns without a task that holds the page up, and stops when asked', async () => {
    const { page, context } = await here.visit()
    const rows = ['a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t']
    for (let i = 0; i < 100_000; i++) {
      const k = i % 4
      rows.push(Array.from({ length: 20 }, (_, n) => ((i * (n + 3) * 2654435761) >>> 28) % (2 + k)).join(','))
    }
    const path = folder.path('large.csv')
    writeFileSync(path, `${rows.join('\n')}\n`)
    await page.getByLabel('A file with a table').setInputFiles(path)
    await page.getByRole('heading', { name: 'large.csv' }).waitFor()
    await button(page, 'Find the classes →').click()
    await page.getByRole('heading', { name: 'Find the classes' }).waitFor()
    await button(page, 'Find the classes').click()
    await page.getByText('time so far').waitFor()
    // Other processes may hold the page up, too, so one quiet stretch of many is enough: it has some ten messages of progress.
    const longest: number[] = []
    while (longest.length < 60 && Math.min(...longest) > 50) longest.push(await longestTask(page, 500))
    expect(Math.min(...longest)).toBeLessThanOrEqual(50)
    await button(page, 'Stop, and keep the best').click()
    await fitted(page)
    await expect.poll(() => page.getByText('The fit was stopped early').count()).toBe(1)
    await context.close()
  })

  it('has the server read a file that is too large for the page, named or dropped', async () => {
    const named = await startStudio([folder.file('named.csv', survey()), '--page-limit', '1KB'])
    const { page, context, faults } = await visit(here.browser, named.url)
    await page.getByRole('heading', { name: 'named.csv' }).waitFor()
    await page.getByText('read by the server').waitFor()
    await drop(page, 'dropped.csv', survey())
    await page.getByRole('heading', { name: 'dropped.csv' }).waitFor()
    await button(page, 'Find the classes →').click()
    await button(page, 'I know how many').click()
    await page.getByRole('spinbutton', { name: 'Classes' }).fill('2')
    await button(page, 'Find the classes').click()
    await fitted(page)
    const line = ['fit', folder.path('named.csv'), '-k', '2', '--bin', 'age:q5', '--json']
    const { logLikelihood } = objectOf(await polyad(line), 'fit')
    const shown = await page.locator('table.ranks td').first().textContent()
    expect(Number(shown?.replaceAll(',', '').replace('−', '-'))).toBeCloseTo(logLikelihood, 2)
    expect(faults).toEqual([])
    await context.close()
    await named.end()
  })
})
