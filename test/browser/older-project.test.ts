import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hasBrowser, projectMenu, saved, startStudio, studioInBrowser, visit } from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** Projects that version 0.1.0 kept or saved: one to three classes of the carcinoma table. */

const older = (name: string) => fileURLToPath(new URL(`../data/0.1.0/${name}`, import.meta.url))
const found = { name: /^Three groups; 97% of observations can be assigned correctly/ } as const

describe.skipIf(!hasBrowser)('a project of version 0.1.0', () => {
  const here = studioInBrowser()
  const { path } = testFolder()

  it('is in the list of a folder that it was kept in, and opens with its results', async () => {
    cpSync(older('projects'), path('projects'), { recursive: true })
    const studio = await startStudio(['--projects', path('projects')])
    const { page, context, faults } = await visit(here.browser, studio.url)
    await page.getByRole('button', { name: /^carcinoma/ }).first().click() // biome-ignore format: one chain
    const steps = page.getByRole('navigation', { name: 'Steps' })
    await steps.getByRole('button', { name: 'Results' }).click()
    await page.getByRole('heading', found).waitFor()
    await saved(page)
    expect(faults).toEqual([])
    await context.close()
    await studio.end()
  })

  it('opens from its file', async () => {
    const { page, context, faults } = await here.visit()
    await projectMenu(page).click()
    await page.getByLabel('The file of a project or a model').setInputFiles(older('carcinoma.polyad-project'))
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Results' }).click()
    await page.getByRole('heading', found).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
